//! Normals of meshes without any, as in ufbx: a corner gets the normal of its face, or, where faces meet at smooth
//! edges, the sum of their normals weighted by area.
//!
//! Not for: which corners share a normal (`fans`).

use glam::{DVec3, Vec3};
use rigscope_core::model::as_u32;

use super::faces::{Corner, MeshFaces, face_ranges};
use super::fans::Fans;
use super::numbers::single;

impl MeshFaces<'_> {
    /// Generates the normals that the corners refer to afterwards. `is_smooth` is parallel to the faces; empty if
    /// none is smooth. For `of_point` see [`Fans::of`].
    pub(super) fn generate_normals(
        &mut self,
        is_smooth: &[bool],
        of_point: &mut [u32],
    ) -> Vec<Vec3> {
        let mut sums = if is_smooth.is_empty() {
            for (number, range) in face_ranges(self.ends, self.first).enumerate() {
                for corner in self.corners.get_mut(range).unwrap_or_default() {
                    corner.normal = as_u32(number);
                }
            }
            vec![DVec3::ZERO; self.ends.len()]
        } else {
            let fans = Fans::of(self, is_smooth, of_point);
            vec![DVec3::ZERO; fans.number_normals(self.corners)]
        };
        let is_flat = is_smooth.is_empty();
        for range in face_ranges(self.ends, self.first) {
            let corners = self.corners.get(range).unwrap_or_default();
            let normal = face_normal(self.points, corners);
            for corner in corners.get(..if is_flat { 1 } else { corners.len() }).unwrap_or_default()
            {
                if let Some(sum) = sums.get_mut(corner.normal as usize) {
                    *sum += normal;
                }
            }
        }
        sums.into_iter().map(unit).collect()
    }
}

pub(super) fn position(points: &[[f64; 3]], corner: &Corner) -> DVec3 {
    points.get(corner.point as usize).copied().unwrap_or_default().into()
}

/// The normal of a face, as long as twice its area; of polygons by M. Newell's method (I. Sutherland, R. Sproull,
/// R. Schumacker, "A Characterization of Ten Hidden-Surface Algorithms", 1974).
pub(super) fn face_normal(points: &[[f64; 3]], corners: &[Corner]) -> DVec3 {
    let at = |corner: &Corner| position(points, corner);
    match corners {
        [] | [_] | [_, _] => DVec3::ZERO,
        [a, b, c] => (at(b) - at(a)).cross(at(c) - at(a)),
        [a, b, c, d] => (at(c) - at(a)).cross(at(d) - at(b)),
        _ => {
            let next = corners.iter().cycle().skip(1);
            let mut sum = DVec3::ZERO;
            for (a, b) in corners.iter().zip(next) {
                let (a, b) = (at(a), at(b));
                sum.x += (a.y - b.y) * (a.z + b.z);
                sum.y += (a.z - b.z) * (a.x + b.x);
                sum.z += (a.x - b.x) * (a.y + b.y);
            }
            sum
        }
    }
}

fn unit(normal: DVec3) -> Vec3 {
    let len = normal.dot(normal).sqrt();
    let unit = if len > 0.0 { normal / len } else { normal };
    Vec3::from(unit.to_array().map(single))
}
