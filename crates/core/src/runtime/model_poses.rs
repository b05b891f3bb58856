//! Clips of raylib, which stores the pose of each frame in the space of the model, and blends these.
//!
//! The rotations of a bone and its parents are multiplied, and so are their scales, axis by axis; a translation is rotated
//! by its parents, but not scaled (raylib 6.5-dev, rmodels.c: BuildPoseFromParentJoints, UpdateModelAnimation). Without a
//! clip, vertices are drawn as stored.

use std::sync::Arc;

use glam::{Affine3A, Mat4, Quat, Vec3};

use super::Rules;
use super::playback_difference::PlaybackDifference;
use crate::model::{
    BoneId, BoneTrack, Clip, Curves, IdVec, LiveCurves, LocalTransform, Model, Motion, Place, Skin,
    Trs, unit,
};
use crate::pose::{Curve, read_track};

/// Transforms of a clip, over all bones and frames.
const MAX_TRANSFORMS: usize = 1 << 21;
/// Rotations with a larger dot product are interpolated component by component.
const LERP_ABOVE: f32 = 0.95;

/// Replaces clips, inverse bind matrices and rest transforms.
pub(super) fn apply(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    if !rules.blends_in_model {
        return;
    }
    let parents: Arc<IdVec<BoneId, Option<BoneId>>> =
        Arc::new(model.skeleton.bones().iter().map(|bone| bone.parent).collect());
    let order: Arc<[BoneId]> = model.skeleton.parents_first().into();
    let rest: IdVec<BoneId, Trs> =
        model.skeleton.bones().iter().map(|bone| bone.rest_local.to_trs()).collect();
    let model_from_bone = multiplied(&rest, &parents, &order);
    let mut origin = None;
    for mesh in &mut model.meshes {
        let Skin::InverseBind(skin) = &mut mesh.skin else { continue };
        for (bone, bind) in skin.bones.iter().zip(&mut skin.bone_from_mesh) {
            if *bind == Mat4::from_scale(Vec3::ZERO) {
                // The bone of missing weights, see `influences`.
                origin = Some(*bone);
                *bind = Mat4::IDENTITY;
            } else if let Some(own) = model_from_bone.get(*bone) {
                *bind = own.to_affine().inverse().into();
            }
        }
    }
    let (mut first, mut count) = (None, 0);
    for (number, clip) in (0u32..).zip(&mut model.clips) {
        if let Some(frames) = frames(clip, &rest, &parents, &order) {
            let (parents, order) = (Arc::clone(&parents), Arc::clone(&order));
            let poses = ModelPoses { parents, order, frames, origin };
            clip.motion = Motion::Curves(LiveCurves(Arc::new(poses)));
            first.get_or_insert(number);
            count += 1;
        } else if matches!(clip.motion, Motion::Tracks(_)) {
            differences.push(PlaybackDifference {
                kind: "unpredicted",
                text: "clips with that many frames are blended differently (not predicted)"
                    .to_owned(),
                place: Place::Clip(number),
                count: 1,
            });
        }
    }
    let locals = parent_from_bone(&model_from_bone, &parents);
    for (bone, local) in locals.iter_enumerated() {
        model.skeleton.set_rest(bone, LocalTransform::Matrix(*local));
    }
    if let Some(first) = first {
        differences.push(PlaybackDifference {
            kind: "poses-blended",
            text:
                "frames are blended in the space of the model, and scales are multiplied per axis"
                    .to_owned(),
            place: Place::Clip(first),
            count,
        });
    }
}

/// The transforms of all bones in the space of the model, as raylib multiplies them.
fn multiplied(
    locals: &IdVec<BoneId, Trs>,
    parents: &IdVec<BoneId, Option<BoneId>>,
    order: &[BoneId],
) -> IdVec<BoneId, Trs> {
    let mut all = locals.clone();
    for &bone in order {
        let parent = parents.get(bone).copied().flatten();
        let parent = parent.and_then(|parent| all.get(parent)).copied();
        if let (Some(parent), Some(own)) = (parent, all.get_mut(bone)) {
            own.translation = parent.rotation * own.translation + parent.translation;
            own.rotation = parent.rotation * own.rotation;
            own.scale *= parent.scale;
        }
    }
    all
}

