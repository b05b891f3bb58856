//! The size of morph targets.

use super::{Evidence, Items, Kind};
use crate::diagnose::specimen::size_of;
use crate::model::{Mesh, Model, MorphTarget, numbers, spread};

pub(super) const ALL: &[&Evidence] = &[&MORPH_SIZE, &MORPH_REACH];

/// Mean length of a target's offsets, over all vertices, as a fraction of the mesh's size; one item per target.
pub(crate) const MORPH_SIZE: Evidence = Evidence {
    name: "morph-size",
    meaning: "the mean length of a morph target's offsets",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Own,
    noise: 0.03,
    weight: 1.0,
    measure: |_, model| {
        targets(model).map(|(_, mesh, target)| size(mesh, target).unwrap_or(f64::NAN)).collect()
    },
    text: |value| format!("{} of the mesh's size", numbers::percent(value)),
};

/// Mean length of a target's offsets, as a fraction of the size of the part that it moves; one item per target. Few
/// targets move a part by more than its size.
pub(crate) const MORPH_REACH: Evidence = Evidence {
    name: "morph-reach",
    meaning: "the mean length of a morph target's offsets",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Own,
    noise: 0.6,
    weight: 0.7,
    measure: |_, model| {
        targets(model).map(|(_, mesh, target)| reach(mesh, target).unwrap_or(f64::NAN)).collect()
    },
    text: |value| format!("{} of the size of the part that moves", numbers::percent(value)),
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
    let positions = &mesh.streams()?.positions;
    let shape = target.shapes.last()?;
    let offsets = &shape.position_offsets;
    let sampled = spread(offsets.len(), MAX_VERTICES).filter_map(|at| offsets.get(at));
    let num = offsets.len().clamp(1, MAX_VERTICES);
    let mean = sampled.map(|offset| f64::from(offset.length())).sum::<f64>() / num as f64;
    let share = offsets.len() as f64 / positions.len().max(1) as f64;
    let size = f64::from(size_of(positions));
    (size > 0.0).then(|| mean * share / size)
}

fn reach(mesh: &Mesh, target: &MorphTarget) -> Option<f64> {
    const MIN_MOVED: usize = 16;
    let positions = &mesh.streams()?.positions;
    let shape = target.shapes.last()?;
    let pairs = shape.vertices.iter().zip(&shape.position_offsets);
    let longest = shape.position_offsets.iter().map(|by| by.length_squared()).fold(0.0, f32::max);
    // Exporters store tiny offsets of vertices that don't move.
    let moved = pairs.filter(|(_, by)| by.length_squared() > longest * 1e-4);
    let moved: Vec<_> =
        moved.filter_map(|(at, by)| Some((*positions.get(at.index())?, by.length()))).collect();
    let from: Vec<_> = moved.iter().map(|(at, _)| *at).collect();
    let size = f64::from(size_of(&from));
    let length = super::mean(moved.iter().map(|(_, length)| f64::from(*length)))?;
    (moved.len() >= MIN_MOVED && size > 0.0).then(|| length / size)
}
