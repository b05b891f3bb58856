//! Removes vertices.

use crate::bake::{gather_mesh, welded};
use crate::model::{Indices, Mesh, Model, Motion};

/// Merges vertices that are equal in all attributes.
pub(super) fn merge_duplicates(model: &mut Model) {
    let (merged, _) = welded(model);
    model.meshes = merged.meshes;
}

/// Removes vertices that no triangle, line or point uses.
pub(super) fn remove_unused(model: &mut Model) {
    for number in 0..model.meshes.len() {
        let has_vertex_animation = model.clips.iter().any(|clip| match &clip.motion {
            Motion::VertexAnimation(cache) => cache.mesh.index() == number,
            _ => false,
        });
        if let Some(mesh) = model.meshes.get_mut(number).filter(|_| !has_vertex_animation) {
            remove_unused_of(mesh);
        }
    }
}

fn remove_unused_of(mesh: &mut Mesh) {
    let mut is_used = vec![false; mesh.num_vertices()];
    let of_loose = mesh.loose.iter().flat_map(|loose| loose.indices.iter().copied());
    for index in mesh.indices.iter().chain(of_loose) {
        if let Some(flag) = is_used.get_mut(index as usize) {
            *flag = true;
        }
    }
    // Without triangles, a mesh is a point cloud.
    if mesh.indices.is_empty() || is_used.iter().all(|used| *used) {
        return;
    }
    let sources: Vec<u32> =
        (0u32..).zip(&is_used).filter(|(_, used)| **used).map(|(vertex, _)| vertex).collect();
    let mut new_of_old = vec![0u32; is_used.len()];
    for (new, &old) in (0u32..).zip(&sources) {
        new_of_old[old as usize] = new;
    }
    let renumbered = |index: u32| new_of_old.get(index as usize).copied().unwrap_or(0);
    let list = mesh.indices.iter().map(renumbered).collect();
    let mut loose = std::mem::take(&mut mesh.loose);
    for index in loose.iter_mut().flat_map(|loose| &mut loose.indices) {
        *index = renumbered(*index);
    }
    *mesh = Mesh {
        indices: Indices::U32(list),
        subsets: std::mem::take(&mut mesh.subsets),
        loose,
        ..gather_mesh(mesh, &sources)
    };
}
