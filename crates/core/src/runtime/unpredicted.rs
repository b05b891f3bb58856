//! Features of files that runtimes play differently, in ways that aren't predicted: they are only announced.

use std::collections::HashMap;

use super::playback_difference::PlaybackDifference;
use super::{Rules, Unpredicted};
use crate::model::{
    BoneTrack, FbxKeys, FbxNode, LocalTransform, Mesh, Model, Motion, Place, Skin, StoredFbx,
    StoredMesh, VertexData,
};

/// FBX files store angles in degrees.
const HALF_TURN_DEGREES: f64 = 180.0;

/// Whether a model has a feature.
fn is_in(feature: Unpredicted, model: &Model) -> bool {
    let any = |is_so: fn(&StoredMesh) -> bool| {
        model.meshes.iter().any(|mesh| mesh.stored.as_ref().is_some_and(|own| is_so(own)))
    };
    match feature {
        Unpredicted::InterleavedKeys => model.stored.has_interleaved_keys,
        Unpredicted::SparseAccessors => model.stored.has_sparse_accessors,
        Unpredicted::UnsortedKeys => !model.stored.unsorted_tracks.is_empty(),
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
        _ => model.stored.fbx.as_deref().is_some_and(|fbx| is_in_fbx(feature, fbx)),
    }
}

/// Whether an FBX file has a feature.
fn is_in_fbx(feature: Unpredicted, fbx: &StoredFbx) -> bool {
    let any =
        |is_so: fn(&FbxNode) -> bool| fbx.clips.iter().flat_map(|clip| &clip.nodes).any(is_so);
    match feature {
        Unpredicted::FbxLayers => fbx.clips.iter().any(|clip| clip.has_layers),
        Unpredicted::FbxPivots => any(|node| node.has_pivot),
        Unpredicted::FbxAxes => any(|node| {
            let is_curved = !node.rotation.is_even && !node.rotation.is_linear;
            is_curved || !node.translation.is_even || !node.scale.is_even
        }),
        Unpredicted::FbxProperties => any(|node| {
            let all = || [&node.translation, &node.rotation, &node.scale].into_iter();
            let is_curved = |own: &FbxKeys| {
                let has_all = |other: &FbxKeys| {
                    other.times_secs.iter().all(|time| has(&own.times_secs, time))
                };
                !(own.is_linear || own.is_even && all().all(has_all))
            };
            all().any(is_curved)
        }),
        Unpredicted::FbxWideTurns => any(|node| node.rotation.largest_step >= HALF_TURN_DEGREES),
        Unpredicted::FbxWeightedShapes => fbx.has_weighted_shapes,
        _ => false,
    }
}

/// Whether sorted times contain one.
fn has(times: &[f64], time: &f64) -> bool {
    times.binary_search_by(|own| own.total_cmp(time)).is_ok()
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

fn shares_morphs(model: &Model) -> bool {
    let mut nodes: HashMap<usize, Option<crate::model::BoneId>> = HashMap::new();
    model.meshes.iter().filter(|mesh| !mesh.morph_targets.is_empty()).any(|mesh: &Mesh| {
        let Some(stored) = &mesh.stored else { return false };
        let node = super::tracks::node_of(mesh);
        *nodes.entry(stored.mesh).or_insert(node) != node
    })
}
