//! Writing: the plain form of a model as glTF 2.0, binary or as JSON with a `.bin` beside it.
//!
//! For: one node a bone, in the order of bones, so that what was read is written with the same
//! numbers; nodes that only glTF needs follow behind.
//! Not for: turning motion and vertices into the plain form; that is [`rigscope_core::bake`]'s work.
//!
//! Invariant: what is written keeps the rules of the specification that Khronos' validator checks:
//! unit normals, tangents and rotations, weights that sum to 1, ascending times, one common root
//! a skin, aligned accessors with their bounds.

mod animation;
mod attributes;
mod data;
mod file;
mod holds;
mod joined;
mod layers;
mod material;
mod mesh;
mod morph;
mod nodes;
mod skin;
mod texture;
mod weights;

pub(super) use file::{MESH_NODES, write};
pub(super) use holds::{holds, num_moved_starts};
pub(super) use material::{num_images, num_textures};
