//! Tests on generated exports.

mod read;
mod related_exports;
mod scene;
mod write;
