//! Welds vertices at the same position, because vertices split by UVs or normals belong to one surface.

use glam::Vec3;

use super::position_key;
use crate::model::Aabb;

/// Vertices closer than this fraction of the surface's size are at the same position: exporters compute both
/// sides of a seam separately.
const NEAR: f32 = 1e-5;

/// For each vertex, the first one at the same position, within rounding errors.
pub(crate) fn welded_near(positions: &[Vec3]) -> Vec<u32> {
    let bounds = Aabb::from_points(positions.iter().copied());
    let step = bounds.extent() * NEAR;
    if step <= f32::MIN_POSITIVE || !step.is_finite() {
        return welded(positions);
    }
    let near: Vec<Vec3> = positions.iter().map(|p| ((*p - bounds.min) / step).round()).collect();
    welded(&near)
}

/// For each vertex, the first one at exactly the same position.
pub(crate) fn welded(positions: &[Vec3]) -> Vec<u32> {
    let key = |position: Vec3, vertex: u32| {
        let [x, y, z] = position_key(position).map(u128::from);
        x << 96 | y << 64 | z << 32 | u128::from(vertex)
    };
    let numbered = positions.iter().zip(0u32..);
    let mut keys: Vec<u128> = numbered.map(|(position, vertex)| key(*position, vertex)).collect();
    keys.sort_unstable();
    let mut first = vec![0; keys.len()];
    for same in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
        let vertices = same.iter().map(|key| vertex_of(*key));
        let lowest = same.first().map_or(0, |key| vertex_of(*key));
        for vertex in vertices {
            if let Some(slot) = first.get_mut(vertex as usize) {
                *slot = lowest;
            }
        }
    }
    first
}

#[expect(clippy::cast_possible_truncation, reason = "the lower 32 bits are the vertex")]
fn vertex_of(key: u128) -> u32 {
    key as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_at_one_position_are_welded_to_the_first() {
        let positions = [Vec3::X, Vec3::ZERO, Vec3::X, Vec3::new(-0.0, 0.0, -0.0), Vec3::Y];
        assert_eq!(welded(&positions), [0, 1, 0, 1, 4]);
        let rounded = [Vec3::X, Vec3::ZERO, Vec3::new(1.0, -2.4e-8, 0.0), Vec3::Y];
        assert_eq!(welded(&rounded), [0, 1, 2, 3]);
        assert_eq!(welded_near(&rounded), [0, 1, 0, 3]);
        assert_eq!(welded_near(&[Vec3::X; 2]), [0, 0]);
    }
}
