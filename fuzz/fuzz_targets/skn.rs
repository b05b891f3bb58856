//! Bytes read as `skn`.

#![no_main]

rigscope_fuzz::target!("skn");
