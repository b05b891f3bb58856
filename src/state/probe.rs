//! One vertex looked at closely: decoded values, raw words, its bytes, where it is now.

use glam::{Affine3A, Vec2, Vec3, Vec4};

use super::{AppState, Selection};
use crate::model::{
    BoneId, Element, Influences, Mesh, MeshId, PackedVertex, Skin, Span, VertexData, VertexId,
};
use crate::pose::{palette, sample};

/// A bone's share in a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// The bone.
    pub bone: BoneId,
    /// Its share.
    pub weight: f32,
}

/// All about one vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexProbe {
    /// Its mesh.
    pub mesh: MeshId,
    /// Its number.
    pub vertex: VertexId,
    /// As stored, mesh space.
    pub position: Vec3,
    /// In the pose shown, display space.
    pub posed_position: Vec3,
    /// As stored; none where the file has no normals.
    pub normal: Option<Vec3>,
    /// As stored, with the bitangent sign.
    pub tangent: Option<Vec4>,
    /// As stored, v down.
    pub uv: Option<Vec2>,
    /// The influences that count, weights summing to 1.
    pub influences: Vec<Influence>,
    /// The record as stored, where it is packed.
    pub packed: Option<PackedVertex>,
    /// Its bytes: the span they are a record of, the file offset and the bytes.
    pub bytes: Option<(Span, u64, Vec<u8>)>,
}

impl AppState {
    /// All about the selected vertex.
    #[must_use]
    pub fn vertex_probe(&self) -> Option<VertexProbe> {
        let document = self.document.as_ref()?;
        let Selection::Vertex {
            mesh: id, vertex, ..
        } = self.selection
        else {
            return None;
        };
        let mesh = document.model.meshes.get(id.index())?;
        let index = vertex.index();
        let mut influences = Vec::new();
        mesh.for_each_influence(index, |bone, weight| {
            if weight > 0.0 {
                influences.push(Influence { bone, weight });
            }
        });
        let span = document
            .model
            .provenance
            .find(Element::Vertex { mesh: id.0 });
        let bytes = span.and_then(|span| {
            let record = span.record(u64::from(vertex.0))?;
            let start = usize::try_from(record.start).ok()?;
            let end = usize::try_from(record.end).ok()?;
            let bytes = document.bytes.get(start..end)?.to_vec();
            Some((*span, record.start, bytes))
        });
        Some(VertexProbe {
            mesh: id,
            vertex,
            position: mesh.position(index)?,
            posed_position: self.selected_position()?,
            normal: mesh.normal(index),
            tangent: mesh.tangent(index),
            uv: mesh.uv(index),
            influences,
            packed: match &mesh.vertices {
                VertexData::Packed(packed) => packed.get(index),
                VertexData::Streams(_) => None,
            },
            bytes,
        })
    }

    /// Where the selected vertex is in the pose shown, display space.
    #[must_use]
    pub fn selected_position(&self) -> Option<Vec3> {
        let document = self.document.as_ref()?;
        let Selection::Vertex {
            mesh: id, vertex, ..
        } = self.selection
        else {
            return None;
        };
        let mesh = document.model.meshes.get(id.index())?;
        let pose = sample(&document.model, &self.playback.pose_spec());
        let posed = posed_vertex(mesh, vertex.index(), &palette(mesh, &pose))?;
        let display_from_file = document.model.axes.display_from_file();
        Some(display_from_file.transform_point3(posed))
    }
}

/// What `pose::skin_mesh` gives for one vertex, without the others. Morph targets are left out.
// Moving one vertex and not fifty thousand keeps the marker cheap while a clip plays.
fn posed_vertex(mesh: &Mesh, index: usize, palette: &[Affine3A]) -> Option<Vec3> {
    let at = mesh.position(index)?;
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    let mut add = |slot: usize, position: Vec3, weight: f32| {
        if let Some(matrix) = palette.get(slot) {
            sum += matrix.transform_point3(position) * weight;
            total += weight;
        }
    };
    match &mesh.skin {
        Skin::None => add(0, at, 1.0),
        Skin::BoneLocal(skin) => skin.for_each(index, |influence| {
            add(influence.bone.index(), influence.position, influence.weight);
        }),
        Skin::InverseBind(skin) => match &skin.influences {
            rows @ Influences::Rows { .. } => {
                rows.for_each(index, |slot, weight| add(slot as usize, at, weight));
            }
            Influences::InVertices => {
                mesh.for_each_influence(index, |bone, weight| add(bone.index(), at, weight));
            }
        },
    }
    Some(if total > 0.0 { sum / total } else { at })
}
