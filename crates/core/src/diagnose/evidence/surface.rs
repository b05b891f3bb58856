//! Triangles, normals, tangents and UVs that contradict each other.

use glam::{Vec2, Vec3};

use super::{Evidence, Items, Kind, by_sample, median};
use crate::diagnose::posed::Posed;
use crate::diagnose::specimen::{MeshSample, Specimen, index, skin_of};
use crate::geometry::welded_near;
use crate::model::{Aabb, Mesh, MeshId, Model, TextureRole, Winding, numbers, spread};

pub(super) const ALL: &[&Evidence] =
    &[&FACING, &EDGE_ORDER, &INSIDE_OUT, &MIRRORED_FRONTS, &NORMALS, &TANGENT_SIGNS];

/// Share of the surface whose triangles face away from their normals.
pub(crate) const FACING: Evidence = Evidence {
    name: "facing",
    meaning: "the area of triangles that face away from their normals",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.04,
    weight: 1.0,
    measure: |case, model| each(case, model, facing),
    text: share_of_surface,
};

/// Share of edges that both adjacent triangles traverse in the same direction, so that they face opposite ways.
pub(crate) const EDGE_ORDER: Evidence = Evidence {
    name: "edge-order",
    meaning: "the share of edges whose two triangles face opposite ways",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.005,
    weight: 1.0,
    measure: |case, model| each(case, model, |_, mesh| edge_order(mesh)),
    text: |value| numbers::percent(value),
};

/// Share of the skinned surface that faces inward, that is, encloses a negative volume; a single item.
pub(crate) const INSIDE_OUT: Evidence = Evidence {
    name: "inside-out",
    meaning: "the area of skinned meshes that face inward",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Own,
    noise: 0.1,
    weight: 0.5,
    measure: |case, model| vec![inside_out(case, model)],
    text: share_of_surface,
};

/// 1 for meshes on mirrored nodes that face inward, 0 for those that face outward; one item per sampled mesh.
/// Runtimes reverse the triangles of meshes on mirrored nodes, so that both must face outward before that.
pub(crate) const MIRRORED_FRONTS: Evidence = Evidence {
    name: "mirrored-fronts",
    meaning: "the side to which meshes on mirrored nodes face",
    unit: "0 or 1",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.1,
    weight: 0.5,
    measure: |case, model| {
        let of_mesh = |part: &MeshSample| mirrored_front(case, model, part.mesh.index());
        by_sample(case, of_mesh)
    },
    text: |value| if value > 0.5 { "inward" } else { "outward" }.to_owned(),
};

/// Median angle between vertex normals and face normals, in degrees.
pub(crate) const NORMALS: Evidence = Evidence {
    name: "normal-angle",
    meaning: "the median angle between vertex normals and face normals",
    unit: "degrees",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 12.0,
    weight: 1.0,
    measure: |case, model| each(case, model, normal_angle),
    text: |value| numbers::degrees(value),
};

/// Share of triangles whose bitangent sign contradicts their UVs, in meshes with a normal map.
pub(crate) const TANGENT_SIGNS: Evidence = Evidence {
    name: "tangent-signs",
    meaning: "the share of triangles whose bitangent sign contradicts their UVs",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.06,
    weight: 1.0,
    measure: |case, model| each(case, model, tangent_signs),
    text: |value| numbers::percent(value),
};

/// Meshes with fewer triangles, such as cards, aren't measured.
const MIN_TRIANGLES: usize = 12;
/// The most triangles to measure per mesh.
const MAX_TRIANGLES: usize = 4000;
/// The most triangles of a mesh whose neighbours are searched; more would take too long.
const MAX_FOR_EDGES: usize = 150_000;
/// Triangles whose face normal and vertex normals have a smaller cosine are nearly edge-on, and aren't counted.
const MIN_COSINE: f32 = 0.2;
/// A surface with a smaller ratio of volume to area^1.5 is open or flat.
const MIN_VOLUME: f64 = 0.004;
/// The volume of a mesh with fewer triangles doesn't show which side is outside.
const MIN_FOR_VOLUME: usize = 40;
/// Every triangle counts for the volume, so that larger meshes would take too long.
const MAX_FOR_VOLUME: usize = 300_000;

fn share_of_surface(value: f64) -> String {
    format!("{} of the surface", numbers::percent(value))
}

