//! Axis-aligned boxes.

use glam::{Affine3A, Vec3};

/// A box around finite points; empty until the first one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Smallest corner.
    pub min: Vec3,
    /// Largest corner.
    pub max: Vec3,
}

impl Default for Aabb {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Aabb {
    /// The empty box, the identity of [`Self::union`].
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The box around `points`; non-finite points are ignored.
    #[inline]
    pub fn from_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        let mut bounds = Self::EMPTY;
        for point in points {
            bounds.add(point);
        }
        bounds
    }

    /// Grows to contain `point`; a non-finite point is ignored.
    #[inline]
    pub fn add(&mut self, point: Vec3) {
        if point.is_finite() {
            self.min = self.min.min(point);
            self.max = self.max.max(point);
        }
    }

    /// The smallest box around both boxes.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether the box contains no point.
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// The centre; the origin for an empty box.
    pub fn center(&self) -> Vec3 {
        if self.is_empty() {
            Vec3::ZERO
        } else {
            // Halved before adding, since the sum of two huge corners overflows.
            self.min * 0.5 + self.max * 0.5
        }
    }

    /// Edge lengths; zero for an empty box.
    pub fn size(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.max - self.min }
    }

    /// Length of the diagonal: the *size* that deviations are compared with.
    pub fn extent(&self) -> f32 {
        self.size().length()
    }

    /// The eight corners.
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|i| {
            let pick = |bit: usize, low: f32, high: f32| if i & bit == 0 { low } else { high };
            Vec3::new(
                pick(1, self.min.x, self.max.x),
                pick(2, self.min.y, self.max.y),
                pick(4, self.min.z, self.max.z),
            )
        })
    }

    /// The box around the transformed corners; an empty box stays empty.
    #[must_use]
    pub fn transformed(&self, dst_from_src: &Affine3A) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        Self::from_points(self.corners().map(|corner| dst_from_src.transform_point3(corner)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_no_points_are_empty_and_centred_on_the_origin() {
        let empty = Aabb::from_points([Vec3::NAN]);
        assert!(empty.is_empty());
        assert_eq!((empty.center(), empty.extent()), (Vec3::ZERO, 0.0));
    }

    #[test]
    fn corners_span_the_box() {
        let bounds = Aabb::from_points([Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0)]);
        assert_eq!(Aabb::from_points(bounds.corners()), bounds);
    }
}
