//! Tests that need no GPU and no window: known answers of real files, the registry over all
//! samples, and the promises that the documents make about the code.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may fail and speak"
)]

mod support;

#[path = "core/bsm.rs"]
mod bsm;
#[path = "core/bsm2.rs"]
mod bsm2;
#[path = "core/confusions.rs"]
mod confusions;
#[path = "core/docs.rs"]
mod docs;
#[path = "core/iqm.rs"]
mod iqm;
#[path = "core/layers.rs"]
mod layers;
#[path = "core/properties.rs"]
mod properties;
#[path = "core/sample.rs"]
mod sample;
