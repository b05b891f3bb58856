//! Weights that don't sum to 1, influences of bones that don't exist, and weights that neighbours don't share.

use super::{Evidence, Items, Kind, by_sample, mean};
use crate::diagnose::posed::Posed;
use crate::diagnose::specimen::{MeshSample, Specimen, skin_of};
use crate::model::{influence_row, numbers};

pub(super) const ALL: &[&Evidence] = &[&WEIGHT_SUMS, &OUTSIDE, &UNWEIGHTED, &JUMPS];

/// Share of vertices whose weights don't sum to 1; one item per mesh.
pub(crate) const WEIGHT_SUMS: Evidence = Evidence {
    name: "weight-sums",
    meaning: "the share of vertices whose weights don't sum to 1",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 1e-4,
    weight: 0.5,
    measure: |case, model| measure(case, model),
    text: |value| numbers::percent(value),
};

/// Larger than the rounding errors of 8-bit weights.
pub(in crate::diagnose) const TOLERANCE: f32 = 0.02;

fn measure(case: &Specimen, model: &Posed<'_>) -> Vec<f64> {
    // FBX leaves it to the runtime to normalize weights.
    if case.has_live_curves {
        return Vec::new();
    }
    let of_mesh = |part: &MeshSample| {
        let skin = skin_of(&model.meshes[part.mesh])?;
        let is_off = |vertex: &&u32| {
            // Influences that the reader removed count: the file has them.
            let row = skin.stored_row(**vertex as usize);
            let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
            sum != 0.0 && (sum - 1.0f32).abs() > TOLERANCE
        };
        let num = part.vertices.iter().filter(is_off).count();
        Some(num as f64 / part.vertices.len().max(1) as f64)
    };
    by_sample(case, of_mesh)
}

/// Share of vertices with influences of bones that don't exist; one item per mesh. They aren't
/// drawn, but they show that the numbers are wrong.
pub(crate) const OUTSIDE: Evidence = Evidence {
    name: "influences-outside",
    meaning: "the share of vertices that refer to bones that don't exist",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 1e-4,
    weight: 0.5,
    measure: |case, model| {
        let of_mesh = |part: &MeshSample| {
            let mesh = &model.meshes[part.mesh];
            let vertices = skin_of(mesh)?.outside.chunk_by(|a, b| a.vertex == b.vertex);
            Some(vertices.count() as f64 / mesh.num_vertices().max(1) as f64)
        };
        by_sample(case, of_mesh)
    },
    text: |value| numbers::percent(value),
};

/// Share of the vertices of triangles that no bone moves, in meshes with a skin; one item per mesh. They stay where
/// they are, or collapse to a point.
pub(crate) const UNWEIGHTED: Evidence = Evidence {
    name: "vertices-without-weights",
    meaning: "the share of vertices without weights",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 1e-4,
    weight: 0.5,
    measure: |case, model| {
        let of_mesh = |part: &MeshSample| {
            let mesh = &model.meshes[part.mesh];
            let skin = skin_of(mesh)?;
            let is_without = |vertex: &u32| {
                skin.stored_row(*vertex as usize).iter().all(|(_, weight)| *weight == 0.0)
            };
            let corners = part.edges().iter().flatten();
            let num = corners.filter(|vertex| is_without(vertex)).count();
            (part.num_edges > 0).then(|| num as f64 / (part.num_edges * 2) as f64)
        };
        by_sample(case, of_mesh)
    },
    text: |value| numbers::percent(value),
};

/// Mean share of the weights that the ends of an edge don't have in common; one item per mesh.
pub(crate) const JUMPS: Evidence = Evidence {
    name: "weight-jumps",
    meaning: "the mean difference between the weights of neighbouring vertices",
    unit: "fraction",
    kind: Kind::Stored,
    items: Items::Meshes,
    noise: 0.02,
    weight: 1.0,
    measure: |case, model| {
        let of_mesh = |part: &MeshSample| {
            let mesh = &model.meshes[part.mesh];
            let skin = skin_of(mesh)?;
            let row = |vertex: u32| {
                let mut row: Vec<(u32, f32)> = Vec::new();
                mesh.for_each_slot(skin, vertex as usize, |slot, weight| {
                    influence_row::add(&mut row, slot, weight);
                });
                row
            };
            let shared = |[a, b]: &[u32; 2]| {
                let (a, b) = (row(*a), row(*b));
                let of = |slot: u32| {
                    b.iter().find(|(other, _)| *other == slot).map_or(0.0, |(_, weight)| *weight)
                };
                let common: f32 = a.iter().map(|(slot, weight)| weight.min(of(*slot))).sum();
                let sum = influence_row::sum(&a).max(influence_row::sum(&b));
                f64::from(1.0 - common / sum.max(f32::MIN_POSITIVE))
            };
            mean(part.edges().iter().map(shared))
        };
        by_sample(case, of_mesh)
    },
    text: |value| numbers::percent(value),
};
