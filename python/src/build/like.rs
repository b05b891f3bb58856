//! Facts of another model that arrays can't express, taken over as far as they fit.
//!
//! Fits: a part refers to other parts by number, so it is taken over only if these are as many as before. The check of
//! the model, which follows, removes single references to parts that don't exist.

use rigscope::model::{
    Bone, Clip, Influences, InverseBindSkin, Material, Mesh, Model, Motion, Preserved, Skin,
    StoredScene,
};

use super::packed;

/// Ranges that differ by less are the same: formats round durations and intervals separately.
const SAME_SECS: f64 = 1e-6;

/// Completes `model` before it is checked.
pub(super) fn take_over(model: &mut Model, like: &Model) {
    model.details.clone_from(&like.details);
    model.value_tracks.clone_from(&like.value_tracks);
    let has_bones = model.skeleton.len() == like.skeleton.len();
    let has_meshes = model.meshes.len() == like.meshes.len();
    if has_bones {
        model.stored = like.stored.clone();
        if has_meshes {
            model.avatar.clone_from(&like.avatar);
        }
    } else {
        let required_extensions = like.stored.required_extensions.clone();
        model.stored = StoredScene { required_extensions, ..StoredScene::default() };
    }
    if model.images.len() == like.images.len() {
        model.environment = like.environment;
    }
    if model.materials.len() == like.materials.len() {
        model.effect.clone_from(&like.effect);
        for (own, other) in model.materials.iter_mut().zip(&like.materials) {
            own.approximated = other.approximated;
        }
    }
    if has_bones && has_meshes {
        for (own, other) in model.meshes.iter_mut().zip(&like.meshes) {
            own.stored.clone_from(&other.stored);
            let num_targets = own.morph_targets.len();
            if let Some(stored) = &mut own.stored {
                let weights = &mut stored.overridden_morph_weights;
                *weights = weights.take().filter(|weights| weights.len() == num_targets);
            }
        }
    }
    for (own, other) in model.meshes.iter_mut().zip(&like.meshes) {
        packed::pack_like(own, other);
    }
    for (own, other) in model.clips.iter_mut().zip(&like.clips) {
        take_over_range(own, other);
    }
    if has_same_counts(model, like) {
        let has_same_names = has_same_names(model, like);
        let preserved = like.preserved.iter();
        let fits = |kept: &&Preserved| has_same_names || kept.format == NUMBERED;
        model.preserved = preserved.filter(fits).cloned().collect();
    }
}

/// Takes over facts about influences, which the check of the model would replace.
pub(super) fn take_over_skins(model: &mut Model, like: &Model) {
    for (own, other) in model.meshes.iter_mut().zip(&like.meshes) {
        if let (Skin::InverseBind(own), Skin::InverseBind(other)) = (&mut own.skin, &other.skin)
            && own.bones.len() == other.bones.len()
            && has_same_rows(own, other)
        {
            own.in_first_set.clone_from(&other.in_first_set);
            own.unweighted_slots.clone_from(&other.unweighted_slots);
            own.outside.clone_from(&other.outside);
        }
    }
}

fn has_same_rows(own: &InverseBindSkin, other: &InverseBindSkin) -> bool {
    match (&own.influences, &other.influences) {
        (Influences::Rows { first: own, .. }, Influences::Rows { first: other, .. }) => {
            own == other
        }
        _ => false,
    }
}

/// The exact range of a clip that the keys give only approximately.
fn take_over_range(own: &mut Clip, other: &Clip) {
    let is_same = |a: f64, b: f64| (a - b).abs() <= SAME_SECS;
    if is_same(own.start_secs, other.start_secs) && is_same(own.duration_secs, other.duration_secs)
    {
        (own.start_secs, own.duration_secs) = (other.start_secs, other.duration_secs);
        if let (Motion::Sampled(own), Some(other)) = (&mut own.motion, other.as_sampled()) {
            own.duration_ns = other.duration_ns;
        }
    }
}

/// The format whose preserved bytes are only numbers of parts. Others also contain names and times, which writers don't
/// compare with those of the model, as they do with vertices and keys.
const NUMBERED: &str = "gltf";

fn are_same<'a, T: 'a, U: PartialEq>(own: &'a [T], other: &'a [T], facts: fn(&'a T) -> U) -> bool {
    own.iter().map(facts).eq(other.iter().map(facts))
}

/// Whether bytes that a reader preserved for writing can still describe the model.
fn has_same_counts(model: &Model, like: &Model) -> bool {
    let mesh = |mesh: &Mesh| {
        let lists = (mesh.morph_targets.len(), mesh.subsets.len());
        (mesh.num_vertices(), mesh.indices.len(), lists)
    };
    model.skeleton.len() == like.skeleton.len()
        && model.clips.len() == like.clips.len()
        && model.materials.len() == like.materials.len()
        && are_same(&model.meshes, &like.meshes, mesh)
}

fn has_same_names(model: &Model, like: &Model) -> bool {
    let clip = |clip: &Clip| {
        let keys = clip.uniform_keys().map(|(num, _)| num);
        (clip.name.clone(), clip.start_secs, clip.duration_secs, keys)
    };
    model.axes == like.axes
        && are_same(model.skeleton.bones(), like.skeleton.bones(), |bone: &Bone| {
            (bone.name.clone(), bone.parent)
        })
        && are_same(&model.clips, &like.clips, clip)
        && are_same(&model.materials, &like.materials, |material: &Material| material.name.clone())
        && are_same(&model.meshes, &like.meshes, |mesh: &Mesh| mesh.name.clone())
}
