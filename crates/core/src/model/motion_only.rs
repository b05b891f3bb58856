//! Reduces a model to the parts needed to pose it again once its vertices are elsewhere.

use super::{
    Blending, BoneLocalSkin, Influences, InverseBindSkin, Mesh, Model, MorphShape, MorphTarget,
    Motion, Skin,
};

impl Model {
    /// The model without its vertices, triangles and images. Keys, curves and vertex caches are
    /// shared; tracks are copied.
    #[must_use]
    pub fn without_vertices(&self) -> Self {
        Self {
            axes: self.axes,
            meshes: self.meshes.iter().map(mesh_without_vertices).collect(),
            skeleton: self.skeleton.clone(),
            clips: self.clips.clone(),
            hulls: self.hulls.clone(),
            occluder: self.occluder.clone(),
            stored_bounds: self.stored_bounds,
            avatar: self.avatar.clone(),
            default_pose: self.default_pose,
            normal_matrix: self.normal_matrix,
            clip_blending: self.clip_blending,
            ..Self::default()
        }
    }

    /// Whether a clip stores vertex positions of mesh `number`.
    pub fn has_vertex_cache(&self, number: usize) -> bool {
        self.clips.iter().any(|clip| match &clip.motion {
            Motion::VertexAnimation(cache) => cache.mesh.index() == number,
            _ => false,
        })
    }
}

fn mesh_without_vertices(mesh: &Mesh) -> Mesh {
    let shape =
        |shape: &MorphShape| MorphShape { full_weight: shape.full_weight, ..MorphShape::default() };
    let target = |target: &MorphTarget| MorphTarget {
        name: String::new(),
        default_weight: target.default_weight,
        shapes: target.shapes.iter().map(shape).collect(),
    };
    Mesh {
        skin: match &mesh.skin {
            Skin::None => Skin::None,
            Skin::InverseBind(skin) => Skin::InverseBind(InverseBindSkin {
                unweighted_slots: Vec::new(),
                lists_unknown_slots: false,
                outside: Vec::new(),
                node_transform: skin.node_transform,
                normals: skin.normals,
                negative: None,
                bones: skin.bones.clone(),
                bone_from_mesh: skin.bone_from_mesh.clone(),
                influences: match &skin.influences {
                    Influences::InVertices => Influences::InVertices,
                    Influences::Rows { .. } => Influences::default(),
                },
                in_first_set: Vec::new(),
                blending: match &skin.blending {
                    Blending::Mixed(_) => Blending::Mixed(Vec::new()),
                    other => other.clone(),
                },
            }),
            Skin::BoneLocal(_) => Skin::BoneLocal(BoneLocalSkin::default()),
        },
        attached_to: mesh.attached_to,
        morph_targets: mesh.morph_targets.iter().map(target).collect(),
        ..Mesh::default()
    }
}
