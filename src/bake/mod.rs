//! Turning float meshes and curves into what packed formats store.
//!
//! For: writers of packed formats, and showing any model "as BSM2".
//! Not for: bytes of a file; those are `formats`' work. Not for: packed models, which are written
//! as they stand.
//!
//! Invariant: nothing is dropped silently: a model that cannot be packed whole is a [`BakeError`],
//! and influences that are cut are counted.

mod axes;
#[cfg(test)]
mod fixture;
mod float;
mod influences;
mod keys;
mod meshes;
mod pack;
mod plain;
mod space;
mod still;
mod tangents;

pub use influences::{MAX_PACKED_INFLUENCES, PackedInfluences, quantise_weights};
pub use keys::{BAKE_INTERVAL_NS, key_count};
pub use meshes::{merged, welded, with_clip, with_flipped_v, with_influences};
pub use pack::{BakeError, BakeOptions, Packed, pack};
pub use plain::plain;
pub use space::{in_axes, scaled};
pub use still::still;
pub use tangents::add_tangents;
