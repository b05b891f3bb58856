//! The CPU reference: a moment of a clip becomes bone matrices, palettes and skinned vertices.
//!
//! For: exact, readable answers that the GPU is measured against; commands that draw nothing.
//! Not for: playback, which the GPU does alone from the stored keys.
//!
//! Order of work: [`blend_keys`] picks keys, [`sample`] makes a [`Pose`], [`palette`] binds it to a
//! mesh, [`skin_mesh`] moves vertices.
//!
//! Invariant: inputs have passed `model::check`; nothing here fails or panics on a model, and a
//! matrix without volume (a hidden bone) gives zero normals, never NaN.
//! Invariant: results are in file space; `Axes::display_from_file` is applied by who shows them.
//! Keep in sync with `shaders/palette.wgsl` and `shaders/skin_packed.wgsl`.

mod blend;
mod bones;
mod cast;
mod morph;
mod palette;
mod sample;
mod skin;
mod track;

pub use blend::{KeyBlend, Moment, PoseSpec, Sampling, blend_keys};
pub use bones::{BoneAnchors, BoneShape, bone_shapes};
pub use cast::{TriangleHit, nearest_triangle};
pub use palette::palette;
pub use sample::{Pose, sample};
pub use skin::{SkinnedMesh, posed_bounds, skin_mesh, skin_model, skin_vertex, unit_or_zero};

#[cfg(test)]
mod tests;
