//! Tangents by MikkTSpace, the convention that normal maps are baked with.

use glam::{Vec2, Vec3, Vec4};

use crate::model::Streams;

struct Corners<'a> {
    streams: &'a Streams,
    uvs: &'a [Vec2],
    indices: &'a [u32],
    tangents: Vec<Vec4>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.indices
            .get(face * 3 + corner)
            .map_or(0, |&index| index as usize)
    }
}

impl bevy_mikktspace::Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.indices.len() / 3
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        let vertex = self.vertex(face, corner);
        self.streams
            .positions
            .get(vertex)
            .copied()
            .unwrap_or_default()
            .to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        let vertex = self.vertex(face, corner);
        self.streams
            .normals
            .get(vertex)
            .copied()
            .unwrap_or(Vec3::Y)
            .to_array()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        let vertex = self.vertex(face, corner);
        let uv = self.uvs.get(vertex).copied().unwrap_or_default();
        // MikkTSpace takes v up.
        [uv.x, 1.0 - uv.y]
    }

    fn set_tangent(
        &mut self,
        tangent: Option<bevy_mikktspace::TangentSpace>,
        face: usize,
        corner: usize,
    ) {
        let vertex = self.vertex(face, corner);
        if let (Some(tangent), Some(slot)) = (tangent, self.tangents.get_mut(vertex)) {
            *slot = Vec4::from_array(tangent.tangent_encoded());
        }
    }
}

/// Gives vertices tangents from their first UV set, where they have normals and UVs and no
/// tangents yet. Vertices are not split: at a mirrored seam that shares vertices the last corner
/// decides.
pub fn add_tangents(streams: &mut Streams, indices: &[u32]) {
    let num = streams.positions.len();
    let Some(set) = streams.uv_sets.first() else {
        return;
    };
    if !streams.tangents.is_empty() || streams.normals.len() != num || set.coords.len() != num {
        return;
    }
    let mut corners = Corners {
        uvs: &set.coords,
        indices,
        tangents: vec![Vec4::ZERO; num],
        streams,
    };
    let is_made = bevy_mikktspace::generate_tangents(&mut corners).is_ok();
    let tangents = corners.tangents;
    if is_made {
        streams.tangents = tangents;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UvSet;

    #[test]
    fn tangents_follow_u_and_bitangents_point_against_stored_v() {
        let mut streams = Streams {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            // v down: the upper corner has the smaller v.
            uv_sets: vec![UvSet {
                name: String::new(),
                coords: vec![Vec2::new(0.0, 1.0), Vec2::new(1.0, 1.0), Vec2::ZERO],
            }],
            ..Streams::default()
        };
        add_tangents(&mut streams, &[0, 1, 2]);
        let tangent = streams.tangents[0];
        assert!(tangent.truncate().distance(Vec3::X) < 1e-6);
        let bitangent = Vec3::Z.cross(tangent.truncate()) * tangent.w;
        assert!(bitangent.distance(Vec3::Y) < 1e-6, "green is up");
    }
}
