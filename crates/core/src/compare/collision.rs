//! Compares hulls, occlusion mesh and stored bounds.

use glam::Vec3;

use super::DifferenceKind as Kind;
use super::collector::{DifferenceCollector, Measured};
use super::side::{ComparedSide, Sides, distance};

/// Compares collision data, which is stored in addition to the visible mesh.
pub(super) fn compare(sides: &Sides<'_>, extent: f64, found: &mut DifferenceCollector<'_>) {
    let Sides { a, b, .. } = sides;
    let limit = found.options.tolerance * extent;
    let (hulls_a, hulls_b) = (&a.model.hulls, &b.model.hulls);
    found.number(Kind::Hulls, "hulls", hulls_a.len(), hulls_b.len());
    let pairs = || hulls_a.iter().zip(hulls_b).enumerate();
    let resized = || pairs().filter(|(_, (a, b))| a.points.len() != b.points.len());
    found.structure(Kind::Hulls, resized().count(), || {
        resized().next().map_or(String::new(), |(at, (a, b))| {
            format!("hull {at} has {} points in A, {} in B", a.points.len(), b.points.len())
        })
    });
    let hulls = pairs().flat_map(|(_, (m, n))| m.points.iter().zip(&n.points));
    let measured = distances(sides, hulls, limit);
    found.measured(Kind::Hulls, measured, || "hull points differ".to_owned());

    match (&a.model.occluder, &b.model.occluder) {
        (None, None) => {}
        (Some(m), Some(n)) => {
            let points = m.positions.iter().zip(&n.positions);
            let measured = distances(sides, points, limit);
            found.measured(Kind::Occluder, measured, || {
                "points of the occlusion mesh differ".to_owned()
            });
            let differs = m.indices != n.indices || m.positions.len() != n.positions.len();
            found.structure(Kind::Occluder, usize::from(differs), || {
                "triangles of the occlusion mesh differ".to_owned()
            });
        }
        (m, _) => found.structure(Kind::Occluder, 1, || one_has("occlusion mesh", m.is_some())),
    }

    match (&a.model.stored_bounds, &b.model.stored_bounds) {
        (None, None) => {}
        (Some(m), Some(n)) => {
            let boxes = (
                m.aabb.transformed(&a.space.new_from_old()),
                n.aabb.transformed(&b.space.new_from_old()),
            );
            let centers = (a.space.point(m.sphere_center), b.space.point(n.sphere_center));
            let radius = |side: &ComparedSide<'_>, radius: f32| {
                let scale = side.space.factor();
                f64::from(radius * scale)
            };
            let mut measured = Measured::within(limit);
            for amount in [
                distance(boxes.0.min, boxes.1.min),
                distance(boxes.0.max, boxes.1.max),
                distance(centers.0, centers.1),
                (radius(a, m.sphere_radius) - radius(b, n.sphere_radius)).abs(),
            ] {
                measured.add(amount);
            }
            found.measured(Kind::StoredBounds, measured, || {
                "stored box or sphere differs".to_owned()
            });
        }
        (m, _) => found.structure(Kind::StoredBounds, 1, || one_has("stored bounds", m.is_some())),
    }
}

fn one_has(what: &str, is_a: bool) -> String {
    let with = if is_a { "A" } else { "B" };
    format!("{what} only in {with}")
}

fn distances<'p>(
    Sides { a, b, .. }: &Sides<'_>,
    points: impl Iterator<Item = (&'p Vec3, &'p Vec3)>,
    limit: f64,
) -> Measured {
    let mut measured = Measured::within(limit);
    for (&m, &n) in points {
        measured.add(distance(a.space.point(m), b.space.point(n)));
    }
    measured
}
