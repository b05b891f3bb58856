//! Bytes read as `bcf`.

#![no_main]

rigscope_fuzz::target!("bcf");
