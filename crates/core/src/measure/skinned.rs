//! Compares vertices of one model that were skinned in two ways, to check the GPU.

use super::posed::{angle_deg, distance, extent_of};
use crate::model::{Model, VertexAt};
use crate::pose::SkinnedMesh;

/// The distances between the two.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinningDeviation {
    /// Per vertex, all meshes one after another, display units; infinite if the vertex is missing.
    pub distances: Vec<f64>,
    /// The vertex with the largest distance; `None` without vertices.
    pub worst: Option<VertexAt>,
    pub max: f64,
    /// Length of the diagonal around the expected vertices, display units.
    pub extent: f64,
    /// The largest angle between two normals, degrees.
    pub max_normal_deg: f64,
}

/// Compares the vertices `found` with the vertices `wanted`, of the same model in the same pose.
#[must_use]
pub fn skinning_deviation(
    model: &Model,
    wanted: &[SkinnedMesh],
    found: &[SkinnedMesh],
) -> SkinningDeviation {
    let scale = f64::from(model.axes.display_units_per_file_unit());
    let positions = wanted.iter().flat_map(|mesh| &mesh.positions);
    let positions: Vec<_> = positions.copied().collect();
    let mut out =
        SkinningDeviation { extent: extent_of(&positions) * scale, ..SkinningDeviation::default() };
    for (number, (mesh, wanted)) in model.meshes.iter().zip(wanted).enumerate() {
        let own = found.get(number);
        for vertex in 0..mesh.num_vertices() {
            let place = |side: Option<&SkinnedMesh>| Some(*side?.positions.get(vertex)?);
            let apart = match (place(Some(wanted)), place(own)) {
                (Some(a), Some(b)) => distance(a, b) * scale,
                _ => f64::INFINITY,
            };
            out.distances.push(apart);
            if out.worst.is_none() || apart > out.max {
                (out.max, out.worst) = (apart, Some(VertexAt::new(number, vertex)));
            }
            let normal = |side: Option<&SkinnedMesh>| {
                let normal = *side?.normals.get(vertex)?;
                (normal != glam::Vec3::ZERO).then_some(normal)
            };
            if let (Some(a), Some(b)) = (normal(Some(wanted)), normal(own)) {
                out.max_normal_deg = out.max_normal_deg.max(angle_deg(a, b));
            }
        }
    }
    out
}
