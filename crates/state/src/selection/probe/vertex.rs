//! Details of a vertex: decoded values, raw values, its bytes and its current position.

use glam::{Vec2, Vec3, Vec4};

use super::quantised::Quantised;
use crate::{AppState, Document, Selection};
use rigscope_core::model::{
    BoneId, Element, Mesh, MeshId, PackedVertex, Span, VertexData, VertexId,
};
use rigscope_core::pose::{sample, skin_vertex};

/// The weight of a bone on a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    pub bone: BoneId,
    pub weight: f32,
}

/// Details of a vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexProbe {
    pub mesh: MeshId,
    pub vertex: VertexId,
    /// Stored position, mesh space.
    pub position: Vec3,
    /// Position in the current pose, display space.
    pub posed_position: Vec3,
    /// Stored normal, if the file has normals.
    pub normal: Option<Vec3>,
    /// Stored tangent, with the bitangent sign in `w`.
    pub tangent: Option<Vec4>,
    /// All UV sets with their names, V down.
    pub uvs: Vec<(String, Vec2)>,
    /// Linear RGBA, if the file has vertex colours.
    pub color: Option<Vec4>,
    /// Deviations after packing; `None` if the vertex is packed already.
    pub quantised: Option<Quantised>,
    /// Influences with non-zero weight, normalised.
    pub influences: Vec<Influence>,
    /// The stored record, if the vertex is packed.
    pub packed: Option<PackedVertex>,
    /// The bytes of the vertex in each array that contains it: the span of the array, the file
    /// offset and the bytes.
    pub bytes: Vec<(Span, u64, Vec<u8>)>,
}

impl AppState {
    /// Details of the selected vertex.
    pub fn vertex_probe(&self) -> Option<VertexProbe> {
        let (document, mesh, id, vertex) = self.selected_vertex()?;
        let index = vertex.index();
        let mut influences = Vec::new();
        mesh.for_each_influence(index, |bone, weight| {
            if weight > 0.0 {
                influences.push(Influence { bone, weight });
            }
        });
        let files = document.byte_files().filter_map(|file| document.bytes_of(file));
        let bytes = files.flat_map(|(_, content, provenance)| {
            provenance.all(Element::Vertex { mesh: id.0 }).filter_map(move |span| {
                let record = span.record(u64::from(vertex.0))?;
                let start = record.start;
                let bytes = content.part(record).ok()?.to_vec();
                Some((span.clone(), start, bytes))
            })
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
        Some((document, document.model.meshes.get(mesh)?, mesh, vertex))
    }

    /// The position of the selected vertex in the current pose, display space.
    pub fn selected_position(&self) -> Option<Vec3> {
        let (document, mesh, id, vertex) = self.selected_vertex()?;
        let pose = sample(&document.model, &self.tab.playback.pose_spec());
        let posed = skin_vertex(mesh, vertex.index(), &pose.of_mesh(id, mesh))?;
        let display_from_file = document.model.axes.display_from_file();
        Some(display_from_file.transform_point3(posed))
    }
}

/// All UV sets of a vertex; sets without a name are named by number.
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
