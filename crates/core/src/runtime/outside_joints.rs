//! Joints outside the scene that shows the mesh.

use glam::{Affine3A, Vec3};

use super::playback_difference::PlaybackDifference;
use super::{OutsideJoints, Rules, split_nodes};
use crate::model::{Bone, BoneId, BoneKind, IdVec, LocalTransform, Mesh, Model, Place, Skin};
use crate::pose::{Moment, PoseSpec, sample};

/// Replaces joints outside the shown scene.
pub(super) fn replace(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    if rules.outside_joints == OutsideJoints::Played || model.stored.depth_first.is_empty() {
        return;
    }
    let mut is_shown = vec![false; model.skeleton.len()];
    for node in &model.stored.depth_first {
        if let Some(flag) = is_shown.get_mut(node.index()) {
            *flag = true;
        }
    }
    let is_outside = |bone: &BoneId| is_shown.get(bone.index()) == Some(&false);
    let has_outside = model.meshes.iter().any(|mesh| match &mesh.skin {
        Skin::InverseBind(skin) => skin.bones.iter().any(is_outside),
        _ => false,
    });
    if !has_outside {
        return;
    }
    let still = PoseSpec { moment: Moment::Rest, ..PoseSpec::default() };
    let rest = sample(model, &still).model_from_bone;
    for (number, mesh) in (0u32..).zip(&mut model.meshes) {
        let node = mesh.stored.as_ref().and_then(|stored| stored.node);
        let from_rest = match rules.outside_joints {
            OutsideJoints::AtRestInSkeleton => above_skeleton(model.skeleton.bones(), mesh, &rest),
            _ => Affine3A::IDENTITY,
        };
        let Skin::InverseBind(skin) = &mut mesh.skin else { continue };
        let mut num = 0;
        for bone in skin.bones.iter_mut().filter(|bone| is_outside(bone)) {
            *bone = match (rules.outside_joints, node) {
                (OutsideJoints::NodeOfMesh, Some(node)) => node,
                _ => model.skeleton.push_root(Bone {
                    name: format!("{} (at rest)", model.skeleton.display_name(*bone)),
                    kind: BoneKind::Helper,
                    rest_local: LocalTransform::Matrix(from_rest * rest[*bone]),
                    ..Bone::default()
                }),
            };
            num += 1;
        }
        if num > 0 {
            differences.push(PlaybackDifference {
                kind: "joints-outside-scene",
                text: "joints outside the scene don't move".to_owned(),
                place: Place::Mesh(number),
                count: num,
            });
        }
    }
}

/// The inverse of the transform above the root of a skeleton, mirrored: the mesh isn't below the node by which Babylon.js
/// mirrors a file into its left-handed scene.
fn above_skeleton(
    bones: &IdVec<BoneId, Bone>,
    mesh: &Mesh,
    rest: &IdVec<BoneId, Affine3A>,
) -> Affine3A {
    let Skin::InverseBind(skin) = &mesh.skin else { return Affine3A::IDENTITY };
    let root = split_nodes::skeleton_root(bones, mesh.stored.as_deref(), &skin.bones);
    let above = root.and_then(|root| bones.get(root)?.parent);
    let mirror = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let above = above.and_then(|above| rest.get(above));
    above.map_or(Affine3A::IDENTITY, |above| mirror * above.inverse())
}
