//! Counts and figures about a model that several places show.

use super::{InverseBindSkin, Mesh, Model};

/// Which bones move at least one vertex or carry a mesh, by bone number.
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

/// Which slots of a skin move a vertex.
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

/// How many vertices have how many influences: entry `n` counts those with `n`.
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
