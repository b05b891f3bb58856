//! What an outline goes around.
//!
//! Not for: what is selected (`state::Selection`), of which not all is in the picture.

use crate::model::{BoneId, MeshId};

/// Linear RGB of the outline of what is selected, and of all that marks it in the picture.
/// Keep in sync with `shaders/outline.wgsl`.
pub const SELECTED: [f32; 3] = [1.0, 0.36, 0.04];

/// One thing in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlined {
    /// A subset, or lines or points, counted over all meshes.
    Part(usize),
    /// A triangle.
    Triangle {
        /// Its mesh.
        mesh: MeshId,
        /// Its number in the mesh.
        triangle: u32,
    },
    /// A bone.
    Bone(BoneId),
    /// A collision hull.
    Hull(usize),
}
