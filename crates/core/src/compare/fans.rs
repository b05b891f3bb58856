//! The triangles around each vertex, reduced to a direction and an offset. They distinguish vertices at one
//! place: the sides of a hard edge, and parts that touch.

use glam::Vec3;

use super::side::ComparedSide;

/// The cosine of the angle up to which two fans face the same way.
const SAME_FACING: f32 = 0.9;

/// The triangles around a vertex.
#[derive(Clone, Copy, Default)]
pub(super) struct Fan {
    /// Sum of the normals, weighted by area.
    normal: Vec3,
    /// From the vertex to the mean of its neighbours.
    offset: Vec3,
    num_neighbors: f32,
}

impl Fan {
    /// Whether both have the same neighbours within `slack`, display units, and face the same way.
    pub(super) fn is_like(&self, other: &Self, slack: f64) -> bool {
        let faces = self.normal.normalize_or_zero().dot(other.normal.normalize_or_zero());
        let has_area = self.normal != Vec3::ZERO && other.normal != Vec3::ZERO;
        f64::from(self.offset.distance(other.offset)) <= 2.0 * slack
            && (!has_area || faces >= SAME_FACING)
    }
}

/// The fan of each vertex, with `positions` in display space.
pub(super) fn fans(side: &ComparedSide<'_>, positions: &[Vec3]) -> Vec<Fan> {
    let mut fans = vec![Fan::default(); positions.len()];
    let reversal = if side.model.axes.reverses_winding() { -1.0 } else { 1.0 };
    for (index, mesh) in side.model.meshes.iter().enumerate() {
        for corners in mesh.triangles(0..mesh.indices.len()) {
            // Indices out of range are removed by the check, together with their subset.
            if corners.iter().any(|&corner| corner as usize >= mesh.num_vertices()) {
                continue;
            }
            let numbers = corners.map(|corner| side.number(index, corner));
            let [x, y, z] = numbers.map(|number| positions[number]);
            let normal = (y - x).cross(z - x) * reversal;
            for number in numbers {
                let fan = &mut fans[number];
                fan.normal += normal;
                fan.offset += (x + y + z) - 3.0 * positions[number];
                fan.num_neighbors += 2.0;
            }
        }
    }
    for fan in &mut fans {
        fan.offset /= fan.num_neighbors.max(1.0);
    }
    fans
}