/// The local transforms that lead to these.
fn parent_from_bone(
    all: &IdVec<BoneId, Trs>,
    parents: &IdVec<BoneId, Option<BoneId>>,
) -> IdVec<BoneId, Affine3A> {
    let local = |(bone, own): (BoneId, &Trs)| {
        let parent = parents.get(bone).copied().flatten().and_then(|parent| all.get(parent));
        match parent {
            Some(parent) => parent.to_affine().inverse() * own.to_affine(),
            None => own.to_affine(),
        }
    };
    all.iter_enumerated().map(local).collect()
}

/// The time and pose of each frame of a clip; `None` if it isn't made of tracks.
fn frames(
    clip: &Clip,
    rest: &IdVec<BoneId, Trs>,
    parents: &IdVec<BoneId, Option<BoneId>>,
    order: &[BoneId],
) -> Option<Vec<(f64, IdVec<BoneId, Trs>)>> {
    let Motion::Tracks(tracks) = &clip.motion else { return None };
    let mut times: Vec<f64> = tracks.iter().flat_map(BoneTrack::times).flatten().copied().collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    if times.len().saturating_mul(rest.len()) > MAX_TRANSFORMS {
        return None;
    }
    let frame = |time: f64| {
        let mut locals = rest.clone();
        for track in tracks {
            let Some(local) = locals.get_mut(track.bone) else { continue };
            set(&mut local.translation, track.translation.as_ref(), time);
            set(&mut local.rotation, track.rotation.as_ref(), time);
            set(&mut local.scale, track.scale.as_ref(), time);
        }
        (time, multiplied(&locals, parents, order))
    };
    Some(times.into_iter().map(frame).collect())
}

fn set<T: Curve>(value: &mut T, track: Option<&crate::model::Track<T>>, time: f64) {
    if let Some(own) = track.and_then(|track| read_track(track, time)) {
        *value = own;
    }
}

/// The frames of a clip.
#[derive(Debug)]
struct ModelPoses {
    parents: Arc<IdVec<BoneId, Option<BoneId>>>,
    order: Arc<[BoneId]>,
    /// Times, and transforms in the space of the model.
    frames: Vec<(f64, IdVec<BoneId, Trs>)>,
    /// The bone to which vertices move by the weight that is missing.
    origin: Option<BoneId>,
}

impl Curves for ModelPoses {
    fn sample(&self, time_secs: f64, locals: &mut IdVec<BoneId, Affine3A>) {
        let next = self.frames.partition_point(|(time, _)| *time <= time_secs);
        let Some((start, from)) = self.frames.get(next.saturating_sub(1)) else { return };
        let (end, to) = self.frames.get(next).unwrap_or(&self.frames[next.saturating_sub(1)]);
        #[expect(clippy::cast_possible_truncation, reason = "shares are of single precision")]
        let share =
            if end > start { ((time_secs - start) / (end - start)).max(0.0) as f32 } else { 0.0 };
        let blended: IdVec<BoneId, Trs> = from
            .iter()
            .zip(to)
            .map(|(from, to)| Trs {
                translation: from.translation.lerp(to.translation, share),
                rotation: blend(from.rotation, to.rotation, share),
                scale: from.scale.lerp(to.scale, share),
            })
            .collect();
        for &bone in &*self.order {
            if let (Some(local), Some(own)) = (locals.get_mut(bone), blended.get(bone)) {
                let parent = self.parents.get(bone).copied().flatten();
                let parent = parent.and_then(|parent| blended.get(parent));
                let from_parent =
                    parent.map_or(Affine3A::IDENTITY, |parent| parent.to_affine().inverse());
                let own = from_parent * own.to_affine();
                if own.is_finite() {
                    *local = own;
                }
            }
        }
        if let Some(local) = self.origin.and_then(|origin| locals.get_mut(origin)) {
            *local = Affine3A::from_scale(Vec3::ZERO);
        }
    }

    fn key_times_secs(&self) -> Vec<f64> {
        self.frames.iter().map(|(time, _)| *time).collect()
    }
}

/// raylib 6.5-dev, raymath.h: QuaternionSlerp.
fn blend(from: Quat, to: Quat, share: f32) -> Quat {
    let dot = from.dot(to);
    let (to, dot) = if dot < 0.0 { (-to, -dot) } else { (to, dot) };
    if dot >= 1.0 {
        return from;
    }
    if dot > LERP_ABOVE {
        return unit(from * (1.0 - share) + to * share, 0.0);
    }
    let angle = dot.acos();
    let factor = |share: f32| (share * angle).sin() / angle.sin();
    from * factor(1.0 - share) + to * factor(share)
}
