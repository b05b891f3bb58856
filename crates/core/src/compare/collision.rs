//! Compares hulls, occlusion mesh and stored bounds.

use glam::Vec3;

use super::DifferenceKind as Kind;
use super::collector::DifferenceCollector;
use super::side::{ComparedSide, distance};

/// Compares collision data, which is stored in addition to the visible mesh.
pub(super) fn compare(
    (a, b): (&ComparedSide<'_>, &ComparedSide<'_>),
    extent: f64,
    found: &mut DifferenceCollector<'_>,
) {
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
    let measured = worst((a, b), hulls, limit);
    found.measured(Kind::Hulls, measured, || "hull points differ".to_owned());

    match (&a.model.occluder, &b.model.occluder) {
        (None, None) => {}
        (Some(m), Some(n)) => {
            let points = m.positions.iter().zip(&n.positions);
            let measured = worst((a, b), points, limit);
            found.measured(Kind::Occluder, measured, || {
                "points of the occlusion mesh differ".to_owned()
            });
            let differs = m.indices != n.indices || m.positions.len() != n.positions.len();
            found.structure(Kind::Occluder, usize::from(differs), || {
                "triangles of the occlusion mesh differ".to_owned()
            });
        }
        (m, _) => found.structure(Kind::Occluder, 1, || one_has("occluder", m.is_some())),
    }

    match (&a.model.stored_bounds, &b.model.stored_bounds) {
        (None, None) => {}
        (Some(m), Some(n)) => {
            let boxes = (
                m.aabb.transformed(&a.display_from_file),
                n.aabb.transformed(&b.display_from_file),
            );
            let centers = (a.point(m.sphere_center), b.point(n.sphere_center));
            let radius = |side: &ComparedSide<'_>, radius: f32| {
                let scale = side.display_from_file.matrix3.x_axis.length();
                f64::from(radius * scale)
            };
            let amounts = [
                distance(boxes.0.min, boxes.1.min),
                distance(boxes.0.max, boxes.1.max),
                distance(centers.0, centers.1),
                (radius(a, m.sphere_radius) - radius(b, n.sphere_radius)).abs(),
            ];
            let count = amounts.iter().filter(|&&amount| amount > limit).count() as u64;
            let amount = amounts.into_iter().fold(0.0, f64::max);
            found.measured(Kind::StoredBounds, (amount, limit, count), || {
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

/// The largest distance, the limit, and the number beyond it.
fn worst<'p>(
    (a, b): (&ComparedSide<'_>, &ComparedSide<'_>),
    points: impl Iterator<Item = (&'p Vec3, &'p Vec3)>,
    limit: f64,
) -> (f64, f64, u64) {
    let (mut amount, mut count) = (0.0f64, 0);
    for (&m, &n) in points {
        let apart = distance(a.point(m), b.point(n));
        amount = amount.max(apart);
        count += u64::from(apart > limit);
    }
    (amount, limit, count)
}
