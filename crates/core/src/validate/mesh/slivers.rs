//! Finds triangles without area although their vertices are distinct.

use glam::DVec3;

use super::Geometry;
use crate::model::{FindingKind, Report, findings};
use crate::validate::worst::Worst;

findings! {
    pub(super) FINDINGS:
    ZeroAreaTriangle, "zero-area-triangle", Info, Mesh,
        "a triangle with three different vertices has no area",
        "none visible; the triangle costs memory, and it may spoil the normals and tangents computed around it",
        "merge vertices by distance, and delete faces without area (Blender: Mesh > Clean Up > Degenerate Dissolve)",
        "triangle 14 of vertices 43, 40, 60 has no area at meshes[0].triangles[14]";
}

/// A triangle whose height is less than this fraction of its longest side has no area:
/// single-precision positions can't tell on which side of that line the third corner is.
const MIN_HEIGHT: f64 = 1e-6;

/// Reports triangles without area. `model::check` reports those that repeat an index.
pub(super) fn check(geometry: &Geometry<'_>, report: &Report) {
    let mut found = Worst::default();
    for triangle in &geometry.triangles {
        let Some(corners) = geometry.corner_positions(triangle) else { continue };
        if !triangle.repeats_a_vertex() && is_sliver(corners) {
            found.add(0.0, *triangle);
        }
    }
    let Some((_, triangle)) = found.worst else { return };
    let places = found.worst_first().map(|triangle| geometry.triangle_place(triangle.number));
    report.add_places(FindingKind::ZeroAreaTriangle, found.count, places, || {
        let [a, b, c] = triangle.corners;
        format!("triangle {} of vertices {a}, {b}, {c} has no area", triangle.number)
    });
}

/// Whether the corners are in a line or a point.
#[inline]
pub(super) fn is_sliver([a, b, c]: [DVec3; 3]) -> bool {
    let [ab, bc, ca] =
        [(a - b).length_squared(), (b - c).length_squared(), (c - a).length_squared()];
    let longest_squared = ab.max(bc).max(ca).max(0.0);
    (b - a).cross(c - a).length() <= MIN_HEIGHT * longest_squared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::clean::{clean_model, find, findings_of_rules, streams_of};

    #[test]
    fn collinear_triangle_is_reported_with_its_number() {
        let mut model = clean_model();
        let streams = streams_of(&mut model);
        // Triangle 2 is 4, 5, 6.
        streams.positions[6] = streams.positions[4].midpoint(streams.positions[5]);
        let findings = findings_of_rules(&model, super::super::check);
        let finding = find(&findings, FindingKind::ZeroAreaTriangle).unwrap();
        assert_eq!(finding.count, 1);
        assert!(finding.message.starts_with("triangle 2 "));
    }

    #[test]
    fn thin_triangles_are_not_degenerate() {
        let thin = [DVec3::ZERO, DVec3::X, DVec3::new(0.5, 1e-4, 0.0)];
        assert!(!is_sliver(thin));
        assert!(is_sliver([DVec3::ZERO, DVec3::X, DVec3::X * 0.5]));
        assert!(is_sliver([DVec3::ONE; 3]));
    }
}
