//! Files that a runtime refuses, or that make it fail.

use std::collections::HashSet;

use super::{Faults, Rules, Runtime, SparseTargets};
use crate::model::{
    BoneTrack, Interpolation, LocalTransform, Mesh, Model, MorphShape, Motion, Skin, StoredMesh,
    Track, VertexData,
};

impl Runtime {
    /// The reason why it refuses a file whose format it opens, or fails to show it, as a clause.
    pub fn refusal(&self, model: &Model) -> Option<String> {
        let names = &model.stored.required_extensions;
        if let Some(name) = names.iter().find(|name| !self.rules.extensions.contains(name)) {
            return Some(format!("it requires the extension {name}, which isn't supported"));
        }
        if let Some(fbx) = model.stored.fbx.as_deref() {
            let [text, binary] = self.rules.oldest_fbx;
            let (oldest, version) = (if fbx.is_text { text } else { binary }, fbx.version);
            if version < oldest {
                return Some(format!(
                    "it has version {version} of FBX, and only {oldest} and later is supported"
                ));
            }
        }
        limit(model, &self.rules).or_else(|| fault(model, self.rules.fails_on).map(str::to_owned))
    }
}

/// A number that exceeds a limit of the runtime.
fn limit(model: &Model, rules: &Rules) -> Option<String> {
    let joints = model.meshes.iter().map(|mesh| match &mesh.skin {
        Skin::InverseBind(skin) => skin.bones.len(),
        _ => 0,
    });
    let num_joints = joints.max().unwrap_or_default();
    if let Some(max) = rules.max_joints.filter(|max| num_joints > *max) {
        return Some(format!("a skin has {num_joints} joints, and at most {max} are supported"));
    }
    let num_attributes = model.meshes.iter().map(num_attributes).max().unwrap_or_default();
    if let Some(max) = rules.max_attributes.filter(|max| num_attributes > *max) {
        return Some(format!(
            "a mesh has {num_attributes} attributes with those of its morph targets, and at most {max} are supported"
        ));
    }
    let targets = model.meshes.iter().map(|mesh| mesh.morph_targets.len());
    let num_targets = targets.max().unwrap_or_default();
    if let Some(max) = rules.refused_morph_targets.filter(|max| num_targets > *max) {
        return Some(format!(
            "a mesh has {num_targets} morph targets, and at most {max} are supported"
        ));
    }
    let refuses = rules.sparse_targets == SparseTargets::Refused;
    (refuses && any_stored(model, |mesh| mesh.has_sparse_targets)).then(|| {
        "its morph targets are sparse accessors without base values, which aren't supported"
            .to_owned()
    })
}

fn any_stored(model: &Model, is_so: impl Fn(&StoredMesh) -> bool) -> bool {
    model.meshes.iter().any(|mesh| mesh.stored.as_ref().is_some_and(|stored| is_so(stored)))
}

/// The first of the runtime's faults that the model causes.
fn fault(model: &Model, faults: Faults) -> Option<&'static str> {
    let stored = &model.stored;
    let any = |is_so: fn(&StoredMesh) -> bool| any_stored(model, is_so);
    let lacks_positions = |mesh: &StoredMesh| {
        !mesh.targets.is_empty() && !mesh.targets.iter().any(|target| target.has_positions)
    };
    let checks: [(bool, &dyn Fn() -> bool, &'static str); 15] = [
        (
            faults.pointer_channels,
            &|| stored.has_pointer_channels,
            "it has animation channels with KHR_animation_pointer",
        ),
        (
            faults.channels_without_node,
            &|| stored.has_channels_without_node,
            "it has animation channels without a node",
        ),
        (
            faults.material_channels,
            &|| stored.has_pointer_channels && stored.pointer_tracks.is_empty(),
            "it animates a material with KHR_animation_pointer",
        ),
        (
            faults.mixed_meshes,
            &|| any(|mesh| mesh.is_mixed),
            "a mesh is in nodes with a skin and in nodes without one",
        ),
        (
            faults.different_targets,
            &|| any(|mesh| mesh.has_different_targets),
            "the primitives of a mesh have different numbers of morph targets",
        ),
        (
            faults.partial_targets,
            &|| any(|mesh| mesh.has_partial_targets),
            "only some primitives of a mesh have morph targets",
        ),
        (
            faults.targets_without_positions,
            &|| any(lacks_positions),
            "the morph targets of a mesh have no positions",
        ),
        (
            faults.outside_joints,
            &|| has_outside_joints(model),
            "joints of a skin are outside the scene",
        ),
        (
            faults.spline_weights,
            &|| has_spline_weights(model),
            "weights of morph targets are splines",
        ),
        (
            faults.animated_matrices,
            &|| has_animated_matrix(model),
            "a node with a matrix is animated",
        ),
        (faults.single_spline_keys, &|| has_single_spline_key(model), "a spline has a single key"),
        (
            faults.other_modes,
            &|| any(|mesh| mesh.has_other_modes),
            "it has points, lines, triangle strips or fans",
        ),
        (
            faults.second_colors,
            &|| any(|mesh| mesh.num_color_sets > 1),
            "it has a second set of vertex colours",
        ),
        (faults.unweighted, &|| has_unweighted(model), "a skinned vertex has no weights"),
        (
            faults.unknown_joints,
            &|| model.meshes.iter().any(lists_unknown_joints),
            "a vertex lists a joint that its skin doesn't have",
        ),
    ];
    let found = checks.iter().find(|(fails, is_so, _)| *fails && is_so());
    found.map(|(_, _, text)| *text)
}

