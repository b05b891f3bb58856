//! The size of morph targets.

use super::Evidence;
use crate::diagnose::case::{size_of, streams};
use crate::model::{Mesh, Model, MorphTarget, numbers, spread};

/// Mean length of a target's offsets, over all vertices, as a fraction of the mesh's size; one item per target.
pub(crate) const MORPH_SIZE: Evidence = Evidence {
    name: "morph-size",
    meaning: "the mean length of a morph target's offsets",
    noise: 0.03,
    weight: 1.0,
    suspicious: 0.1,
    measure: |_, model| {
        targets(model).map(|(_, mesh, target)| size(mesh, target).unwrap_or(f64::NAN)).collect()
    },
    text: |value| format!("{} of the mesh's size", numbers::percent(value)),
};

/// The most targets to examine, and the most offsets of each.
const MAX_TARGETS: usize = 64;
const MAX_VERTICES: usize = 1000;

/// The examined targets: the indices of mesh and target, and both.
pub(in crate::diagnose) fn targets(
    model: &Model,
) -> impl Iterator<Item = ([usize; 2], &Mesh, &MorphTarget)> {
    let all = model.meshes.iter().enumerate().flat_map(|(at, mesh)| {
        let own = mesh.morph_targets.iter().enumerate();
        own.map(move |(number, target)| ([at, number], mesh, target))
    });
    all.take(MAX_TARGETS)
}

fn size(mesh: &Mesh, target: &MorphTarget) -> Option<f64> {
    let positions = &streams(mesh)?.positions;
    let shape = target.shapes.last()?;
    let offsets = &shape.position_offsets;
    let sampled = spread(offsets.len(), MAX_VERTICES).filter_map(|at| offsets.get(at));
    let num = offsets.len().clamp(1, MAX_VERTICES);
    let mean = sampled.map(|offset| f64::from(offset.length())).sum::<f64>() / num as f64;
    let share = offsets.len() as f64 / positions.len().max(1) as f64;
    let size = f64::from(size_of(positions));
    (size > 0.0).then(|| mean * share / size)
}
