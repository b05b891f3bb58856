//! Clips on skeletons of other axes, sizes and proportions.

use glam::{Affine3A, EulerRot, Mat4, Quat, Vec3};

use super::{RetargetOptions, retarget_clips, retarget_quality};
use crate::model::testing::*;
use crate::model::{BoneId, ClipId, LocalTransform, Model, Report, Skeleton, Trs};
use crate::pose::{PoseSpec, sample, skin_model};
use crate::rig::pair_bones;

const NAMES: [&str; 11] = [
    "Hips",
    "Spine",
    "Head",
    "LeftUpLeg",
    "LeftLeg",
    "LeftFoot",
    "RightUpLeg",
    "RightLeg",
    "RightFoot",
    "LeftArm",
    "LeftForeArm",
];
const OTHER_NAMES: [&str; 11] = [
    "pelvis",
    "spine_01",
    "head",
    "thigh_l",
    "calf_l",
    "foot_l",
    "thigh_r",
    "calf_r",
    "foot_r",
    "upperarm_l",
    "lowerarm_l",
];
const PARENTS: [Option<u32>; 11] = [
    None,
    Some(0),
    Some(1),
    Some(0),
    Some(3),
    Some(4),
    Some(0),
    Some(6),
    Some(7),
    Some(1),
    Some(9),
];

/// The places of the bones with these lengths of legs and arm; the arm has this angle below the horizontal.
fn places(leg: f32, arm: f32, arm_rad: f32) -> Vec<Vec3> {
    let along = Quat::from_rotation_z(-arm_rad) * Vec3::X;
    let shoulder = Vec3::new(0.15, 2.0 * leg + 0.5, 0.0);
    vec![
        Vec3::Y * 2.0 * leg,
        Vec3::Y * (2.0 * leg + 0.3),
        Vec3::Y * (2.0 * leg + 0.8),
        Vec3::new(0.1, 2.0 * leg, 0.0),
        Vec3::new(0.1, leg, 0.02),
        Vec3::new(0.1, 0.0, 0.0),
        Vec3::new(-0.1, 2.0 * leg, 0.0),
        Vec3::new(-0.1, leg, 0.02),
        Vec3::new(-0.1, 0.0, 0.0),
        shoulder,
        shoulder + along * arm,
    ]
}

/// A turn that differs from bone to bone.
fn axes(bone: usize, amount: f32) -> Quat {
    let at = bone as f32 * amount;
    Quat::from_euler(EulerRot::XYZ, at * 1.3, at * 2.1, at * 0.7)
}

/// A body with a triangle on each bone.
fn body(names: [&str; 11], places: &[Vec3], turn: f32, scale: f32) -> Model {
    let world: Vec<Affine3A> = places
        .iter()
        .enumerate()
        .map(|(bone, at)| Affine3A::from_rotation_translation(axes(bone, turn), *at * scale))
        .collect();
    let mut builder = ModelBuilder::new();
    for (bone, name) in names.iter().enumerate() {
        let parent = PARENTS[bone].map_or(Affine3A::IDENTITY, |parent| world[parent as usize]);
        builder = builder.bones(&[(name, PARENTS[bone], Vec3::ZERO)]);
        builder =
            builder.rest(LocalTransform::Trs(Trs::from_affine(parent.inverse() * world[bone])));
    }
    let (mut points, mut lists) = (Vec::new(), Vec::new());
    for (bone, at) in (0u32..).zip(places) {
        for offset in [Vec3::ZERO, Vec3::X * 0.1, Vec3::Z * 0.1] {
            points.push((*at + offset) * scale);
            lists.push(vec![(bone, 1.0)]);
        }
    }
    let corners: Vec<u32> = (0..u32::try_from(points.len()).unwrap()).collect();
    let binds: Vec<(u32, Mat4)> =
        (0u32..).zip(&world).map(|(bone, world)| (bone, Mat4::from(world.inverse()))).collect();
    builder.mesh(points).indices(corners).skin(skin(&binds, lists)).build()
}

/// A clip in which everything moves.
fn animated(mut model: Model, scale: f32) -> Model {
    let rests: Vec<Trs> =
        model.skeleton.bones().iter().map(|bone| bone.rest_local.to_trs()).collect();
    let mut clip = ModelBuilder::new().clip("dance", 1.0);
    for (bone, rest) in (0u32..).zip(&rests) {
        let key = |at: u8| f64::from(at) / 8.0;
        let turn = |at: u8| {
            let angle = (f32::from(at) * 0.7 + bone as f32).sin() * 0.6;
            rest.rotation * Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), angle)
        };
        clip = clip.rotation(bone, linear((0u8..9).map(|at| (key(at), turn(at)))));
        if bone == 0 {
            let step = |at: u8| {
                rest.translation
                    + Vec3::new(0.0, (f32::from(at) * 0.9).sin() * 0.05, f32::from(at) * 0.1)
                        * scale
            };
            clip = clip.translation(0, linear((0u8..9).map(|at| (key(at), step(at)))));
        }
    }
    model.clips = vec![clip.into_clip()].into();
    model
}

