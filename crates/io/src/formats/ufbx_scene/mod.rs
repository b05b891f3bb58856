//! Converts an FBX scene read by the ufbx library to a [`Model`](rigscope_core::model).
//!
//! Source: `ufbx.h` 0.23 and the crate's bindings 0.11. Choosing files is in `fbx`.
//!
//! | ufbx | model |
//! |---|---|
//! | node | bone, in ufbx's order (parents first); helper nodes are marked |
//! | mesh at a node | mesh with one vertex per distinct corner |
//! | face with two corners or one | loose line, loose point |
//! | skin deformer | slots with inverse bind matrices, all influences |
//! | blend channel | morph target, one shape per keyframe |
//! | animation stack | clip whose curves ufbx evaluates at any time |
//! | material, texture | material; embedded content becomes an image |
//!
//! Ambiguous: of several skins on one mesh the first is used, as in ufbx's own evaluation.
//! Ambiguous: material colours are read as linear, since FBX doesn't specify them. Ambiguous:
//! vertex colours are read as sRGB, since FBX doesn't specify them: Blender does the same by
//! default (`colors_type` of its importer), and so does the `FBXLoader` of three.js. If only some
//! vertices have a colour, the others are white.
//!
//! Invariant: no call here can panic inside the library or make it read out of bounds: faces, their
//! position indices and buffers are checked before `triangulate_face`; `Error::info` (which
//! unwraps) and `OptionRef` (which is inverted) are unused.

mod clips;
mod context;
mod images;
mod key_order;
mod load;
mod looks;
mod materials;
mod math;
mod meshes;
mod morphs;
mod scene;
mod skeleton;
mod skins;
mod split;
mod stored_keys;
mod warnings;

pub(super) use load::{MAX_NODE_DEPTH, load};
pub(super) use scene::convert;

#[cfg(test)]
mod reference_poses;
#[cfg(test)]
mod tests;
