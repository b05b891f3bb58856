//! A sphere as three circles.

use std::f32::consts::TAU;

use glam::{Affine3A, Vec3};

use super::marks::Line;

/// Segments of a circle.
const CIRCLE_SEGMENTS: usize = 72;
const CIRCLE_POINTS: f32 = 1.2;

/// A sphere, in the units of its space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sphere {
    pub(super) center: Vec3,
    pub(super) radius: f32,
}

impl Sphere {
    /// Three circles about the axes; none if a number isn't usable.
    pub(super) fn lines(self, display_from_space: &Affine3A, color: [f32; 4]) -> Vec<Line> {
        let Self { center, radius } = self;
        if !(radius > 0.0 && radius.is_finite() && center.is_finite()) {
            return Vec::new();
        }
        let circles = [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)].into_iter();
        let lines = circles.flat_map(|(right, up)| {
            let at = move |step: usize| {
                let (sin, cos) = (step as f32 / CIRCLE_SEGMENTS as f32 * TAU).sin_cos();
                display_from_space.transform_point3(center + (right * cos + up * sin) * radius)
            };
            (0..CIRCLE_SEGMENTS).map(move |step| Line {
                from: at(step),
                to: at(step + 1),
                color,
                width_points: CIRCLE_POINTS,
            })
        });
        lines.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sphere_is_three_closed_circles_of_its_radius() {
        let shift = Affine3A::from_translation(Vec3::X);
        let lines = |radius| Sphere { center: Vec3::ZERO, radius }.lines(&shift, [1.0; 4]);
        assert_eq!(lines(2.0).len(), 3 * CIRCLE_SEGMENTS);
        assert!(lines(2.0).iter().all(|line| (line.from.distance(Vec3::X) - 2.0).abs() < 1e-5));
        assert!(lines(f32::NAN).is_empty());
    }
}
