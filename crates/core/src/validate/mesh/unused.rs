//! Finds vertices that no triangle, line or point uses.

use super::Geometry;
use crate::model::{FindingKind, Report, counted, findings, numbers, singular_or_plural};

findings! {
    pub(super) FINDINGS:
    UnusedVertex, "unused-vertex", Warning, Mesh,
        "a vertex belongs to no triangle, line or point",
        "costs memory, looks the same; bounds may be too large",
        "delete loose vertices (Blender: Mesh > Clean Up > Delete Loose)",
        "2 of 152 vertices belong to no triangle, line or point; the first is vertex 123 at meshes[0].vertices[123]";
}

/// Reports vertices that no triangle uses. Meshes without triangles are point clouds and are skipped.
pub(super) fn check(geometry: &Geometry<'_>, report: &Report) {
    if geometry.triangles.is_empty() {
        return;
    }
    let num_vertices = geometry.positions.len();
    let mut is_used = vec![false; num_vertices];
    let of_triangles = geometry.triangles.iter().flat_map(|t| t.corners);
    let of_loose = geometry.mesh.loose.iter().flat_map(|loose| &loose.indices);
    for corner in of_triangles.chain(of_loose.copied()) {
        if let Some(flag) = is_used.get_mut(corner as usize) {
            *flag = true;
        }
    }
    let Some(first) = is_used.iter().position(|used| !used) else { return };
    let count = is_used.iter().filter(|used| !**used).count();
    let unused = (0u32..).zip(&is_used).filter(|(_, used)| !**used);
    let places = unused.map(|(vertex, _)| geometry.vertex_place(vertex));
    report.add_places(FindingKind::UnusedVertex, count as u64, places, || {
        format!(
            "{} of {} {} to no triangle, line or point; the first is vertex {first}",
            numbers::grouped(count as u64),
            counted(num_vertices as u64, "vertex"),
            singular_or_plural(count as u64, "belongs", "belong")
        )
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::clean::{clean_model, find, findings_of_rules, indices_of};

    #[test]
    fn vertices_of_a_removed_face_are_unused() {
        let mut model = clean_model();
        indices_of(&mut model).truncate(30);
        let findings = findings_of_rules(&model, super::super::check);
        let finding = find(&findings, FindingKind::UnusedVertex).unwrap();
        assert_eq!(finding.count, 4);
        assert!(finding.message.contains("the first is vertex 20"));
    }

    #[test]
    fn a_point_cloud_has_no_unused_vertices() {
        let mut model = clean_model();
        indices_of(&mut model).clear();
        let findings = findings_of_rules(&model, super::super::check);
        assert_eq!(find(&findings, FindingKind::UnusedVertex), None);
    }
}
