//! Fixes of normals and tangents.

use glam::{Vec3, Vec4};

use crate::model::{MeshId, Model, Streams};
use crate::reshape::add_tangents;
use crate::validate::{MAX_TANGENT_COSINE, tangent_signs};

/// Lengths in this range are 1 within the rounding of packed formats, as in the rule `non-unit-normal`.
const UNIT_LENGTH: std::ops::RangeInclusive<f32> = 0.98..=1.02;

fn for_each_mesh(model: &mut Model, mut change: impl FnMut(&mut Streams, &[u32])) {
    for mesh in &mut model.meshes {
        let indices: Vec<u32> = mesh.indices.iter().collect();
        if let Some(streams) = mesh.streams_mut() {
            change(streams, &indices);
        }
    }
}

pub(super) fn normalize_normals(model: &mut Model) {
    for_each_mesh(model, |streams, _| {
        for normal in &mut streams.normals {
            let length = normal.length();
            if length > 0.0 && !UNIT_LENGTH.contains(&length) {
                *normal = normal.normalize_or_zero();
            }
        }
    });
}

/// Gives normals of length 0 the mean direction of the triangles at their vertices, weighted by area.
pub(super) fn fill_normals(model: &mut Model) {
    let is_clockwise = model.axes.winding == crate::model::Winding::Clockwise;
    for_each_mesh(model, |streams, indices| {
        if !streams.normals.contains(&Vec3::ZERO) {
            return;
        }
        let mut sums = vec![Vec3::ZERO; streams.positions.len()];
        let (triangles, _) = indices.as_chunks::<3>();
        for corners in triangles {
            let places = corners.map(|at| streams.positions.get(at as usize).copied());
            let [Some(a), Some(b), Some(c)] = places else { continue };
            let face = (b - a).cross(c - a) * if is_clockwise { -1.0 } else { 1.0 };
            for corner in corners {
                if let Some(sum) = sums.get_mut(*corner as usize) {
                    *sum += face;
                }
            }
        }
        for (at, (normal, sum)) in streams.normals.iter_mut().zip(sums).enumerate() {
            if *normal != Vec3::ZERO {
                continue;
            }
            *normal = sum.try_normalize().unwrap_or(Vec3::Y);
            // The tangent belongs to another normal, or was computed without one.
            if let Some(tangent) = streams.tangents.get_mut(at)
                && tangent.truncate() != Vec3::ZERO
            {
                let along = *normal * normal.dot(tangent.truncate());
                let across = (tangent.truncate() - along).try_normalize();
                let across = across.unwrap_or_else(|| normal.any_orthonormal_vector());
                *tangent = across.extend(tangent.w);
            }
        }
    });
}

/// Gives tangents of length 0 the direction of increasing u, or any direction if the UVs have no area.
pub(super) fn fill_tangents(model: &mut Model) {
    for_each_mesh(model, |streams, indices| {
        let is_missing = |tangent: &Vec4| tangent.truncate() == Vec3::ZERO;
        if !streams.tangents.iter().any(is_missing) {
            return;
        }
        let computed = computed_tangents(streams, indices);
        let normals = &streams.normals;
        for (at, tangent) in streams.tangents.iter_mut().enumerate() {
            if !is_missing(tangent) {
                continue;
            }
            let normal = normals.get(at).and_then(|normal| normal.try_normalize());
            let any = normal.unwrap_or(Vec3::Y).any_orthonormal_vector().extend(1.0);
            let computed = computed.get(at).copied().filter(|tangent| !is_missing(tangent));
            *tangent = computed.unwrap_or(any);
        }
    });
}

/// Tangents of all vertices; zero if the triangles at a vertex have no area in the texture.
fn computed_tangents(streams: &Streams, indices: &[u32]) -> Vec<Vec4> {
    let mut computed = Streams { tangents: Vec::new(), ..streams.clone() };
    add_tangents(&mut computed, indices);
    computed.tangents
}

/// Removes the part of skewed tangents that is parallel to their normals.
pub(super) fn straighten_tangents(model: &mut Model) {
    for_each_mesh(model, |streams, indices| {
        let mut computed = None;
        for at in 0..streams.tangents.len().min(streams.normals.len()) {
            let (normal, tangent) = (streams.normals[at].normalize_or_zero(), streams.tangents[at]);
            let direction = tangent.truncate().normalize_or_zero();
            if normal.dot(direction).abs() <= MAX_TANGENT_COSINE {
                continue;
            }
            let across = (direction - normal * normal.dot(direction)).try_normalize();
            let fallback = || {
                let all = computed.get_or_insert_with(|| computed_tangents(streams, indices));
                let own = all.get(at).copied().unwrap_or_default().truncate();
                own.try_normalize().unwrap_or_else(|| normal.any_orthonormal_vector())
            };
            streams.tangents[at] = across.unwrap_or_else(fallback).extend(tangent.w);
        }
    });
}

pub(super) fn round_signs(model: &mut Model) {
    for_each_mesh(model, |streams, _| {
        for tangent in &mut streams.tangents {
            if tangent.truncate() != Vec3::ZERO && tangent.w.abs() != 1.0 {
                tangent.w = if tangent.w < 0.0 { -1.0 } else { 1.0 };
            }
        }
    });
}

/// Sets the sign of each vertex if the UVs of all its triangles contradict it. Vertices between mirrored and
/// other UVs remain, because they would have to be split.
pub(super) fn match_signs(model: &mut Model) {
    for mesh in 0..model.meshes.len() {
        let wanted = tangent_signs(model, mesh);
        let Some(streams) = model.meshes[MeshId::from_index(mesh)].streams_mut() else {
            continue;
        };
        for (tangent, wanted) in streams.tangents.iter_mut().zip(wanted) {
            if let Some(sign) = wanted.filter(|sign| *sign * tangent.w < 0.0) {
                tangent.w = sign;
            }
        }
    }
}
