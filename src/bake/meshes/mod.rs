//! Joining, welding and thinning out meshes in the plain form.

mod influences;
mod merge;
mod weld;

pub use influences::with_influences;
pub use merge::merged;
pub use weld::welded;

use crate::model::{ClipId, Model};

use super::float::forget_source;

/// The model with that clip alone, or none where it does not exist.
#[must_use]
pub fn with_clip(model: &Model, clip: ClipId) -> Model {
    let mut out = model.clone();
    out.clips = model.clips.get(clip.index()).cloned().into_iter().collect();
    forget_source(&mut out);
    out
}
