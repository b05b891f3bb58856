//! How well a clip on another skeleton agrees with its source.

use glam::{Affine3A, Vec3};

use super::alignment::matched_children;
use super::limb_quality::{BentJoint, HandQuality, Limbs, Poses};
use super::rigs::up_of;
use crate::model::{BoneId, BoneTrack, Clip, ClipId, IdVec, Model, Motion, SpaceChange, spread};
use crate::pose::{PoseSpec, sample};
use crate::rig::{BodyBones, BodyPart, Side};

/// The most moments of a clip that are compared.
const MAX_MOMENTS: usize = 240;
/// A foot that moves less than this fraction of the leg between two moments stands …
const STANDING: f32 = 0.01;
/// … if it is nearer to its lowest place than this fraction of the leg.
const NEAR_GROUND: f32 = 0.1;

/// The agreement of a clip with its source.
#[derive(Clone, Debug)]
pub struct ClipQuality {
    /// The clip of the model.
    pub clip: ClipId,
    /// The median angle between the directions of a bone and its source, over bones and moments, in radians.
    pub median_angle_rad: f32,
    /// The largest such angle.
    pub worst: Option<WorstAngle>,
    /// Left and right, if both skeletons have feet.
    pub feet: Vec<FootQuality>,
    /// Left and right, if both skeletons have arms, hips and a head.
    pub hands: Vec<HandQuality>,
    /// Knees and elbows that bend to another side than in the source.
    pub bent_joints: Vec<BentJoint>,
    /// The keys of the source's bones and of the model's, over all tracks.
    pub num_keys: [usize; 2],
}

/// A direction that differs from the source's.
#[derive(Clone, Copy, Debug)]
pub struct WorstAngle {
    /// The bone of the model.
    pub bone: BoneId,
    /// On the clock of the file.
    pub time_secs: f64,
    /// In radians.
    pub angle_rad: f32,
}

/// The motion of a foot while its source stands, as fractions of the leg.
#[derive(Clone, Copy, Debug)]
pub struct FootQuality {
    /// Its side.
    pub side: Side,
    /// The longest way of the source while it stands.
    pub source_slide: f32,
    /// The longest way of the model's foot in that time.
    pub slide: f32,
    /// How much deeper the model's foot goes than the source's, relative to the first moment.
    pub sinks: f32,
}

/// Compares the clip `of_model` with the clip `of_animation`, from which it was made; `None` if the model has no such clip. `bones` is, for each bone of the
/// animation, the bone of the model that it moves.
#[must_use]
pub fn retarget_quality(
    animation: &Model,
    of_animation: ClipId,
    model: &Model,
    of_model: ClipId,
    bones: &IdVec<BoneId, Option<BoneId>>,
) -> Option<ClipQuality> {
    let change = SpaceChange::between(&animation.axes, &model.axes);
    let mut source_of = IdVec::filled(None, model.skeleton.bones());
    for (source, own) in bones.iter_enumerated() {
        if let Some(own) = *own {
            source_of[own] = Some(source);
        }
    }
    let num_pairs = bones.iter().flatten().count();
    let clip = model.clips.get(of_model)?;
    let moments = moments(clip.start_secs, clip.duration_secs);
    let poses: Vec<Poses> = moments
        .iter()
        .map(|time_secs| {
            [(animation, of_animation), (model, of_model)].map(|(model, clip)| {
                sample(model, &PoseSpec::linear(clip, *time_secs)).model_from_bone
            })
        })
        .collect();
    let children = matched_children(&model.skeleton, &source_of);
    let mut angles = Vec::new();
    let mut worst: Option<WorstAngle> = None;
    for (pose, time_secs) in poses.iter().zip(&moments) {
        for (bone, children) in children.iter_enumerated() {
            // Bones with several others below, such as the hips, have no direction.
            let [child] = &children[..] else { continue };
            let (Some(from), Some(to)) = (source_of[bone], source_of[*child]) else { continue };
            let source = pose[0][to].translation - pose[0][from].translation;
            let source = change.offset(source.into()).normalize_or_zero();
            let own = pose[1][*child].translation - pose[1][bone].translation;
            let own = Vec3::from(own).normalize_or_zero();
            if source == Vec3::ZERO || own == Vec3::ZERO {
                continue;
            }
            // Accurate near 0, unlike the arc cosine of a dot product.
            let angle_rad = source.cross(own).length().atan2(source.dot(own));
            angles.push(angle_rad);
            if worst.is_none_or(|worst| angle_rad > worst.angle_rad) {
                worst = Some(WorstAngle { bone, time_secs: *time_secs, angle_rad });
            }
        }
    }
    angles.sort_by(f32::total_cmp);
    let feet = [Side::Left, Side::Right];
    let feet = feet.into_iter().filter_map(|side| foot(side, model, &source_of, &poses, &change));
    let limbs = Limbs::new(model, &source_of, &poses, &moments, &change);
    let sides = [Side::Left, Side::Right];
    let joints = sides.into_iter().flat_map(|side| JOINTS.map(|parts| (parts, side)));
    let bent_joints = joints.filter_map(|(parts, side)| limbs.bent_joint(parts, side)).collect();
    let source_clip = animation.clips.get(of_animation);
    Some(ClipQuality {
        hands: sides.into_iter().filter_map(|side| limbs.hand(side)).collect(),
        bent_joints,
        num_keys: [source_clip, Some(clip)]
            .map(|clip| clip.map_or(0, |clip| num_keys(clip, num_pairs))),
        clip: of_model,
        median_angle_rad: angles.get(angles.len() / 2).copied().unwrap_or_default(),
        worst,
        feet: feet.collect(),
    })
}

