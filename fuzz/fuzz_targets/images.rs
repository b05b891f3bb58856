//! Bytes read as an image file of any kind.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rigscope_fuzz::image(bytes));
