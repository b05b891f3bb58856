//! Bytes read as `far`.

#![no_main]

rigscope_fuzz::target!("far");
