//! Finds triangles that face against their vertex normals.

use super::Geometry;
use super::geometry::Triangle;
use crate::model::{FindingKind, Place, Report, counted, findings, numbers, singular_or_plural};
use crate::validate::worst::Worst;

findings! {
    pub(super) FINDINGS:
    FlippedTriangle, "flipped-triangle", Warning, Mesh,
        "a triangle faces away from the normals of its vertices",
        "the triangle is culled, which leaves a hole, or lit from the wrong side",
        "recalculate the normals to point outside (Blender: Mesh > Normals > Recalculate Outside), and flip the faces that remain",
        "6 of 104 triangles are flipped, triangle 12 by 165° at meshes[0].triangles[12]";
    ReversedWinding, "reversed-winding", Error, Mesh,
        "nearly all triangles face away from their normals",
        "the mesh is culled, so that only its inner side is visible, or lit from the wrong side",
        "reverse the winding in the exporter, or flip all normals (Blender: Mesh > Normals > Flip)",
        "2,808 of 2,811 triangles face away from their normals at meshes[0]";
}

/// Cosine between face and mean normal, as posed, below which a triangle is flipped.
///
/// Not 0: if normals are smoothed over a sharp rim, or quantised, faces nearly at right angles to them aren't
/// errors.
pub(super) const MAX_FLIPPED_COSINE: f32 = -0.1;
/// Above this fraction of flipped triangles, the winding of the whole mesh is reversed. Sheets that share
/// vertices between front and back reach one half.
pub(super) const REVERSED_SHARE: f64 = 0.9;

/// Reports triangles whose winding contradicts their normals.
pub(super) fn check(geometry: &Geometry<'_>, report: &Report) {
    let mut flipped = Worst::<u32>::default();
    let mut num_judged = 0u64;
    for triangle in &geometry.triangles {
        let Some(cosine) = cosine(geometry, triangle) else { continue };
        num_judged += 1;
        if cosine < MAX_FLIPPED_COSINE {
            flipped.add(-cosine, triangle.number);
        }
    }
    if flipped.count as f64 > num_judged as f64 * REVERSED_SHARE {
        let place = Place::Mesh(geometry.number);
        report.add_many(FindingKind::ReversedWinding, place, 1, || {
            format!(
                "{} of {} {} away from their normals",
                numbers::grouped(flipped.count),
                counted(num_judged, "triangle"),
                singular_or_plural(flipped.count, "faces", "face")
            )
        });
        return;
    }
    let Some((worst, number)) = flipped.worst else { return };
    let places = flipped.worst_first().map(|number| geometry.triangle_place(number));
    report.add_places(FindingKind::FlippedTriangle, flipped.count, places, || {
        let angle_deg = (-worst.min(1.0)).acos().to_degrees();
        format!(
            "{} of {} {} flipped, triangle {number} by {angle_deg:.0}°",
            numbers::grouped(flipped.count),
            counted(num_judged, "triangle"),
            singular_or_plural(flipped.count, "is", "are")
        )
    });
}

/// Cosine between the face and the mean of its corners' normals in the default pose; `None` if either has no
/// direction.
pub(super) fn cosine(geometry: &Geometry<'_>, triangle: &Triangle) -> Option<f32> {
    let normals = Geometry::corners(geometry.unit_normals(), triangle)?;
    let corners = geometry.corner_positions(triangle)?;
    if super::slivers::is_sliver(corners) {
        return None;
    }
    let mean = normals[0] + normals[1] + normals[2];
    let face = geometry.face_normal(corners).normalize_or_zero();
    let mean = mean.try_normalize()?;
    Some(face.as_vec3().dot(mean) * geometry.mirror_sign(triangle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Winding;
    use crate::validate::fixtures::clean::{
        clean_model, find, findings_of_rules, indices_of, inverse_bind_of, streams_of,
    };

    #[test]
    fn flipped_triangle_is_reported() {
        let mut model = clean_model();
        indices_of(&mut model).swap(10, 11);
        let findings = findings_of_rules(&model, super::super::check);
        let finding = find(&findings, FindingKind::FlippedTriangle).unwrap();
        assert_eq!(finding.count, 1);
        assert_eq!(finding.message, "1 of 12 triangles is flipped, triangle 3 by 180°");
    }

    #[test]
    fn inverted_mesh_is_one_finding_unless_the_winding_is_clockwise() {
        let mut model = clean_model();
        indices_of(&mut model).reverse();
        let findings = findings_of_rules(&model, super::super::check);
        assert!(find(&findings, FindingKind::ReversedWinding).is_some());
        assert_eq!(find(&findings, FindingKind::FlippedTriangle), None);
        model.axes.winding = Winding::Clockwise;
        let findings = findings_of_rules(&model, super::super::check);
        assert_eq!(find(&findings, FindingKind::ReversedWinding), None);
    }

    #[test]
    fn winding_is_checked_after_skinning() {
        // The armature mirrors the box: its triangles are wound for that, opposite to the stored normals.
        let mut model = clean_model();
        let mirror = glam::Mat4::from_scale(glam::Vec3::new(-1.0, 1.0, 1.0));
        for slot in 0..2 {
            *inverse_bind_of(&mut model, slot) *= mirror;
        }
        let inside_out = findings_of_rules(&model, super::super::check);
        let finding = find(&inside_out, FindingKind::ReversedWinding).unwrap();
        assert_eq!(finding.message, "12 of 12 triangles face away from their normals");
        indices_of(&mut model).reverse();
        streams_of(&mut model).tangents.iter_mut().for_each(|tangent| tangent.w = -tangent.w);
        let findings = findings_of_rules(&model, super::super::check);
        for kind in [
            FindingKind::ReversedWinding,
            FindingKind::FlippedTriangle,
            FindingKind::TangentHandedness,
        ] {
            assert_eq!(find(&findings, kind), None);
        }
        assert!(super::super::bad_triangles(&model, &Report::new()).unwrap().is_empty());
    }

    #[test]
    fn meshes_without_normals_have_no_winding_findings() {
        let mut model = clean_model();
        indices_of(&mut model).reverse();
        crate::validate::fixtures::clean::streams_of(&mut model).normals.clear();
        let findings = findings_of_rules(&model, super::super::check);
        assert_eq!(find(&findings, FindingKind::ReversedWinding), None);
    }
}
