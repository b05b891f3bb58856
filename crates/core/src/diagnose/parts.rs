//! Access to the parts of a model in plain form: float vertices, skins with inverse bind matrices.

use std::collections::HashMap;

use glam::Vec3;

use crate::model::{BoneId, InverseBindSkin, Mesh, Model, Skin, Streams, VertexData};

/// The vertices and edges of a mesh that are measured.
pub(super) struct MeshSample {
    pub(super) mesh: usize,
    pub(super) vertices: Vec<u32>,
    /// Indices into the mesh's vertices.
    pub(super) edges: Vec<[u32; 2]>,
}

/// The vertex streams, which every mesh in plain form has.
pub(super) fn streams(mesh: &Mesh) -> Option<&Streams> {
    match &mesh.vertices {
        VertexData::Streams(streams) => Some(streams),
        VertexData::Packed(_) => None,
    }
}

pub(crate) fn streams_mut(mesh: &mut Mesh) -> Option<&mut Streams> {
    match &mut mesh.vertices {
        VertexData::Streams(streams) => Some(streams),
        VertexData::Packed(_) => None,
    }
}

pub(super) fn skin_of(mesh: &Mesh) -> Option<&InverseBindSkin> {
    match &mesh.skin {
        Skin::InverseBind(skin) if !skin.bones.is_empty() => Some(skin),
        _ => None,
    }
}

pub(crate) fn skin_mut(mesh: &mut Mesh) -> Option<&mut InverseBindSkin> {
    match &mut mesh.skin {
        Skin::InverseBind(skin) => Some(skin),
        _ => None,
    }
}

/// The diagonal of the bounding box of some positions.
pub(super) fn size_of(positions: &[Vec3]) -> f32 {
    crate::model::Aabb::from_points(positions.iter().copied()).extent()
}

#[expect(clippy::cast_possible_truncation, reason = "meshes have fewer than 2^32 vertices")]
pub(super) fn index(at: usize) -> u32 {
    at as u32
}

/// Whether a bone is a root. Roots place the model as a whole; all other bones deform it.
pub(super) fn is_root(model: &Model, bone: BoneId) -> bool {
    model.skeleton.bones().get(bone).is_none_or(|bone| bone.parent.is_none())
}

/// For each vertex, the index of the first vertex at the same position.
pub(super) fn welded(positions: &[Vec3]) -> Vec<u32> {
    let bounds = crate::model::Aabb::from_points(positions.iter().copied());
    let step = (bounds.extent() * 1e-5).max(f32::MIN_POSITIVE);
    let mut first: HashMap<[i32; 3], u32> = HashMap::with_capacity(positions.len());
    let key = |point: &Vec3| ((*point - bounds.min) / step).round().as_ivec3().to_array();
    positions.iter().zip(0..).map(|(point, at)| *first.entry(key(point)).or_insert(at)).collect()
}
