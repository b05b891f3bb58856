//! Tests on generated exports.

mod beside;
mod read;
mod scene;
mod write;
