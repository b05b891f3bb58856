//! Avatars: references to bones and morph targets, and numbers.

use crate::model::{Avatar, BoneId, ColliderShape, LookAtRange, Model};

/// Removes everything that refers to parts that `model` doesn't have, and numbers that aren't finite.
pub(super) fn check(avatar: &mut Avatar, model: &Model) {
    let is_bone = |bone: BoneId| model.skeleton.bones().contains_id(bone);
    avatar.humanoid.retain(|(bone, _)| is_bone(*bone));
    for expression in &mut avatar.expressions {
        expression.weights.retain(|weight| {
            let mesh = model.meshes.get(weight.mesh);
            weight.weight.is_finite()
                && mesh.is_some_and(|mesh| weight.target < mesh.morph_targets.len())
        });
        expression
            .colors
            .retain(|color| color.value.is_finite() && model.materials.contains_id(color.material));
        expression.driver = expression.driver.filter(|bone| is_bone(*bone));
    }
    avatar.gaze = avatar.gaze.filter(|bone| is_bone(*bone));
    avatar.look_at = avatar.look_at.filter(|look_at| {
        let ranges = [look_at.inner, look_at.outer, look_at.down, look_at.up];
        let is_valid = |range: &LookAtRange| {
            range.most_input_deg.is_finite()
                && range.most_input_deg > 0.0
                && range.most_output.is_finite()
        };
        ranges.iter().all(is_valid)
    });
    for spring in &mut avatar.springs {
        spring.segments.retain(|segment| {
            is_bone(segment.bone)
                && segment.tail.is_none_or(is_bone)
                && segment.tail_offset.is_finite()
                && segment.radius.is_finite()
        });
    }
    avatar.springs.retain(|spring| !spring.segments.is_empty());
    avatar.colliders.retain(|collider| {
        let is_finite = match collider.shape {
            ColliderShape::Sphere { radius } => radius.is_finite(),
            ColliderShape::Capsule { radius, tail } => radius.is_finite() && tail.is_finite(),
            ColliderShape::Plane { normal } => normal.is_finite(),
        };
        is_bone(collider.bone) && collider.center.is_finite() && is_finite
    });
}
