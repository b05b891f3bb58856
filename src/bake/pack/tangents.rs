//! Tangents by MikkTSpace, with vertices split where two triangles want opposite signs.

use std::collections::HashMap;

use glam::Vec4;

use super::soup::Soup;

struct Corners<'a> {
    soup: &'a Soup,
    tangents: Vec<Option<Vec4>>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> Option<&super::soup::Vertex> {
        let vertex = *self.soup.triangles.get(face)?.corners.get(corner)?;
        self.soup.vertices.get(vertex as usize)
    }
}

impl bevy_mikktspace::Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.soup.triangles.len()
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        let vertex = self.vertex(face, corner);
        vertex.map_or([0.0; 3], |v| v.position.to_array())
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        let vertex = self.vertex(face, corner);
        vertex.map_or([0.0, 1.0, 0.0], |v| v.normal.to_array())
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        // MikkTSpace takes v up.
        let vertex = self.vertex(face, corner);
        vertex.map_or([0.0; 2], |v| [v.uv.x, 1.0 - v.uv.y])
    }

    fn set_tangent(
        &mut self,
        tangent: Option<bevy_mikktspace::TangentSpace>,
        face: usize,
        corner: usize,
    ) {
        if let (Some(tangent), Some(slot)) = (tangent, self.tangents.get_mut(face * 3 + corner)) {
            *slot = Some(Vec4::from_array(tangent.tangent_encoded()));
        }
    }
}

/// Gives vertices tangents where the mesh has UVs and normals and no tangents; whether it did.
pub(super) fn add(soup: &mut Soup) -> bool {
    let has_normals = soup.vertices.iter().any(|v| v.normal != glam::Vec3::ZERO);
    if soup.has_tangents || !soup.has_uvs || !has_normals || soup.triangles.is_empty() {
        return false;
    }
    let mut corners = Corners {
        tangents: vec![None; soup.triangles.len() * 3],
        soup,
    };
    if bevy_mikktspace::generate_tangents(&mut corners).is_err() {
        return false;
    }
    let tangents = corners.tangents;
    let mut is_set = vec![false; soup.vertices.len()];
    let mut other_sign: HashMap<u32, u32> = HashMap::new();
    for (at, tangent) in tangents.into_iter().enumerate() {
        let corner = soup
            .triangles
            .get(at / 3)
            .and_then(|t| t.corners.get(at % 3));
        let (Some(tangent), Some(&number)) = (tangent, corner) else {
            continue;
        };
        let (Some(vertex), Some(is_set)) = (
            soup.vertices.get_mut(number as usize),
            is_set.get_mut(number as usize),
        ) else {
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
