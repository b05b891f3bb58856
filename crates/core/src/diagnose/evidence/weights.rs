//! Weights that don't sum to 1.

use super::Evidence;
use crate::diagnose::case::{Case, MeshSample, skin_of};
use crate::model::{Model, numbers};

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

fn measure(case: &Case, model: &Model) -> Vec<f64> {
    // FBX leaves it to the runtime to normalize weights.
    if case.has_live_curves {
        return Vec::new();
    }
    let of_mesh = |part: &MeshSample| {
        let mesh = model.meshes.get(part.mesh);
        let Some((mesh, skin)) = mesh.and_then(|mesh| Some((mesh, skin_of(mesh)?))) else {
            return f64::NAN;
        };
        let is_off = |vertex: &&u32| {
            let mut sum = 0.0;
            mesh.for_each_slot(skin, **vertex as usize, |_, weight| sum += weight);
            sum != 0.0 && (sum - 1.0f32).abs() > TOLERANCE
        };
        let num = part.vertices.iter().filter(is_off).count();
        num as f64 / part.vertices.len().max(1) as f64
    };
    case.samples.iter().map(of_mesh).collect()
}
