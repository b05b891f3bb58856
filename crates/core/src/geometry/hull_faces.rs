//! The surface of a convex hull: triangles and visible edges.
//!
//! Not for: finding the corners, which is [`super::hull_points`].

use std::collections::BTreeMap;

use glam::Vec3;

use super::hull::{Solid, distinct, solid};
use crate::geometry::position_key;

/// Cosine above which two triangles are coplanar, and the edge between them isn't visible.
const MIN_FLAT_COSINE: f32 = 0.9999;

/// A convex hull as a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HullFaces {
    /// Corners; a subset of the input points.
    pub points: Vec<Vec3>,
    /// Indices into `points`.
    pub triangles: Vec<[u32; 3]>,
    /// Pairs of indices into `points`, where faces meet at an angle.
    pub edges: Vec<[u32; 2]>,
}

/// The surface of the convex hull of `points`; `None` if they have no volume.
#[must_use]
pub fn hull_faces(points: &[Vec3]) -> Option<HullFaces> {
    let distinct = distinct(points);
    let Solid { unit, is_corner, hull } = solid(&distinct)?;
    // Corners by position, since the library uses its own order.
    let mut numbers: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let mut corners = Vec::new();
    let mut places = Vec::new();
    for ((point, place), _) in distinct.iter().zip(&unit).zip(is_corner).filter(|(_, is)| *is) {
        numbers.insert(position_key(*place), u32::try_from(corners.len()).ok()?);
        corners.push(*point);
        places.push(*place);
    }
    let number_of = |vertex: u32| {
        let place = hull.vertices().get(vertex as usize)?;
        numbers.get(&position_key(place.to_array().into())).copied()
    };
    let mut triangles = Vec::with_capacity(hull.indices().len());
    for &[a, b, c] in hull.indices() {
        triangles.push([number_of(a)?, number_of(b)?, number_of(c)?]);
    }
    Some(HullFaces { edges: edges(&places, &triangles), points: corners, triangles })
}

/// Edges between triangles in different planes, and edges of only one triangle.
fn edges(places: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let place = |number: u32| places.get(number as usize).copied().unwrap_or_default();
    let mut sides: BTreeMap<[u32; 2], Vec<Vec3>> = BTreeMap::new();
    for &[a, b, c] in triangles {
        let normal = (place(b) - place(a)).cross(place(c) - place(a));
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let normals = sides.entry([from.min(to), from.max(to)]).or_default();
            normals.push(normal.normalize_or_zero());
        }
    }
    let is_seen = |normals: &Vec<Vec3>| match normals.as_slice() {
        [a, b] => a.dot(*b).abs() < MIN_FLAT_COSINE,
        _ => true,
    };
    let seen = sides.into_iter().filter(|(_, normals)| is_seen(normals));
    seen.map(|(edge, _)| edge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Aabb;

    #[test]
    fn a_cube_has_twelve_triangles_and_twelve_edges() {
        let mut points = Aabb::from_points([-Vec3::ONE, Vec3::ONE]).corners().to_vec();
        points.extend([Vec3::ZERO, Vec3::ONE, Vec3::NAN]);
        let faces = hull_faces(&points).unwrap();
        assert_eq!((faces.points.len(), faces.triangles.len()), (8, 12));
        assert_eq!(faces.edges.len(), 12);
        for [a, b] in faces.edges {
            let [a, b] = [a, b].map(|at| faces.points[at as usize]);
            assert_eq!(a.distance(b), 2.0);
        }
    }

    #[test]
    fn points_without_volume_have_no_faces() {
        assert_eq!(hull_faces(&[Vec3::ZERO, Vec3::X, Vec3::Y]), None);
        let flat = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE - Vec3::Z];
        assert_eq!(hull_faces(&flat), None);
        assert_eq!(hull_faces(&[Vec3::ONE; 9]), None);
    }
}
