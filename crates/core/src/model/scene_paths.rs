//! Where the parts of a model are in files that name their contents by paths, such as stages of USD.

use std::sync::Arc;

use super::{BoneId, ClipId, IdVec, MaterialId, MeshId, Place, VertexId};

/// The paths of a model's parts; a part without one has an empty text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScenePaths {
    /// Meshes, with their points.
    pub meshes: IdVec<MeshId, MeshPath>,
    /// Bones: nodes, or an element of a list of joints.
    pub bones: IdVec<BoneId, String>,
    /// Materials.
    pub materials: IdVec<MaterialId, String>,
    /// Clips.
    pub clips: IdVec<ClipId, String>,
}

/// The path of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshPath {
    /// The path of the mesh.
    pub path: String,
    /// The name of the list of positions.
    pub points: &'static str,
    /// The place of each vertex in that list; empty if vertices have the same order.
    pub point_of_vertex: Arc<[u32]>,
}

impl MeshPath {
    /// The path of a vertex's position, such as `/Hero/Body.points[812]`.
    pub fn of_vertex(&self, vertex: VertexId) -> String {
        let point = self.point_of_vertex.get(vertex.index()).copied().unwrap_or(vertex.0);
        format!("{}.{}[{point}]", self.path, self.points)
    }
}

impl ScenePaths {
    /// The path of a part of the model; `None` for the file and for parts without a path.
    pub fn of_place(&self, place: Place) -> Option<String> {
        let of_bone = |bone: u32| self.bones.get(BoneId(bone)).cloned();
        let of_mesh = |mesh: u32| self.meshes.get(MeshId(mesh));
        let path = match place {
            Place::File | Place::Offset(_) | Place::Line { .. } => None,
            Place::Vertex { mesh, vertex } => Some(of_mesh(mesh)?.of_vertex(VertexId(vertex))),
            Place::Mesh(mesh) | Place::Subset { mesh, .. } | Place::Triangle { mesh, .. } => {
                Some(of_mesh(mesh)?.path.clone())
            }
            Place::Bone(bone) | Place::Key { bone, .. } => of_bone(bone),
            Place::Moment { bone, .. } => bone.and_then(of_bone),
            Place::Material(material) => self.materials.get(MaterialId(material)).cloned(),
            Place::Clip(clip) => self.clips.get(ClipId(clip)).cloned(),
        };
        path.filter(|path| !path.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_are_named_by_their_points() {
        let mut path =
            MeshPath { path: "/A/B".to_owned(), points: "points", ..MeshPath::default() };
        assert_eq!(path.of_vertex(VertexId(2)), "/A/B.points[2]");
        path.point_of_vertex = Arc::from([4, 4, 0]);
        assert_eq!(path.of_vertex(VertexId(1)), "/A/B.points[4]");
    }
}
