//! Points of a model that move with its pose.

use glam::Vec3;

use super::{BoneAnchors, Pose, bone_head, skin_vertex};
use crate::model::{BoneId, MeshId, Model, VertexId};

/// A point of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModelPoint {
    /// The head of a bone.
    Bone(BoneId),
    /// A vertex.
    Vertex { mesh: MeshId, vertex: VertexId },
}

impl ModelPoint {
    /// Whether `model` has the bone or vertex.
    pub fn exists_in(self, model: &Model) -> bool {
        match self {
            Self::Bone(bone) => bone.index() < model.skeleton.len(),
            Self::Vertex { mesh, vertex } => {
                let mesh = model.meshes.get(mesh);
                mesh.is_some_and(|mesh| vertex.index() < mesh.num_vertices())
            }
        }
    }

    /// The position in `pose`, file space: the drawn head of a bone, the skinned position of a
    /// vertex. `None` for a bone without a position.
    #[must_use]
    pub fn place(self, model: &Model, pose: &Pose, anchors: &BoneAnchors) -> Option<Vec3> {
        match self {
            Self::Bone(bone) => bone_head(model, pose, anchors, bone),
            Self::Vertex { mesh: id, vertex } => {
                let mesh = model.meshes.get(id)?;
                skin_vertex(mesh, vertex.index(), &pose.of_mesh(id, mesh))
            }
        }
    }
}
