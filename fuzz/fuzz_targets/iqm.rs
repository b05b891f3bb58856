//! Bytes read as `iqm`.

#![no_main]

rigscope_fuzz::target!("iqm");
