//! Converts meshes to float arrays.

use glam::{Vec3, Vec4};

use crate::model::{
    Indices, Influences, Mesh, Model, Provenance, Skin, Streams, UvSet, VertexData,
};

/// The model with float vertices, 32-bit indices and rows of influences.
#[must_use]
pub(super) fn floats(model: &Model) -> Model {
    Model { meshes: model.meshes.iter().map(float_mesh).collect(), ..model.clone() }
}

/// Data that was preserved for writing the same file is no longer valid.
pub(super) fn forget_source(model: &mut Model) {
    model.preserved.clear();
    model.provenance = Provenance::default();
    model.paths = None;
    for clip in &mut model.clips {
        clip.frame_bounds.clear();
    }
}

/// One mesh with float vertices.
fn float_mesh(mesh: &Mesh) -> Mesh {
    let mut out = mesh.clone();
    if let VertexData::Packed(packed) = &mesh.vertices {
        let num = packed.len();
        let mut streams = Streams {
            positions: Vec::with_capacity(num),
            normals: Vec::with_capacity(num),
            tangents: Vec::with_capacity(num),
            colors: Vec::new(),
            uv_sets: vec![UvSet {
                name: String::new(),
                coords: packed.iter().map(|v| v.uv_decoded()).collect(),
            }],
        };
        for vertex in packed.iter() {
            streams.positions.push(vertex.position);
            streams.normals.push(vertex.normal_decoded());
            streams.tangents.push(vertex.tangent_decoded());
        }
        // An array of zeros means that the file doesn't have the attribute.
        if streams.normals.iter().all(|n| *n == Vec3::ZERO) {
            streams.normals.clear();
        }
        if streams.tangents.iter().all(|t| t.truncate() == Vec3::ZERO) {
            streams.tangents.clear();
        }
        for tangent in &mut streams.tangents {
            *tangent = sound_tangent(*tangent);
        }
        if let Skin::InverseBind(skin) = &mut out.skin
            && matches!(skin.influences, Influences::InVertices)
        {
            let wide = |(slot, weight): (u8, f32)| (u32::from(slot), weight);
            let rows = packed.iter().map(|v| v.influences().map(wide).collect::<Vec<_>>());
            skin.influences = Influences::from_lists(rows);
        }
        out.vertices = VertexData::Streams(streams);
    }
    if let Indices::U16(_) = &mesh.indices {
        out.indices = Indices::U32(mesh.indices.iter().collect());
    }
    out
}

/// A sign of 0 or -2 in two bits is invalid and replaced by 1.
fn sound_tangent(tangent: Vec4) -> Vec4 {
    let sign = if tangent.w < 0.0 { -1.0 } else { 1.0 };
    tangent.truncate().extend(sign)
}
