//! What of a model is needed to pose it again and again.

use crate::model::{
    Blending, BoneLocalSkin, Influences, InverseBindSkin, Mesh, Model, MorphShape, MorphTarget,
    Motion, Skin,
};

/// The model without its vertices. Keys, curves and vertex caches are shared; tracks are not.
pub(super) fn without_vertices(model: &Model) -> Model {
    Model {
        axes: model.axes,
        meshes: model.meshes.iter().map(mesh_without_vertices).collect(),
        skeleton: model.skeleton.clone(),
        clips: model.clips.clone(),
        default_pose: model.default_pose,
        normal_matrix: model.normal_matrix,
        ..Model::default()
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
                bones: skin.bones.clone(),
                bone_from_mesh: skin.bone_from_mesh.clone(),
                influences: match &skin.influences {
                    Influences::InVertices => Influences::InVertices,
                    Influences::Rows { .. } => Influences::default(),
                },
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

/// Whether a clip holds finished positions of mesh `number`.
pub(super) fn has_vertex_cache(model: &Model, number: usize) -> bool {
    model.clips.iter().any(|clip| match &clip.motion {
        Motion::VertexCache(cache) => cache.mesh.index() == number,
        _ => false,
    })
}
