//! Images that the user has set in place of those in the file: read in the background, stored with
//! the tab, undone with the view settings.
//!
//! Invariant: they change neither the open file nor their own files.

mod apply;
mod dressing;
mod hand_image;
mod image_facts;

pub use apply::{ByHand, ByHandAction, Dressed};
pub use hand_image::{HandImage, HandSlot, ImageRequest};
pub use image_facts::ImageFacts;
pub(super) use image_facts::image_facts;
