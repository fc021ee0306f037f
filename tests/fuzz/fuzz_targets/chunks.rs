//! See `fuzz::chunks`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::chunks::check(data));
