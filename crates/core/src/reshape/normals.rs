//! Generates normals for vertices without them: smooth where faces meet at a small angle, otherwise
//! sharp.
//!
//! Faces are weighted by the angle of their corner (Thürmer and Wüthrich, "Computing vertex normals
//! from polygonal facets", 1998), so that the triangulation of polygons doesn't matter.

use glam::{Vec3, Vec3A};

use super::gather::gather;
use super::vertex_splitter::VertexSplitter;
use crate::geometry::welded;
use crate::model::{Streams, as_u32};
use crate::pose::unit_or_zero;

/// Faces at this angle or more, in radians, meet in a sharp edge: 60 degrees.
pub const CREASE_RAD: f32 = std::f32::consts::FRAC_PI_3;

/// Faces at one position whose normals are close together, and their sum.
struct Bundle {
    leader: Vec3A,
    sum: Vec3A,
}

/// Gives a unit normal to each vertex without one or with one of length 0, from the triangles that
/// meet at its position, even if they use other vertices there. A vertex at a sharp edge is split:
/// returns the source of each vertex, existing vertices first, and updates `indices`. Degenerate
/// triangles are ignored; a vertex with no other triangles gets a normal that points up.
#[must_use]
pub fn add_normals(streams: &mut Streams, indices: &mut [u32], crease_rad: f32) -> Vec<u32> {
    let num = streams.positions.len();
    streams.normals.resize(num, Vec3::ZERO);
    let lacks: Vec<bool> = streams.normals.iter().map(|n| !is_usable(*n)).collect();
    let mut splitter = VertexSplitter::new(num);
    if lacks.iter().any(|lacks| *lacks) {
        let places = welded(&streams.positions);
        let mut bundles: Vec<Vec<Bundle>> = Vec::new();
        bundles.resize_with(num, Vec::new);
        let cos_crease = crease_rad.cos();
        // The bundle of each corner at its position.
        let mut chosen = Vec::with_capacity(indices.len());
        for corners in indices.as_chunks::<3>().0 {
            let at = corners.map(|v| Vec3A::from(value(&streams.positions, v)));
            let face = unit_or_zero(unit_or_zero(at[1] - at[0]).cross(unit_or_zero(at[2] - at[0])));
            for corner in 0..3 {
                let [a, b, c] = [0, 1, 2].map(|turn| at[(corner + turn) % 3]);
                let angle = unit_or_zero(b - a).angle_between(unit_or_zero(c - a));
                let angle = if angle.is_finite() { angle } else { 0.0 };
                let place = value(&places, corners[corner]) as usize;
                chosen.push(
                    bundles.get_mut(place).map_or(0, |list| join(list, face, angle, cos_crease)),
                );
            }
        }
        // The bundle assigned to each vertex.
        let mut taken: Vec<Option<usize>> = vec![None; num];
        for (corner, bundle) in indices.iter_mut().zip(chosen) {
            if !lacks.get(*corner as usize).copied().unwrap_or(false) {
                continue;
            }
            let source = *corner;
            *corner = splitter.take(source, |vertex| match taken.get_mut(vertex as usize) {
                Some(slot) => *slot.get_or_insert(bundle) == bundle,
                None => false,
            });
            if *corner as usize >= taken.len() {
                taken.push(Some(bundle));
            }
        }
        *streams = gather(streams, &splitter.sources);
        for (vertex, bundle) in taken.into_iter().enumerate() {
            let source = value(&splitter.sources, as_u32(vertex));
            let lacks = lacks.get(source as usize).copied().unwrap_or(false);
            let Some(normal) = streams.normals.get_mut(vertex).filter(|_| lacks) else { continue };
            let place = value(&places, source) as usize;
            let own = bundle.and_then(|bundle| bundles.get(place)?.get(bundle));
            *normal = match own.map(|own| unit_or_zero(own.sum)) {
                Some(sum) if sum != Vec3A::ZERO => sum.into(),
                _ => Vec3::Y,
            };
        }
    }
    for normal in &mut streams.normals {
        *normal = unit_or_zero((*normal).into()).into();
    }
    splitter.sources
}

