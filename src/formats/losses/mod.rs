//! What a model has, what a format holds of it, and so what a conversion loses.
//!
//! For: the list that `convert` shows before it writes, and the one it makes by reading back.
//! Not for: how far numbers move; that is measured by posing both models.
//!
//! Invariant: the same counts are taken of the model and of what was read back, so that what is
//! predicted and what is observed can be held against one another.

mod aspect;
mod count;
mod held;
mod list;

pub use aspect::{ASPECTS, Aspect, AspectInfo, Measure};
pub use count::Counts;
pub use held::{Held, Precision};
pub use list::{Loss, observed, predicted, predicted_of_part};
