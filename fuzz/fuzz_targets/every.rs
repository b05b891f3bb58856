//! Bytes read as any format, posed, validated, baked, written as any other, read back and compared.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rigscope_fuzz::every(bytes));