fn each(case: &Specimen, model: &Posed<'_>, of: impl Fn(&Model, &Mesh) -> f64) -> Vec<f64> {
    let of_mesh = |part: &MeshSample| {
        // Whether runtimes reverse the triangles of mirrored skins differs.
        if is_mirrored(case, model, part.mesh) {
            return f64::NAN;
        }
        let mesh = model.meshes.get(part.mesh).filter(|mesh| mesh.num_triangles() >= MIN_TRIANGLES);
        mesh.map_or(f64::NAN, |mesh| of(model, mesh))
    };
    case.samples.iter().map(of_mesh).collect()
}

/// Whether the rest pose mirrors a skinned mesh.
fn is_mirrored(case: &Specimen, model: &Posed<'_>, id: MeshId) -> bool {
    let mesh = &model.meshes[id];
    let rest = model.poses(case).first().filter(|_| skin_of(mesh).is_some());
    rest.is_some_and(|rest| {
        let palette = rest.of_mesh(id, mesh).palette;
        let num = palette.iter().filter(|own| own.matrix3.determinant() < 0.0).count();
        num * 2 > palette.len()
    })
}

/// Whether a normal map is applied to a mesh, so that its tangents are drawn.
fn has_normal_map(model: &Model, mesh: &Mesh) -> bool {
    let materials = mesh.subsets.iter().filter_map(|own| model.materials.get(own.material?));
    let mut textures = materials.flat_map(|material| &material.textures);
    textures.any(|texture| texture.role == TextureRole::Normal)
}

/// Corners of some triangles.
fn some_triangles(mesh: &Mesh, most: usize) -> impl Iterator<Item = [u32; 3]> + '_ {
    spread(mesh.num_triangles(), most).filter_map(|at| {
        let corner = |corner: usize| mesh.indices.get(at * 3 + corner);
        Some([corner(0)?, corner(1)?, corner(2)?])
    })
}

fn corners<T: Copy>(list: &[T], triangle: [u32; 3]) -> Option<[T; 3]> {
    let at = |corner: u32| list.get(corner as usize).copied();
    Some([at(triangle[0])?, at(triangle[1])?, at(triangle[2])?])
}

/// A vector in the direction that the front faces, as long as twice the triangle's area.
fn face(model: &Model, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let normal = (b - a).cross(c - a);
    if model.axes.winding == Winding::CounterClockwise { normal } else { -normal }
}

fn facing(model: &Model, mesh: &Mesh) -> f64 {
    let Some(own) = mesh.streams().filter(|own| !own.normals.is_empty()) else { return f64::NAN };
    let (mut away, mut all) = (0.0, 0.0);
    for triangle in some_triangles(mesh, MAX_TRIANGLES) {
        let (Some(points), Some(normals)) =
            (corners(&own.positions, triangle), corners(&own.normals, triangle))
        else {
            continue;
        };
        let face = face(model, points);
        let area = face.length();
        let cosine = face
            .normalize_or_zero()
            .dot((normals[0] + normals[1] + normals[2]).normalize_or_zero());
        if cosine.abs() < MIN_COSINE {
            continue;
        }
        all += f64::from(area);
        if cosine < 0.0 {
            away += f64::from(area);
        }
    }
    if all > 0.0 { away / all } else { f64::NAN }
}

/// The edges of all triangles between welded vertices, sorted: the lower and the higher vertex, whether the triangle
/// goes from the lower to the higher one, and the index of the triangle.
pub(in crate::diagnose) fn edges(mesh: &Mesh) -> Option<Vec<([u32; 2], bool, u32)>> {
    if mesh.num_triangles() > MAX_FOR_EDGES {
        return None;
    }
    let welded = welded_near(&mesh.streams()?.positions);
    let mut edges = Vec::with_capacity(mesh.indices.len());
    for (number, triangle) in mesh.triangles(0..mesh.indices.len()).enumerate() {
        let Some([a, b, c]) = corners(&welded, triangle) else { continue };
        for (from, to) in [(a, b), (b, c), (c, a)] {
            if from != to {
                edges.push(([from.min(to), from.max(to)], from < to, index(number)));
            }
        }
    }
    edges.sort_unstable();
    Some(edges)
}

fn edge_order(mesh: &Mesh) -> f64 {
    let Some(edges) = edges(mesh) else { return f64::NAN };
    let (mut num_same, mut num) = (0u32, 0u32);
    for pair in edges.chunk_by(|a, b| a.0 == b.0) {
        if let [a, b] = pair {
            num += 1;
            num_same += u32::from(a.1 == b.1);
        }
    }
    if num == 0 { f64::NAN } else { f64::from(num_same) / f64::from(num) }
}

