//! Exports made in code.

mod faces;
mod read;
mod scene;