/// The model with the clips of another, and the bones that they were transferred to.
fn retargeted(animation: &Model, model: &Model) -> (Model, super::ClipTransfer) {
    let mut own = model.clone();
    own.clips.as_mut_vec().clear();
    let pairs = pair_bones(animation, &own, &[]);
    let bones = pairs.to_of_from(animation.skeleton.len());
    let done = retarget_clips(
        &mut own,
        animation,
        bones,
        RetargetOptions::default(),
        "clip",
        &Report::new(),
    );
    (own, done.unwrap())
}

fn drawn(model: &Model, time_secs: f64) -> Vec<Vec3> {
    let spec = PoseSpec::linear(ClipId(0), time_secs);
    skin_model(model, &spec).into_iter().flat_map(|mesh| mesh.positions).collect()
}

fn directions(model: &Model, time_secs: f64) -> Vec<Vec3> {
    let pose = sample(model, &PoseSpec::linear(ClipId(0), time_secs)).model_from_bone;
    let bones = model.skeleton.bones().iter_enumerated().filter(|(_, bone)| bone.parent.is_some());
    bones
        .map(|(id, bone)| {
            let parent = bone.parent.unwrap_or(BoneId(0));
            Vec3::from(pose[id].translation - pose[parent].translation).normalize_or_zero()
        })
        .collect()
}

const TIMES: [f64; 5] = [0.0, 0.2, 0.5, 0.875, 1.0];

#[test]
fn a_clip_on_the_same_body_with_other_axes_names_and_size_moves_it_alike() {
    let own = places(0.45, 0.3, 0.0);
    let source = animated(body(NAMES, &own, 0.0, 1.0), 1.0);
    for (names, turn, scale) in
        [(NAMES, 0.0, 1.0), (NAMES, 1.0, 1.0), (OTHER_NAMES, 0.6, 1.0), (OTHER_NAMES, 0.9, 0.01)]
    {
        let (model, done) = retargeted(&source, &body(names, &own, turn, scale));
        assert!(done.turned.is_none(), "the poses are the same");
        for time_secs in TIMES {
            for (made, expected) in drawn(&model, time_secs).iter().zip(drawn(&source, time_secs)) {
                let off = made.distance(expected * scale) / scale;
                assert!(off < 1e-5, "{turn} {scale} {time_secs}: {made} {expected}");
            }
        }
    }
}

#[test]
fn extra_bones_between_the_others_do_not_change_the_motion() {
    let own = places(0.45, 0.3, 0.0);
    let source = animated(body(NAMES, &own, 0.3, 1.0), 1.0);
    let model = body(OTHER_NAMES, &own, 0.8, 1.0);
    // A bone above the spine, with different axes.
    let mut bones = model.skeleton.bones().to_vec();
    let extra = LocalTransform::Trs(Trs { rotation: axes(3, 0.5), ..Trs::IDENTITY });
    bones.push(crate::model::Bone { rest_local: extra, ..bone("extra", Some(0), Vec3::ZERO) });
    let local = extra.to_affine().inverse() * bones[1].rest_local.to_affine();
    bones[1].parent = Some(BoneId(11));
    bones[1].rest_local = LocalTransform::Trs(Trs::from_affine(local));
    let model = Model { skeleton: Skeleton::new(bones, true).unwrap(), ..model };
    let (model, _) = retargeted(&source, &model);
    for time_secs in TIMES {
        for (made, expected) in drawn(&model, time_secs).iter().zip(drawn(&source, time_secs)) {
            assert!(made.distance(expected) < 1e-5, "{time_secs}: {made} {expected}");
        }
    }
}

#[test]
fn bones_of_other_proportions_and_another_rest_pose_have_the_same_directions() {
    // Arms to the side here, and down there.
    let source = animated(body(NAMES, &places(0.45, 0.3, 0.0), 0.0, 1.0), 1.0);
    let (model, done) = retargeted(&source, &body(OTHER_NAMES, &places(0.6, 0.25, 0.9), 0.7, 1.0));
    assert!((done.length_ratio - 0.6 / 0.45).abs() < 0.01, "{done:?}");
    let (bone, angle) = done.turned.unwrap();
    assert_eq!(bone, BoneId(9), "the arm");
    assert!((angle - 0.9).abs() < 1e-3, "{angle}");
    let pairs = pair_bones(&source, &model, &[]).to_of_from(source.skeleton.len());
    let quality = retarget_quality(&source, ClipId(0), &model, ClipId(0), &pairs).unwrap();
    assert!(quality.worst.unwrap().angle_rad < 1e-5, "{quality:?}");
    assert!(quality.num_keys.iter().all(|num| *num > 0), "{quality:?}");
    assert_eq!(quality.feet.len(), 2);
    // The hips move in proportion to the legs.
    let hips = |model: &Model, time_secs: f64| {
        sample(model, &PoseSpec::linear(ClipId(0), time_secs)).model_from_bone[BoneId(0)]
            .translation
    };
    let way = |model: &Model| Vec3::from(hips(model, 1.0) - hips(model, 0.0));
    assert!(way(&model).distance(way(&source) * done.length_ratio) < 1e-4);
}

