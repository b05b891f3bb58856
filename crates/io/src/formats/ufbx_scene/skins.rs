//! Converts skin deformers to slots and influences.

use ufbx::{Node, SkinDeformer, SkinVertex, SkinningMethod};

use super::math;
use super::skeleton::NodeBones;
use crate::formats::Budget;
use rigscope_core::model::{Blending, BoneId, Influences, InverseBindSkin, as_u32};

/// The skin of a mesh at `node`, for vertices on `control_points`.
///
/// A vertex without influences follows the mesh's node, as in ufbx (`fallback` of
/// `ufbx_get_skin_vertex_matrix`).
///
/// # Errors
/// The number of bytes left, if influences need more.
pub(super) fn skin(
    deformer: &SkinDeformer,
    node: &Node,
    bones: &NodeBones,
    control_points: &[u32],
    budget: &mut Budget,
) -> Result<InverseBindSkin, u64> {
    let mut skin = InverseBindSkin::default();
    let slot_of_cluster: Vec<Option<u32>> = deformer
        .clusters
        .iter()
        .map(|cluster| {
            let bone = bones.of(cluster.bone_node.as_ref()?)?;
            Some(add_slot(&mut skin, bone, &cluster.geometry_to_bone))
        })
        .collect();
    let mut fallback = None;
    let (mut first, mut slots, mut weights) = (vec![0], Vec::new(), Vec::new());
    for (number, &point) in (0u32..).zip(control_points) {
        let vertex = vertex_at(deformer, point);
        let begin = vertex.weight_begin as usize;
        let end = begin.saturating_add(vertex.num_weights as usize);
        let own = deformer.weights.get(begin..end).unwrap_or_default();
        budget.take::<[u32; 2]>(own.len() + 1)?;
        let before = slots.len();
        for influence in own {
            let slot = slot_of_cluster.get(influence.cluster_index as usize);
            if let Some(&Some(slot)) = slot {
                slots.push(slot);
                weights.push(math::real(influence.weight));
            }
        }
        if slots.len() == before
            && let Some(bone) = bones.of(node)
        {
            let slot =
                *fallback.get_or_insert_with(|| add_slot(&mut skin, bone, &node.geometry_to_node));
            slots.push(slot);
            weights.push(1.0);
            if slot > 0 {
                budget.take::<[u32; 2]>(1)?;
                skin.unweighted_slots.push((number, 0));
            }
        }
        first.push(as_u32(slots.len()));
    }
    skin.influences = Influences::Rows { first, slots, weights };
    skin.blending = match deformer.skinning_method {
        SkinningMethod::Linear | SkinningMethod::Rigid => Blending::Linear,
        SkinningMethod::DualQuaternion => Blending::DualQuaternion,
        SkinningMethod::BlendedDqLinear => {
            budget.take::<f32>(control_points.len())?;
            let share = |&point: &u32| math::real(vertex_at(deformer, point).dq_weight);
            Blending::Mixed(control_points.iter().map(share).collect())
        }
    };
    Ok(skin)
}

fn vertex_at(deformer: &SkinDeformer, point: u32) -> SkinVertex {
    let vertex = deformer.vertices.get(point as usize);
    vertex.copied().unwrap_or_default()
}

fn add_slot(skin: &mut InverseBindSkin, bone: BoneId, bone_from_mesh: &ufbx::Matrix) -> u32 {
    skin.bones.push(bone);
    skin.bone_from_mesh.push(math::mat4(bone_from_mesh));
    BoneId::from_index(skin.bones.len() - 1).0
}
