//! A model as a human without rotations at rest, for formats that name the bones of a human.
//!
//! Each bone of the result is a bone that VRM names. The rest pose is a T-pose: arms to the sides, facing +Z, with the left
//! at +X. No bone has a rotation at rest, and all but the hips only turn. The motion of other bones of the source, such as
//! those in between, is included in the named ones. Further bones store the weights of expressions in their x, and the
//! gaze as a rotation.
//!
//! Source: VRM Consortium, "VRMC_vrm_animation-1.0" and "VRM 1.0", `tpose.md`.

mod expressions;
mod gaze;
mod keys;
mod t_pose;

use std::collections::{BTreeMap, BTreeSet};

use glam::{Affine3A, Quat, Vec3};

use crate::model::{
    Axes, Bone, BoneId, BoneTrack, Clip, ClipId, IdVec, LocalTransform, MeshId, Model, Motion,
    Skeleton, Track, Trs,
};
use crate::pose::{PoseSpec, sample};
use crate::rig::VrmBone;
use expressions::ExpressionKeys;
use gaze::Eyes;
use keys::Sampler;
use t_pose::TPose;

/// The result of [`human_form`].
#[derive(Clone, Debug)]
pub struct HumanForm {
    /// Bones and clips only. Its bones are those of `bones`, in order, and those of `expressions`.
    pub model: Model,
    /// Animated expressions: their numbers in the source, and the bones whose x is the weight.
    pub expressions: Vec<(usize, BoneId)>,
    /// If the eyes are animated: the bone whose rotation is the direction of the gaze, and the place between the eyes
    /// relative to the head.
    pub gaze: Option<(BoneId, Vec3)>,
    /// The bones of the eyes in the source, if the gaze moves them.
    pub eyes: Vec<BoneId>,
    /// Animated morph targets of the source that the expressions don't explain.
    pub unexplained: BTreeSet<(MeshId, usize)>,
    /// The names of VRM, and the bones of the source.
    pub bones: Vec<VrmBone>,
    /// The turn about the vertical axis by which the source was turned to face +Z, in radians.
    pub yaw_rad: f32,
    /// If limbs were turned into a T-pose: the bone of the source that was turned most, and the angle in radians.
    pub turned: Option<(BoneId, f32)>,
    /// Bones of the source, except the hips, that move along their parents in a clip, which the result lacks.
    pub stretched: Vec<BoneId>,
    /// Clips with other keys than in the source, because other bones move too.
    pub resampled: Vec<ClipId>,
}

