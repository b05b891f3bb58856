//! Bytes read as `bonespro`.

#![no_main]

rigscope_fuzz::target!("bonespro");
