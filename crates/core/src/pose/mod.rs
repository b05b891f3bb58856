//! The CPU reference: turns a moment of a clip into bone matrices, palettes and skinned vertices.
//!
//! For: exact, readable results to compare the GPU with; commands that draw nothing. Not for:
//! playback, which the GPU does from the stored keys.
//!
//! A [`PoseSpec`] determines a pose completely: moment, sampling, second clip, in-place playback, weights set
//! by hand, and the normal matrix. It is passed by value, so that panes, picking, bones and the GPU all show
//! the same pose. [`Sampling`] lists how each kind of motion is interpolated.
//!
//! The matrix that transforms normals is a property of the model, set by its reader after the format's own
//! runtime (`Model::normal_matrix`); [`Normals::Exact`] uses the inverse transpose instead. Code that poses a
//! model to write or compare it uses the model's rule, so that a conversion compares the appearance in both runtimes.
//!
//! Order of work: [`blend_keys`] picks keys, [`sample()`] makes a [`Pose`], [`Pose::of_mesh`] binds
//! it to a mesh, [`skin_mesh`] moves vertices.
//!
//! Invariant: inputs have passed `model::check`; nothing here fails or panics on a model, and a
//! matrix without volume (a hidden bone) gives zero normals, never NaN.
//! Invariant: results are in file space; the caller that displays them applies `Axes::display_from_file`.
//! Keep in sync with `shaders/palette.wgsl`, `skin_packed.wgsl` and `skin_streams.wgsl`.

mod base_pose;
mod bind;
mod blend;
mod blend_error;
mod bones;
mod budget;
mod clip_times;
mod decompose;
mod display;
mod dual_quaternion;
mod fit;
mod lanes;
mod layer;
mod looks;
mod mesh_pose;
mod mirroring;
mod model_point;
mod morph;
mod morph_overrides;
mod moving_bounds;
mod normal_error;
mod normals;
mod packed;
mod positions;
mod ray_cast;
mod reach;
mod sample;
mod second_clip;
mod skin;
mod spec;
mod stretch;
mod track;
pub mod transfer;

pub use base_pose::{CachedVertices, Pose};
pub use bind::{has_bind_pose, has_rest_pose};
pub use blend::{KeyBlend, blend_keys};
pub use blend_error::{BlendError, WorstBlend, blend_error};
pub use bones::{BoneAnchors, BoneShape, bone_frames, bone_head, bone_shapes};
pub use budget::PoseBudget;
pub use clip_times::{clip_times, extreme_poses};
pub use display::to_display_space;
pub use dual_quaternion::DualQuaternion;
pub use fit::{fit_of_binds, fit_of_offsets, fit_of_tracks};
pub use looks::{moves_textures, peak_look, posed_look, posed_texture, tracks_of};
pub use mesh_pose::MeshPose;
pub use mirroring::{mirrored_vertices, mirrors};
pub use model_point::ModelPoint;
pub use morph_overrides::MorphOverrides;
pub use moving_bounds::{moving_bounds, part_bounds, posed_bounds};
pub use normal_error::{NormalDeviation, NormalError, normal_errors};
pub use normals::{Normals, transformed_normal, unit_or_zero};
pub use positions::{skin_positions, skin_some_positions};
pub use ray_cast::{TriangleHit, intersect_triangle, nearest_triangle};
pub use reach::{BoundsExcess, Reach, reach};
pub use sample::{canonical_spec, sample};
pub use second_clip::{Fade, SecondClip, clip_span_secs};
pub use skin::{SkinnedMesh, skin_mesh, skin_mesh_into, skin_model, skin_vertex};
pub use spec::{ClipLayer, InPlace, LayerMode, Moment, PoseSpec, Sampling};
pub use stretch::{Stretch, StretchedEdge, stretch};
pub use track::Curve;
pub(crate) use track::read as read_track;

#[cfg(test)]
mod layer_tests;
#[cfg(test)]
mod normals_tests;
#[cfg(test)]
mod sampling_tests;
#[cfg(test)]
mod tests;