/// Area and signed volume of a mesh, positive if its triangles face outward.
fn area_and_volume(model: &Model, mesh: &Mesh) -> Option<(f64, f64)> {
    let positions = &mesh.streams()?.positions;
    let center = Aabb::from_points(positions.iter().copied()).center();
    let (mut area, mut volume) = (0.0, 0.0);
    // All triangles, because the volume of a sample would be meaningless.
    for triangle in mesh.triangles(0..mesh.indices.len()) {
        let Some(points) = corners(positions, triangle) else { continue };
        let face = face(model, points);
        area += f64::from(face.length()) / 2.0;
        volume += f64::from((points[0] - center).dot(face)) / 6.0;
    }
    (area > 0.0).then_some((area, volume))
}

/// The area of a mesh that encloses a volume, negative if it faces inward; `None` if it is open or flat.
pub(in crate::diagnose) fn closed_area(model: &Model, mesh: &Mesh) -> Option<f64> {
    if !(MIN_FOR_VOLUME..=MAX_FOR_VOLUME).contains(&mesh.num_triangles()) {
        return None;
    }
    let (area, volume) = area_and_volume(model, mesh)?;
    let is_closed = volume.abs() >= MIN_VOLUME * area.powf(1.5);
    is_closed.then_some(area * volume.signum())
}

fn inside_out(case: &Specimen, model: &Posed<'_>) -> f64 {
    let (mut inward, mut all) = (0.0, 0.0);
    for part in &case.samples {
        let Some(mesh) = model.meshes.get(part.mesh).filter(|mesh| skin_of(mesh).is_some()) else {
            continue;
        };
        if is_mirrored(case, model, part.mesh) {
            continue;
        }
        let Some(area) = closed_area(model, mesh) else { continue };
        all += area.abs();
        inward -= area.min(0.0);
    }
    if all > 0.0 { inward / all } else { f64::NAN }
}

fn mirrored_front(case: &Specimen, model: &Model, mesh: usize) -> Option<f64> {
    case.mirrored.get(mesh).filter(|is_mirrored| **is_mirrored)?;
    let area = closed_area(model, &model.meshes[MeshId::from_index(mesh)])?;
    Some(if area < 0.0 { 1.0 } else { 0.0 })
}

fn normal_angle(model: &Model, mesh: &Mesh) -> f64 {
    let Some(own) = mesh.streams().filter(|own| !own.normals.is_empty()) else { return f64::NAN };
    let mut angles = Vec::new();
    for triangle in some_triangles(mesh, MAX_TRIANGLES / 4) {
        let (Some(points), Some(normals)) =
            (corners(&own.positions, triangle), corners(&own.normals, triangle))
        else {
            continue;
        };
        let face = face(model, points).normalize_or_zero();
        let mean = (normals[0] + normals[1] + normals[2]).normalize_or_zero();
        if face != Vec3::ZERO && mean != Vec3::ZERO {
            angles.push(f64::from(face.dot(mean).clamp(-1.0, 1.0).acos()).to_degrees());
        }
    }
    median(angles).unwrap_or(f64::NAN)
}

fn tangent_signs(model: &Model, mesh: &Mesh) -> f64 {
    if !has_normal_map(model, mesh) {
        return f64::NAN;
    }
    let Some(own) = mesh.streams().filter(|own| !own.tangents.is_empty()) else { return f64::NAN };
    let Some(uvs) = own.uv_sets.first() else { return f64::NAN };
    let (mut num_wrong, mut num) = (0u32, 0u32);
    for triangle in some_triangles(mesh, MAX_TRIANGLES) {
        let (Some(points), Some(normals), Some(tangents), Some([a, b, c])) = (
            corners(&own.positions, triangle),
            corners(&own.normals, triangle),
            corners(&own.tangents, triangle),
            corners(&uvs.coords, triangle),
        ) else {
            continue;
        };
        let normal = (points[1] - points[0]).cross(points[2] - points[0]).normalize_or_zero();
        let facing = normal.dot((normals[0] + normals[1] + normals[2]).normalize_or_zero());
        let area = Vec2::perp_dot(b - a, c - a);
        if facing.abs() < 0.5 || area.abs() < 1e-7 {
            continue;
        }
        // V points down, so w is -1 for triangles whose UVs aren't mirrored.
        let expected = if (area > 0.0) == (facing > 0.0) { -1.0 } else { 1.0 };
        let sum: f32 = tangents.iter().map(|tangent| tangent.w).sum();
        if sum != 0.0 {
            num += 1;
            num_wrong += u32::from(sum * expected < 0.0);
        }
    }
    if num == 0 { f64::NAN } else { f64::from(num_wrong) / f64::from(num) }
}
