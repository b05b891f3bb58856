//! Merges, welds and simplifies meshes in the plain form.

mod influences;
mod merge;
mod normals;
mod weld;

pub use influences::with_influences;
pub use merge::merged;
pub use normals::{with_normals, with_normals_as_others};
pub use weld::welded;

use crate::model::{ClipId, Model, VertexData};

use super::float::{floats, forget_source};

/// The model with only that clip, or without clips if it doesn't exist.
#[must_use]
pub fn with_clip(model: &Model, clip: ClipId) -> Model {
    let mut out = model.clone();
    out.clips = model.clips.get(clip).cloned().into_iter().collect();
    forget_source(&mut out);
    out
}

/// The model with v flipped: up instead of down, or down instead of up.
#[must_use]
pub fn with_flipped_v(model: &Model) -> Model {
    let mut out = floats(model);
    for mesh in &mut out.meshes {
        if let VertexData::Streams(streams) = &mut mesh.vertices {
            for uv in streams.uv_sets.iter_mut().flat_map(|set| &mut set.coords) {
                uv.y = 1.0 - uv.y;
            }
        }
    }
    forget_source(&mut out);
    out
}
