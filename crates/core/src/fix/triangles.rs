//! Fixes of winding, order and number of triangles.

use std::collections::HashSet;

use super::vertices::{remove_vertices_of, sort_by_use, vertex_animated};
use crate::diagnose::reverse_triangles;
use crate::geometry::from_lowest;
use crate::model::{Indices, Mesh, MeshId, Model, Report, Subset};
use crate::validate::{BadTriangles, TriangleAt, bad_triangles, reversed_meshes};

fn bad(model: &Model) -> BadTriangles {
    // Fails only on cancellation, which this report never requests.
    bad_triangles(model, &Report::new()).unwrap_or_default()
}

/// The indices of the listed triangles that belong to a mesh.
fn of_mesh(list: &[TriangleAt], mesh: usize) -> HashSet<usize> {
    let own = list.iter().filter(|at| at.mesh.index() == mesh);
    own.map(|at| at.triangle as usize).collect()
}

pub(super) fn reverse_meshes(model: &mut Model) {
    for number in reversed_meshes(model) {
        if let Some(mesh) = model.meshes.get_mut(MeshId::from_index(number)) {
            reverse_triangles(mesh, |_| true);
        }
    }
}

pub(super) fn reverse_flipped(model: &mut Model) {
    let reversed = reversed_meshes(model);
    let flipped = bad(model).flipped;
    for (number, mesh) in model.meshes.iter_mut().enumerate() {
        let own = of_mesh(&flipped, number);
        if !own.is_empty() && !reversed.contains(&number) {
            reverse_triangles(mesh, |triangle| own.contains(&triangle));
        }
    }
}

pub(super) fn remove_degenerate(model: &mut Model) {
    let degenerate = bad(model).degenerate;
    let animated = vertex_animated(model);
    for (number, mesh) in model.meshes.iter_mut().enumerate() {
        let own = of_mesh(&degenerate, number);
        retain(mesh, animated.contains(&number), |triangle, _| !own.contains(&triangle));
    }
}

/// Removes triangles that repeat the corners of an earlier one with the same winding.
pub(super) fn remove_duplicates(model: &mut Model) {
    let animated = vertex_animated(model);
    for (number, mesh) in model.meshes.iter_mut().enumerate() {
        let mut known = HashSet::new();
        retain(mesh, animated.contains(&number), |_, corners| known.insert(from_lowest(corners)));
    }
}

/// Removes the triangles for which `is_kept` returns false, given their number and corners, and the vertices that
/// only they use. Subsets that become empty remain.
fn retain(
    mesh: &mut Mesh,
    has_vertex_animation: bool,
    mut is_kept: impl FnMut(usize, [u32; 3]) -> bool,
) {
    let old: Vec<u32> = mesh.indices.iter().collect();
    let (triangles, _) = old.as_chunks::<3>();
    let kept: Vec<bool> =
        triangles.iter().enumerate().map(|(number, corners)| is_kept(number, *corners)).collect();
    if kept.iter().all(|is_kept| *is_kept) {
        return;
    }
    let mut num_before = vec![0u32];
    for is_kept in &kept {
        let before = num_before.last().copied().unwrap_or(0);
        num_before.push(before + u32::from(*is_kept));
    }
    let moved = |index: u32| {
        let triangle = (index / 3) as usize;
        num_before.get(triangle).copied().unwrap_or(0) * 3
    };
    for subset in &mut mesh.subsets {
        let (first, end) = (subset.first_index, subset.first_index + subset.index_count);
        *subset =
            Subset { first_index: moved(first), index_count: moved(end) - moved(first), ..*subset };
    }
    let list = triangles.iter().zip(&kept).filter(|(_, is_kept)| **is_kept);
    mesh.indices = Indices::U32(list.flat_map(|(corners, _)| *corners).collect());
    if !has_vertex_animation {
        remove_vertices_of(mesh, &old);
    }
}

/// Sorts the triangles of each subset with meshoptimizer, first for the vertex cache, then to reduce overdraw.
pub(super) fn sort_for_cache(model: &mut Model) {
    /// The factor by which the vertex cache may perform worse to reduce overdraw, as meshoptimizer recommends.
    const OVERDRAW_THRESHOLD: f32 = 1.05;
    for mesh in &mut model.meshes {
        let mut list: Vec<u32> = mesh.indices.iter().collect();
        let subsets = mesh.subsets.clone();
        let Some(streams) = mesh.streams_mut() else { continue };
        let points: Vec<[f32; 3]> = streams.positions.iter().map(|p| p.to_array()).collect();
        let is_bounded = points.iter().flatten().all(|value| value.abs() < 1e12);
        for subset in &subsets {
            let Some(own) = list.get_mut(subset.range()) else { continue };
            // The C++ code doesn't check indices.
            let exist = own.iter().all(|index| (*index as usize) < points.len());
            if !exist || !own.len().is_multiple_of(3) || own.is_empty() {
                continue;
            }
            let mut best = meshopt::optimize_vertex_cache(own, points.len());
            if is_bounded {
                meshopt::optimize_overdraw_in_place_decoder(&mut best, &points, OVERDRAW_THRESHOLD);
            }
            own.copy_from_slice(&best);
        }
        mesh.indices = Indices::U32(list);
    }
}

/// Sorts the triangles of each subset as [`sort_for_cache`] does, and then the vertices in the order of their first use.
pub(super) fn sort_for_fetch(model: &mut Model) {
    sort_for_cache(model);
    let animated = vertex_animated(model);
    for (number, mesh) in model.meshes.iter_mut().enumerate() {
        if !animated.contains(&number) {
            sort_by_use(mesh);
        }
    }
}
