//! Images that the user has set in place of those in the file: read in the background, stored with
//! the tab, undone with the view settings.
//!
//! Invariant: they change neither the open file nor their own files.

mod apply;
mod image_facts;
mod material_override;
mod user_image;

pub use apply::{AppliedImages, UserImageAction, UserImages};
pub use image_facts::ImageFacts;
pub(super) use image_facts::image_facts;
pub use user_image::{ImageRequest, ImageSlot, UserImage};
