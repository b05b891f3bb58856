//! Textures and materials on the GPU, made from `Model::images` and `Model::materials`.
//!
//! For: passes over the surface, which look up how a subset is painted.
//! Not for: finding files (`formats::open` has filled `Model::images`), validating formats.
//!
//! Overview: `requirements` lists the textures that the subsets' materials need; `compressed` uploads
//! blocks as stored; `decode` decodes all others within the `budget`; `mips` generates mip levels; `upload`
//! creates textures and samplers; `images` does this for all images; `binder` binds them with the uniforms
//! of `input`; `materials` stores the result.
//!
//! Invariant: an image is refused by its header, before memory is allocated for its pixels.
//! Invariant: an image is uploaded once per colour space, however many materials share it. A model
//! without textures uses no memory here.

mod binder;
mod budget;
mod checker;
mod compressed;
mod decode;
mod images;
mod input;
mod materials;
mod mips;
mod paint;
mod pixels;
mod requirements;
mod upload;
mod uv_set;

pub(super) use binder::BoundMaterial;
pub(super) use decode::finding_of;
pub(super) use input::MaterialInput;
pub(super) use materials::{Materials, is_lit};
pub(super) use paint::Paint;
pub(super) use uv_set::uv_set_of;

#[cfg(test)]
mod tests;
