//! Finds meshes that nearly use up 16-bit indices.

use super::Geometry;
use crate::model::{FindingKind, Place, Report, findings, numbers};

findings! {
    pub(super) FINDINGS:
    IndexHeadroom, "index-headroom", Info, Mesh,
        "the mesh has nearly as many vertices as 16-bit indices can address (65,536)",
        "none yet; with a few more vertices, the mesh needs 32-bit indices or must be split",
        "split the mesh before it grows further",
        "the mesh has 62,118 vertices, 95 % of the 65,536 that 16-bit indices can address at meshes[0]";
}

/// The number of vertices that 16-bit indices can address.
const MAX_U16_VERTICES: usize = 1 << 16;
/// Above this fraction, one more seam or a finer part may not fit.
const NEAR_SHARE: f64 = 0.9;

/// Reports meshes that nearly use up 16-bit indices. Larger ones need wider indices and have no
/// limit.
pub(super) fn check(geometry: &Geometry<'_>, report: &Report) {
    let num_vertices = geometry.positions.len();
    let share = num_vertices as f64 / MAX_U16_VERTICES as f64;
    if share > NEAR_SHARE && share <= 1.0 && !geometry.triangles.is_empty() {
        let place = Place::Mesh(geometry.number);
        report.add_many(FindingKind::IndexHeadroom, place, 1, || {
            format!(
                "the mesh has {} vertices, {} of the {} that 16-bit indices can address",
                numbers::grouped(num_vertices as u64),
                numbers::percent(share),
                numbers::grouped(MAX_U16_VERTICES as u64)
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::validate::fixtures::clean::{clean_model, find, findings_of_rules, streams_of};

    #[test]
    fn only_vertex_counts_in_the_last_tenth_of_u16_are_reported() {
        for (num_vertices, is_reported) in
            [(58_982, false), (58_983, true), (65_536, true), (65_537, false)]
        {
            let mut model = clean_model();
            let streams = streams_of(&mut model);
            streams.positions.resize(num_vertices, Vec3::ZERO);
            let findings = findings_of_rules(&model, super::super::check);
            let found = find(&findings, FindingKind::IndexHeadroom).is_some();
            assert_eq!(found, is_reported, "{num_vertices}");
        }
    }
}