#[test]
fn a_clip_that_comes_back_from_another_body_has_the_same_directions() {
    let source = animated(body(NAMES, &places(0.45, 0.3, 0.2), 0.0, 1.0), 1.0);
    let other = body(OTHER_NAMES, &places(0.6, 0.25, 0.9), 0.7, 1.0);
    let (there, _) = retargeted(&source, &other);
    let (back, _) = retargeted(&there, &source);
    for time_secs in TIMES {
        let mut angles: Vec<f32> = directions(&source, time_secs)
            .iter()
            .zip(directions(&back, time_secs))
            .map(|(a, b)| a.angle_between(b).to_degrees())
            .collect();
        angles.sort_by(f32::total_cmp);
        assert!(angles[angles.len() / 2] < 0.5, "{angles:?}");
    }
}

#[test]
fn clips_without_a_matching_bone_are_refused() {
    let source = animated(body(NAMES, &places(0.45, 0.3, 0.0), 0.0, 1.0), 1.0);
    let mut model = ModelBuilder::new().chain(&["wheel"]).build();
    let bones = pair_bones(&source, &model, &[]).to_of_from(source.skeleton.len());
    let done = retarget_clips(
        &mut model,
        &source,
        bones,
        RetargetOptions::default(),
        "clip",
        &Report::new(),
    );
    assert_eq!(done.unwrap_err(), "no bone of the clips has a counterpart in the model");
    assert!(model.clips.is_empty());
}

#[test]
fn feet_stay_where_those_of_the_source_are() {
    // The thighs are longer and the shins shorter than in the source.
    let own = places(0.45, 0.3, 0.0);
    let source = animated(body(NAMES, &own, 0.0, 1.0), 1.0);
    let mut other = own.clone();
    other[4].y -= 0.1;
    other[7].y -= 0.1;
    let model = body(OTHER_NAMES, &other, 0.7, 1.0);
    let bones = pair_bones(&source, &model, &[]).to_of_from(source.skeleton.len());
    let feet = |feet: bool| {
        let mut own = model.clone();
        let options = RetargetOptions { feet, ..RetargetOptions::default() };
        retarget_clips(&mut own, &source, bones.clone(), options, "clip", &Report::new()).unwrap();
        let mut farthest = 0.0f32;
        for time_secs in TIMES {
            let place = |model: &Model| {
                let pose = sample(model, &PoseSpec::linear(ClipId(0), time_secs)).model_from_bone;
                [5, 8].map(|bone| Vec3::from(pose[BoneId(bone)].translation))
            };
            for (own, source) in place(&own).into_iter().zip(place(&source)) {
                farthest = farthest.max(own.distance(source));
            }
        }
        farthest
    };
    assert!(feet(false) > 0.02, "{}", feet(false));
    assert!(feet(true) < 1e-3, "{}", feet(true));
}

#[test]
fn a_knee_that_bends_forward_is_reported_and_one_that_follows_is_not() {
    // The left knee bends by a right angle; a leg that points down bends back about x.
    let bent = |names: [&str; 11], turn: f32| {
        let mut model = body(names, &places(0.5, 0.3, 0.0), 0.0, 1.0);
        let rest = model.skeleton.bones()[BoneId(4)].rest_local.to_trs().rotation;
        let keys = linear([(0.0, rest), (1.0, rest * Quat::from_rotation_x(turn))]);
        model.clips =
            vec![ModelBuilder::new().clip("squat", 1.0).rotation(4, keys).into_clip()].into();
        model
    };
    let source = bent(NAMES, 1.5);
    let quality = |model: &Model| {
        let matched = pair_bones(&source, model, &[]).to_of_from(source.skeleton.len());
        retarget_quality(&source, ClipId(0), model, ClipId(0), &matched).unwrap()
    };
    let follows = quality(&bent(OTHER_NAMES, 1.4));
    assert!(follows.bent_joints.is_empty(), "{:?}", follows.bent_joints);
    assert_eq!(follows.num_keys, [2, 2]);
    let forward = quality(&bent(OTHER_NAMES, -1.4));
    let [joint] = &forward.bent_joints[..] else { panic!("{:?}", forward.bent_joints) };
    assert_eq!((joint.bone, joint.time_secs), (BoneId(4), 1.0));
    assert!(joint.angle_rad > 3.0, "{joint:?}");
}
