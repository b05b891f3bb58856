//! Converts any model to the packed meshes and sampled keys of BSM2.
//!
//! For: its writer, and showing any model "as BSM2". Not for: models that are already packed, which are written
//! unchanged.
//!
//! | file | is for |
//! |---|---|
//! | `options`, `outcome` | options, and results |
//! | `bones` | pairs of bone and inverse bind, and one space for all meshes |
//! | `soup` | each mesh as float vertices in display space |
//! | `normals` | normals of meshes without any |
//! | `tangents`, `tiles`, `cut` | vertices that are split by sign of tangents or by UV tile |
//! | `axes` | from the source's axes to those of BSM2 |
//! | `influences` | weights as bytes |
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
mod axes;
mod bone_order;
mod bones;
mod clips;
mod cut;
mod displacement;
mod influences;
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

pub use influences::{MAX_PACKED_INFLUENCES, PackedInfluences, quantise_weights, used_when_packed};
pub use options::{PackOptions, UvTiles};
pub use outcome::{Changed, Dropped, Packed, Packing};
pub use run::pack;

#[cfg(test)]
mod tests;
