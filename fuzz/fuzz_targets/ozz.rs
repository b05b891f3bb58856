//! Bytes read as `ozz`.

#![no_main]

rigscope_fuzz::target!("ozz");
