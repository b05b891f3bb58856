//! Bytes read as `bsm`.

#![no_main]

rigscope_fuzz::target!("bsm");