/// Whether a normal has a direction.
fn is_usable(normal: Vec3) -> bool {
    unit_or_zero(normal.into()) != Vec3A::ZERO
}

/// Adds a face to the first bundle that it fits; a degenerate face goes to the very first.
fn join(bundles: &mut Vec<Bundle>, face: Vec3A, angle: f32, cos_crease: f32) -> usize {
    let fits = |bundle: &Bundle| face == Vec3A::ZERO || bundle.leader.dot(face) > cos_crease;
    let found = bundles.iter().position(fits);
    let at = found.unwrap_or(bundles.len());
    match bundles.get_mut(at) {
        Some(bundle) => bundle.sum += face * angle,
        // A degenerate face doesn't start a bundle; it joins the next one.
        None if face == Vec3A::ZERO => {}
        None => bundles.push(Bundle { leader: face, sum: face * angle }),
    }
    at
}

fn value<T: Copy + Default>(list: &[T], at: u32) -> T {
    list.get(at as usize).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strip of two squares that meet at `angle_rad` along z.
    fn roof(angle_rad: f32) -> (Streams, Vec<u32>) {
        let far = Vec3::new(angle_rad.cos(), -angle_rad.sin(), 0.0);
        let positions =
            vec![Vec3::NEG_X, Vec3::NEG_X + Vec3::Z, Vec3::ZERO, Vec3::Z, far, far + Vec3::Z];
        let streams = Streams { positions, ..Streams::default() };
        (streams, vec![0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5])
    }

    #[test]
    fn shallow_edges_are_smoothed_and_sharp_edges_are_split() {
        let (mut streams, mut indices) = roof(0.5);
        let sources = add_normals(&mut streams, &mut indices, CREASE_RAD);
        assert_eq!(sources, [0, 1, 2, 3, 4, 5]);
        let between = Vec3::new(0.25f32.sin(), 0.25f32.cos(), 0.0);
        // Each side has the same angle at the edge: both triangles at 2 and 3 sum to 90 degrees.
        assert!(streams.normals[2].distance(between) < 1e-6, "{}", streams.normals[2]);
        assert!(streams.normals[0].distance(Vec3::Y) < 1e-6);

        let (mut streams, mut indices) = roof(1.5);
        let sources = add_normals(&mut streams, &mut indices, CREASE_RAD);
        assert_eq!(sources, [0, 1, 2, 3, 4, 5, 2, 3]);
        assert_eq!(indices, [0, 1, 2, 2, 1, 3, 6, 7, 4, 4, 7, 5]);
        assert!(streams.normals[2].distance(Vec3::Y) < 1e-6);
        assert!(streams.normals[6].distance(Vec3::new(1.5f32.sin(), 1.5f32.cos(), 0.0)) < 1e-6);
        assert_eq!(streams.positions[7], Vec3::Z);
    }

    #[test]
    fn only_missing_normals_are_generated_and_all_are_normalised() {
        let (mut streams, mut indices) = roof(1.5);
        streams.normals = vec![Vec3::Z * 3.0; 6];
        streams.normals[0] = Vec3::ZERO;
        let sources = add_normals(&mut streams, &mut indices, CREASE_RAD);
        assert_eq!(sources.len(), 6);
        assert!(streams.normals[0].distance(Vec3::Y) < 1e-6);
        assert_eq!(streams.normals[1], Vec3::Z);
    }

    #[test]
    fn degenerate_triangles_and_unused_vertices_get_normals() {
        let mut streams = Streams {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::MAX],
            ..Streams::default()
        };
        let mut indices = vec![0, 1, 2, 0, 0, 0];
        let _ = add_normals(&mut streams, &mut indices, CREASE_RAD);
        assert!(streams.normals.iter().all(|normal| *normal == Vec3::Y));
    }

    #[test]
    fn vertices_at_the_same_position_are_smoothed_together() {
        let (mut streams, _) = roof(0.5);
        streams.positions.extend([Vec3::ZERO, Vec3::Z]);
        let mut indices = vec![0, 1, 2, 2, 1, 3, 6, 7, 4, 4, 7, 5];
        let _ = add_normals(&mut streams, &mut indices, CREASE_RAD);
        assert_eq!(streams.normals[2], streams.normals[6]);
    }
}
