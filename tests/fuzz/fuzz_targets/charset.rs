//! See `fuzz::charset`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::charset::check(data));
