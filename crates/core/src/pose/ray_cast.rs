//! Casts a ray at skinned triangles.

use glam::Vec3;

use crate::model::{Mesh, PartId, VertexId, as_u32};

/// The first intersection of a ray with a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    pub subset: PartId,
    /// Index of the triangle in the index list.
    pub triangle: u32,
    /// The corner nearest to the intersection.
    pub vertex: VertexId,
    pub distance: f32,
}

/// The first triangle of `mesh`, with its vertices at `positions`, that a ray hits on either side.
///
/// Only subsets for which `is_visible` returns true are tested. Ray and positions are in the same
/// space.
#[must_use]
pub fn nearest_triangle(
    mesh: &Mesh,
    positions: &[Vec3],
    origin: Vec3,
    direction: Vec3,
    is_visible: impl Fn(PartId) -> bool,
) -> Option<TriangleHit> {
    let mut best: Option<TriangleHit> = None;
    for (index, subset) in mesh.subsets.iter().enumerate() {
        let id = PartId::from_index(index);
        if !is_visible(id) {
            continue;
        }
        let first = subset.first_index / 3;
        for (at, corners) in mesh.triangles(subset.range()).enumerate() {
            let [Some(a), Some(b), Some(c)] = corners.map(|i| positions.get(i as usize).copied())
            else {
                continue;
            };
            let Some((distance, u, v)) = intersect_triangle(origin, direction, a, b, c) else {
                continue;
            };
            if best.is_some_and(|hit| hit.distance <= distance) {
                continue;
            }
            let shares = [1.0 - u - v, u, v];
            let nearest = (0..3).max_by(|&i, &j| shares[i].total_cmp(&shares[j]))?;
            best = Some(TriangleHit {
                subset: id,
                triangle: first + as_u32(at),
                vertex: VertexId(corners[nearest]),
                distance,
            });
        }
    }
    best
}

/// Ray parameter and barycentric u, v (Möller and Trumbore, 1997).
pub fn intersect_triangle(
    origin: Vec3,
    direction: Vec3,
    a: Vec3,
    b: Vec3,
    c: Vec3,
) -> Option<(f32, f32, f32)> {
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(ac);
    let volume = ab.dot(p);
    if volume == 0.0 || !volume.is_finite() {
        return None;
    }
    let to_origin = origin - a;
    let u = to_origin.dot(p) / volume;
    let q = to_origin.cross(ab);
    let v = direction.dot(q) / volume;
    let distance = ac.dot(q) / volume;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance >= 0.0).then_some((distance, u, v))
}
