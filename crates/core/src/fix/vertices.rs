//! Removes vertices.

use std::collections::HashSet;

use crate::model::{Indices, Mesh, Model, Motion, as_u32};
use crate::reshape::{gather_mesh, welded};

/// Merges vertices that are equal in all attributes.
pub(super) fn merge_duplicates(model: &mut Model) {
    let (merged, _) = welded(model);
    model.meshes = merged.meshes;
}

/// The meshes whose vertices a clip stores per frame; they can't be removed.
pub(super) fn vertex_animated(model: &Model) -> HashSet<usize> {
    let meshes = model.clips.iter().filter_map(|clip| match &clip.motion {
        Motion::VertexAnimation(cache) => Some(cache.mesh.index()),
        _ => None,
    });
    meshes.collect()
}

/// Removes vertices that no triangle, line or point uses.
pub(super) fn remove_unused(model: &mut Model) {
    let animated = vertex_animated(model);
    for (number, mesh) in model.meshes.iter_mut().enumerate() {
        // Without triangles, a mesh is a point cloud.
        if !animated.contains(&number) && !mesh.indices.is_empty() {
            let is_used = used(mesh);
            retain(mesh, &is_used);
        }
    }
}

/// Removes the given vertices, except those that a triangle, line or point still uses.
pub(super) fn remove_vertices_of(mesh: &mut Mesh, vertices: &[u32]) {
    let mut is_kept = vec![true; mesh.num_vertices()];
    let is_used = used(mesh);
    for &vertex in vertices {
        let vertex = vertex as usize;
        if let (Some(flag), Some(is_used)) = (is_kept.get_mut(vertex), is_used.get(vertex)) {
            *flag = *is_used;
        }
    }
    retain(mesh, &is_kept);
}

fn used(mesh: &Mesh) -> Vec<bool> {
    let mut is_used = vec![false; mesh.num_vertices()];
    let of_loose = mesh.loose.iter().flat_map(|loose| loose.indices.iter().copied());
    for index in mesh.indices.iter().chain(of_loose) {
        if let Some(flag) = is_used.get_mut(index as usize) {
            *flag = true;
        }
    }
    is_used
}

fn retain(mesh: &mut Mesh, is_kept: &[bool]) {
    if is_kept.iter().all(|kept| *kept) {
        return;
    }
    let kept = (0u32..).zip(is_kept).filter(|(_, kept)| **kept);
    gather_vertices(mesh, &kept.map(|(vertex, _)| vertex).collect::<Vec<_>>());
}

/// Sorts vertices in the order of their first use. Unused ones follow.
pub(super) fn sort_by_use(mesh: &mut Mesh) {
    let num = mesh.num_vertices();
    let mut is_listed = vec![false; num];
    let mut sources: Vec<u32> = Vec::with_capacity(num);
    let all = 0..as_u32(num);
    for vertex in mesh.indices.iter().chain(all) {
        if let Some(flag) = is_listed.get_mut(vertex as usize).filter(|flag| !**flag) {
            *flag = true;
            sources.push(vertex);
        }
    }
    if !sources.is_sorted() {
        gather_vertices(mesh, &sources);
    }
}

/// Replaces the vertices by those at `sources`.
fn gather_vertices(mesh: &mut Mesh, sources: &[u32]) {
    let mut new_of_old = vec![0u32; mesh.num_vertices()];
    for (new, &old) in (0u32..).zip(sources) {
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
        ..gather_mesh(mesh, sources)
    };
}
