//! Simplifies a shape to fewer triangles.
//!
//! Uses meshoptimizer's edge collapses, which measure errors by quadrics (Garland and Heckbert, "Surface
//! simplification using quadric error metrics", 1997).

use std::collections::HashMap;

use glam::Vec3;

use super::cache_order::cache_order;
use crate::geometry::position_key;

/// A mesh that only has positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simplified {
    /// A subset of the input positions, without duplicates.
    pub positions: Vec<Vec3>,
    /// Triangles of `positions`, with their original winding.
    pub indices: Vec<u32>,
    /// The largest movement of the surface, in the unit of the positions, as measured by the library.
    pub error: f32,
}

/// Reduces the triangles `indices` of `positions` to `max_triangles`, but moves the surface by no more than
/// the fraction `max_error` of its extent. Shapes that need more triangles get them.
///
/// Vertices at the same position count as one, so that seams of other attributes don't open. Corners are
/// corners of the input mesh, so the result stays within its hull. `None` if there is no triangle, an index
/// is out of range, or a position or the size of a mesh to simplify isn't finite.
#[must_use]
pub fn simplified(
    positions: &[Vec3],
    indices: &[u32],
    max_triangles: usize,
    max_error: f32,
) -> Option<Simplified> {
    let (places, indices) = places(positions, indices)?;
    let bounds = crate::model::Aabb::from_points(places.iter().map(|p| Vec3::from_array(*p)));
    let size = bounds.size().max_element();
    let mut relative_error = 0.0;
    let num_wanted = max_triangles.saturating_mul(3);
    let mut indices = match indices.len() > num_wanted {
        false => indices,
        // The library divides by the size.
        true if !size.is_finite() => return None,
        // The C++ code doesn't check indices: `places` makes three per triangle, each the number of a finite
        // position.
        true => meshopt::simplify_decoder(
            &indices,
            &places,
            num_wanted,
            max_error.max(0.0),
            // Small separate parts don't hide anything.
            meshopt::SimplifyOptions::Prune,
            Some(&mut relative_error),
        ),
    };
    let all = 0..indices.len();
    let kept = cache_order(&mut indices, &[all], places.len());
    let place = |&old: &u32| places.get(old as usize).map(|p| Vec3::from_array(*p));
    let simplified = Simplified {
        positions: kept.iter().filter_map(place).collect(),
        indices,
        // The library measures relative to the longest edge of the box.
        error: if relative_error > 0.0 { relative_error * size } else { 0.0 },
    };
    (!simplified.indices.is_empty()).then_some(simplified)
}

