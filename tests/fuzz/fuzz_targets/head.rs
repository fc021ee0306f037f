//! See `fuzz::head`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::head::check(data));
