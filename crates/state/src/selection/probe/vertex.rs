//! One vertex looked at closely: decoded values, raw words, its bytes, where it is now.

use glam::{Vec2, Vec3, Vec4};

use super::quantised::Quantised;
use crate::{AppState, Document, Selection};
use rigscope_core::model::{
    BoneId, Element, Mesh, MeshId, PackedVertex, Span, VertexData, VertexId,
};
use rigscope_core::pose::{sample, skin_vertex};

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
    /// Every UV set with its name, v down.
    pub uvs: Vec<(String, Vec2)>,
    /// Linear RGBA; none where the file has no colours.
    pub color: Option<Vec4>,
    /// What packing it would cost; none where it is packed already.
    pub quantised: Option<Quantised>,
    /// The influences that count, weights summing to 1.
    pub influences: Vec<Influence>,
    /// The record as stored, where it is packed.
    pub packed: Option<PackedVertex>,
    /// Its bytes, one entry an array that it is in: the span they are a record of, the file offset
    /// and the bytes.
    pub bytes: Vec<(Span, u64, Vec<u8>)>,
}

impl AppState {
    /// All about the selected vertex.
    pub fn vertex_probe(&self) -> Option<VertexProbe> {
        let (document, mesh, id, vertex) = self.selected_vertex()?;
        let index = vertex.index();
        let mut influences = Vec::new();
        mesh.for_each_influence(index, |bone, weight| {
            if weight > 0.0 {
                influences.push(Influence { bone, weight });
            }
        });
        let spans = document.model.provenance.all(Element::Vertex { mesh: id.0 });
        let bytes = spans.filter_map(|span| {
            let record = span.record(u64::from(vertex.0))?;
            let start = record.start;
            let bytes = document.content.part(record).ok()?.to_vec();
            Some((span.clone(), start, bytes))
        });
        Some(VertexProbe {
            mesh: id,
            vertex,
            position: mesh.position(index)?,
            posed_position: self.selected_position()?,
            normal: mesh.normal(index),
            tangent: mesh.tangent(index),
            uvs: uvs(mesh, index),
            color: mesh.color(index),
            quantised: match &mesh.vertices {
                VertexData::Streams(_) => Quantised::of(mesh, &document.model.axes, index),
                VertexData::Packed(_) => None,
            },
            influences,
            packed: match &mesh.vertices {
                VertexData::Packed(packed) => packed.get(index),
                VertexData::Streams(_) => None,
            },
            bytes: bytes.collect(),
        })
    }

    fn selected_vertex(&self) -> Option<(&Document, &Mesh, MeshId, VertexId)> {
        let document = self.tab.document.as_ref()?;
        let Selection::Vertex { mesh, vertex, .. } = self.tab.selection else { return None };
        Some((document, document.model.meshes.get(mesh.index())?, mesh, vertex))
    }

    /// Where the selected vertex is in the pose shown, display space.
    pub fn selected_position(&self) -> Option<Vec3> {
        let (document, mesh, id, vertex) = self.selected_vertex()?;
        let pose = sample(&document.model, &self.tab.playback.pose_spec());
        let posed = skin_vertex(mesh, vertex.index(), &pose.of_mesh(id, mesh))?;
        let display_from_file = document.model.axes.display_from_file();
        Some(display_from_file.transform_point3(posed))
    }
}

/// All UV sets at a vertex; those without a name are called by their number.
fn uvs(mesh: &Mesh, index: usize) -> Vec<(String, Vec2)> {
    let named = |number: usize, name: &str| match (name, number) {
        ("", 0) => "UV".to_owned(),
        ("", number) => format!("UV {number}"),
        (name, _) => format!("UV {name}"),
    };
    match &mesh.vertices {
        VertexData::Streams(streams) => {
            let sets = streams.uv_sets.iter().enumerate();
            let at = sets.filter_map(|(number, set)| {
                let coords = set.coords.get(index).copied()?;
                Some((named(number, &set.name), coords))
            });
            at.collect()
        }
        VertexData::Packed(_) => mesh.uv(index).map(|uv| (named(0, ""), uv)).into_iter().collect(),
    }
}
