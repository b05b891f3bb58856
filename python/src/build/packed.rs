//! Vertices in the packed layout of another model, if it can store them exactly: files whose vertices are packed are then
//! written as they were, except for the changes.

use glam::{Vec3, Vec4};
use rigscope::model::{
    Influences, Mesh, PackedVertex, PackedVertices, Skin, Streams, VertexData, pack_snorm1010102,
    unpack_snorm1010102,
};

/// Packs the vertices of `own` again, with the bits of `other` for equal values.
pub(super) fn pack_like(own: &mut Mesh, other: &Mesh) {
    let Some(packed) = packed(own, other) else { return };
    own.vertices = VertexData::Packed(packed);
    if let Skin::InverseBind(skin) = &mut own.skin {
        skin.influences = Influences::InVertices;
    }
}

fn packed(own: &Mesh, other: &Mesh) -> Option<PackedVertices> {
    let (VertexData::Streams(streams), VertexData::Packed(packed)) =
        (&own.vertices, &other.vertices)
    else {
        return None;
    };
    let num = streams.positions.len();
    let [uvs] = &streams.uv_sets[..] else { return None };
    let has_layout = packed.len() == num
        && streams.normals.len() == num
        && streams.tangents.len() == num
        && streams.colors.is_empty()
        && uvs.name.is_empty();
    let has_skin = match (&own.skin, &other.skin) {
        (Skin::None, Skin::None) => true,
        (Skin::InverseBind(own), Skin::InverseBind(other)) => {
            own.bones == other.bones && matches!(other.influences, Influences::InVertices)
        }
        _ => false,
    };
    if !has_layout || !has_skin {
        return None;
    }
    let vertex = |(at, like): (usize, PackedVertex)| repacked(own, streams, at, like);
    let vertices: Option<Vec<_>> = packed.iter().enumerate().map(vertex).collect();
    vertices.map(PackedVertices::from_vertices)
}

fn repacked(own: &Mesh, streams: &Streams, at: usize, like: PackedVertex) -> Option<PackedVertex> {
    if let Skin::InverseBind(skin) = &own.skin {
        let mut rows = Vec::with_capacity(4);
        own.for_each_slot(skin, at, |slot, weight| rows.push((slot, weight)));
        let of_like = like.influences().map(|(slot, weight)| (u32::from(slot), weight));
        if !of_like.eq(rows) {
            return None;
        }
    }
    if streams.uv_sets[0].coords[at] != like.uv_decoded() {
        return None;
    }
    let normal = streams.normals[at];
    Some(PackedVertex {
        position: streams.positions[at],
        normal: direction(like.normal, normal.extend(unpack_snorm1010102(like.normal).w))?,
        tangent: direction(like.tangent, streams.tangents[at])?,
        ..like
    })
}

/// A direction as stored: the bits of `like` if they mean the same, or others that are exact.
fn direction(like: u32, own: Vec4) -> Option<u32> {
    if unpack_snorm1010102(like) == own {
        return Some(like);
    }
    #[expect(clippy::cast_possible_truncation, reason = "compared below")]
    let word = pack_snorm1010102(Vec3::new(own.x, own.y, own.z), own.w as i32);
    (unpack_snorm1010102(word) == own).then_some(word)
}
