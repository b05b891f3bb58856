//! Bytes read as `bsm2`.

#![no_main]

rigscope_fuzz::target!("bsm2");
