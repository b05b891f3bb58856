//! Checks lines and points: indices in range, materials that exist.

use super::Tally;
use crate::model::{FindingKind, Mesh, Place, Report, counted};

/// Checks the loose geometry of one mesh and removes elements that refer to vertices past the end.
pub(super) fn check(mesh: &mut Mesh, number: u32, num_materials: usize, report: &Report) {
    let num_vertices = mesh.num_vertices();
    let place = Place::Mesh(number);
    for loose in &mut mesh.loose {
        let (kind, each) = (loose.kind, loose.kind.num_corners());
        let is_inside = |one: &&[u32]| {
            let mut corners = one.iter();
            one.len() == each && corners.all(|&index| (index as usize) < num_vertices)
        };
        let mut bad = Tally::default();
        for (at, one) in loose.indices.chunks(each).enumerate() {
            bad.add(!is_inside(&one), at);
        }
        if bad.count > 0 {
            let sound = loose.indices.chunks(each).filter(is_inside);
            loose.indices = sound.flatten().copied().collect();
        }
        let first = bad.first;
        report.add_many(FindingKind::IndexOutOfRange, place, bad.count, || {
            let (name, vertices) = (kind.name(), counted(num_vertices as u64, "vertex"));
            format!(
                "element {first} of the loose {name} needs a vertex that doesn't exist; the mesh has \
                 {vertices}"
            )
        });
        if let Some(material) = loose.material
            && material.index() >= num_materials
        {
            report.add_many(FindingKind::MaterialOutOfRange, place, 1, || {
                let (name, materials) = (kind.name(), counted(num_materials as u64, "material"));
                format!(
                    "the loose {name} refer to material {}, but the model has {materials}",
                    material.0
                )
            });
            loose.material = None;
        }
    }
    mesh.loose.retain(|loose| !loose.is_empty());
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::model::testing::*;

    #[test]
    fn elements_with_missing_vertices_are_removed() {
        let loose = |kind, indices: &[u32]| LooseGeometry {
            kind,
            indices: indices.to_vec(),
            material: Some(MaterialId(7)),
        };
        let mut model = ModelBuilder::new().mesh([Vec3::ZERO; 3]).build();
        model.meshes[MeshId(0)].loose = vec![
            loose(LooseKind::Lines, &[0, 1, 1, 3, 2, 0, 1]),
            loose(LooseKind::Points, &[3, u32::MAX]),
            loose(LooseKind::Points, &[2, 3, 0]),
        ];
        let report = Report::new();
        check::check(&mut model, &report);
        let [lines, points] = &model.meshes[MeshId(0)].loose[..] else {
            panic!("one list is empty and removed")
        };
        assert_eq!(lines.indices, [0, 1, 2, 0]);
        assert_eq!(points.indices, [2, 0]);
        assert_eq!((lines.material, points.material), (None, None));
        let findings = report.findings();
        let count = |kind| findings.iter().find(|n| n.kind == kind).map(|n| n.count);
        assert_eq!(count(FindingKind::IndexOutOfRange), Some(5));
        assert_eq!(count(FindingKind::MaterialOutOfRange), Some(3));
        assert_eq!(count(FindingKind::NoTriangles), None, "the mesh has lines");
    }
}
