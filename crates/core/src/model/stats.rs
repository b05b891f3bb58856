//! Counts and figures about a model that are shown in several places.

use super::{BoneId, BoneKind, IdVec, InverseBindSkin, Mesh, Model};

/// Whether each bone moves at least one vertex or has a mesh attached.
#[must_use]
pub fn used_bones(model: &Model) -> IdVec<BoneId, bool> {
    let mut used = IdVec::filled(false, model.skeleton.bones());
    for mesh in &model.meshes {
        for vertex in 0..mesh.num_vertices() {
            mesh.for_each_influence(vertex, |bone, weight| used[bone] |= weight > 0.0);
        }
    }
    used
}

/// Whether each bone is without effect: neither it nor any descendant moves a vertex. Nodes and
/// helpers don't count.
#[must_use]
pub fn idle_bones(model: &Model) -> IdVec<BoneId, bool> {
    let mut is_needed = used_bones(model);
    let bones = model.skeleton.bones();
    // Children first.
    for &id in model.skeleton.parents_first().iter().rev() {
        if let Some(parent) = bones[id].parent {
            is_needed[parent] |= is_needed[id];
        }
    }
    let bones = bones.iter().zip(is_needed);
    bones.map(|(bone, is_needed)| bone.kind == BoneKind::Bone && !is_needed).collect()
}

/// The roots above the bones of a mesh, in file order.
#[must_use]
pub fn roots_of(model: &Model, mesh: &Mesh) -> Vec<BoneId> {
    let bones = model.skeleton.bones();
    let mut is_seen = IdVec::filled(false, bones);
    let mut roots = Vec::new();
    for vertex in 0..mesh.num_vertices() {
        mesh.for_each_influence(vertex, |bone, weight| {
            // In some formats a vertex without influences moves with its mesh's node.
            let is_joint = weight > 0.0 && bones[bone].kind == BoneKind::Bone;
            let mut at = Some(bone).filter(|_| is_joint);
            while let Some(id) = at
                && !std::mem::replace(&mut is_seen[id], true)
            {
                at = bones[id].parent;
                if at.is_none() {
                    roots.push(id);
                }
            }
        });
    }
    roots.sort_unstable();
    roots
}

/// Whether each slot of a skin moves a vertex.
#[must_use]
pub fn used_slots(mesh: &Mesh, skin: &InverseBindSkin) -> Vec<bool> {
    let mut used = vec![false; skin.bones.len()];
    let mut mark = |slot: usize, weight: f32| {
        if weight > 0.0
            && let Some(flag) = used.get_mut(slot)
        {
            *flag = true;
        }
    };
    for vertex in 0..mesh.num_vertices() {
        mesh.for_each_slot(skin, vertex, |slot, weight| mark(slot as usize, weight));
    }
    used
}

/// Histogram of influences per vertex: entry `n` counts the vertices with `n` influences.
#[must_use]
pub fn influence_histogram(mesh: &Mesh) -> Vec<usize> {
    let mut histogram = Vec::new();
    for vertex in 0..mesh.num_vertices() {
        let mut num = 0;
        mesh.for_each_influence(vertex, |_, weight| num += usize::from(weight > 0.0));
        if histogram.len() <= num {
            histogram.resize(num + 1, 0);
        }
        histogram[num] += 1;
    }
    histogram
}
