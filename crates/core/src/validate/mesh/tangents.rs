//! Finds tangents that aren't perpendicular to their normals, or whose sign mirrors the normal map.

use glam::{DVec2, Vec2, Vec3, Vec4};

use super::Geometry;
use super::geometry::Triangle;
use crate::model::{
    FindingKind, MeshId, Model, Report, counted, findings, numbers, singular_or_plural,
};
use crate::pose::{PoseSpec, sample};
use crate::validate::worst::Worst;

findings! {
    pub(super) FINDINGS:
    SkewedTangent, "skewed-tangent", Warning, Mesh,
        "a tangent isn't perpendicular to its normal",
        "the relief of normal maps looks skewed or smeared there",
        "recompute the tangents after the last change of the normals (Blender glTF: Tangents; Maya and 3ds Max FBX: Tangents and Binormals)",
        "8 of 13,037 vertices have a tangent that isn't perpendicular to the normal: at vertex 1943, the angle is 73° at meshes[0].vertices[1943]";
    TangentHandedness, "tangent-handedness", Warning, Mesh,
        "the bitangent sign of a triangle contradicts its UVs",
        "the relief of normal maps looks inverted there: bumps become dents",
        "recompute the tangents from the exported UVs, and split vertices between mirrored and other UVs",
        "91 of 936 triangles have a bitangent sign that contradicts the UVs; the first is triangle 64 at meshes[0].triangles[64]";
}

/// Cosine between tangent and normal above which the frame is skewed: 84°. Ten bits per component
/// change a direction by at most 0.2°, so this isn't rounding.
pub(crate) const MAX_COSINE: f32 = 0.1;
/// Triangles thinner than this in UV space may have been flipped by rounding: four steps of 16-bit
/// UVs.
const MIN_UV_HEIGHT: f64 = 4.0 / 65535.0;
/// Below this cosine between face and normals, the tangents, which are perpendicular to the
/// normals, are too steep on the face to follow its UVs.
const MIN_FACING: f32 = 0.5;

/// Reports skewed tangent frames, and triangles whose bitangent sign contradicts their UVs.
pub(super) fn check(geometry: &Geometry<'_>, report: &Report) {
    skewed(geometry, report);
    handedness(geometry, report);
}

fn skewed(geometry: &Geometry<'_>, report: &Report) {
    let mut skewed = Worst::default();
    let both = geometry.normals.iter().zip(geometry.tangents.iter());
    for (vertex, (normal, tangent)) in (0u32..).zip(both) {
        // `model::check` reports zero directions.
        let (normal, tangent) = (normal.normalize_or_zero(), direction(*tangent));
        let cosine = normal.dot(tangent).abs();
        if cosine > MAX_COSINE {
            skewed.add(cosine, vertex);
        }
    }
    let Some((worst, vertex)) = skewed.worst else { return };
    let places = skewed.worst_first().map(|vertex| geometry.vertex_place(vertex));
    report.add_places(FindingKind::SkewedTangent, skewed.count, places, || {
        let angle_deg = worst.min(1.0).acos().to_degrees();
        format!(
            "{} of {} {} a tangent that isn't perpendicular to the normal: at vertex {vertex}, the \
             angle is {angle_deg:.0}°",
            numbers::grouped(skewed.count),
            counted(geometry.positions.len() as u64, "vertex"),
            singular_or_plural(skewed.count, "has", "have")
        )
    });
}

fn direction(tangent: Vec4) -> Vec3 {
    tangent.truncate().normalize_or_zero()
}

/// The model stores v downward and bitangents point to decreasing v. So on a triangle that isn't
/// mirrored in UV space, seen from outside, u increases along T and v against `w * cross(N, T)`: w
/// is then -1 if `cross(du, dv) > 0`.
fn handedness(geometry: &Geometry<'_>, report: &Report) {
    let (mut found, mut num_judged) = (Worst::default(), 0u64);
    for triangle in &geometry.triangles {
        let Some((expected, stored)) = signs(geometry, triangle) else { continue };
        num_judged += 1;
        if stored.iter().any(|w| *w * expected < 0.0) {
            found.add(0.0, triangle.number);
        }
    }
    let Some((_, number)) = found.worst else { return };
    let count = found.count;
    let places = found.worst_first().map(|number| geometry.triangle_place(number));
    report.add_places(FindingKind::TangentHandedness, count, places, || {
        format!(
            "{} of {} {} a bitangent sign that contradicts the UVs; the first is triangle {number}",
            numbers::grouped(count),
            counted(num_judged, "triangle"),
            singular_or_plural(count, "has", "have")
        )
    });
}

