//! Counts and figures about a model that are shown in several places.

use super::{BoneId, BoneKind, InverseBindSkin, Mesh, Model};

/// Whether each bone moves at least one vertex or has a mesh attached, by bone index.
#[must_use]
pub fn used_bones(model: &Model) -> Vec<bool> {
    let mut used = vec![false; model.skeleton.len()];
    for mesh in &model.meshes {
        for vertex in 0..mesh.num_vertices() {
            mesh.for_each_influence(vertex, |bone, weight| {
                if weight > 0.0
                    && let Some(flag) = used.get_mut(bone.index())
                {
                    *flag = true;
                }
            });
        }
    }
    used
}

/// Whether each bone is without effect: neither it nor any descendant moves a vertex. Nodes and
/// helpers don't count.
#[must_use]
pub fn idle_bones(model: &Model) -> Vec<bool> {
    let mut is_needed = used_bones(model);
    let bones = model.skeleton.bones();
    // Children first.
    for &id in model.skeleton.parents_first().iter().rev() {
        let parent = bones.get(id.index()).and_then(|bone| bone.parent);
        let is_child_needed = is_needed.get(id.index()).copied().unwrap_or(false);
        if let Some(flag) = parent.and_then(|parent| is_needed.get_mut(parent.index())) {
            *flag |= is_child_needed;
        }
    }
    let bones = bones.iter().zip(is_needed);
    bones.map(|(bone, is_needed)| bone.kind == BoneKind::Bone && !is_needed).collect()
}

/// The roots above the bones of a mesh, in file order.
#[must_use]
pub fn roots_of(model: &Model, mesh: &Mesh) -> Vec<BoneId> {
    let bones = model.skeleton.bones();
    let mut is_seen = vec![false; bones.len()];
    let mut roots = Vec::new();
    for vertex in 0..mesh.num_vertices() {
        mesh.for_each_influence(vertex, |bone, weight| {
            let kind = bones.get(bone.index()).map(|bone| bone.kind);
            // In some formats a vertex without influences moves with its mesh's node.
            let mut at = Some(bone).filter(|_| weight > 0.0 && kind == Some(BoneKind::Bone));
            while let Some(id) = at
                && let Some(flag) = is_seen.get_mut(id.index())
                && !std::mem::replace(flag, true)
            {
                at = bones.get(id.index()).and_then(|bone| bone.parent);
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
