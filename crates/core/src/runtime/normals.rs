//! The matrix of normals, and whether it tilts them.

use super::playback_difference::PlaybackDifference;
use super::{NormalNode, Rules, split_nodes};
use crate::model::{
    Bone, BoneId, ClipId, IdVec, Mesh, MeshId, Model, NormalMatrix, Place, Skin, SkinNormals,
    as_u32, spread,
};
use crate::pose::{NormalDeviation, PoseSpec, normal_errors, sample};

/// Smaller angles can't be seen.
const LIMIT_DEG: f32 = 1.0;
/// The most clips, and moments per clip, that are measured.
const MAX_CLIPS: usize = 16;
const MOMENTS_PER_CLIP: usize = 9;
/// The most vertices that are measured in a pose.
const MAX_VERTICES: usize = 4000;

/// Scales per axis that differ by less are the same.
const SCALE_TOLERANCE: f32 = 1e-3;

/// Sets the matrix of normals.
pub(super) fn apply(model: &mut Model, rules: &Rules) {
    model.normal_matrix = rules.normals;
    model.clip_blending = rules.clip_blending;
    for mesh in &mut model.meshes {
        let stored = mesh.stored.as_deref();
        let node = stored.and_then(|stored| stored.node);
        let node = node.filter(|node| model.skeleton.bones().contains_id(*node));
        let Skin::InverseBind(skin) = &mut mesh.skin else { continue };
        skin.normals = match (rules.normal_node, node) {
            (NormalNode::OfMesh, Some(node)) => SkinNormals::ThenNode(node),
            (NormalNode::AboveSkeleton, _) => {
                let root = split_nodes::skeleton_root(model.skeleton.bones(), stored, &skin.bones);
                let above = root.and_then(|root| model.skeleton.bones().get(root)?.parent);
                if has_uneven_ancestor(model.skeleton.bones(), above) {
                    SkinNormals::InverseTranspose
                } else {
                    SkinNormals::Same
                }
            }
            _ => SkinNormals::Same,
        };
    }
}

/// Whether a node or an ancestor of it has different scales per axis.
fn has_uneven_ancestor(bones: &IdVec<BoneId, Bone>, node: Option<BoneId>) -> bool {
    let parent = |node: &BoneId| bones.get(*node)?.parent;
    std::iter::successors(node, parent).any(|node| {
        let scale = bones[node].rest_local.to_trs().scale.abs();
        scale.max_element() - scale.min_element() > SCALE_TOLERANCE * scale.max_element()
    })
}

/// Reports the mesh whose normals a bone tilts most in the poses of the model as it is played.
pub(super) fn check(played: &Model, differences: &mut Vec<PlaybackDifference>) {
    if played.normal_matrix.is_perpendicular() || played.normal_matrix == NormalMatrix::Cofactor {
        return;
    }
    let mut worst: Option<(f32, usize, u32)> = None;
    for spec in moments(played) {
        let pose = sample(played, &spec);
        for (number, mesh) in played.meshes.iter().enumerate() {
            let of_mesh = pose.of_mesh(MeshId::from_index(number), mesh);
            let mut deviations = vec![NormalDeviation::WithinLimit; mesh.num_vertices()];
            let step = mesh.num_vertices().div_ceil(MAX_VERTICES).max(1);
            for error in normal_errors(mesh, &of_mesh, step, LIMIT_DEG, &mut deviations) {
                let is_worst = worst.is_none_or(|(angle_deg, ..)| error.angle_deg > angle_deg);
                if error.deviation == NormalDeviation::FromBone && is_worst {
                    worst = Some((error.angle_deg, number, as_u32(error.vertex)));
                }
            }
        }
    }
    if let Some((angle_deg, mesh, vertex)) = worst {
        differences.push(PlaybackDifference {
            kind: "normals-tilted",
            text: format!(
                "normals on bones or nodes with different scales per axis are tilted by up to {angle_deg:.0}°"
            ),
            place: Place::Vertex { mesh: as_u32(mesh), vertex },
            count: 1,
        });
    }
}

/// The rest pose, and evenly spread moments of the clips.
fn moments(model: &Model) -> Vec<PoseSpec> {
    let mut all = vec![PoseSpec::default()];
    if !model.meshes.iter().any(|mesh: &Mesh| mesh.num_vertices() > 0) {
        return all;
    }
    for number in spread(model.clips.len(), MAX_CLIPS) {
        let id = ClipId::from_index(number);
        let clip = &model.clips[id];
        all.extend((0..MOMENTS_PER_CLIP).map(|part| {
            let share = part as f64 / (MOMENTS_PER_CLIP - 1) as f64;
            PoseSpec::linear(id, clip.start_secs + clip.duration_secs.max(0.0) * share)
        }));
    }
    all
}
