//! Writes the plain form of a model as glTF 2.0: binary, or JSON with a separate `.bin`.
//!
//! There is one node per bone, in bone order, so that files keep their numbers when they are read
//! and written again; additional nodes follow.
//! Conversion of motion and vertices to the plain form is in [`rigscope_core::reshape`].
//!
//! Invariant: written files satisfy the rules that Khronos' validator checks: unit normals,
//! tangents and rotations, weights that sum to 1, ascending times, one common root per skin,
//! aligned accessors with their bounds.

mod animation;
mod attributes;
mod data;
mod file;
mod layers;
mod material;
mod mesh;
mod morph;
mod nodes;
mod packed_images;
mod skin;
mod start_times;
mod texture;
mod vrma;
mod weights;

pub(super) use file::{MESH_NODES, write};
pub(super) use material::{num_images, num_textures};
pub(super) use start_times::num_moved_starts;
pub(super) use vrma::num_human_bones;
