//! Bytes read as `obj`.

#![no_main]

rigscope_fuzz::target!("obj");
