//! Images that the user has set by hand, in place of those of the file: read beside the window, kept
//! with the tab, undone as what is seen is.
//!
//! Invariant: the file that is open is never changed by them, and neither are theirs.

mod apply;
mod dressing;
mod hand_image;
mod image_facts;

pub use apply::{ByHand, ByHandAction, Dressed};
pub use hand_image::{HandImage, HandSlot, ImageRequest};
pub use image_facts::ImageFacts;
pub(super) use image_facts::image_facts;
