//! Makes the weights on both sides of a seam equal.

use std::collections::BTreeMap;

use crate::geometry::DisjointSets;
use crate::model::{Mesh, Model, influence_row};
use crate::validate::seam_pairs;

/// If the vertices at one point of a seam have different weights, gives each of them their mean.
pub(super) fn average(model: &mut Model) {
    for mesh in &mut model.meshes {
        let pairs = seam_pairs(mesh);
        if pairs.is_empty() {
            continue;
        }
        let mut means: BTreeMap<u32, Vec<(u32, f32)>> = BTreeMap::new();
        for group in groups(mesh.num_vertices(), &pairs) {
            let mean = mean_of(mesh, &group);
            means.extend(group.into_iter().map(|vertex| (vertex, mean.clone())));
        }
        let Some(skin) = mesh.inverse_bind_mut() else { continue };
        skin.influences.map_rows(|vertex, row| {
            let vertex = u32::try_from(vertex).unwrap_or(u32::MAX);
            if let Some(mean) = means.remove(&vertex).filter(|mean| !mean.is_empty()) {
                *row = mean;
            }
        });
    }
}

/// The mean influences of some vertices, at most as many as one of them has.
fn mean_of(mesh: &Mesh, vertices: &[u32]) -> Vec<(u32, f32)> {
    let Some(skin) = mesh.inverse_bind() else { return Vec::new() };
    let (mut mean, mut most) = (Vec::new(), 0);
    for &vertex in vertices {
        let row = skin.influences.row(vertex as usize);
        most = most.max(row.clone().count());
        row.for_each(|(slot, weight)| influence_row::add(&mut mean, slot, weight));
    }
    influence_row::keep_heaviest(&mut mean, most);
    influence_row::normalize(&mut mean);
    mean
}

/// The vertices that pairs connect.
fn groups(num_vertices: usize, pairs: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut sets = DisjointSets::new(num_vertices);
    for &(one, other) in pairs {
        sets.join(one, other);
    }
    let mut vertices: Vec<u32> = pairs.iter().flat_map(|(one, other)| [*one, *other]).collect();
    vertices.sort_unstable();
    vertices.dedup();
    let mut by_first = BTreeMap::<u32, Vec<u32>>::new();
    for vertex in vertices {
        by_first.entry(sets.first_of(vertex)).or_default().push(vertex);
    }
    by_first.into_values().collect()
}