/// Knees and elbows: the bones above and below, and the end of the latter.
const JOINTS: [[BodyPart; 3]; 2] = [
    [BodyPart::UpperLeg, BodyPart::LowerLeg, BodyPart::Foot],
    [BodyPart::UpperArm, BodyPart::LowerArm, BodyPart::Hand],
];

/// The keys of all bones. Curves, such as those that follow another skeleton, have a key of each paired bone at each of
/// their key times.
fn num_keys(clip: &Clip, num_pairs: usize) -> usize {
    match &clip.motion {
        Motion::Sampled(motion) => motion.keys.num_keys() * motion.keys.num_bones() as usize,
        Motion::Tracks(tracks) => tracks.iter().flat_map(BoneTrack::times).map(<[f64]>::len).sum(),
        Motion::Curves(curves) => curves.0.key_times_secs().len().saturating_mul(num_pairs),
        Motion::VertexAnimation(_) => 0,
    }
}

fn moments(start_secs: f64, duration_secs: f64) -> Vec<f64> {
    /// As in most clips.
    const PER_SEC: f64 = 30.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let num = (duration_secs * PER_SEC).clamp(1.0, 1e6) as usize + 1;
    let last = (num - 1) as f64;
    spread(num, MAX_MOMENTS).map(|at| start_secs + duration_secs * at as f64 / last).collect()
}

fn foot(
    side: Side,
    model: &Model,
    source_of: &IdVec<BoneId, Option<BoneId>>,
    poses: &[Poses],
    change: &SpaceChange,
) -> Option<FootQuality> {
    let body = BodyBones::of(&model.skeleton, model.avatar.as_deref());
    let foot = body.part(BodyPart::Foot, Some(side))?;
    let leg = body.part(BodyPart::UpperLeg, Some(side))?;
    let (source_foot, source_leg) = (source_of[foot]?, source_of[leg]?);
    let up = up_of(model);
    let length = |pose: &IdVec<BoneId, Affine3A>, a: BoneId, b: BoneId| {
        pose[a].translation.distance(pose[b].translation)
    };
    let longest = |of: &dyn Fn(&Poses) -> f32| poses.iter().map(of).fold(0.0, f32::max);
    let own_leg = longest(&|pose| length(&pose[1], leg, foot));
    let source_length =
        longest(&|pose| length(&pose[0], source_leg, source_foot)) * change.factor();
    if !(own_leg.is_normal() && source_length.is_normal()) {
        return None;
    }
    // In legs.
    let places: Vec<[Vec3; 2]> = poses
        .iter()
        .map(|pose| {
            let source = change.point(pose[0][source_foot].translation.into()) / source_length;
            [source, Vec3::from(pose[1][foot].translation) / own_leg]
        })
        .collect();
    let lowest = [0, 1].map(|side: usize| {
        places.iter().map(|own| up.dot(own[side])).fold(f32::INFINITY, f32::min)
    });
    let first = places.first()?;
    let depth = [0, 1].map(|side: usize| up.dot(first[side]) - lowest[side]);
    let (mut source_slide, mut slide) = (0.0f32, 0.0f32);
    let mut begin: Option<[Vec3; 2]> = None;
    for pair in places.windows(2) {
        let [before, after] = pair else { continue };
        let is_low = up.dot(after[0]) - lowest[0] < NEAR_GROUND;
        let stands = is_low && before[0].distance(after[0]) < STANDING;
        let from = begin.filter(|_| stands).or(stands.then_some(*before));
        begin = from;
        if let Some(from) = from {
            let away = [0, 1].map(|side: usize| {
                let way = after[side] - from[side];
                (way - up * up.dot(way)).length()
            });
            source_slide = source_slide.max(away[0]);
            slide = slide.max(away[1]);
        }
    }
    Some(FootQuality { side, source_slide, slide, sinks: depth[1] - depth[0] })
}
