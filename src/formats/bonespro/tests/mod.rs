//! Exports made in code.

mod read;
mod scene;
