//! The corners of the convex hull of points.
//!
//! Source: Barber, Dobkin and Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996, as implemented in
//! the `quickhull` crate, whose code follows parry's.

use std::collections::HashSet;

use glam::Vec3;

use crate::geometry::position_key;

/// Limit of rounds per point. More than needed: each round settles one point.
const MAX_ROUNDS_A_POINT: usize = 64;
/// Directions in which the hull is checked against all points.
const NUM_DIRECTIONS: u32 = 128;
/// The hull may miss a point by this fraction of the extent; rounding errors are about 1e-6.
const TOLERANCE: f32 = 1e-4;

/// Points with the same hull as the input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HullPoints {
    /// A subset of the input points, without duplicates.
    pub points: Vec<Vec3>,
    /// Whether they are the corners of a hull with a volume. If not, they are all distinct finite points:
    /// some may be inside, but their hull is still correct.
    pub is_solid: bool,
}

/// The corners of the convex hull of the finite points among `points`.
#[must_use]
pub fn hull_points(points: &[Vec3]) -> HullPoints {
    let distinct = distinct(points);
    match corners(&distinct) {
        Some(points) => HullPoints { points, is_solid: true },
        None => HullPoints { points: distinct, is_solid: false },
    }
}

/// Finite points without duplicates, in input order.
pub(super) fn distinct(points: &[Vec3]) -> Vec<Vec3> {
    let mut seen = HashSet::new();
    // Adding 0 turns -0 into 0.
    let is_new = |p: &Vec3| p.is_finite() && seen.insert(position_key(*p));
    points.iter().copied().filter(is_new).collect()
}

/// The corners; `None` if there is no volume or the library has failed.
fn corners(points: &[Vec3]) -> Option<Vec<Vec3>> {
    let solid = solid(points)?;
    let corners = points.iter().zip(solid.is_corner).filter(|(_, is)| *is);
    Some(corners.map(|(point, _)| *point).collect())
}

/// The library's result for points around a volume.
pub(super) struct Solid {
    /// The points in input order, moved and scaled to the unit box.
    pub(super) unit: Vec<Vec3>,
    /// Whether each point is a corner.
    pub(super) is_corner: Vec<bool>,
    pub(super) hull: quickhull::ConvexTriangleMesh,
}

/// The hull of distinct finite `points`; `None` if there is no volume or the library has failed.
pub(super) fn solid(points: &[Vec3]) -> Option<Solid> {
    if points.len() < 4 {
        return None;
    }
    // Normalise to the unit box first, since squares of huge numbers overflow and those of tiny ones vanish.
    let bounds = crate::model::Aabb::from_points(points.iter().copied());
    let (center, size) = (bounds.center(), bounds.size().max_element());
    let is_usable = size.is_finite() && size > f32::MIN_POSITIVE;
    let unit: Vec<Vec3> = points.iter().map(|p| (*p - center) / size).collect();
    if !is_usable || is_flat(&unit) {
        return None;
    }
    // The library is safe Rust. It requires finite, distinct points (`distinct`) that aren't coplanar
    // (`is_flat`); the number of its rounds is limited, and `holds_all` checks the result. Its vectors belong
    // to another version of `glam`.
    let own: Vec<_> = unit.iter().map(|p| p.to_array().into()).collect();
    let max_rounds = points.len().saturating_mul(MAX_ROUNDS_A_POINT);
    let hull = quickhull::ConvexTriangleMesh::try_from_points(&own, Some(max_rounds)).ok()?;
    let wanted: HashSet<[u32; 3]> =
        (hull.vertices().iter()).map(|v| position_key(v.to_array().into())).collect();
    let is_corner: Vec<bool> = unit.iter().map(|p| wanted.contains(&position_key(*p))).collect();
    holds_all(&unit, &is_corner).then_some(Solid { unit, is_corner, hull })
}

/// Whether all points are in one plane, or nearly.
fn is_flat(unit: &[Vec3]) -> bool {
    let far = |from: &dyn Fn(Vec3) -> f32| {
        let all = unit.iter().copied();
        all.max_by(|a, b| from(*a).total_cmp(&from(*b))).unwrap_or_default()
    };
    let first = unit.first().copied().unwrap_or_default();
    let second = far(&|p| p.distance(first));
    let along = (second - first).normalize_or_zero();
    let third = far(&|p| (p - first).reject_from(along).length());
    let normal = along.cross(third - first).normalize_or_zero();
    let fourth = far(&|p| (p - first).dot(normal).abs());
    along == Vec3::ZERO || normal == Vec3::ZERO || (fourth - first).dot(normal).abs() < TOLERANCE
}

/// Whether the corners extend as far as all points in directions all around, up to rounding.
fn holds_all(unit: &[Vec3], is_corner: &[bool]) -> bool {
    let num = is_corner.iter().filter(|is| **is).count();
    num >= 4
        && directions().all(|direction| {
            let reach = |all: &mut dyn Iterator<Item = Vec3>| {
                all.map(|p| p.dot(direction)).fold(f32::NEG_INFINITY, f32::max)
            };
            let of_all = reach(&mut unit.iter().copied());
            let corners = unit.iter().zip(is_corner.iter()).filter(|(_, is)| **is);
            of_all - reach(&mut corners.map(|(p, _)| *p)) <= TOLERANCE
        })
}

