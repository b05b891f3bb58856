//! Bytes read as `cmx`.

#![no_main]

rigscope_fuzz::target!("cmx");
