//! The public API, the examples, and promises of documents and conventions about the code.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may fail and speak"
)]

#[path = "../support/mod.rs"]
mod support;

mod api;
mod circles;
mod docs;
mod examples;
mod fuzzing;
mod headless;
mod imports;
mod options;
mod packaging;
mod sample;
mod sources;
mod waiting;
