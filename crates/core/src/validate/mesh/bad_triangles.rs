//! Lists all flipped and degenerate triangles, while rules only name the worst.
//!
//! Not for: findings; the thresholds are those of the rules.

use super::facing::{MAX_FLIPPED_COSINE, REVERSED_SHARE, cosine};
use super::geometry::Geometry;
use super::slivers::is_sliver;
use crate::model::{Cancelled, MeshId, Model, Report};
use crate::pose::{PoseSpec, sample};

/// A triangle of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriangleAt {
    pub mesh: MeshId,
    /// Index in the mesh: its corners are the indices 3 n to 3 n + 2.
    pub triangle: u32,
    /// Vertex numbers.
    pub corners: [u32; 3],
}

/// Triangles that are drawn wrong or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BadTriangles {
    /// Triangles that face against the normals of their vertices.
    pub flipped: Vec<TriangleAt>,
    /// Triangles without area: corners in a line or a point, or a repeated vertex.
    pub degenerate: Vec<TriangleAt>,
}

impl BadTriangles {
    pub fn len(&self) -> usize {
        self.flipped.len() + self.degenerate.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Lists the flipped and the degenerate triangles of a checked model.
///
/// # Errors
/// If the report asks to stop.
pub fn bad_triangles(model: &Model, report: &Report) -> Result<BadTriangles, Cancelled> {
    let mut bad = BadTriangles::default();
    let pose = sample(model, &PoseSpec::default());
    for (number, mesh) in model.meshes.iter().enumerate() {
        let share = number as f32 / model.meshes.len() as f32;
        report.progress("looking for bad triangles", share)?;
        let geometry = Geometry::of(mesh, number, &model.axes).posed(&pose);
        for triangle in &geometry.triangles {
            let at = TriangleAt {
                mesh: MeshId::from_index(number),
                triangle: triangle.number,
                corners: triangle.corners,
            };
            let corners = geometry.corner_positions(triangle);
            if triangle.repeats_a_vertex() || corners.is_some_and(is_sliver) {
                bad.degenerate.push(at);
            } else if cosine(&geometry, triangle).is_some_and(|c| c < MAX_FLIPPED_COSINE) {
                bad.flipped.push(at);
            }
        }
    }
    Ok(bad)
}

/// The meshes whose winding is reversed as a whole, as the rule `reversed-winding` reports them.
pub(crate) fn reversed_meshes(model: &Model) -> Vec<usize> {
    let pose = sample(model, &PoseSpec::default());
    let is_reversed = |number: &usize| {
        let geometry =
            Geometry::of(&model.meshes[MeshId::from_index(*number)], *number, &model.axes)
                .posed(&pose);
        let cosines = geometry.triangles.iter().filter_map(|triangle| cosine(&geometry, triangle));
        let (mut num, mut num_flipped) = (0u64, 0u64);
        for cosine in cosines {
            num += 1;
            num_flipped += u64::from(cosine < MAX_FLIPPED_COSINE);
        }
        num_flipped as f64 > num as f64 * REVERSED_SHARE
    };
    (0..model.meshes.len()).filter(is_reversed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::clean::{clean_model, indices_of, streams_of};

    #[test]
    fn flipped_and_degenerate_triangles_are_listed_with_their_corners() {
        let clean = bad_triangles(&clean_model(), &Report::new()).unwrap();
        assert!(clean.is_empty());
        let mut model = clean_model();
        indices_of(&mut model).swap(10, 11);
        let bad = bad_triangles(&model, &Report::new()).unwrap();
        assert_eq!((bad.flipped.len(), bad.degenerate.len()), (1, 0));
        assert_eq!(bad.flipped[0].triangle, 3);
        let streams = streams_of(&mut model);
        // Triangle 2 is 4, 5, 6.
        streams.positions[6] = streams.positions[4].midpoint(streams.positions[5]);
        let bad = bad_triangles(&model, &Report::new()).unwrap();
        assert_eq!(bad.degenerate[0].corners, [4, 5, 6]);
        indices_of(&mut model)[1] = 0;
        let bad = bad_triangles(&model, &Report::new()).unwrap();
        assert!(bad.degenerate.iter().any(|at| at.triangle == 0));
    }
}