pub(super) fn has_outside_joints(model: &Model) -> bool {
    let shown: HashSet<_> = model.stored.depth_first.iter().collect();
    let mut skins = model.meshes.iter().filter_map(|mesh| match &mesh.skin {
        Skin::InverseBind(skin) => Some(&skin.bones),
        _ => None,
    });
    !shown.is_empty() && skins.any(|bones| bones.iter().any(|bone| !shown.contains(bone)))
}

fn has_spline_weights(model: &Model) -> bool {
    let mut tracks = model.clips.iter().flat_map(|clip| &clip.morph_tracks);
    tracks.any(|track| track.weights.interpolation == Interpolation::Cubic)
}

fn bone_tracks(model: &Model) -> impl Iterator<Item = &BoneTrack> {
    model.clips.iter().flat_map(|clip| match &clip.motion {
        Motion::Tracks(tracks) => &tracks[..],
        _ => &[],
    })
}

fn has_animated_matrix(model: &Model) -> bool {
    let bones = model.skeleton.bones();
    let is_matrix = |track: &BoneTrack| {
        let bone = bones.get(track.bone);
        bone.is_some_and(|bone| matches!(bone.rest_local, LocalTransform::Matrix(_)))
    };
    bone_tracks(model).any(is_matrix)
}

fn has_single_spline_key(model: &Model) -> bool {
    fn is_single<T>(track: &Option<Track<T>>) -> bool {
        track.as_ref().is_some_and(|track| {
            track.interpolation == Interpolation::Cubic && track.times_secs.len() == 1
        })
    }
    let mut tracks = bone_tracks(model);
    tracks
        .any(|own| is_single(&own.translation) || is_single(&own.rotation) || is_single(&own.scale))
}

fn has_unweighted(model: &Model) -> bool {
    model.meshes.iter().any(|mesh| {
        let Skin::InverseBind(skin) = &mesh.skin else { return false };
        let num = mesh.num_vertices();
        let is_first = skin.in_first_set.len() == num;
        (0..num).any(|vertex| {
            let most = if is_first { usize::from(skin.in_first_set[vertex]) } else { usize::MAX };
            skin.influences.row(vertex).take(most).all(|(_, weight)| weight == 0.0)
        })
    })
}

fn lists_unknown_joints(mesh: &Mesh) -> bool {
    matches!(&mesh.skin, Skin::InverseBind(skin) if skin.lists_unknown_slots)
}

/// The number of stored vertex attributes of a mesh with morph targets, each of which has its own.
fn num_attributes(mesh: &Mesh) -> usize {
    let VertexData::Streams(streams) = &mesh.vertices else { return 0 };
    let num_influences = match &mesh.skin {
        Skin::InverseBind(skin) if skin.in_first_set.is_empty() => 2,
        Skin::InverseBind(_) => 4,
        _ => 0,
    };
    let has =
        [!streams.normals.is_empty(), !streams.tangents.is_empty(), !streams.colors.is_empty()];
    let of_shape = |shape: &MorphShape| 1 + usize::from(!shape.normal_offsets.is_empty());
    let shapes = mesh.morph_targets.iter().flat_map(|target| &target.shapes);
    let num_others = 1 + has.map(usize::from).iter().sum::<usize>() + streams.uv_sets.len();
    num_others + num_influences + shapes.map(of_shape).sum::<usize>()
}
