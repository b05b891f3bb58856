//! Objects that can be outlined.
//!
//! Not for: the selection (`state::Selection`), which isn't always visible.

use crate::model::{BoneId, MeshId};

/// Linear RGB of the selection's outline and of other selection marks in the view.
/// Keep in sync with `shaders/outline.wgsl`.
pub const SELECTED: [f32; 3] = [1.0, 0.36, 0.04];

/// An object with an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlineTarget {
    /// A subset or loose geometry, numbered over all meshes.
    Part(usize),
    /// A triangle.
    Triangle {
        /// The triangle's mesh.
        mesh: MeshId,
        /// Index within the mesh.
        triangle: u32,
    },
    /// A bone.
    Bone(BoneId),
    /// A collision hull.
    Hull(usize),
}
