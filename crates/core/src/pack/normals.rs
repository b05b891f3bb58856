//! Generates normals for meshes without any, and splits vertices at sharp edges.

use glam::Vec3;

use super::soup::{Soup, Vertex};
use crate::model::Streams;
use crate::reshape::{CREASE_RAD, add_normals};

/// Generates normals if no vertex of the mesh has a usable one; returns whether it did.
///
/// Single normals without length stay: they come from the source, and were reported when it was
/// read.
pub(super) fn add(soup: &mut Soup) -> bool {
    let has_normals = soup.vertices.iter().any(|v| v.normal != Vec3::ZERO);
    if has_normals || soup.triangles.is_empty() {
        return false;
    }
    let mut streams = Streams {
        positions: soup.vertices.iter().map(|v| v.position).collect(),
        ..Streams::default()
    };
    let mut indices: Vec<u32> = soup.triangles.iter().flat_map(|t| t.corners).collect();
    let sources = add_normals(&mut streams, &mut indices, CREASE_RAD);
    let made = sources.iter().zip(streams.normals);
    let vertices = made.filter_map(|(&source, normal)| {
        let vertex = soup.vertices.get(source as usize)?;
        Some(Vertex { normal, ..*vertex })
    });
    soup.vertices = vertices.collect();
    for (triangle, corners) in soup.triangles.iter_mut().zip(indices.as_chunks::<3>().0) {
        triangle.corners = *corners;
    }
    true
}
