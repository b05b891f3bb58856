//! Turning float meshes and curves into what packed formats store.
//!
//! For: writers of packed formats, and showing any model "as BSM2".
//! Not for: bytes of a file; those are `formats`' work. Not for: packed models, which are written
//! as they stand.
//!
//! Invariant: nothing is dropped silently: what the packed layout cannot hold is counted in
//! [`Dropped`], and [`Packing::job`] leads to how far vertices are from where they were.

mod axes;
mod cache_order;
mod corner_tangents;
mod error;
#[cfg(test)]
mod fixture;
mod float;
mod fronts;
mod gathered;
mod hull;
mod hull_faces;
mod influences;
mod islands;
mod keys;
mod meshes;
mod mirrored_normals;
mod normals;
mod pack;
mod placed_uvs;
mod plain;
pub mod polygon;
mod sampling;
mod simplify;
mod space;
mod sphere;
mod split;
mod still;
mod tangents;

pub use cache_order::cache_order;
pub use error::BakeError;
pub use fronts::{mirrored_meshes, num_mirrored, skinned};
pub use gathered::{gathered, gathered_mesh};
pub use hull::{HullPoints, hull_points};
pub use hull_faces::{HullFaces, hull_faces};
pub use influences::{MAX_PACKED_INFLUENCES, PackedInfluences, quantise_weights, used_when_packed};
pub use keys::BAKE_INTERVAL_NS;
pub use meshes::{
    merged, welded, with_clip, with_flipped_v, with_influences, with_normals,
    with_normals_as_others,
};
pub use mirrored_normals::for_normal_matrix;
pub use normals::{CREASE_RAD, add_normals};
pub use pack::{BakeOptions, Changed, Dropped, Packed, Packing, UvTiles, pack};
pub use placed_uvs::{has_placed_textures, with_placed_uvs};
pub use plain::plain;
pub use sampling::{SamplingLimit, check_sampling};
pub use simplify::{Simplified, simplified};
pub use space::{in_axes, scaled};
pub use sphere::bounding_sphere;
pub use still::still;
pub use tangents::{add_split_tangents, add_tangents};
