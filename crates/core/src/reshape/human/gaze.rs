//! The direction of the gaze that gives the rotations of an eye.
//!
//! An avatar states how far its eyes turn for a gaze; the eyes of others turn as far as the gaze does. An eye that turns as
//! far as it can only shows the least angle of the gaze, so that the eye with the larger one counts.

use glam::{Affine3A, EulerRot, Quat, Vec3};

use super::rotation_of;
use crate::model::{BoneId, Clip, IdVec, Interpolation, LookAt, LookAtRange, Model, Motion, Track};
use crate::pose::read_track;
use crate::rig::{BodyBones, BodyPart, Side};

/// Keys per key of the eyes: the gaze isn't proportional to their rotation.
const PARTS: u8 = 8;

/// The eyes of a human.
pub(super) struct Eyes {
    eyes: Vec<Eye>,
    look_at: Option<LookAt>,
    /// Their middle at rest, after the turn to the front.
    pub(super) middle: Vec3,
}

struct Eye {
    bone: BoneId,
    is_left: bool,
    /// The rotation of the parent at rest, after the turn to the front.
    parent: Quat,
    rest: Quat,
}

impl Eyes {
    /// `None` if the model has no eyes, or if expressions follow its gaze.
    pub(super) fn of(model: &Model, facing: Quat, rest: &IdVec<BoneId, Affine3A>) -> Option<Self> {
        let avatar = model.avatar.as_deref();
        let look_at = avatar.and_then(|avatar| avatar.look_at);
        if look_at.is_some_and(|own| own.by_expressions) {
            return None;
        }
        let body = BodyBones::of(&model.skeleton, avatar);
        let eye = |side| {
            let id = body.part(BodyPart::Eye, Some(side))?;
            let bone = model.skeleton.bones().get(id)?;
            let parent = bone.parent.map_or(Affine3A::IDENTITY, |parent| rest[parent]);
            Some(Eye {
                bone: id,
                is_left: side == Side::Left,
                parent: facing * rotation_of(&parent),
                rest: bone.rest_local.to_trs().rotation,
            })
        };
        let eyes: Vec<Eye> = [Side::Left, Side::Right].into_iter().filter_map(eye).collect();
        let sum: Vec3 = eyes.iter().map(|eye| Vec3::from(rest[eye.bone].translation)).sum();
        let middle = facing * (sum / eyes.len() as f32);
        (!eyes.is_empty()).then_some(Self { eyes, look_at, middle })
    }

    pub(super) fn bones(&self) -> Vec<BoneId> {
        self.eyes.iter().map(|eye| eye.bone).collect()
    }

    /// The gaze over a clip; `None` if no eye is animated.
    pub(super) fn track(&self, clip: &Clip) -> Option<Track<Quat>> {
        let Motion::Tracks(tracks) = &clip.motion else { return None };
        let rotation = |eye: &Eye| {
            let track = tracks.iter().find(|track| track.bone == eye.bone)?;
            track.rotation.as_ref()
        };
        let turning: Vec<(&Eye, &Track<Quat>)> =
            self.eyes.iter().filter_map(|eye| Some((eye, rotation(eye)?))).collect();
        let (_, first) = turning.first()?;
        let gaze = |time: &f64| {
            let turned = turning
                .iter()
                .filter_map(|(eye, track)| Some(self.angles(eye, read_track(track, *time)?)));
            let larger = |a: f32, b: f32| if b.abs() > a.abs() { b } else { a };
            let [yaw, pitch] =
                turned.fold([0.0; 2], |most, own| [0, 1].map(|at| larger(most[at], own[at])));
            Quat::from_euler(EulerRot::YXZ, yaw, pitch, 0.0)
        };
        let (times_secs, interpolation) = match first.interpolation {
            Interpolation::Step => (first.times_secs.clone(), Interpolation::Step),
            _ => (divided(&first.times_secs), Interpolation::Linear),
        };
        Some(Track { values: times_secs.iter().map(gaze).collect(), times_secs, interpolation })
    }

    /// The angles of the gaze to the left and down, for a rotation of an eye relative to its parent.
    fn angles(&self, eye: &Eye, rotation: Quat) -> [f32; 2] {
        let turn = eye.parent * (rotation * eye.rest.inverse()) * eye.parent.inverse();
        let (yaw, pitch, _) = turn.normalize().to_euler(EulerRot::YXZ);
        let angle = |angle: f32, [positive, negative]: [LookAtRange; 2]| {
            let range = if angle < 0.0 { negative } else { positive };
            range.input_deg(angle.to_degrees().abs()).to_radians() * angle.signum()
        };
        match &self.look_at {
            Some(LookAt { inner, outer, down, up, .. }) => {
                let [to_left, to_right] =
                    if eye.is_left { [*outer, *inner] } else { [*inner, *outer] };
                [angle(yaw, [to_left, to_right]), angle(pitch, [*down, *up])]
            }
            None => [yaw, pitch],
        }
    }
}

/// `times`, and others at equal distances between each two.
fn divided(times: &[f64]) -> Vec<f64> {
    let part = |from: f64, to: f64, part| from + (to - from) * f64::from(part) / f64::from(PARTS);
    let between = times.windows(2).flat_map(|pair| match pair {
        [from, to] => (0..PARTS).map(|at| part(*from, *to, at)).collect(),
        _ => Vec::new(),
    });
    between.chain(times.last().copied()).collect()
}
