//! Bytes read as `fbx`.

#![no_main]

rigscope_fuzz::target!("fbx");
