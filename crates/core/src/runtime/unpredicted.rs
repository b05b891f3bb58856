//! Features of files that runtimes play differently, in ways that aren't predicted: they are only announced.

use std::collections::HashMap;

use super::playback_difference::PlaybackDifference;
use super::{Rules, Unpredicted};
use crate::model::{
    BoneTrack, LocalTransform, Mesh, Model, Motion, Place, Skin, StoredMesh, VertexData,
};

/// Whether a model has a feature.
fn is_in(feature: Unpredicted, model: &Model) -> bool {
    let any = |is_so: fn(&StoredMesh) -> bool| {
        model.meshes.iter().any(|mesh| mesh.stored.as_ref().is_some_and(|own| is_so(own)))
    };
    match feature {
        Unpredicted::InterleavedKeys => model.stored.has_interleaved_keys,
        Unpredicted::SparseAccessors => model.stored.has_sparse_accessors,
        Unpredicted::UnsortedKeys => !model.stored.unsorted_tracks.is_empty(),
        Unpredicted::RepeatedFirstKeys => tracks(model).any(starts_twice),
        Unpredicted::AnimatedMatrices => tracks(model).any(|track| {
            let bone = model.skeleton.bones().get(track.bone);
            bone.is_some_and(|bone| matches!(bone.rest_local, LocalTransform::Matrix(_)))
        }),
        Unpredicted::DifferentTargets => any(|mesh| mesh.has_different_targets),
        Unpredicted::MorphsWithoutNormals => model.meshes.iter().any(|mesh| {
            let VertexData::Streams(streams) = &mesh.vertices else { return false };
            streams.normals.is_empty() && !mesh.morph_targets.is_empty()
        }),
        Unpredicted::SharedMorphs => shares_morphs(model),
        Unpredicted::Jointless => model.meshes.iter().any(|mesh| {
            let is_jointless = |stored: &StoredMesh| stored.skin.is_some() && !stored.has_joints;
            matches!(mesh.skin, Skin::None)
                && mesh.stored.as_ref().is_some_and(|stored| is_jointless(stored))
        }),
    }
}

/// Reports the features of a model that the runtime plays differently.
pub(super) fn report(model: &Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    for feature in rules.unpredicted.iter().filter(|feature| is_in(**feature, model)) {
        differences.push(PlaybackDifference {
            kind: "unpredicted",
            text: format!("{} (not predicted)", feature.text()),
            place: Place::File,
            count: 1,
        });
    }
}

fn tracks(model: &Model) -> impl Iterator<Item = &BoneTrack> {
    model.clips.iter().flat_map(|clip| match &clip.motion {
        Motion::Tracks(tracks) => &tracks[..],
        _ => &[],
    })
}

fn starts_twice(track: &BoneTrack) -> bool {
    track.times().any(|times| matches!(times, [first, second, ..] if first == second))
}

fn shares_morphs(model: &Model) -> bool {
    let mut nodes: HashMap<usize, Option<crate::model::BoneId>> = HashMap::new();
    model.meshes.iter().filter(|mesh| !mesh.morph_targets.is_empty()).any(|mesh: &Mesh| {
        let Some(stored) = &mesh.stored else { return false };
        let node = super::tracks::node_of(mesh);
        *nodes.entry(stored.mesh).or_insert(node) != node
    })
}
