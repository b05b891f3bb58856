//! Generates tangents of packed meshes, and splits vertices between triangles with opposite signs.

use std::collections::HashMap;

use super::soup::Soup;
use crate::geometry::corner_tangents;

/// Generates tangents if the mesh has UVs and normals but no tangents; returns whether it did.
pub(super) fn add(soup: &mut Soup) -> bool {
    let has_normals = soup.vertices.iter().any(|v| v.normal != glam::Vec3::ZERO);
    if soup.has_tangents || !soup.has_uvs || !has_normals || soup.triangles.is_empty() {
        return false;
    }
    let vertices = (soup.vertices.iter()).map(|v| (v.position, v.normal, v.uv)).collect();
    let triangles: Vec<[u32; 3]> = soup.triangles.iter().map(|t| t.corners).collect();
    let tangents = corner_tangents(&vertices, &triangles);
    let mut is_set = vec![false; soup.vertices.len()];
    let mut other_sign: HashMap<u32, u32> = HashMap::new();
    for (at, tangent) in tangents.into_iter().flatten().enumerate() {
        let corner = soup.triangles.get(at / 3).and_then(|t| t.corners.get(at % 3));
        let (Some(tangent), Some(&number)) = (tangent, corner) else { continue };
        let (Some(vertex), Some(is_set)) =
            (soup.vertices.get_mut(number as usize), is_set.get_mut(number as usize))
        else {
            continue;
        };
        if !std::mem::replace(is_set, true) {
            vertex.tangent = tangent;
        } else if (vertex.tangent.w < 0.0) != (tangent.w < 0.0) {
            let mut copy = *vertex;
            copy.tangent = tangent;
            let copied = *other_sign.entry(number).or_insert_with(|| soup.push(copy));
            let corner = soup.triangles.get_mut(at / 3);
            if let Some(corner) = corner.and_then(|t| t.corners.get_mut(at % 3)) {
                *corner = copied;
            }
        }
    }
    true
}
