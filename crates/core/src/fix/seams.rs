//! Makes the weights on both sides of a seam equal.

use std::collections::BTreeMap;

use super::weights::{Row, map_rows};
use crate::geometry::DisjointSets;
use crate::model::{Mesh, Model, as_u32};
use crate::validate::seam_pairs;

/// If the vertices at one point of a seam have different weights, gives each of them their mean.
pub(super) fn average(model: &mut Model) {
    for mesh in &mut model.meshes {
        let pairs = seam_pairs(mesh);
        if pairs.is_empty() {
            continue;
        }
        let mut means: BTreeMap<u32, Row> = BTreeMap::new();
        for group in groups(mesh.num_vertices(), &pairs) {
            let mean = mean_of(mesh, &group);
            means.extend(group.into_iter().map(|vertex| (vertex, mean.clone())));
        }
        map_rows(mesh, |vertex, row| {
            let vertex = as_u32(vertex);
            let mean = means.remove(&vertex).filter(|mean| !mean.is_empty());
            let is_changed = mean.is_some();
            *row = mean.unwrap_or_default();
            is_changed
        });
    }
}

/// The mean influences of some vertices, at most as many as one of them has.
fn mean_of(mesh: &mut Mesh, vertices: &[u32]) -> Row {
    let Some(skin) = mesh.inverse_bind_mut() else { return Row::new() };
    let (mut mean, mut most) = (Row::new(), 0);
    for &vertex in vertices {
        let mut num = 0;
        skin.influences.for_each(vertex as usize, |slot, weight| {
            num += 1;
            match mean.iter_mut().find(|(other, _)| *other == slot) {
                Some((_, sum)) => *sum += weight,
                None => mean.push((slot, weight)),
            }
        });
        most = most.max(num);
    }
    mean.sort_by(|a, b| b.1.total_cmp(&a.1));
    mean.truncate(most);
    let sum: f32 = mean.iter().map(|(_, weight)| weight).sum();
    if sum > 0.0 {
        mean.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }
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
