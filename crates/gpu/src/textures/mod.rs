//! Textures and materials on the GPU: what `Model::images` and `Model::materials` become.
//!
//! For: the surface, which asks how a subset is painted.
//! Not for: finding files (`formats::open` has filled `Model::images`), judging formats.
//!
//! Order of work: `wants` lists what the subsets' materials need, `compressed` takes blocks
//! as they are stored, `decode` turns all else into pixels within the `budget` of all of them, `mips`
//! halves them, `upload` makes textures and samplers, `images` does that for all,
//! `binder` binds them with the numbers of `input`, and `materials` keeps the result.
//!
//! Invariant: an image is refused by its header, before memory is taken for its pixels.
//! Invariant: an image is uploaded once for each way of reading it, however many materials share
//! it, and a model that needs no texture has none here.

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
pub(super) use decode::note_of;
pub(super) use input::MaterialInput;
pub(super) use materials::{Materials, is_lit};
pub(super) use paint::Paint;
pub(super) use uv_set::uv_set_of;

#[cfg(test)]
mod tests;
