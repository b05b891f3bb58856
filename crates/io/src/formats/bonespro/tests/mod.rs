//! Exports made in code.

mod beside;
mod read;
mod scene;
mod write;
