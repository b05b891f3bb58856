//! Finds interior points of convex hulls, and hulls without volume.
//!
//! A hull is stored as points. Each plane through three of them with all others on one side
//! contains a face; a point behind all faces is inside.

use std::collections::HashSet;

use glam::{DVec3, Vec3};

use super::WHAT;
use crate::geometry::position_key;
use crate::model::{Cancelled, FindingKind, Model, Place, Report, counted, findings, numbers};
use crate::validate::worst::Worst;

findings! {
    pub(super) FINDINGS:
    PointInsideHull, "point-inside-hull", Warning, Collision,
        "a point is inside its convex hull",
        "none on collisions, because the point doesn't affect the hull; it costs memory and time",
        "write only the corners of the hull; `rigscope convert SOURCE -o OUT.bsm` does so for meshes whose name begins with collision",
        "the point 0.1, 0.25, 0 is inside hull 0, at a depth of 4.2 % of the hull's size";
    FlatHull, "flat-hull", Warning, Collision,
        "a convex hull has no volume",
        "collision detection ignores it, so other objects pass through the model",
        "give the hull at least four points that aren't in one plane",
        "hull 0 of 8 points is in one plane";
}

/// A hull thinner than this fraction of its extent is flat; rounding to single precision makes
/// 1e-6.
const FLAT: f64 = 1e-4;
/// Points deeper than this fraction of the extent below all faces are inside. Rounding moves points
/// inward by 1e-6, and corners that a modeller moved slightly are practically on the face.
const INSIDE: f64 = 1e-3;
/// Larger hulls aren't searched for interior points, because the cost is cubic. Engines reject
/// hulls with more than 255 points.
const MAX_POINTS: usize = 256;

/// Reports [`FindingKind::FlatHull`] and [`FindingKind::PointInsideHull`].
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let (mut flat, mut inside) = (Worst::default(), Worst::default());
    for (index, hull) in model.hulls.iter().enumerate() {
        report.progress(WHAT, 0.2)?;
        let points = distinct(&hull.points);
        let Some(size) = Size::of(&points) else {
            flat.add(0.0, (index, hull.points.len(), "has fewer than four distinct points"));
            continue;
        };
        if size.thickness < FLAT * size.extent {
            flat.add(0.0, (index, hull.points.len(), "is in one plane"));
            continue;
        }
        for (point, depth) in points_inside(&points, size.extent) {
            #[expect(clippy::cast_possible_truncation, reason = "a share of the extent")]
            inside.add((depth / size.extent) as f32, (index, points[point]));
        }
    }
    if let Some((_, (hull, num_points, what))) = flat.worst {
        report.add_many(FindingKind::FlatHull, Place::File, flat.count, || {
            format!("hull {hull} of {} {what}", counted(num_points as u64, "point"))
        });
    }
    if let Some((depth, (hull, point))) = inside.worst {
        report.add_many(FindingKind::PointInsideHull, Place::File, inside.count, || {
            let point = point.to_array().map(numbers::number).join(", ");
            let percent = numbers::percent(depth);
            format!("the point {point} is inside hull {hull}, at a depth of {percent} of the hull's size")
        });
    }
    Ok(())
}

/// Distinct points, in the order of their first occurrence.
fn distinct(points: &[Vec3]) -> Vec<DVec3> {
    let mut seen = HashSet::new();
    // Adding 0 turns -0 into 0.
    let first = points.iter().filter(|&&p| seen.insert(position_key(p)));
    first.map(|p| p.as_dvec3()).collect()
}

/// The size of a set of points.
struct Size {
    /// Longest distance from the first point.
    extent: f64,
    /// Longest distance from the plane of the three points with the largest triangle.
    thickness: f64,
}

impl Size {
    /// `None` for fewer than four points.
    fn of(points: &[DVec3]) -> Option<Self> {
        let [first, _, _, ..] = points else { return None };
        if points.len() < 4 {
            return None;
        }
        let farthest = |measure: &dyn Fn(DVec3) -> f64| {
            points.iter().copied().max_by(|a, b| measure(*a).total_cmp(&measure(*b)))
        };
        let second = farthest(&|p| p.distance_squared(*first))?;
        let along = second - first;
        let third = farthest(&|p| along.cross(p - first).length_squared())?;
        let normal = along.cross(third - first).normalize_or_zero();
        let heights = points.iter().map(|p| normal.dot(p - first));
        let (low, high) =
            heights.fold((0.0f64, 0.0f64), |(low, high), h| (low.min(h), high.max(h)));
        Some(Self { extent: along.length(), thickness: high - low })
    }
}

