//! Skins: influences and inverse bind matrices.

use glam::{Affine3A, Mat4};

use super::lengths::Lengths;
use super::numbers::BlendingText;
use super::parse::named;
use super::rows::Rows;
use super::schema::{MeshText, matrix, vectors};
use crate::formats::ReadError;
use rigscope_core::model::value_names::Names;
use rigscope_core::model::{
    Blending, BoneId, BoneLocalInfluence, BoneLocalSkin, IdVec, Influences, InverseBindSkin, Skin,
    as_u32,
};

/// Inverse bind matrices of the bones at rest.
pub(super) type Binds = IdVec<BoneId, Option<Affine3A>>;

/// The ways to blend that are the same for all vertices.
const BLENDING: &Names<bool> = &[("linear", false), ("dual-quaternion", true)];

pub(super) fn skin(text: &MeshText, at: &Lengths, binds: &Binds) -> Result<Skin, ReadError> {
    let (joints, weights) = match (&text.joints, &text.weights) {
        (None, None) => return Ok(Skin::None),
        (Some(joints), Some(weights)) => (joints, weights),
        (Some(_), None) => return Err(at.fault("joints needs weights")),
        (None, Some(_)) => return Err(at.fault("weights needs joints")),
    };
    at.check("joints", joints.len(), at.num_vertices, "positions")?;
    at.check("weights", weights.len(), at.num_vertices, "positions")?;
    let mut lengths = joints.lengths().zip(weights.lengths());
    if let Some(vertex) = lengths.position(|(joints, weights)| joints != weights) {
        return Err(at.fault(&format!("joints[{vertex}] and weights[{vertex}] differ in length")));
    }
    if text.influence_positions.is_some() || text.influence_normals.is_some() {
        return bone_local(text, at, joints, weights);
    }
    let bones: Vec<BoneId> = match &text.skin_bones {
        Some(bones) => bones.iter().copied().map(BoneId).collect(),
        None => binds.ids().collect(),
    };
    if bones.is_empty() && !joints.values.is_empty() {
        return Err(at.fault("joints needs bones"));
    }
    let bone_from_mesh: Vec<Mat4> = match &text.inverse_bind_matrices {
        Some(matrices) if matrices.is_empty() => Vec::new(),
        Some(matrices) => {
            let other = if text.skin_bones.is_some() { "skin_bones" } else { "bones" };
            at.check("inverse_bind_matrices", matrices.len(), bones.len(), other)?;
            matrices.iter().map(matrix).collect()
        }
        None => {
            // A bone that doesn't exist is found by the check of the model.
            let at_rest = |bone: &BoneId| binds.get(*bone).copied().flatten().unwrap_or_default();
            bones.iter().map(|bone| Mat4::from(at_rest(bone))).collect()
        }
    };
    let influences = influences(joints, weights);
    Ok(Skin::InverseBind(InverseBindSkin {
        bones,
        bone_from_mesh,
        influences,
        blending: blending(text, at)?,
        ..InverseBindSkin::default()
    }))
}

/// Influences with positions and normals in the space of their bones.
fn bone_local(
    text: &MeshText,
    at: &Lengths,
    joints: &Rows<u32>,
    weights: &Rows<f32>,
) -> Result<Skin, ReadError> {
    let (Some(positions), Some(normals)) = (&text.influence_positions, &text.influence_normals)
    else {
        return Err(at.fault("influence_positions and influence_normals need each other"));
    };
    if text.skin_bones.is_some() || text.inverse_bind_matrices.is_some() {
        let what = "influence_positions can't be combined with skin_bones or inverse_bind_matrices";
        return Err(at.fault(what));
    }
    let num = joints.values.len();
    at.check("influence_positions", positions.len(), num, "joints")?;
    at.check("influence_normals", normals.len(), num, "joints")?;
    let places = vectors(positions.clone()).into_iter().zip(vectors(normals.clone()));
    let weighted = joints.values.iter().zip(&weights.values);
    let influences = weighted.zip(places).map(|((&bone, &weight), (position, normal))| {
        BoneLocalInfluence { bone: BoneId(bone), weight, position, normal }
    });
    Ok(Skin::BoneLocal(BoneLocalSkin {
        first: joints.first.clone(),
        influences: influences.collect(),
    }))
}

fn blending(text: &MeshText, at: &Lengths) -> Result<Blending, ReadError> {
    match &text.blending {
        None => Ok(Blending::Linear),
        Some(BlendingText::Shares(shares)) => {
            at.check("blending", shares.len(), at.num_vertices, "positions")?;
            Ok(Blending::Mixed(shares.clone()))
        }
        Some(BlendingText::Name(name)) => {
            let path = format!("meshes[{}].blending", at.mesh);
            let is_dual = named("meshes", &path, Some(name), BLENDING)?.unwrap_or_default();
            Ok(if is_dual { Blending::DualQuaternion } else { Blending::Linear })
        }
    }
}

/// Without entries of weight 0, which fill lists of a fixed length.
fn influences(joints: &Rows<u32>, weights: &Rows<f32>) -> Influences {
    let (mut first, mut slots, mut used) = (vec![0], Vec::new(), Vec::new());
    let mut pairs = joints.values.iter().zip(&weights.values);
    for num in joints.lengths() {
        for (&slot, &weight) in pairs.by_ref().take(num) {
            if weight != 0.0 {
                slots.push(slot);
                used.push(weight);
            }
        }
        first.push(as_u32(slots.len()));
    }
    Influences::Rows { first, slots, weights: used }
}
