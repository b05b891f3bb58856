//! Bytes read as `bmf`.

#![no_main]

rigscope_fuzz::target!("bmf");