/// The [`position_key`]s of the interior points of a hull with volume.
pub(crate) fn points_inside_hull(points: &[Vec3]) -> HashSet<[u32; 3]> {
    let points = distinct(points);
    let size = Size::of(&points).filter(|size| size.thickness >= FLAT * size.extent);
    let inside = size.map(|size| points_inside(&points, size.extent)).unwrap_or_default();
    inside.into_iter().map(|(point, _)| position_key(points[point].as_vec3())).collect()
}

/// Points below all faces, and their depth; none for hulls that are too large to be searched.
fn points_inside(points: &[DVec3], extent: f64) -> Vec<(usize, f64)> {
    if points.len() > MAX_POINTS {
        return Vec::new();
    }
    // The allowed distance of other points in front of a face.
    let room = FLAT * extent;
    let mut depths = vec![f64::INFINITY; points.len()];
    for (i, &a) in points.iter().enumerate() {
        for (j, &b) in points.iter().enumerate().skip(i + 1) {
            for &c in points.iter().skip(j + 1) {
                let across = (b - a).cross(c - a);
                // Three points nearly in a line don't define a plane.
                if across.length() < room * extent {
                    continue;
                }
                let Some(outward) = face_normal(points, a, across.normalize_or_zero(), room) else {
                    continue;
                };
                for (depth, p) in depths.iter_mut().zip(points) {
                    *depth = depth.min(outward.dot(a - p));
                }
            }
        }
    }
    let found = depths.into_iter().enumerate();
    found.filter(|&(_, depth)| depth.is_finite() && depth > INSIDE * extent).collect()
}

/// The normal of the plane through `a`, oriented so that no point is in front by more than `room`;
/// `None` if there are points on both sides.
fn face_normal(points: &[DVec3], a: DVec3, normal: DVec3, room: f64) -> Option<DVec3> {
    let (mut is_above, mut is_below) = (false, false);
    for p in points {
        let height = normal.dot(p - a);
        is_above |= height > room;
        is_below |= height < -room;
        if is_above && is_below {
            return None;
        }
    }
    Some(if is_above { -normal } else { normal })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Aabb, Hull};
    use crate::validate::fixtures::bar::{bar, is_silent, the};

    fn with_hull(points: Vec<Vec3>) -> Model {
        Model { hulls: vec![Hull { points }], ..bar() }
    }

    fn cube() -> Vec<Vec3> {
        Aabb::from_points([-Vec3::ONE, Vec3::ONE]).corners().to_vec()
    }

    #[test]
    fn hull_points_inside_are_reported_and_those_on_faces_are_not() {
        let with = |point: Vec3| {
            let mut points = cube();
            points.insert(3, point);
            with_hull(points)
        };
        let finding = the(&with(Vec3::new(0.5, 0.0, 0.0)), FindingKind::PointInsideHull);
        assert_eq!(finding.count, 1);
        assert!(finding.message.contains("0.5, 0, 0 is inside hull 0"), "{}", finding.message);
        for harmless in [Vec3::X, Vec3::X * 0.999, Vec3::X * 1.5, Vec3::ONE] {
            assert!(is_silent(&with(harmless), FindingKind::PointInsideHull), "{harmless}");
        }
    }

    #[test]
    fn points_on_a_sphere_are_not_inside_the_hull() {
        let point = |i: u8| {
            // Evenly over the ball (a spiral by the golden angle).
            let (z, turn) = (1.0 - f32::from(i) / 31.5, 2.399_963 * f32::from(i));
            let across = (1.0 - z * z).max(0.0).sqrt();
            Vec3::new(across * turn.cos(), across * turn.sin(), z)
        };
        let mut points: Vec<_> = (0..64).map(point).collect();
        assert!(is_silent(&with_hull(points.clone()), FindingKind::PointInsideHull));
        points.push(Vec3::new(0.3, 0.3, 0.3));
        assert_eq!(the(&with_hull(points), FindingKind::PointInsideHull).count, 1);
    }

    #[test]
    fn hulls_without_volume_are_reported() {
        assert!(is_silent(&with_hull(cube()), FindingKind::FlatHull));
        let flat: Vec<_> = cube().iter().map(|p| Vec3::new(p.x, p.y, p.x + p.y)).collect();
        let bad = [cube()[..3].to_vec(), vec![Vec3::ONE; 9], flat, Vec::new()];
        for points in bad {
            the(&with_hull(points), FindingKind::FlatHull);
        }
    }
}
