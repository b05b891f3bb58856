//! Models made in code, for the tests of all crates.
//!
//! The sources are in `rigscope-core`, whose own unit tests include them directly: a unit test of a crate
//! can't share types with another crate that depends on it.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "as in tests, failing is an answer"
)]

pub use model::testing::*;

mod model;

/// Image files made in code.
#[path = "../../core/src/images/testing.rs"]
pub mod images;
