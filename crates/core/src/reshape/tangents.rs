//! Generates missing tangents of float vertices.

use glam::{Vec3, Vec4};

use super::gather::gather;
use super::vertex_splitter::VertexSplitter;
use crate::geometry::corner_tangents;
use crate::model::Streams;

/// Corners whose tangents differ by more than this angle don't share a vertex: 90 degrees.
const MIN_COS: f32 = 0.0;

/// Tangents of all corners from the first UV set, zero if undefined. `None` if the vertices already
/// have tangents, or lack normals or UVs.
fn of_corners(streams: &Streams, indices: &[u32]) -> Option<Vec<Vec4>> {
    let num = streams.positions.len();
    let set = streams.uv_sets.first()?;
    if !streams.tangents.is_empty() || streams.normals.len() != num || set.coords.len() != num {
        return None;
    }
    let attributes = streams.normals.iter().zip(&set.coords);
    let vertices = (streams.positions.iter().zip(attributes))
        .map(|(&position, (&normal, &uv))| (position, normal, uv))
        .collect();
    let (triangles, _) = indices.as_chunks::<3>();
    let tangents = corner_tangents(&vertices, triangles);
    let all = tangents.into_iter().flatten();
    Some(all.map(Option::unwrap_or_default).collect())
}

/// Generates tangents from the first UV set for vertices that have normals and UVs but no tangents.
/// Vertices aren't split: at a shared vertex on a mirrored seam, the last corner wins.
pub fn add_tangents(streams: &mut Streams, indices: &[u32]) {
    let Some(of_corners) = of_corners(streams, indices) else { return };
    streams.tangents = vec![Vec4::ZERO; streams.positions.len()];
    for (&vertex, tangent) in indices.iter().zip(of_corners) {
        if let Some(slot) = streams.tangents.get_mut(vertex as usize) {
            *slot = tangent;
        }
    }
}

/// Like [`add_tangents`], but splits a vertex if its corners have opposite bitangent signs, as on a
/// mirrored seam, or tangents more than 90 degrees apart; closer ones share the first corner's
/// tangent. Returns the source of each vertex, existing vertices first, and updates `indices`;
/// `None` if no tangents are needed.
pub fn add_split_tangents(streams: &mut Streams, indices: &mut [u32]) -> Option<Vec<u32>> {
    let of_corners = of_corners(streams, indices)?;
    let num = streams.positions.len();
    let mut splitter = VertexSplitter::new(num);
    let mut tangents = vec![Vec4::ZERO; num];
    for (corner, tangent) in indices.iter_mut().zip(of_corners) {
        // A triangle without area in the texture has no tangent.
        if *corner as usize >= num || tangent.truncate() == Vec3::ZERO {
            continue;
        }
        *corner = splitter.take(*corner, |vertex| match tangents.get_mut(vertex as usize) {
            Some(own) if own.truncate() == Vec3::ZERO => {
                *own = tangent;
                true
            }
            Some(own) => {
                let is_close = own.truncate().dot(tangent.truncate()) >= MIN_COS;
                own.w == tangent.w && is_close
            }
            None => false,
        });
        if *corner as usize >= tangents.len() {
            tangents.push(tangent);
        }
    }
    *streams = gather(streams, &splitter.sources);
    streams.tangents = tangents;
    Some(splitter.sources)
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::model::testing::*;

    #[test]
    fn tangents_follow_u_and_bitangents_point_against_stored_v() {
        // With v down, the upper corner has the smaller v.
        let uvs = [Vec2::new(0.0, 1.0), Vec2::new(1.0, 1.0), Vec2::ZERO];
        let mesh = ModelBuilder::new().triangle().normal(Vec3::Z).uvs(uvs).into_mesh();
        let mut streams = streams(&mesh).clone();
        add_tangents(&mut streams, &[0, 1, 2]);
        let tangent = streams.tangents[0];
        assert!(tangent.truncate().distance(Vec3::X) < 1e-6);
        let bitangent = Vec3::Z.cross(tangent.truncate()) * tangent.w;
        assert!(bitangent.distance(Vec3::Y) < 1e-6, "green is up");
    }

    /// Two triangles that share an edge at x = 0, with `u` of the corner on the left.
    fn folded(left_u: f32) -> (Streams, Vec<u32>) {
        let uvs = [(0.0, 1.0), (0.0, 0.0), (1.0, 1.0), (left_u, 1.0)].map(Vec2::from);
        let corners = [Vec3::ZERO, Vec3::Y, Vec3::X, Vec3::NEG_X];
        let mesh = ModelBuilder::new().mesh(corners).normal(Vec3::Z).uvs(uvs).into_mesh();
        (streams(&mesh).clone(), vec![0, 2, 1, 3, 0, 1])
    }

    #[test]
    fn vertices_on_a_mirrored_seam_are_split_and_others_are_not() {
        let (mut streams, mut indices) = folded(-1.0);
        let sources = add_split_tangents(&mut streams, &mut indices).unwrap();
        assert_eq!((sources, indices), (vec![0, 1, 2, 3], vec![0, 2, 1, 3, 0, 1]));

        let (mut streams, mut indices) = folded(1.0);
        let sources = add_split_tangents(&mut streams, &mut indices).unwrap();
        assert_eq!(sources, [0, 1, 2, 3, 0, 1]);
        assert_eq!(indices, [0, 2, 1, 3, 4, 5]);
        assert_eq!(streams.positions[5], Vec3::Y);
        let near = |at: usize, wanted: Vec4| streams.tangents[at].distance(wanted) < 1e-6;
        assert!(near(0, Vec4::new(1.0, 0.0, 0.0, 1.0)), "{:?}", streams.tangents);
        assert!(near(4, Vec4::new(-1.0, 0.0, 0.0, -1.0)), "{:?}", streams.tangents);
        assert_eq!(streams.tangents.len(), 6);
    }

    #[test]
    fn existing_tangents_are_preserved() {
        let (mut streams, mut indices) = folded(1.0);
        streams.tangents = vec![Vec4::Y; 4];
        assert_eq!(add_split_tangents(&mut streams, &mut indices), None);
        add_tangents(&mut streams, &indices);
        assert_eq!(streams.tangents, [Vec4::Y; 4]);
    }
}
