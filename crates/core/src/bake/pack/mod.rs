//! From any model to packed meshes with sampled keys.
//!
//! | file | is for |
//! |---|---|
//! | `options`, `outcome` | what goes in besides the model, and what comes out |
//! | `bones` | pairs of bone and inverse bind, and one space for all meshes |
//! | `soup` | each mesh as float vertices in display space |
//! | `normals` | normals of meshes that have none |
//! | `tangents`, `tiles`, `cut` | vertices that are made: by sign of tangents, by UV tile |
//! | `merge` | bytes, welding, triangles by material |
//! | `clips` | poses at all keys |
//! | `kept`, `split` | which bones, and which triangles together |
//! | `assemble` | the packed model |
//! | `displacement` | what lost influences cost |
//! | `run` | the steps, in their order |
//! | `job` | what compares it with its source |
//!
//! Invariant: any checked model is packed; what the layout cannot hold is counted in [`Dropped`],
//! what is stored otherwise in [`Changed`].
//! Invariant: the outcome is the same on every machine and with any number of threads.

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

pub use options::{BakeOptions, UvTiles};
pub use outcome::{Changed, Dropped, Packed, Packing};
pub use run::pack;

#[cfg(test)]
mod tests;
