//! Binds a pose to one mesh.

use glam::{Affine3A, Mat3A, Vec3};

use super::Pose;
use crate::model::{Mesh, MeshId, NodeTransform, NormalMatrix, Skin, SkinNormals};

/// The inputs of skinning for one mesh at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshPose {
    /// The `model_from_mesh` matrix of each slot of the mesh's skin.
    ///
    /// Slots are those of the skin; for bone-local skins, bones (`model_from_bone`); for a mesh
    /// without a skin, a single slot.
    pub palette: Vec<Affine3A>,
    /// Weight of each morph target.
    pub morph_weights: Vec<f32>,
    /// Final positions in model space, to which neither morphs nor skin apply.
    pub positions: Option<Vec<Vec3>>,
    /// The rule by which normals and tangents are transformed.
    pub normal_matrix: NormalMatrix,
    /// A matrix that is applied to normals afterwards; see [`SkinNormals::ThenNode`].
    pub after_normals: Option<Mat3A>,
}

impl Pose {
    /// The inputs of skinning for `mesh`, which has the index `id` in the posed model.
    pub fn of_mesh(&self, id: MeshId, mesh: &Mesh) -> MeshPose {
        let cached = self.cached.as_ref().filter(|cached| cached.mesh == id);
        MeshPose {
            palette: self.bound_palette(id, mesh).unwrap_or_else(|| palette(mesh, self)),
            morph_weights: self.morph_weights.get(id.index()).cloned().unwrap_or_default(),
            positions: cached.map(|cached| cached.positions.clone()),
            normal_matrix: self.normal_matrix.of_mesh(mesh),
            after_normals: self.after_normals(mesh),
        }
    }

    /// The matrix of [`SkinNormals::ThenNode`]; `None` for other meshes, and for exact normals.
    fn after_normals(&self, mesh: &Mesh) -> Option<Mat3A> {
        let Skin::InverseBind(skin) = &mesh.skin else { return None };
        let SkinNormals::ThenNode(node) = skin.normals else { return None };
        if self.normal_matrix != NormalMatrix::SameIfSkinned {
            return None;
        }
        let inverse = self.model_from_bone.get(node)?.matrix3.inverse();
        inverse.is_finite().then(|| inverse.transpose() * inverse)
    }

    /// A single matrix for all slots of a skinned mesh in the bind pose.
    fn bound_palette(&self, id: MeshId, mesh: &Mesh) -> Option<Vec<Affine3A>> {
        let Skin::InverseBind(skin) = &mesh.skin else { return None };
        let placed = self.model_from_bound_mesh.as_ref()?.get(id.index())?;
        Some(vec![*placed; skin.bones.len()])
    }
}

/// The inverse of a transform without scale and shear.
fn rigid_inverse(transform: &Affine3A) -> Affine3A {
    let matrix3 = transform.matrix3.transpose();
    Affine3A { matrix3, translation: -(matrix3 * transform.translation) }
}

pub(super) fn palette(mesh: &Mesh, pose: &Pose) -> Vec<Affine3A> {
    let of_bone = pose.model_from_mesh.as_ref().unwrap_or(&pose.model_from_bone);
    match &mesh.skin {
        Skin::None => {
            vec![mesh.attached_to.map_or(Affine3A::IDENTITY, |bone| of_bone[bone])]
        }
        Skin::BoneLocal(_) => pose.model_from_bone.to_vec(),
        Skin::InverseBind(skin) => skin
            .bones
            .iter()
            .enumerate()
            .map(|(slot, &bone)| {
                let matrix = match skin.node_transform {
                    NodeTransform::Ignored => of_bone[bone],
                    NodeTransform::RigidInverse(node) => {
                        of_bone[node] * rigid_inverse(&of_bone[node]) * of_bone[bone]
                    }
                    NodeTransform::Relative { node, first } => {
                        of_bone[node] * of_bone[first].inverse() * of_bone[bone]
                    }
                };
                // Baked skinning matrices already contain the inverse bind matrix.
                match skin.bone_from_mesh.get(slot) {
                    Some(&inverse) if pose.model_from_mesh.is_none() => {
                        matrix * Affine3A::from_mat4(inverse)
                    }
                    _ => matrix,
                }
            })
            .collect(),
    }
}
