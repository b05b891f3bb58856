//! Converts any model to packed meshes with sampled keys.
//!
//! | file | is for |
//! |---|---|
//! | `options`, `outcome` | options, and results |
//! | `bones` | pairs of bone and inverse bind, and one space for all meshes |
//! | `soup` | each mesh as float vertices in display space |
//! | `normals` | normals of meshes without any |
//! | `tangents`, `tiles`, `cut` | vertices that are split by sign of tangents or by UV tile |
//! | `merge` | bytes, welding, triangles by material |
//! | `clips` | poses at all keys |
//! | `bone_order`, `split` | selection of bones, and grouping of triangles |
//! | `assemble` | the packed model |
//! | `displacement` | the effect of dropped influences |
//! | `run` | the sequence of steps |
//! | `job` | comparison with the source |
//!
//! Invariant: any checked model can be packed; data that the layout can't hold is counted in [`Dropped`],
//! data that is stored differently in [`Changed`].
//! Invariant: the result is the same on every machine and with any number of threads.

mod assemble;
mod bone_order;
mod bones;
mod clips;
mod cut;
mod displacement;
mod job;
mod merge;
mod normals;
mod options;
mod outcome;
mod run;
mod soup;
mod split;
mod tangents;
mod tiles;

pub(super) use clips::STATIC;
pub use options::{BakeOptions, UvTiles};
pub use outcome::{Changed, Dropped, Packed, Packing};
pub use run::pack;

#[cfg(test)]
mod tests;
