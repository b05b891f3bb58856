//! What a model has, and what a format holds of it: the terms in which losses are told.
//!
//! For: `loss_list`, which says of a model and a format what a conversion loses.
//! Not for: how far numbers move; that is measured by posing both models.
//!
//! Invariant: the same counts are taken of the model and of what was read back, so that what is
//! predicted and what is observed can be held against one another.

mod aspect;
mod count;
mod held;

pub use aspect::{ASPECTS, Aspect, AspectInfo, Measure};
pub use count::Counts;
pub use held::{Held, Precision};