/// The human that `model` is. The model is in plain form ([`super::plain`]) and in the axes of display space, and `bones`
/// are those that VRM names.
#[must_use]
pub fn human_form(model: &Model, bones: Vec<VrmBone>) -> HumanForm {
    let rest = sample(model, &PoseSpec::default()).model_from_bone;
    let pose = TPose::of(&bones, &rest);
    let faces: Vec<ExpressionKeys> =
        model.clips.iter().map(|clip| ExpressionKeys::of(model.avatar.as_deref(), clip)).collect();
    let animated: BTreeSet<usize> =
        faces.iter().flat_map(|face| &face.tracks).map(|(number, _)| *number).collect();
    let expressions: BTreeMap<usize, BoneId> =
        animated.into_iter().zip((bones.len()..).map(BoneId::from_index)).collect();
    let eyes = Eyes::of(model, pose.facing(), &rest);
    let gazes: Vec<Option<Track<Quat>>> =
        model.clips.iter().map(|clip| eyes.as_ref()?.track(clip)).collect();
    let has_gaze = gazes.iter().any(Option::is_some);
    let gaze = has_gaze.then(|| BoneId::from_index(bones.len() + expressions.len()));
    let skeleton = skeleton(model, &bones, &pose, &expressions, has_gaze);
    let sampler = Sampler::new(model, &bones, &pose, &rest);
    let mut stretched = vec![false; bones.len()];
    let mut resampled = Vec::new();
    let mut clips: IdVec<ClipId, Clip> = IdVec::default();
    for (id, clip) in model.clips.iter_enumerated() {
        let mut keys = sampler.clip(id, clip);
        let face = faces.get(id.index()).map_or(&[][..], |face| &face.tracks);
        keys.tracks.extend(face.iter().filter_map(|(number, weights)| {
            let bone = *expressions.get(number)?;
            let translation = Some(weights.clone().map(|weight| Vec3::X * weight));
            Some(BoneTrack { bone, translation, rotation: None, scale: None })
        }));
        if let (Some(bone), Some(track)) = (gaze, gazes.get(id.index()).cloned().flatten()) {
            let rotation = Some(track);
            keys.tracks.push(BoneTrack { bone, translation: None, rotation, scale: None });
        }
        if keys.is_resampled {
            resampled.push(id);
        }
        for (slot, own) in stretched.iter_mut().zip(&keys.stretched) {
            *slot |= *own;
        }
        clips.push(Clip {
            name: clip.name.clone(),
            start_secs: clip.start_secs,
            duration_secs: clip.duration_secs,
            is_looping: clip.is_looping,
            motion: Motion::Tracks(keys.tracks),
            ..Clip::default()
        });
    }
    let stretched = bones.iter().zip(stretched).filter(|(_, own)| *own).map(|(own, _)| own.bone);
    let head = bones.iter().position(|own| own.name == "head");
    let head = head
        .map_or(Vec3::ZERO, |head| pose.facing() * Vec3::from(rest[bones[head].bone].translation));
    HumanForm {
        gaze: gaze.zip(eyes.as_ref().map(|eyes| eyes.middle - head)),
        eyes: eyes.map(|eyes| eyes.bones()).unwrap_or_default(),
        yaw_rad: pose.yaw_rad,
        turned: pose.largest,
        stretched: stretched.collect(),
        resampled,
        expressions: expressions.into_iter().collect(),
        unexplained: faces.into_iter().flat_map(|face| face.unexplained).collect(),
        model: Model {
            name: model.name.clone(),
            copyright: model.copyright.clone(),
            axes: Axes { faces_backward: false, ..model.axes },
            skeleton,
            clips,
            ..Model::default()
        },
        bones,
    }
}

fn skeleton(
    model: &Model,
    bones: &[VrmBone],
    pose: &TPose,
    expressions: &BTreeMap<usize, BoneId>,
    has_gaze: bool,
) -> Skeleton {
    let bone = |(at, own): (usize, &VrmBone)| {
        let above = own.parent.map_or(Vec3::ZERO, |parent| pose.positions[parent]);
        Bone {
            name: model.skeleton.bones()[own.bone].name.clone(),
            parent: own.parent.map(BoneId::from_index),
            rest_local: LocalTransform::Trs(Trs {
                translation: pose.positions[at] - above,
                ..Trs::IDENTITY
            }),
            ..Bone::default()
        }
    };
    let face = model.avatar.as_ref().map_or(&[][..], |avatar| &avatar.expressions);
    let drivers = expressions.keys().map(|number| Bone {
        name: face.get(*number).map_or_else(String::new, |own| own.key().to_owned()),
        ..Bone::default()
    });
    let gaze = has_gaze.then(|| Bone { name: "lookAt".to_owned(), ..Bone::default() });
    let bones = bones.iter().enumerate().map(bone).chain(drivers).chain(gaze);
    // Parents come first, so that there are no cycles.
    Skeleton::new(bones.collect(), true).unwrap_or_default()
}

/// The rotation of a matrix; none for one without volume.
fn rotation_of(matrix: &Affine3A) -> Quat {
    let rotation = matrix.to_scale_rotation_translation().1;
    if rotation.is_finite() { rotation.normalize() } else { Quat::IDENTITY }
}

#[cfg(test)]
mod tests;
