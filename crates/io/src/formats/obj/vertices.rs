//! The vertices of a mesh: corners at a point share a vertex if all their attributes are equal.

use glam::{Vec2, Vec3};

use super::faces::{Corner, Lists, MISSING};
use super::numbers::single;
use rigscope_core::model::{Streams, UvSet, as_u32};

/// Limit on the vertices of a point that a corner is compared with, newest first, so that time doesn't grow with
/// the square of the corners at one point. Beyond it, the corner becomes a new vertex.
const MAX_COMPARED: usize = 256;
/// UVs of corners without any; v down.
const NO_UV: Vec2 = Vec2::new(0.0, 1.0);

/// The vertices of a mesh.
#[derive(Default)]
pub(super) struct MeshVertices {
    pub(super) streams: Streams,
    /// The point of each vertex.
    pub(super) points: Vec<u32>,
    /// Parallel to the corners.
    pub(super) vertex_of_corner: Vec<u32>,
}

/// A vertex with its attributes as indices, and the next older vertex of its point.
struct Vertex {
    uv: u32,
    normal: u32,
    older: u32,
}

/// The vertices of corners, in the order of their first corners. `newest_of` has a number for each point of the file,
/// [`MISSING`] before and after.
pub(super) fn number_vertices(
    corners: &[Corner],
    normals: &[Vec3],
    lists: &Lists,
    newest_of: &mut [u32],
) -> MeshVertices {
    let has_uvs = corners.iter().any(|corner| corner.uv != MISSING);
    let is_colored = |corner: &Corner| {
        lists.has_color.get(corner.point as usize).is_some_and(|has_color| *has_color)
    };
    let has_colors = !lists.has_color.is_empty() && corners.iter().any(is_colored);
    let normal = |at: u32| normals.get(at as usize).copied().unwrap_or_default();
    let uv = |at: u32| lists.uvs.get(at as usize).copied().unwrap_or(NO_UV);
    let is_same = |vertex: &Vertex, corner: &Corner| {
        (vertex.uv == corner.uv || have_same_bits(uv(vertex.uv).into(), uv(corner.uv).into()))
            && (vertex.normal == corner.normal
                || have_same_bits(normal(vertex.normal).into(), normal(corner.normal).into()))
    };
    let mut points = Vec::new();
    let mut vertices: Vec<Vertex> = Vec::new();
    let number = |corner: &Corner| {
        let Some(newest) = newest_of.get_mut(corner.point as usize) else { return 0 };
        let mut number = *newest;
        for _ in 0..MAX_COMPARED {
            let Some(vertex) = vertices.get(number as usize) else { break };
            if is_same(vertex, corner) {
                return number;
            }
            number = vertex.older;
        }
        let made = as_u32(vertices.len());
        vertices.push(Vertex { uv: corner.uv, normal: corner.normal, older: *newest });
        points.push(corner.point);
        *newest = made;
        made
    };
    let vertex_of_corner = corners.iter().map(number).collect();
    // Only the points of this mesh, because there may be many small ones.
    for &point in &points {
        if let Some(newest) = newest_of.get_mut(point as usize) {
            *newest = MISSING;
        }
    }
    let position = |&point: &u32| {
        let position = lists.points.get(point as usize).copied().unwrap_or_default();
        Vec3::from(position.map(single))
    };
    let color = |&point: &u32| lists.colors.get(point as usize).copied().unwrap_or_default();
    let uv_set = || UvSet {
        name: String::new(),
        coords: vertices.iter().map(|vertex| uv(vertex.uv)).collect(),
    };
    let streams = Streams {
        positions: points.iter().map(position).collect(),
        normals: vertices.iter().map(|vertex| normal(vertex.normal)).collect(),
        colors: if has_colors { points.iter().map(color).collect() } else { Vec::new() },
        uv_sets: has_uvs.then(uv_set).into_iter().collect(),
        ..Streams::default()
    };
    MeshVertices { streams, points, vertex_of_corner }
}

fn have_same_bits<const N: usize>(a: [f32; N], b: [f32; N]) -> bool {
    a.map(f32::to_bits) == b.map(f32::to_bits)
}