/// Distinct positions, and triangles that use them.
fn places(positions: &[Vec3], indices: &[u32]) -> Option<(Vec<[f32; 3]>, Vec<u32>)> {
    let mut number = HashMap::new();
    let mut places = Vec::new();
    let mut triangles = Vec::with_capacity(indices.len());
    for corners in indices.as_chunks::<3>().0 {
        let mut own = [0; 3];
        for (own, &corner) in own.iter_mut().zip(corners) {
            let position = positions.get(corner as usize).filter(|p| p.is_finite())?;
            let key = position_key(*position);
            *own = *number.entry(key).or_insert_with(|| {
                places.push(key.map(f32::from_bits));
                u32::try_from(places.len() - 1).unwrap_or(u32::MAX)
            });
        }
        let [a, b, c] = own;
        if a != b && b != c && c != a {
            triangles.extend(own);
        }
    }
    (!triangles.is_empty()).then_some((places, triangles))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball of radius 1 around the origin, as a grid with a seam.
    fn ball(side: u16) -> (Vec<Vec3>, Vec<u32>) {
        let mut positions = Vec::new();
        for y in 0..=side {
            for x in 0..=side {
                let turn = f32::from(x) / f32::from(side) * std::f32::consts::TAU;
                let tilt = f32::from(y) / f32::from(side) * std::f32::consts::PI;
                let (sin, cos) = tilt.sin_cos();
                positions.push(Vec3::new(turn.cos() * sin, cos, turn.sin() * sin));
            }
        }
        let mut indices = Vec::new();
        let row = u32::from(side) + 1;
        for y in 0..u32::from(side) {
            for x in 0..u32::from(side) {
                let a = y * row + x;
                indices.extend([a, a + 1, a + row, a + row, a + 1, a + row + 1]);
            }
        }
        (positions, indices)
    }

    #[test]
    fn simplified_sphere_has_fewer_triangles_within_the_error() {
        let (positions, indices) = ball(40);
        let few = simplified(&positions, &indices, 200, 0.05).unwrap();
        assert!(few.indices.len() / 3 <= 200, "{}", few.indices.len() / 3);
        assert!(few.error > 0.0 && few.error <= 0.05 * 2.0, "{}", few.error);
        assert!(few.positions.iter().all(|p| positions.contains(p)));
        for corners in few.indices.as_chunks::<3>().0 {
            let middle: Vec3 = corners.iter().map(|&v| few.positions[v as usize] / 3.0).sum();
            assert!(middle.length() <= 1.0 + 1e-6, "inside the original surface");
            assert!(middle.length() > 0.85, "{}", middle.length());
        }
    }

    #[test]
    fn error_limit_takes_precedence_over_the_triangle_count() {
        let (positions, indices) = ball(40);
        let few = simplified(&positions, &indices, 4, 1e-3).unwrap();
        assert!(few.indices.len() / 3 > 100 && few.indices.len() < indices.len());
        assert!(few.error <= 2e-3 * 1.01, "{}", few.error);
    }

    #[test]
    fn meshes_below_the_target_are_only_welded_at_seams() {
        let (positions, indices) = ball(4);
        let same = simplified(&positions, &indices, 1000, 0.05).unwrap();
        assert_eq!(same.error, 0.0);
        // 4 of 16 squares are triangles at each pole; vertices at the seam and the poles are joined, up to
        // the rounding of sines.
        assert!(same.positions.len() < positions.len());
    }

    #[test]
    fn extreme_positions_are_simplified_or_refused() {
        let (positions, indices) = ball(20);
        for scale in [1e-38, 1e30, 1.5e38] {
            let scaled: Vec<Vec3> = positions.iter().map(|p| *p * scale).collect();
            let few = simplified(&scaled, &indices, 100, 0.05).unwrap();
            let num = u32::try_from(few.positions.len()).unwrap();
            assert!(few.indices.iter().all(|&index| index < num), "{scale}");
            assert!(few.error >= 0.0 && few.error <= 0.11 * scale, "{scale}: {}", few.error);
            assert!(few.positions.iter().all(|p| scaled.contains(p)), "{scale}");
        }
        // Positions are finite, the size isn't.
        let huge: Vec<Vec3> = positions.iter().map(|p| *p * f32::MAX).collect();
        assert_eq!(simplified(&huge, &indices, 100, 0.05), None);
        let all = simplified(&huge, &indices, usize::MAX, 0.05).unwrap();
        assert_eq!(all.error, 0.0, "nothing was left out");
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut positions = positions.clone();
            positions[30].z = value;
            assert_eq!(simplified(&positions, &indices, 100, 0.05), None);
        }
        let few = simplified(&positions, &indices, 100, f32::NAN).unwrap();
        assert!(few.error >= 0.0);
    }

    #[test]
    fn empty_degenerate_and_invalid_meshes_are_refused() {
        assert_eq!(simplified(&[], &[], 10, 0.1), None);
        assert_eq!(simplified(&[Vec3::X; 3], &[0, 1, 2], 10, 0.1), None);
        let points = [Vec3::ZERO, Vec3::X, Vec3::NAN];
        assert_eq!(simplified(&points, &[0, 1, 2], 10, 0.1), None);
        assert_eq!(simplified(&points, &[0, 1, 7], 10, 0.1), None);
        assert_eq!(simplified(&points, &[0, 1, u32::MAX], 0, 0.1), None);
        assert_eq!(simplified(&points, &[0, 1], 0, 0.1), None);
    }
}
