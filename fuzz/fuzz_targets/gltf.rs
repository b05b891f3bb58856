//! Bytes read as `gltf`.

#![no_main]

rigscope_fuzz::target!("gltf");
