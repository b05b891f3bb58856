//! Attributes of morph targets, and meshes that follow the weights of others.

use glam::Vec3;

use super::Rules;
use super::playback_difference::PlaybackDifference;
use super::tracks::node_of;
use crate::model::{
    BoneId, Mesh, MeshId, Model, MorphShape, MorphTrack, Place, StoredTarget, VertexData, VertexId,
    as_u32,
};

/// Adds the mesh's own positions and normals to targets without them, if other targets have them.
pub(super) fn add_missing_offsets(
    model: &mut Model,
    rules: &Rules,
    differences: &mut Vec<PlaybackDifference>,
) {
    if !rules.adds_missing_offsets {
        return;
    }
    for (number, mesh) in (0u32..).zip(&mut model.meshes) {
        let stored = mesh.stored.as_ref().map(|stored| stored.targets.clone()).unwrap_or_default();
        let adds_positions = stored.iter().any(|target| target.has_positions);
        let adds_normals = stored.iter().any(|target| target.has_normals);
        let lacks = |target: &StoredTarget| {
            (adds_positions && !target.has_positions, adds_normals && !target.has_normals)
        };
        let num = stored.iter().filter(|target| lacks(target).0).count() as u64;
        let VertexData::Streams(streams) = &mesh.vertices else { continue };
        for (target, stored) in mesh.morph_targets.iter_mut().zip(&stored) {
            let (positions, normals) = lacks(stored);
            for shape in target.shapes.iter_mut().filter(|_| positions || normals) {
                let base = [(positions, &streams.positions), (normals, &streams.normals)];
                add_base(shape, streams.positions.len(), base);
            }
        }
        if num > 0 {
            differences.push(PlaybackDifference {
                kind: "morph-targets-add-mesh",
                text: "morph targets without positions add those of the mesh".to_owned(),
                place: Place::Mesh(number),
                count: num,
            });
        }
    }
}

/// Replaces the missing offsets of a shape by attributes of the mesh, which has `num` vertices.
fn add_base(shape: &mut MorphShape, num: usize, base: [(bool, &Vec<Vec3>); 2]) {
    let mut offsets = [vec![Vec3::ZERO; num], vec![Vec3::ZERO; num]];
    let stored = [&shape.position_offsets, &shape.normal_offsets];
    for ((all, stored), (is_missing, base)) in offsets.iter_mut().zip(stored).zip(base) {
        if is_missing {
            all.iter_mut().zip(base).for_each(|(offset, value)| *offset = *value);
        } else {
            for (vertex, offset) in shape.vertices.iter().zip(stored) {
                if let Some(slot) = all.get_mut(vertex.index()) {
                    *slot = *offset;
                }
            }
        }
    }
    let [positions, normals] = offsets;
    shape.vertices = (0..num).map(VertexId::from_index).collect();
    shape.position_offsets = positions;
    shape.normal_offsets = normals;
}

/// Removes offsets of normals unless all targets of a mesh have them.
pub(super) fn limit_normals(model: &mut Model, rules: &Rules) {
    if !rules.morphs_all_normals_or_none {
        return;
    }
    for mesh in &mut model.meshes {
        let stored = mesh.stored.as_ref().map(|stored| &stored.targets[..]).unwrap_or_default();
        if !stored.iter().all(|target| target.has_normals) {
            let shapes = mesh.morph_targets.iter_mut().flat_map(|target| &mut target.shapes);
            shapes.for_each(|shape| shape.normal_offsets.clear());
        }
    }
}

/// Lets the weights of a node with several primitives drive the meshes of its children, too.
pub(super) fn share_weights(
    model: &mut Model,
    rules: &Rules,
    differences: &mut Vec<PlaybackDifference>,
) {
    if !rules.shares_weights_with_children {
        return;
    }
    let num_primitives = |mesh: &Mesh| mesh.stored.as_ref().map_or(0, |own| own.num_primitives);
    let parent_of = |node: BoneId| model.skeleton.bones().get(node)?.parent;
    let followers: Vec<(MeshId, BoneId)> = model
        .meshes
        .iter_enumerated()
        .filter(|(_, mesh)| num_primitives(mesh) == 1 && !mesh.morph_targets.is_empty())
        .filter_map(|(id, mesh)| Some((id, parent_of(node_of(mesh)?)?)))
        .collect();
    let mut leaders = Vec::new();
    for (follower, parent) in followers {
        let mut leader = model.meshes.iter_enumerated();
        let leader = leader.find(|(_, mesh)| {
            num_primitives(mesh) > 1
                && node_of(mesh) == Some(parent)
                && !mesh.morph_targets.is_empty()
        });
        leaders.extend(leader.map(|(leader, _)| (follower, leader)));
    }
    for (follower, leader) in leaders {
        let num_targets = model.meshes[follower].morph_targets.len();
        let mut num = 0;
        for clip in &mut model.clips {
            let is_led = |track: &&MorphTrack| track.mesh == leader && track.target < num_targets;
            let tracks: Vec<_> = clip.morph_tracks.iter().filter(is_led).cloned().collect();
            if !tracks.is_empty() {
                clip.morph_tracks.retain(|track| track.mesh != follower);
            }
            num += tracks.len() as u64;
            let moved = tracks.into_iter().map(|track| MorphTrack { mesh: follower, ..track });
            clip.morph_tracks.extend(moved);
        }
        if num > 0 {
            differences.push(PlaybackDifference {
                kind: "morph-weights-of-parent",
                text: "the mesh follows the morph weights of its parent node".to_owned(),
                place: Place::Mesh(as_u32(follower.index())),
                count: num,
            });
        }
    }
}
