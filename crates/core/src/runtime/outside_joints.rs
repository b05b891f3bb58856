//! Joints outside the scene that shows the mesh.

use super::playback_difference::PlaybackDifference;
use super::{OutsideJoints, Rules};
use crate::model::{Bone, BoneId, BoneKind, Model, Place, Skin};

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
    let mut origin = None;
    for (number, mesh) in (0u32..).zip(&mut model.meshes) {
        let node = mesh.stored.as_ref().and_then(|stored| stored.node);
        let Skin::InverseBind(skin) = &mut mesh.skin else { continue };
        let mut num = 0;
        for bone in skin.bones.iter_mut().filter(|bone| is_outside(bone)) {
            *bone = match (rules.outside_joints, node) {
                (OutsideJoints::NodeOfMesh, Some(node)) => node,
                _ => *origin.get_or_insert_with(|| {
                    let (name, kind) = ("origin".to_owned(), BoneKind::Helper);
                    model.skeleton.push_root(Bone { name, kind, ..Bone::default() })
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
