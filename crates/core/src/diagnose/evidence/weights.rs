//! Weights that don't sum to 1, and influences of bones that don't exist.

use super::Evidence;
use crate::diagnose::specimen::{MeshSample, Specimen, skin_of};
use crate::model::{Model, numbers};

pub(super) const ALL: &[&Evidence] = &[&WEIGHT_SUMS, &OUTSIDE];

/// Share of vertices whose weights don't sum to 1; one item per mesh.
pub(crate) const WEIGHT_SUMS: Evidence = Evidence {
    name: "weight-sums",
    meaning: "the share of vertices whose weights don't sum to 1",
    unit: "fraction",
    noise: 1e-4,
    weight: 0.5,
    suspicious: 0.1,
    measure,
    text: |value| numbers::percent(value),
};

/// Larger than the rounding errors of 8-bit weights.
pub(in crate::diagnose) const TOLERANCE: f32 = 0.02;

fn measure(case: &Specimen, model: &Model) -> Vec<f64> {
    // FBX leaves it to the runtime to normalize weights.
    if case.has_live_curves {
        return Vec::new();
    }
    let of_mesh = |part: &MeshSample| {
        let mesh = model.meshes.get(part.mesh);
        let Some(skin) = mesh.and_then(skin_of) else {
            return f64::NAN;
        };
        let is_off = |vertex: &&u32| {
            // Influences that the reader removed count: the file has them.
            let row = skin.stored_row(**vertex as usize);
            let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
            sum != 0.0 && (sum - 1.0f32).abs() > TOLERANCE
        };
        let num = part.vertices.iter().filter(is_off).count();
        num as f64 / part.vertices.len().max(1) as f64
    };
    case.samples.iter().map(of_mesh).collect()
}

/// Share of vertices with influences of bones that don't exist; one item per mesh. They aren't
/// drawn, but they show that the numbers are wrong.
pub(crate) const OUTSIDE: Evidence = Evidence {
    name: "influences-outside",
    meaning: "the share of vertices that refer to bones that don't exist",
    unit: "fraction",
    noise: 1e-4,
    weight: 0.5,
    suspicious: 1e-3,
    measure: |case, model| {
        let of_mesh = |part: &MeshSample| {
            let mesh = model.meshes.get(part.mesh);
            let Some((mesh, skin)) = mesh.and_then(|mesh| Some((mesh, skin_of(mesh)?))) else {
                return f64::NAN;
            };
            let vertices = skin.outside.chunk_by(|a, b| a.vertex == b.vertex);
            vertices.count() as f64 / mesh.num_vertices().max(1) as f64
        };
        case.samples.iter().map(of_mesh).collect()
    },
    text: |value| numbers::percent(value),
};
