//! The gaze of an animation for avatars: its angles, and the eyes that follow it.
//!
//! Source: VRM Consortium, "VRMC_vrm_animation-1.0" (`lookAt`) and "VRM 1.0", `lookAt.md`. The direction of the gaze
//! isn't corrected for eyes at another place of the head.
//!
//! Ambiguous: three-vrm 3.5.5 uses the range for looking down when bones of eyes look up, and the other way round; this
//! follows the specification.

use glam::{Affine3A, EulerRot, Quat};

use crate::model::{BoneId, IdVec, LookAt, Model, SpaceChange};
use crate::pose::base_pose::from_locals;

/// The angles of a gaze in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gaze {
    /// To the left.
    pub(super) yaw_deg: f32,
    /// Downwards.
    pub(super) pitch_deg: f32,
}

impl Gaze {
    /// The gaze of a bone with this rotation relative to its parent.
    pub(super) fn of(rotation: Quat) -> Self {
        let (yaw, pitch, _) = rotation.to_euler(EulerRot::YXZ);
        Self { yaw_deg: yaw.to_degrees(), pitch_deg: pitch.to_degrees() }
    }

    /// The weights of the presets `lookUp`, `lookDown`, `lookLeft` and `lookRight`.
    pub(super) fn weights(self, look_at: &LookAt) -> [(&'static str, f32); 4] {
        let output = |range: crate::model::LookAtRange, angle: f32| {
            range.output(angle.max(0.0)).clamp(0.0, 1.0)
        };
        [
            ("lookUp", output(look_at.up, -self.pitch_deg)),
            ("lookDown", output(look_at.down, self.pitch_deg)),
            ("lookLeft", output(look_at.outer, self.yaw_deg)),
            ("lookRight", output(look_at.outer, -self.yaw_deg)),
        ]
    }
}

/// The eyes of an avatar.
#[derive(Clone, Debug)]
pub(super) struct Eyes {
    /// The bone of the animation whose rotation is the gaze.
    source: BoneId,
    look_at: LookAt,
    change: SpaceChange,
    eyes: Vec<Eye>,
}

#[derive(Clone, Debug)]
struct Eye {
    bone: BoneId,
    is_left: bool,
    /// The rotation of the parent in the rest pose of the model.
    parent: Quat,
}

impl Eyes {
    /// `None` if the animation has no gaze, or if the model has no eyes that follow one.
    pub(super) fn of(animation: &Model, model: &Model, change: &SpaceChange) -> Option<Self> {
        let source = animation.avatar.as_ref()?.gaze?;
        let avatar = model.avatar.as_ref()?;
        let look_at = avatar.look_at.filter(|look_at| !look_at.by_expressions)?;
        let rest = from_locals(&model.skeleton, model.skeleton.rest_locals().clone());
        let eye = |(name, is_left): (&str, bool)| {
            let bone = avatar.human_bone(name)?;
            let parent = model.skeleton.bones().get(bone)?.parent;
            let parent = parent.map_or(Affine3A::IDENTITY, |parent| rest.model_from_bone[parent]);
            let parent = parent.to_scale_rotation_translation().1;
            Some(Eye { bone, is_left, parent })
        };
        let eyes: Vec<Eye> =
            [("leftEye", true), ("rightEye", false)].into_iter().filter_map(eye).collect();
        (!eyes.is_empty()).then_some(Self { source, look_at, change: *change, eyes })
    }

    /// Turns the eyes, given the local matrices of both skeletons.
    pub(super) fn turn(
        &self,
        there: &IdVec<BoneId, Affine3A>,
        rest: &IdVec<BoneId, Affine3A>,
        parent_from_bone: &mut IdVec<BoneId, Affine3A>,
    ) {
        let Some(source) = there.get(self.source) else { return };
        let gaze = Gaze::of(source.to_scale_rotation_translation().1);
        for eye in &self.eyes {
            let Self { look_at, change, .. } = self;
            let pitch = if gaze.pitch_deg < 0.0 {
                -look_at.up.output(-gaze.pitch_deg)
            } else {
                look_at.down.output(gaze.pitch_deg)
            };
            let is_outwards = (gaze.yaw_deg > 0.0) == eye.is_left;
            let range = if is_outwards { look_at.outer } else { look_at.inner };
            let yaw = range.output(gaze.yaw_deg.abs()) * gaze.yaw_deg.signum();
            let turn = Quat::from_euler(EulerRot::YXZ, yaw.to_radians(), pitch.to_radians(), 0.0);
            let turn = eye.parent.inverse() * change.rotation(turn) * eye.parent;
            if let (Some(rest), Some(own)) =
                (rest.get(eye.bone), parent_from_bone.get_mut(eye.bone))
            {
                let (scale, rotation, place) = rest.to_scale_rotation_translation();
                *own = Affine3A::from_scale_rotation_translation(scale, turn * rotation, place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::LookAtRange;

    #[test]
    fn the_gaze_to_the_left_and_down_has_positive_angles() {
        let rotation = Quat::from_rotation_y(0.3) * Quat::from_rotation_x(0.2);
        let gaze = Gaze::of(rotation);
        assert!((gaze.yaw_deg - 0.3f32.to_degrees()).abs() < 1e-3, "{gaze:?}");
        assert!((gaze.pitch_deg - 0.2f32.to_degrees()).abs() < 1e-3, "{gaze:?}");
        // Left is +X, and the front +Z.
        let direction = rotation * glam::Vec3::Z;
        assert!(direction.x > 0.0 && direction.y < 0.0);
    }

    #[test]
    fn ranges_end_at_their_largest_angle() {
        let range = |most_output| LookAtRange { most_input_deg: 60.0, most_output };
        let look_at = LookAt {
            by_expressions: true,
            inner: range(9.0),
            outer: range(0.5),
            down: range(1.0),
            up: range(2.0),
        };
        let weights = |yaw_deg, pitch_deg| {
            Gaze { yaw_deg, pitch_deg }.weights(&look_at).map(|(_, weight)| weight)
        };
        assert_eq!(weights(30.0, 90.0), [0.0, 1.0, 0.25, 0.0]);
        assert_eq!(weights(-90.0, -15.0), [0.5, 0.0, 0.0, 0.5]);
    }
}