/// Directions spread evenly over the sphere (Fibonacci spiral).
fn directions() -> impl Iterator<Item = Vec3> {
    const GOLDEN_ANGLE_RAD: f32 = 2.399_963_2;
    (0..NUM_DIRECTIONS).map(|number| {
        let y = 1.0 - 2.0 * (number as f32 + 0.5) / NUM_DIRECTIONS as f32;
        let (sin, cos) = (number as f32 * GOLDEN_ANGLE_RAD).sin_cos();
        let radius = (1.0 - y * y).max(0.0).sqrt();
        Vec3::new(cos * radius, y, sin * radius)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::Random;

    fn cube() -> Vec<Vec3> {
        let at = |n: u32, bit: u32| if n & bit == 0 { -1.0 } else { 1.0 };
        (0..8).map(|n| Vec3::new(at(n, 1), at(n, 2), at(n, 4))).collect()
    }

    #[test]
    fn interior_and_duplicate_points_are_removed() {
        let mut random = Random(1);
        for size in [1.0, 1e-15, 1e15] {
            let mut points = cube();
            points.extend(cube());
            points.extend((0..500).map(|_| random.vec3() * 0.999));
            points.push(Vec3::NAN);
            let points: Vec<Vec3> = points.into_iter().map(|p| p * size).collect();
            let hull = hull_points(&points);
            assert!(hull.is_solid);
            assert_eq!(hull.points, points[..8], "{size}");
        }
    }

    #[test]
    fn hull_of_a_sphere_contains_nearly_all_its_points() {
        let mut random = Random(1);
        let ball: Vec<Vec3> = (0..400).map(|_| random.vec3().normalize_or(Vec3::X)).collect();
        let hull = hull_points(&ball);
        assert!(hull.is_solid && hull.points.len() > 390, "{}", hull.points.len());
    }

    #[test]
    fn clouds_without_volume_keep_their_distinct_points() {
        let flat: Vec<Vec3> = cube().iter().map(|p| p.with_y(0.5)).collect();
        let line: Vec<Vec3> = (0..9u8).map(|n| Vec3::ONE * f32::from(n)).collect();
        for (points, num) in [
            (Vec::new(), 0),
            (vec![Vec3::X; 5], 1),
            (vec![Vec3::ZERO, -Vec3::ZERO, Vec3::Y], 2),
            (cube()[..3].to_vec(), 3),
            (flat, 4),
            (line, 9),
            (vec![Vec3::INFINITY, Vec3::NAN], 0),
            (vec![Vec3::MAX, Vec3::MIN, Vec3::ZERO, Vec3::X], 4),
        ] {
            let hull = hull_points(&points);
            assert!(!hull.is_solid, "{points:?}");
            assert_eq!(hull.points.len(), num, "{points:?}");
        }
    }

    #[test]
    fn duplicate_coplanar_and_non_finite_points_are_handled_together() {
        let mut random = Random(1);
        for case in 0..500usize {
            let mut points = Vec::new();
            for number in 0..case % 60 {
                let p = random.vec3();
                points.push(match (number + case) % 7 {
                    0 => points.first().copied().unwrap_or(p),
                    1 => Vec3::NAN,
                    2 => p.with_x(f32::INFINITY),
                    3 => p.with_y(-f32::MAX),
                    4 => p * f32::MIN_POSITIVE,
                    _ => p.with_z(0.25),
                });
            }
            let hull = hull_points(&points);
            let is_own = |p: &Vec3| p.is_finite() && points.contains(p);
            assert!(hull.points.iter().all(is_own), "{case}");
            assert_eq!(hull.is_solid, super::super::hull_faces(&points).is_some(), "{case}");
        }
    }

    #[test]
    fn degenerate_random_clouds_never_panic_and_keep_their_corners() {
        let mut random = Random(1);
        for case in 0..3000u32 {
            let num = case % 40;
            let kind = case % 7;
            let size = [1.0, 1e-20, 1e18][(case / 7 % 3) as usize];
            let points: Vec<Vec3> = (0..num)
                .map(|_| {
                    let p = random.vec3();
                    let p = match kind {
                        0 => p,
                        1 => p.with_z(0.0),
                        2 => p.round(),
                        3 => p * Vec3::new(1.0, 1.0, 1e-7),
                        4 => p * Vec3::new(1.0, 1e-4, 1e-8),
                        5 => (p * 3.0).round(),
                        _ => p.normalize_or_zero(),
                    };
                    p * size
                })
                .collect();
            let hull = hull_points(&points);
            for direction in directions() {
                let reach = |list: &[Vec3]| {
                    let all = list.iter().map(|p| p.dot(direction));
                    all.fold(f32::NEG_INFINITY, f32::max)
                };
                let missed = reach(&points) - reach(&hull.points);
                assert!(points.is_empty() || missed <= 2e-3 * size, "{case}: {missed}");
            }
        }
    }
}
