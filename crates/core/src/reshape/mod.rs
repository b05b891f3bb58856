//! Changes the form of a model, but not its appearance: plain float vertices and tracks, other axes, one mesh, sampled
//! keys.
//!
//! For: writers, `pack`, and code that examines or fixes a model, which is easier if it is [`plain`]. Not for: the
//! packed layout of BSM2, which is `pack`. Not for: the bytes of a file, which `formats` writes.

mod common_keys;
mod error;
#[cfg(test)]
pub(crate) mod fixture;
mod float;
mod gather;
mod human;
mod key_changes;
mod keys;
mod meshes;
mod mirrored_normals;
mod mirrored_winding;
mod normals;
mod placed_uvs;
mod plain;
mod sampling;
mod space;
mod static_model;
mod step_keys;
mod tangents;
mod vertex_splitter;
mod without_added;

pub use common_keys::{CommonKeys, common_keys, linear_times};
pub use error::ReshapeError;
pub use gather::{gather, gather_mesh};
pub use human::{HumanForm, human_form};
pub(crate) use key_changes::{flatten_spans, smooth_keys};
pub use keys::BAKE_INTERVAL_NS;
pub(crate) use keys::Timing;
pub use meshes::{
    merged, welded, with_clip, with_flipped_v, with_influences, with_normals,
    with_normals_as_others,
};
pub use mirrored_normals::for_normal_matrix;
pub use mirrored_winding::{mirrored_meshes, num_mirrored, skin_attached_meshes};
pub use normals::{CREASE_RAD, add_normals};
pub use placed_uvs::{has_placed_textures, with_placed_uvs};
pub use plain::plain;
pub use sampling::{SampledKeys, SamplingLimit, check_keys, check_sampling};
pub use space::{in_axes, scaled};
pub use static_model::static_model;
pub use step_keys::with_step_keys;
pub use tangents::{add_split_tangents, add_tangents};
pub(crate) use without_added::STATIC;
pub use without_added::without_additions;
