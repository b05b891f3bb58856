//! Finds UVs at the limit of the format's range, or outside the range of packed formats.

use glam::Vec2;

use super::Geometry;
use crate::model::{
    FindingKind, Report, VertexData, counted, findings, numbers, singular_or_plural,
};
use crate::validate::worst::Worst;

findings! {
    pub(super) FINDINGS:
    ClampedUv, "clamped-uv", Warning, Mesh,
        "the UVs of a triangle were clamped at the border of the texture",
        "a line of border pixels is smeared over the triangle",
        "move UVs into 0 to 1, because the format can't store others; `rigscope convert SOURCE -o OUT.bsm2` does so",
        "312 of 17,180 triangles are on a border of the texture; the first is triangle 8 at meshes[0].triangles[8]";
    UvOutsideUnit, "uv-outside-unit", Info, Mesh,
        "a UV is outside 0 to 1, which packed formats can't store",
        "none here, the texture repeats; a packed format that clamps it smears the texture",
        "move UVs into 0 to 1 if the texture needn't repeat; `rigscope convert IN -o OUT.bsm2` cuts the triangles at tile borders",
        "the UV of vertex 33 is -0.026398, 0, outside 0 to 1 at meshes[0].vertices[33]";
}

/// Half a step of 16-bit UVs: smaller distances outside 0 to 1 don't change the packed value.
const HALF_STEP: f32 = 0.5 / 65535.0;

/// Reports packed UVs that were clamped, and float UVs that would be.
pub(super) fn check(geometry: &Geometry<'_>, report: &Report) {
    match &geometry.mesh.vertices {
        VertexData::Packed(_) => clamped(geometry, report),
        VertexData::Streams(streams) => {
            for set in &streams.uv_sets {
                outside(geometry, &set.name, &set.coords, report);
            }
        }
    }
}

/// A triangle completely on one border of the texture shows a line of it: its UVs were outside and
/// were clamped separately. Full-screen quads have single corners on the border.
fn clamped(geometry: &Geometry<'_>, report: &Report) {
    // Without UVs, all are at one point.
    let first = geometry.uvs.first();
    if geometry.uvs.iter().all(|uv| Some(uv) == first) {
        return;
    }
    let mut found = Worst::default();
    for triangle in &geometry.triangles {
        let Some(uvs) = Geometry::corners(&geometry.uvs, triangle) else { continue };
        let is_on = |border: f32, of: fn(Vec2) -> f32| uvs.iter().all(|uv| of(*uv) == border);
        let is_clamped = [0.0, 1.0]
            .into_iter()
            .any(|border| is_on(border, |uv| uv.x) || is_on(border, |uv| uv.y));
        if is_clamped {
            found.add(0.0, triangle.number);
        }
    }
    let Some((_, number)) = found.worst else { return };
    let count = found.count;
    let places = found.worst_first().map(|number| geometry.triangle_place(number));
    report.add_places(FindingKind::ClampedUv, count, places, || {
        let triangles = counted(geometry.triangles.len() as u64, "triangle");
        let are = singular_or_plural(count, "is", "are");
        let count = numbers::grouped(count);
        format!("{count} of {triangles} {are} on a border of the texture; the first is triangle {number}")
    });
}

fn outside(geometry: &Geometry<'_>, name: &str, coords: &[Vec2], report: &Report) {
    let mut outside = Worst::default();
    for (vertex, uv) in (0u32..).zip(coords) {
        let excess = (uv.max(Vec2::ONE - *uv) - Vec2::ONE).max_element();
        if excess > HALF_STEP {
            outside.add(excess, (vertex, *uv));
        }
    }
    let Some((_, (vertex, uv))) = outside.worst else { return };
    let places = outside.worst_first().map(|(vertex, _)| geometry.vertex_place(vertex));
    report.add_places(FindingKind::UvOutsideUnit, outside.count, places, || {
        let set = match name {
            "" => String::new(),
            name => format!(" in set {name:?}"),
        };
        let [u, v] = uv.to_array().map(|value| numbers::significant(f64::from(value), 6));
        format!("the UV of vertex {vertex}{set} is {u}, {v}, outside 0 to 1")
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{MeshId, PackedVertices};
    use crate::validate::fixtures::clean::{
        clean_model, find, findings_of_rules, packed_model, streams_of,
    };

    #[test]
    fn float_uvs_outside_the_texture_are_reported_with_the_farthest() {
        let mut model = clean_model();
        let coords = &mut streams_of(&mut model).uv_sets[0].coords;
        coords[2].x = 1.5;
        coords[7].y = -3.0;
        coords[9].y = -1e-7;
        let findings = findings_of_rules(&model, super::super::check);
        let finding = find(&findings, FindingKind::UvOutsideUnit).unwrap();
        assert_eq!(finding.count, 2);
        assert!(finding.message.starts_with("the UV of vertex 7"));
        assert!(finding.message.contains(", -3"));
    }

    #[test]
    fn only_whole_packed_triangles_on_a_border_count_as_clamped() {
        let mut model = packed_model();
        let VertexData::Packed(packed) = &mut model.meshes[MeshId(0)].vertices else {
            unreachable!()
        };
        let mut vertices: Vec<_> = packed.iter().collect();
        vertices[4].uv = [0, 65535];
        *packed = PackedVertices::from_vertices(vertices.iter().copied());
        assert_eq!(
            find(&findings_of_rules(&model, super::super::check), FindingKind::ClampedUv),
            None
        );
        for vertex in &mut vertices[4..8] {
            vertex.uv[1] = 65535;
        }
        model.meshes[MeshId(0)].vertices =
            VertexData::Packed(PackedVertices::from_vertices(vertices));
        let findings = findings_of_rules(&model, super::super::check);
        let finding = find(&findings, FindingKind::ClampedUv).unwrap();
        assert_eq!(finding.count, 2);
        assert!(finding.message.ends_with("first is triangle 2"));
    }
}
