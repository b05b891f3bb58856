//! Vertex attributes as glTF requires them: unit normals and tangents, signs of ±1, colours between
//! 0 and 1.

use glam::{Vec3, Vec4};

use rigscope_core::model::{
    FindingKind, Mesh, Place, Report, Streams, counted, singular_or_plural,
};

/// Tolerance of squared lengths around 1, the rounding error of single precision.
const ROUNDING: f32 = 1e-6;

/// `v` normalized; `None` if it has no length.
fn unit(v: Vec3) -> Option<Vec3> {
    if (v.length_squared() - 1.0).abs() <= ROUNDING {
        return Some(v);
    }
    let unit: Vec3 = rigscope_core::pose::unit_or_zero(v.into()).into();
    (unit != Vec3::ZERO).then_some(unit)
}

/// Unit normals per vertex; empty if no vertex has one. Normals without length are replaced by
/// those of the adjacent triangles.
pub(super) fn normals(
    mesh: &Mesh,
    streams: &Streams,
    number: u32,
    report: &Report,
) -> Vec<[f32; 3]> {
    let stored: Vec<Option<Vec3>> = streams.normals.iter().map(|&n| unit(n)).collect();
    if stored.iter().all(Option::is_none) {
        return Vec::new();
    }
    let num_missing = stored.iter().filter(|n| n.is_none()).count();
    let of_faces = match num_missing {
        0 => Vec::new(),
        _ => face_normals(mesh, &streams.positions),
    };
    report.add_many(FindingKind::MadeDirection, Place::Mesh(number), num_missing as u64, || {
        let normals = counted(num_missing as u64, "normal");
        let are = singular_or_plural(num_missing as u64, "is", "are");
        format!("{normals} of length 0 {are} replaced by those of adjacent triangles")
    });
    let normal = |(at, normal): (usize, &Option<Vec3>)| {
        let of_face = || of_faces.get(at).and_then(|&n| unit(n));
        normal.or_else(of_face).unwrap_or(Vec3::Y).to_array()
    };
    stored.iter().enumerate().map(normal).collect()
}

/// Triangle normals, summed at their corners weighted by area.
fn face_normals(mesh: &Mesh, positions: &[Vec3]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    let at = |corner: u32| positions.get(corner as usize).copied().unwrap_or_default();
    for corners in mesh.triangles(0..mesh.indices.len()) {
        let [a, b, c] = corners.map(at);
        let normal = (b - a).cross(c - a);
        for corner in corners {
            if let Some(sum) = sums.get_mut(corner as usize) {
                *sum += normal;
            }
        }
    }
    sums
}

/// Unit tangents with a sign of ±1; empty if no vertex has one. Tangents without length are
/// replaced by any vector perpendicular to the normal.
pub(super) fn tangents(
    streams: &Streams,
    normals: &[[f32; 3]],
    number: u32,
    report: &Report,
) -> Vec<[f32; 4]> {
    let stored: Vec<Option<Vec3>> =
        (streams.tangents.iter()).map(|tangent| unit(tangent.truncate())).collect();
    if stored.iter().all(Option::is_none) {
        return Vec::new();
    }
    let num_missing = stored.iter().filter(|t| t.is_none()).count();
    report.add_many(FindingKind::MadeDirection, Place::Mesh(number), num_missing as u64, || {
        let tangents = counted(num_missing as u64, "tangent");
        let are = singular_or_plural(num_missing as u64, "is", "are");
        format!("{tangents} of length 0 {are} replaced by perpendiculars of the normal")
    });
    let tangent = |(at, (tangent, stored)): (usize, (&Option<Vec3>, &Vec4))| {
        let normal = normals.get(at).copied().map_or(Vec3::Y, Vec3::from);
        let tangent = tangent.unwrap_or_else(|| normal.any_orthonormal_vector());
        let sign = if stored.w < 0.0 { -1.0 } else { 1.0 };
        tangent.extend(sign).to_array()
    };
    let pairs = stored.iter().zip(&streams.tangents);
    pairs.enumerate().map(tangent).collect()
}

/// Colours clamped to 0 to 1 (section 3.7.2.1).
pub(super) fn colors(streams: &Streams, number: u32, report: &Report) -> Vec<[f32; 4]> {
    let clamped: Vec<[f32; 4]> = (streams.colors.iter())
        .map(|color| color.clamp(Vec4::ZERO, Vec4::ONE).to_array())
        .collect();
    let pairs = clamped.iter().zip(&streams.colors);
    let num_changed = pairs.filter(|(a, b)| **a != b.to_array()).count();
    report.add_many(FindingKind::Altered, Place::Mesh(number), num_changed as u64, || {
        let are = singular_or_plural(num_changed as u64, "is", "are");
        format!("{} outside 0 to 1 {are} clamped", counted(num_changed as u64, "colour"))
    });
    clamped
}
