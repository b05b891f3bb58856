//! Morph weights at a moment, and the offsets that they add before skinning.

use glam::Vec3;
use half::f16;

use super::track;
use crate::model::{Clip, Mesh, Model, MorphShape};

/// The weights outside any clip.
pub(super) fn default_weights(model: &Model) -> Vec<Vec<f32>> {
    let of_mesh = |mesh: &Mesh| {
        let targets = mesh.morph_targets.iter();
        targets.map(|target| target.default_weight).collect()
    };
    model.meshes.iter().map(of_mesh).collect()
}

/// The weights in `clip`; a target without a track keeps its default.
pub(super) fn weights_at(model: &Model, clip: &Clip, time_secs: f64) -> Vec<Vec<f32>> {
    let mut weights = default_weights(model);
    for morph_track in &clip.morph_tracks {
        let value = track::read(&morph_track.weights, time_secs);
        let slot = weights
            .get_mut(morph_track.mesh.index())
            .and_then(|targets| targets.get_mut(morph_track.target));
        if let (Some(slot), Some(value)) = (slot, value) {
            *slot = value;
        }
    }
    weights
}

/// The morph targets with a visible weight, with that weight.
fn active_targets<'a>(
    mesh: &'a Mesh,
    weights: &'a [f32],
) -> impl Iterator<Item = (&'a MorphShape, f32)> + 'a {
    let targets = mesh.morph_targets.iter().zip(weights);
    targets
        .flat_map(|(target, &weight)| target.shapes.iter().zip(target.shape_weights(weight)))
        .filter(|(_, weight)| *weight != 0.0)
}

/// The offset that [`apply`] adds to the position of vertex `index`.
pub(super) fn offset(mesh: &Mesh, weights: &[f32], index: usize) -> Vec3 {
    let offsets = active_targets(mesh, weights).filter_map(|(shape, weight)| {
        // Affected vertices are in ascending order.
        let at = shape.vertices.binary_search_by_key(&index, |v| v.index());
        Some(*shape.position_offsets.get(at.ok()?)? * weight)
    });
    let sum = offsets.sum();
    if mesh.rounds_morphs { half_floats(sum) } else { sum }
}

/// A vector rounded to half floats.
fn half_floats(vector: Vec3) -> Vec3 {
    Vec3::from(vector.to_array().map(|value| f16::from_f32(value).to_f32()))
}

/// Adds weighted offsets to positions and normals, which have one element per vertex of the mesh.
///
/// Keep in sync with `shaders/skin_streams.wgsl`.
pub(super) fn apply(mesh: &Mesh, weights: &[f32], positions: &mut [Vec3], normals: &mut [Vec3]) {
    if !mesh.rounds_morphs {
        add(mesh, weights, positions, normals);
        return;
    }
    let mut offsets = [positions, normals].map(|all| (vec![Vec3::ZERO; all.len()], all));
    let [(of_positions, _), (of_normals, _)] = &mut offsets;
    add(mesh, weights, of_positions, of_normals);
    for (offsets, all) in offsets {
        all.iter_mut().zip(offsets).for_each(|(value, offset)| *value += half_floats(offset));
    }
}

fn add(mesh: &Mesh, weights: &[f32], positions: &mut [Vec3], normals: &mut [Vec3]) {
    for (shape, weight) in active_targets(mesh, weights) {
        for (vertex, &offset) in shape.vertices.iter().zip(&shape.position_offsets) {
            if let Some(position) = positions.get_mut(vertex.index()) {
                *position += offset * weight;
            }
        }
        for (vertex, &offset) in shape.vertices.iter().zip(&shape.normal_offsets) {
            if let Some(normal) = normals.get_mut(vertex.index()) {
                *normal += offset * weight;
            }
        }
    }
}
