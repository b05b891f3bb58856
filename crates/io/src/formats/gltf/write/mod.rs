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

use super::VRMA;
use crate::formats::{OutputFile, WriteError, WriteOptions};
pub(super) use file::MESH_NODES;
pub(super) use material::{num_images, num_textures};
use rigscope_core::model::{Model, Report};
pub(super) use start_times::num_moved_starts;
pub(super) use vrma::num_human_bones;

/// Writes the part that the options name: glTF, or a VRM animation per clip.
pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    match options.part.as_deref() {
        Some(VRMA) => vrma::write(model, options, report),
        _ => file::write(model, options, report),
    }
}
