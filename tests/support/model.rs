//! The library's models, and the builder that its own tests make them with.

pub use rigscope::model::*;

#[path = "../../src/model/testing.rs"]
pub mod testing;
