//! Fixes of influences.

use crate::model::{Influences, Mesh, Model};

/// Weights that differ from 1 by less than this after normalization are rounding.
const ROUNDING: f32 = 1e-3;
/// The smallest weight that a byte can store, as in the rule `tiny-weight`.
const BYTE_STEP: f32 = 0.99 / 255.0;

/// Slots and weights of one vertex.
pub(super) type Row = Vec<(u32, f32)>;

/// Replaces the influences of the vertices for which `change` returns true.
pub(super) fn map_rows(mesh: &mut Mesh, mut change: impl FnMut(usize, &mut Row) -> bool) {
    let num_vertices = mesh.num_vertices();
    let Some(skin) = mesh.inverse_bind_mut() else { return };
    let mut rows: Vec<Row> = Vec::with_capacity(num_vertices);
    let mut is_changed = false;
    for vertex in 0..num_vertices {
        let mut row = Row::new();
        skin.influences.for_each(vertex, |slot, weight| row.push((slot, weight)));
        let mut changed = row.clone();
        if change(vertex, &mut changed) {
            is_changed = true;
            row = changed;
        }
        rows.push(row);
    }
    if is_changed {
        skin.influences = Influences::from_lists(rows.iter().map(Vec::as_slice));
    }
}

fn map_all(model: &mut Model, change: impl Fn(&mut Row) -> bool) {
    for mesh in &mut model.meshes {
        map_rows(mesh, |_, row| change(row));
    }
}

/// Divides weights by their sum. Returns whether they weren't normalized.
pub(super) fn normalize_row(row: &mut Row) -> bool {
    let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
    let is_wrong = sum > 0.0 && sum.is_finite() && (sum - 1.0).abs() > ROUNDING;
    if is_wrong {
        row.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }
    is_wrong
}

pub(super) fn normalize(model: &mut Model) {
    map_all(model, normalize_row);
}

pub(super) fn merge_repeated(model: &mut Model) {
    map_all(model, |row| {
        let before = row.len();
        let mut merged = Row::new();
        for &(slot, weight) in row.iter() {
            match merged.iter_mut().find(|(other, _)| *other == slot) {
                Some((_, sum)) => *sum += weight,
                None => merged.push((slot, weight)),
            }
        }
        *row = merged;
        row.len() < before
    });
}

pub(super) fn remove_tiny(model: &mut Model) {
    map_all(model, |row| {
        let before = row.len();
        let has_larger = row.iter().any(|(_, weight)| *weight >= BYTE_STEP);
        row.retain(|(_, weight)| *weight >= BYTE_STEP || *weight <= 0.0 || !has_larger);
        let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
        let is_changed = row.len() < before && sum > 0.0;
        if is_changed {
            row.iter_mut().for_each(|(_, weight)| *weight /= sum);
        }
        is_changed
    });
}

/// Sorts the influences of vertices that have more than the four of the first set.
pub(super) fn sort(model: &mut Model) {
    const SET: usize = 4;
    map_all(model, |row| {
        let heaviest = |row: &[(u32, f32)]| row.iter().map(|(_, w)| *w).fold(0.0, f32::max);
        let (first, later) = row.split_at(row.len().min(SET));
        let is_late = heaviest(later) > heaviest(first);
        if is_late {
            row.sort_by(|a, b| b.1.total_cmp(&a.1));
        }
        is_late
    });
}
