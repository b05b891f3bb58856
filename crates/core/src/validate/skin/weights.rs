//! Finds weights that are too small for bytes, and vertices of bone-local skins without bones.

use crate::model::{
    BoneLocalSkin, Cancelled, FindingKind, Mesh, Model, Place, Report, Skin, as_u32, counted,
    findings, numbers, singular_or_plural,
};
use crate::validate::worst::Worst;

findings! {
    pub(super) FINDINGS:
    TinyWeight, "tiny-weight", Info, Skin,
        "a weight is below 1/255",
        "none here; the weight may become 0 in formats that store bytes, and the vertex then moves minimally differently",
        "remove weights below 1/255, then normalize (Blender: Weights > Clean, Normalize All; Maya: Prune Small Weights)",
        "278 of 20,027 influences are negligible: bone 6 has a weight of 0.0031 at vertex 415 at meshes[0].vertices[415]";
}

/// The smallest nonzero byte weight. Smaller weights may round up to it or to 0.
const BYTE_STEP: f32 = 1.0 / 255.0;
/// Smaller weights aren't shown with their digits.
const LEAST_SHOWN: f32 = 1e-9;

/// Reports weights too small for bytes, per mesh, and bone-local vertices without weights.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    for (number, mesh) in (0u32..).zip(&model.meshes) {
        report.progress("checking skins", 0.0)?;
        tiny(mesh, number, report);
        // `model::check` counts those of all other skins.
        if let Skin::BoneLocal(skin) = &mesh.skin {
            without_weights(mesh, skin, number, report);
        }
    }
    Ok(())
}

fn tiny(mesh: &Mesh, number: u32, report: &Report) {
    let (mut found, mut num_influences) = (Worst::default(), 0u64);
    for vertex in 0..mesh.num_vertices() {
        mesh.for_each_influence(vertex, |bone, weight| {
            num_influences += 1;
            // Packed weights are multiples of the step, scaled by their sum, which is about 255.
            if weight > 0.0 && weight < BYTE_STEP * 0.99 {
                found.add(-weight, (vertex, bone.0));
            }
        });
    }
    let Some((least, (vertex, bone))) = found.worst else { return };
    let places = found.worst_first().map(|(vertex, _)| vertex_place(number, vertex));
    report.add_places(FindingKind::TinyWeight, found.count, places, || {
        format!(
            "{} of {} {} negligible: bone {bone} has a weight of {} at vertex {vertex}",
            numbers::grouped(found.count),
            counted(num_influences, "influence"),
            singular_or_plural(found.count, "is", "are"),
            weight_text(-least)
        )
    });
}

/// A small weight with two significant digits and without an exponent: `0.0000038`.
fn weight_text(weight: f32) -> String {
    if weight < LEAST_SHOWN {
        return "less than 0.000000001".to_owned();
    }
    let rounded: f32 = format!("{weight:.1e}").parse().unwrap_or(weight);
    rounded.to_string()
}

fn vertex_place(mesh: u32, vertex: usize) -> Place {
    Place::Vertex { mesh, vertex: as_u32(vertex) }
}

fn without_weights(mesh: &Mesh, skin: &BoneLocalSkin, number: u32, report: &Report) {
    let mut found = Worst::default();
    for vertex in 0..mesh.num_vertices() {
        let mut sum = 0.0;
        skin.for_each(vertex, |influence| sum += influence.weight.max(0.0));
        if sum == 0.0 {
            found.add(0.0, vertex);
        }
    }
    let Some((_, vertex)) = found.worst else { return };
    let places = found.worst_first().map(|vertex| vertex_place(number, vertex));
    report.add_places(FindingKind::VertexWithoutWeights, found.count, places, || {
        format!("vertex {vertex} is bound to no bone")
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MeshId;
    use crate::model::testing::*;
    use crate::validate::fixtures::clean::{
        clean_model, find, findings_of_rules, packed_model, rows_of,
    };

    #[test]
    fn weights_below_one_byte_step_are_reported_with_the_smallest() {
        let mut model = clean_model();
        let (_, _, weights) = rows_of(&mut model);
        (weights[0], weights[1]) = (0.998, 0.002);
        (weights[2], weights[3]) = (0.0005, 0.9995);
        let findings = findings_of_rules(&model, check);
        let finding = find(&findings, FindingKind::TinyWeight).unwrap();
        assert_eq!(finding.count, 2);
        let expected =
            "2 of 48 influences are negligible: bone 0 has a weight of 0.0005 at vertex 1";
        assert_eq!(finding.message, expected);
    }

    #[test]
    fn smallest_packed_weight_is_not_reported() {
        let mut model = packed_model();
        let light = packed(&model.meshes[MeshId(0)]).iter();
        let light = light.map(|vertex| PackedVertex { weights: [254, 1, 0, 0], ..vertex });
        let light = PackedVertices::from_vertices(light.collect::<Vec<_>>());
        model.meshes[MeshId(0)].vertices = VertexData::Packed(light);
        assert_eq!(find(&findings_of_rules(&model, check), FindingKind::TinyWeight), None);
    }

    #[test]
    fn bone_local_vertex_without_influences_is_reported() {
        let mut model = clean_model();
        let mut lists: Vec<&[_]> = vec![&[(0, 1.0, glam::Vec3::ONE)]; 22];
        lists.extend([&[][..]; 2]);
        model.meshes[MeshId(0)].skin = bone_local(glam::Vec3::Y, &lists);
        let findings = findings_of_rules(&model, check);
        let finding = find(&findings, FindingKind::VertexWithoutWeights).unwrap();
        assert_eq!(finding.count, 2);
        assert_eq!(finding.place.to_string(), "meshes[0].vertices[22]");
    }
}