/// By vertex of a mesh, the bitangent sign that matches the UVs of all its triangles; `None` if they need different
/// signs or have no area in the texture.
pub(crate) fn tangent_signs(model: &Model, mesh: usize) -> Vec<Option<f32>> {
    let own = &model.meshes[MeshId::from_index(mesh)];
    let pose = sample(model, &PoseSpec::default());
    let geometry = Geometry::of(own, mesh, &model.axes).posed(&pose);
    let mut by_vertex = vec![(None, false); own.num_vertices()];
    for triangle in &geometry.triangles {
        let Some((expected, _)) = signs(&geometry, triangle) else { continue };
        for corner in triangle.corners {
            let Some((sign, is_ambiguous)) = by_vertex.get_mut(corner as usize) else { continue };
            *is_ambiguous |= sign.is_some_and(|sign| sign != expected);
            *sign = Some(expected);
        }
    }
    let clear = by_vertex.into_iter().map(|(sign, is_ambiguous)| sign.filter(|_| !is_ambiguous));
    clear.collect()
}

/// The bitangent sign that matches the UVs of a triangle, and those stored at its corners; `None`
/// if either is undefined.
fn signs(geometry: &Geometry<'_>, triangle: &Triangle) -> Option<(f32, [f32; 3])> {
    let [a, b, c] = Geometry::corners(&geometry.uvs, triangle)?.map(Vec2::as_dvec2);
    let tangents = Geometry::corners(&geometry.tangents, triangle)?;
    let uv_area = DVec2::perp_dot(b - a, c - a);
    let sides = [a.distance(b), b.distance(c), c.distance(a)];
    let longest = sides.into_iter().fold(0.0, f64::max);
    let has_direction = |tangent: &Vec4| tangent.truncate() != Vec3::ZERO;
    if uv_area.abs() <= MIN_UV_HEIGHT * longest || !tangents.iter().all(has_direction) {
        return None;
    }
    // The winding of the corners as seen from the side of the normals; the file's winding is
    // already included in both.
    let facing = super::facing::cosine(geometry, triangle)?;
    if facing.abs() < MIN_FACING {
        return None;
    }
    let is_positive = (uv_area > 0.0) == ((facing > 0.0) == geometry.is_counter_clockwise());
    let expected = if is_positive { -1.0 } else { 1.0 };
    Some((expected, tangents.map(|t| t.w)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::clean::{
        clean_model, find, findings_of_rules, packed_model, streams_of,
    };

    #[test]
    fn tangent_parallel_to_its_normal_is_skewed() {
        let mut model = clean_model();
        let streams = streams_of(&mut model);
        streams.tangents[5] = streams.normals[5].extend(1.0);
        let findings = findings_of_rules(&model, super::super::check);
        let finding = find(&findings, FindingKind::SkewedTangent).unwrap();
        assert_eq!(finding.count, 1);
        assert_eq!(
            finding.message,
            "1 of 24 vertices has a tangent that isn't perpendicular to the normal: at vertex 5, the angle is 0°"
        );
    }

    #[test]
    fn flipped_tangent_sign_contradicts_the_uvs() {
        let mut model = clean_model();
        // The first face: triangles 0 and 1.
        for tangent in &mut streams_of(&mut model).tangents[..4] {
            tangent.w = -tangent.w;
        }
        let findings = findings_of_rules(&model, super::super::check);
        let finding = find(&findings, FindingKind::TangentHandedness).unwrap();
        assert_eq!(finding.count, 2);
        assert!(finding.message.starts_with("2 of 12 "));
    }

    #[test]
    fn mirrored_uvs_with_mirrored_signs_are_valid() {
        let mut model = clean_model();
        let streams = streams_of(&mut model);
        for uv in &mut streams.uv_sets[0].coords {
            uv.x = 1.0 - uv.x;
        }
        let findings = findings_of_rules(&model, super::super::check);
        assert_eq!(find(&findings, FindingKind::TangentHandedness).unwrap().count, 12);
        for tangent in &mut streams_of(&mut model).tangents {
            *tangent = -*tangent;
        }
        let findings = findings_of_rules(&model, super::super::check);
        assert_eq!(find(&findings, FindingKind::TangentHandedness), None);
    }

    #[test]
    fn tangent_signs_of_packed_vertices_are_valid() {
        let findings = findings_of_rules(&packed_model(), super::super::check);
        assert_eq!(find(&findings, FindingKind::TangentHandedness), None);
    }
}
