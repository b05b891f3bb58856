//! Fixes of influences.

use crate::model::{Mesh, Model, influence_row};

/// Weights that differ from 1 by less than this after normalization are rounding.
const ROUNDING: f32 = 1e-3;
/// The smallest weight that a byte can store, as in the rule `tiny-weight`.
const BYTE_STEP: f32 = 0.99 / 255.0;

fn map_rows(model: &mut Model, change: impl Fn(&mut Vec<(u32, f32)>)) {
    for skin in model.meshes.iter_mut().filter_map(Mesh::inverse_bind_mut) {
        skin.influences.map_rows(|_, row| change(row));
    }
}

pub(super) fn normalize(model: &mut Model) {
    map_rows(model, |row| {
        let sum = influence_row::sum(row);
        if sum.is_finite() && (sum - 1.0).abs() > ROUNDING {
            influence_row::normalize(row);
        }
    });
}

pub(super) fn merge_repeated(model: &mut Model) {
    map_rows(model, |row| {
        for (slot, weight) in std::mem::take(row) {
            influence_row::add(row, slot, weight);
        }
    });
}

pub(super) fn remove_tiny(model: &mut Model) {
    map_rows(model, |row| {
        let before = row.len();
        let has_larger = row.iter().any(|(_, weight)| *weight >= BYTE_STEP);
        row.retain(|(_, weight)| *weight >= BYTE_STEP || *weight <= 0.0 || !has_larger);
        if row.len() < before {
            influence_row::normalize(row);
        }
    });
}

/// Sorts the influences of vertices that have more than the four of the first set.
pub(super) fn sort(model: &mut Model) {
    const SET: usize = 4;
    map_rows(model, |row| {
        let heaviest = |row: &[(u32, f32)]| row.iter().map(|(_, w)| *w).fold(0.0, f32::max);
        let (first, later) = row.split_at(row.len().min(SET));
        if heaviest(later) > heaviest(first) {
            row.sort_by(|a, b| b.1.total_cmp(&a.1));
        }
    });
}
