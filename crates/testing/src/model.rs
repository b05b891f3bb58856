//! The model with its builder.

pub use rigscope_core::model::*;

#[path = "../../core/src/model/testing.rs"]
pub(crate) mod testing;
