//! The aspects of a model, and how much of each a format stores, as the basis for loss lists.
//!
//! For: `loss_list`, which determines the losses of a conversion.
//! Not for: how far values deviate, which is measured by posing both models.
//!
//! Invariant: each writer's table states every aspect once; a new aspect doesn't compile before that.
//! Invariant: the model and the model read back are counted in the same way, so that predicted and observed
//! losses can be compared.

mod aspect;
mod count;
mod held;
mod stored;

pub use aspect::{ASPECTS, Aspect, AspectInfo, Measure};
pub use count::Counts;
pub use held::{Held, Precision};
pub use stored::Stored;
pub(super) use stored::stored;
