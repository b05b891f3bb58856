//! A small sphere around points.

use glam::{DVec3, Vec3};

use crate::model::Aabb;

/// Centre and radius of a sphere that contains all finite `points`, even if distances to the centre
/// are computed in single precision: the smaller of the sphere around the centre of their box and
/// the one by Ritter ("An efficient bounding sphere", 1990). Zero without points.
#[must_use]
pub fn bounding_sphere(points: &[Vec3]) -> (Vec3, f32) {
    let finite = || points.iter().copied().filter(|p| p.is_finite());
    let middle = Aabb::from_points(finite()).center();
    let around_box = (middle, radius(middle, finite()));
    let ritter = ritter(finite());
    let around_ritter = (ritter, radius(ritter, finite()));
    if around_ritter.1 < around_box.1 { around_ritter } else { around_box }
}

/// The distance of the farthest point, in single precision, rounded up from double.
fn radius(center: Vec3, points: impl Iterator<Item = Vec3>) -> f32 {
    points.fold(0.0f32, |radius, point| {
        let exact = center.as_dvec3().distance(point.as_dvec3());
        #[expect(clippy::cast_possible_truncation, reason = "rounded up next")]
        let mut rounded = exact as f32;
        if f64::from(rounded) < exact {
            rounded = rounded.next_up();
        }
        radius.max(rounded).max(center.distance(point))
    })
}

/// The centre of Ritter's sphere: starts with two points far apart, and moves towards each point
/// outside.
fn ritter(points: impl Iterator<Item = Vec3> + Clone) -> Vec3 {
    let far_from = |from: Vec3| {
        let from = from.as_dvec3();
        let distance = |p: &Vec3| from.distance_squared(p.as_dvec3());
        points.clone().max_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or_default()
    };
    let first = far_from(points.clone().next().unwrap_or_default());
    let second = far_from(first);
    let mut center: DVec3 = (first.as_dvec3() + second.as_dvec3()) * 0.5;
    let mut radius = center.distance(first.as_dvec3());
    for point in points.clone().map(Vec3::as_dvec3) {
        let distance = center.distance(point);
        if distance > radius {
            radius = (radius + distance) * 0.5;
            center += (point - center) * ((distance - radius) / distance);
        }
    }
    center.as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::Random;

    #[test]
    fn bounding_sphere_contains_all_points_and_is_tight() {
        let mut random = Random(1);
        for offset in [0.0, 1000.0] {
            let ball: Vec<Vec3> = (0..2000)
                .map(|_| random.vec3())
                .filter(|p| p.length() <= 1.0)
                .map(|p| p + Vec3::X * offset)
                .collect();
            let (center, radius) = bounding_sphere(&ball);
            assert!(radius < 1.15, "{radius}");
            assert!(ball.iter().all(|p| p.distance(center) <= radius));
        }
    }

    #[test]
    fn two_points_span_the_sphere_and_no_points_give_radius_zero() {
        assert_eq!(bounding_sphere(&[Vec3::X, -Vec3::X]), (Vec3::ZERO, 1.0));
        assert_eq!(bounding_sphere(&[Vec3::NAN]), (Vec3::ZERO, 0.0));
        assert_eq!(bounding_sphere(&[Vec3::Y]), (Vec3::Y, 0.0));
        let huge = [Vec3::MAX, Vec3::MIN];
        assert!(bounding_sphere(&huge).1 > f32::MAX, "no panic");
    }
}
