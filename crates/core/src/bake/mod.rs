//! Converts float meshes and curves to the data of packed formats.
//!
//! For: writers of packed formats, and showing any model "as BSM2". Not for: the bytes of a file,
//! which `formats` writes. Not for: models that are already packed, which are written unchanged.
//!
//! Invariant: nothing is dropped silently: data that the packed layout can't hold is counted in
//! [`Dropped`], and [`Packing::job`] provides the inputs to measure deviations from the source.

mod axes;
mod cache_order;
mod corner_tangents;
mod disjoint_sets;
mod error;
#[cfg(test)]
mod fixture;
mod float;
mod fronts;
mod gather;
mod hull;
mod hull_faces;
mod influences;
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
mod static_model;
mod step_keys;
mod tangents;
mod vertex_splitter;
mod without_added;

pub use cache_order::cache_order;
pub(crate) use disjoint_sets::DisjointSets;
pub use error::BakeError;
pub use fronts::{mirrored_meshes, num_mirrored, skin_attached_meshes};
pub use gather::{gather, gather_mesh};
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
pub use sampling::{SampledKeys, SamplingLimit, check_keys, check_sampling};
pub use simplify::{Simplified, simplified};
pub use space::{in_axes, scaled};
pub use sphere::bounding_sphere;
pub use static_model::static_model;
pub use step_keys::with_step_keys;
pub use tangents::{add_split_tangents, add_tangents};
pub use without_added::without_additions;
