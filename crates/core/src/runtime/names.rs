//! Runtimes that find the bones of skins by name, and share skins.

use std::collections::{HashMap, HashSet};

use glam::Mat4;

use super::playback_difference::PlaybackDifference;
use super::{Binding, Rules};
use crate::model::{
    BoneId, InverseBindSkin, Mesh, MeshId, Model, Motion, NodeTransform, Place, Skin, as_u32,
};
use crate::pose::{PoseSpec, sample};

/// Transforms that differ by less are the same.
const TOLERANCE: f32 = 1e-5;

/// A skinned mesh of the file.
struct Skinned {
    /// Its number in the model.
    number: usize,
    /// The mesh of the file, several of which can belong to one node.
    source: usize,
    node: BoneId,
    skin: usize,
    /// The names of its joints.
    names: Vec<String>,
    bones: Vec<BoneId>,
    bone_from_mesh: Vec<Mat4>,
}

/// Binds skins as a runtime does that identifies them by the names of their joints.
pub(super) fn apply(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    if rules.binding != Binding::ByName {
        return;
    }
    let meshes = model.meshes.iter().enumerate();
    let all: Vec<Skinned> = meshes.filter_map(|(at, mesh)| skinned(model, at, mesh)).collect();
    // The nodes of a model that was changed after reading may be others.
    let is_node = |id: &BoneId| model.skeleton.bones().contains_id(*id);
    let order: Vec<BoneId> = model.stored.depth_first.iter().copied().filter(is_node).collect();
    let mut first_of_name: HashMap<&str, BoneId> = HashMap::new();
    for &bone in order.iter().rev() {
        let name = model.skeleton.bones()[bone].name.as_str();
        if !name.is_empty() {
            first_of_name.insert(name, bone);
        }
    }
    let place_of: HashMap<BoneId, usize> =
        order.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    // A mesh has the skin of the last node that shows it.
    let mut last_of_source: HashMap<usize, &Skinned> = HashMap::new();
    // The first skin and the first node of meshes with the same joint names.
    let mut first_of_names: HashMap<&[String], (&Skinned, BoneId)> = HashMap::new();
    for own in &all {
        let last = last_of_source.entry(own.source).or_insert(own);
        if own.node > last.node {
            *last = own;
        }
        let (skin, node) = first_of_names.entry(&own.names).or_insert((own, own.node));
        if own.skin < skin.skin {
            *skin = own;
        }
        if place_of.get(&own.node) < place_of.get(node) {
            *node = own.node;
        }
    }
    let mut changes = Vec::new();
    for own in &all {
        let last = last_of_source.get(&own.source).copied().unwrap_or(own);
        let (first_skin, first_node) =
            first_of_names.get(&last.names[..]).copied().unwrap_or((last, own.node));
        let bones = last.bones.iter().map(|bone| {
            let name = model.skeleton.bones()[*bone].name.as_str();
            first_of_name.get(name).copied().unwrap_or(*bone)
        });
        changes.push(Change {
            number: own.number,
            bones: bones.collect(),
            bone_from_mesh: first_skin.bone_from_mesh.clone(),
            node: own.node,
            first: first_node,
        });
    }
    let moved = moving_nodes(model);
    let rest = sample(model, &PoseSpec::default()).model_from_bone;
    for change in changes {
        let mesh = &mut model.meshes[MeshId::from_index(change.number)];
        let Skin::InverseBind(skin) = &mut mesh.skin else { continue };
        let Change { node, first, .. } = change;
        let is_apart = node != first
            && (moved.contains(&node)
                || moved.contains(&first)
                || !rest[node].abs_diff_eq(rest[first], TOLERANCE));
        let is_other = skin.bones != change.bones || skin.bone_from_mesh != change.bone_from_mesh;
        let text = match (is_other, is_apart) {
            (false, false) => continue,
            (true, _) => {
                "bones are found by name, and skins with the same joint names are taken for one"
            }
            (false, true) => {
                "meshes that share a skin are placed relative to the node of the first one"
            }
        };
        skin.bones = change.bones;
        skin.bone_from_mesh = change.bone_from_mesh;
        if is_apart {
            skin.node_transform = NodeTransform::Relative { node, first };
        }
        differences.push(PlaybackDifference {
            kind: "skins-shared",
            text: text.to_owned(),
            place: Place::Mesh(as_u32(change.number)),
            count: 1,
        });
    }
}

/// The skin of a mesh as the runtime binds it.
struct Change {
    number: usize,
    bones: Vec<BoneId>,
    bone_from_mesh: Vec<Mat4>,
    node: BoneId,
    /// The first node that shows a mesh with this skin.
    first: BoneId,
}

fn skinned(model: &Model, number: usize, mesh: &Mesh) -> Option<Skinned> {
    let stored = mesh.stored.as_ref()?;
    let Skin::InverseBind(InverseBindSkin { bones, bone_from_mesh, .. }) = &mesh.skin else {
        return None;
    };
    Some(Skinned {
        number,
        source: stored.mesh,
        node: stored.node.filter(|node| model.skeleton.bones().contains_id(*node))?,
        skin: stored.skin?,
        names: bones.iter().map(|bone| model.skeleton.display_name(*bone)).collect(),
        bones: bones.clone(),
        bone_from_mesh: bone_from_mesh.clone(),
    })
}

/// The nodes with tracks in any clip.
fn moving_nodes(model: &Model) -> HashSet<BoneId> {
    let tracks = model.clips.iter().flat_map(|clip| match &clip.motion {
        Motion::Tracks(tracks) => &tracks[..],
        _ => &[],
    });
    tracks.map(|track| track.bone).collect()
}
