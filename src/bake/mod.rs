//! Turning float meshes and curves into what packed formats store.
//!
//! For: writers of packed formats, and showing any model "as BSM2".
//! Not for: bytes of a file; those are `formats`' work. Not for: packed models, which are written
//! as they stand.
//!
//! Invariant: nothing is dropped silently: what the packed layout cannot hold is counted in
//! [`Dropped`], and [`measure`] tells how far vertices are from where they were.

mod axes;
#[cfg(test)]
mod fixture;
mod float;
mod influences;
mod keys;
mod measure;
mod meshes;
mod pack;
mod plain;
mod space;
mod still;
mod tangents;

pub use influences::{MAX_PACKED_INFLUENCES, PackedInfluences, quantise_weights};
pub use keys::BAKE_INTERVAL_NS;
pub use measure::{Measured, Worst, measure};
pub use meshes::{merged, welded, with_clip, with_flipped_v, with_influences};
pub use pack::{BakeError, BakeOptions, Changed, Dropped, Origin, Packed, Packing, UvTiles, pack};
pub use plain::plain;
pub use space::{in_axes, scaled};
pub use still::still;
pub use tangents::add_tangents;
