//! Humans built in code.

use super::*;
use crate::model::as_u32;
use crate::model::testing::*;
use crate::pose::transfer::{RetargetOptions, retarget_clips};
use crate::rig::{pair_bones, vrm_bones};

/// A human whose arms hang down by `drop_rad`, and whose bones are rotated at random.
fn human(drop_rad: f32, has_axes: bool) -> Model {
    let down = Quat::from_rotation_z(-drop_rad);
    let arm = |side: f32, along: f32| {
        let turned = down * Vec3::X * along;
        Vec3::new(turned.x * side, turned.y, 0.0)
    };
    let mut bones = vec![
        ("root", None, Vec3::ZERO),
        ("Hips", Some(0), Vec3::Y),
        ("Spine", Some(1), Vec3::Y * 0.1),
        ("Chest", Some(2), Vec3::Y * 0.3),
        ("Head", Some(3), Vec3::Y * 0.2),
    ];
    for (side, names) in [
        (
            1.0,
            [
                "LeftArm",
                "LeftForeArm",
                "LeftHand",
                "LeftUpLeg",
                "LeftLeg",
                "LeftFoot",
                "LeftToeBase",
            ],
        ),
        (
            -1.0,
            [
                "RightArm",
                "RightForeArm",
                "RightHand",
                "RightUpLeg",
                "RightLeg",
                "RightFoot",
                "RightToeBase",
            ],
        ),
    ] {
        let first = as_u32(bones.len());
        bones.push((names[0], Some(3), Vec3::new(0.15 * side, 0.1, 0.0)));
        bones.push((names[1], Some(first), arm(side, 0.3)));
        bones.push((names[2], Some(first + 1), arm(side, 0.25)));
        bones.push((names[3], Some(1), Vec3::new(0.1 * side, -0.05, 0.0)));
        bones.push((names[4], Some(first + 3), Vec3::new(0.0, -0.45, 0.0)));
        bones.push((names[5], Some(first + 4), Vec3::new(0.0, -0.45, 0.0)));
        bones.push((names[6], Some(first + 5), Vec3::new(0.0, -0.05, 0.15)));
    }
    let axes = |at: usize| {
        let turned = Quat::from_euler(glam::EulerRot::XYZ, at as f32, 2.0 * at as f32, 0.3);
        if has_axes { turned } else { Quat::IDENTITY }
    };
    let mut builder = ModelBuilder::new();
    for (at, (name, parent, offset)) in bones.iter().enumerate() {
        let above = parent.map_or(Quat::IDENTITY, |parent| axes(parent as usize));
        builder = builder.add_bone(Bone {
            name: (*name).to_owned(),
            parent: parent.map(BoneId),
            rest_local: LocalTransform::Trs(Trs {
                translation: above.inverse() * *offset,
                rotation: above.inverse() * axes(at),
                scale: Vec3::ONE,
            }),
            ..Bone::default()
        });
    }
    let mut model = builder.build();
    let mut clip = ModelBuilder::new().clip("wave", 1.0);
    for bone in 1..as_u32(model.skeleton.len()) {
        let rest = model.skeleton.bones()[BoneId(bone)].rest_local.to_trs().rotation;
        let turn = Quat::from_rotation_z(0.02 * bone as f32) * Quat::from_rotation_x(0.3);
        clip = clip.rotation(bone, linear([(0.0, rest), (1.0, rest * turn)]));
    }
    let place = model.skeleton.bones()[BoneId(1)].rest_local.to_trs().translation;
    let clip = clip.translation(1, linear([(0.0, place), (1.0, place + Vec3::splat(0.1))]));
    model.clips = vec![clip.into_clip()].into();
    model
}

fn form(model: &Model) -> HumanForm {
    human_form(model, vrm_bones(model).unwrap())
}

/// The largest distance of a bone's end between `model` and the clip returned from its human form.
fn returned(model: &Model) -> f32 {
    let human = form(model);
    let names = human.bones.iter().enumerate();
    let humanoid =
        names.map(|(at, own)| (BoneId::from_index(at), own.name.clone())).collect::<Vec<_>>();
    let mut source = human.model;
    source.avatar = Some(Box::new(Avatar { humanoid, ..Avatar::default() }));
    let pairs = pair_bones(&source, model, &[]).to_of_from(source.skeleton.len());
    assert!(pairs.iter().all(Option::is_some));
    let mut back = model.clone();
    let options = RetargetOptions::default();
    retarget_clips(&mut back, &source, pairs, options, "back", &Report::new()).unwrap();
    let mut worst = 0.0f32;
    for time in [0.0, 0.3, 0.5, 1.0] {
        let [own, other] = [0, 1].map(|clip| {
            sample(&back, &PoseSpec::linear(ClipId::from_index(clip), time)).model_from_bone
        });
        for (own, other) in own.iter().zip(&other) {
            let at = |matrix: &Affine3A| matrix.transform_point3(Vec3::splat(0.05));
            worst = worst.max(at(own).distance(at(other)));
        }
    }
    worst
}

#[test]
fn a_clip_that_returns_to_its_model_is_the_same() {
    for (drop_rad, has_axes) in [(0.0, false), (0.0, true), (0.8, false), (0.8, true)] {
        let model = human(drop_rad, has_axes);
        let worst = returned(&model);
        assert!(worst < 1e-4, "{drop_rad} {has_axes}: {worst}");
    }
}

#[test]
fn arms_are_turned_into_a_t_pose_and_bones_have_no_rotation() {
    let human = form(&human(0.8, true));
    let rest = sample(&human.model, &PoseSpec::default()).model_from_bone;
    let place = |name: &str| {
        let at = human.bones.iter().position(|own| own.name == name).unwrap();
        Vec3::from(rest[BoneId::from_index(at)].translation)
    };
    let along = place("leftHand") - place("leftUpperArm");
    assert!(along.abs_diff_eq(Vec3::X * 0.55, 1e-5), "{along}");
    assert!((human.turned.unwrap().1 - 0.8).abs() < 1e-3);
    assert!(rest.iter().all(|matrix| rotation_of(matrix).angle_between(Quat::IDENTITY) < 1e-6));
    assert!(human.stretched.is_empty() && human.resampled.is_empty());
}

#[test]
fn models_that_face_another_way_are_turned() {
    let mut model = human(0.8, false);
    let turned = Quat::from_rotation_y(-std::f32::consts::FRAC_PI_2);
    let rotation = LocalTransform::Trs(Trs { rotation: turned, ..Trs::IDENTITY });
    let front = form(&model);
    model.skeleton.set_rest(BoneId(0), rotation);
    let side = form(&model);
    assert!((side.yaw_rad.to_degrees() - 90.0).abs() < 1e-3, "{}", side.yaw_rad);
    for time in [0.0, 0.5, 1.0] {
        let [a, b] = [&front, &side]
            .map(|own| sample(&own.model, &PoseSpec::linear(ClipId(0), time)).model_from_bone);
        assert!(a.iter().zip(&b).all(|(a, b)| a.abs_diff_eq(*b, 1e-5)), "{time}");
    }
}

#[test]
fn bones_in_between_are_included_and_stretching_is_listed() {
    let mut model = human(0.0, false);
    let clip = ModelBuilder::new().clip("walk", 1.0);
    let away = linear([(0.0, Vec3::ZERO), (1.0, Vec3::Z)]);
    let turn = linear([(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_y(1.0))]);
    let clip = clip.translation(0, away).rotation(0, turn.clone()).rotation(1, turn);
    let stretch = linear([(0.0, Vec3::Y * 0.2), (1.0, Vec3::Y * 0.4)]);
    model.clips = vec![clip.translation(4, stretch).into_clip()].into();
    let human = form(&model);
    assert_eq!(human.resampled, [ClipId(0)]);
    assert_eq!(human.stretched, [BoneId(4)]);
    let pose = sample(&human.model, &PoseSpec::linear(ClipId(0), 1.0)).model_from_bone;
    let hips = pose[BoneId(0)];
    assert!(Vec3::from(hips.translation).abs_diff_eq(Vec3::new(0.0, 1.0, 1.0), 1e-5), "{hips}");
    assert!(rotation_of(&hips).angle_between(Quat::from_rotation_y(2.0)) < 1e-3);
}

#[test]
fn morph_weights_become_weights_of_expressions() {
    let mut model = human(0.0, false);
    let face = ModelBuilder::new()
        .triangle()
        .morph("open", &[(0, Vec3::X)])
        .morph("smile", &[(0, Vec3::Y)])
        .morph("wrinkle", &[(0, Vec3::Z)])
        .into_mesh();
    model.meshes = vec![face].into();
    let expression = |name: &'static str, weights: &[(usize, f32)]| Expression {
        name: name.to_owned(),
        preset: Expression::preset_of_vrm_1(name),
        weights: weights
            .iter()
            .map(|&(target, weight)| ExpressionWeight { mesh: MeshId(0), target, weight })
            .collect(),
        ..Expression::default()
    };
    let expressions = vec![
        expression("lookUp", &[(0, 1.0)]),
        expression("aa", &[(0, 0.5), (1, 0.5)]),
        expression("happy", &[(1, 1.0)]),
        expression("sad", &[(1, 1.0)]),
    ];
    model.avatar = Some(Box::new(Avatar { expressions, ..Avatar::default() }));
    let track = |target, to| MorphTrack {
        mesh: MeshId(0),
        target,
        weights: linear([(0.0, 0.0), (0.5, to)]),
    };
    model.clips[ClipId(0)].morph_tracks = vec![track(0, 0.4), track(1, 0.4), track(2, 1.0)];
    let made = form(&model);
    let bone = BoneId::from_index(made.bones.len());
    assert_eq!(made.expressions, [(1, bone)]);
    assert_eq!(made.unexplained.iter().copied().collect::<Vec<_>>(), [(MeshId(0), 2)]);
    let tracks = tracks(&made.model.clips[ClipId(0)]);
    let weights = tracks.last().unwrap().translation.as_ref().unwrap();
    assert_eq!((&weights.times_secs[..], weights.values[1]), (&[0.0, 0.5][..], Vec3::X * 0.8));
    assert_eq!(made.model.skeleton.bones()[bone].name, "aa");
}

#[test]
fn rotations_of_eyes_become_a_gaze() {
    let mut model = human(0.0, true);
    let head = model.skeleton.bones().iter().position(|own| own.name == "Head").unwrap();
    let mut bones = model.skeleton.bones().to_vec();
    let above = sample(&model, &PoseSpec::default()).model_from_bone[BoneId::from_index(head)];
    let above = rotation_of(&above);
    for (name, x) in [("LeftEye", 0.03), ("RightEye", -0.03)] {
        let place = above.inverse() * Vec3::new(x, 0.1, 0.05);
        let trs =
            Trs { translation: place, rotation: Quat::from_rotation_x(0.7), scale: Vec3::ONE };
        bones.push(Bone {
            name: name.to_owned(),
            parent: Some(BoneId::from_index(head)),
            rest_local: LocalTransform::Trs(trs),
            ..Bone::default()
        });
    }
    model.skeleton = Skeleton::new(bones, true).unwrap();
    let turned = |yaw: f32, pitch: f32| {
        let turn = Quat::from_euler(glam::EulerRot::YXZ, yaw, pitch, 0.0);
        above.inverse() * turn * above * Quat::from_rotation_x(0.7)
    };
    let eye = as_u32(model.skeleton.len()) - 2;
    let clip = ModelBuilder::new().clip("look", 1.0);
    let keys = linear([(0.0, turned(0.1, 0.0)), (1.0, turned(-0.05, -0.1))]);
    model.clips = vec![clip.rotation(eye, keys).into_clip()].into();
    let range = |most_output| LookAtRange { most_input_deg: 90.0, most_output };
    let (inner, outer) = (range(5.0), range(10.0));
    for (look_at, last) in [
        (None, [-0.05, -0.1]),
        (
            Some(LookAt { by_expressions: false, inner, outer, down: inner, up: outer }),
            [-0.9, -0.9],
        ),
    ] {
        let eyes = [(BoneId(eye), "leftEye".to_owned()), (BoneId(eye + 1), "rightEye".to_owned())];
        let named = vrm_bones(&model).unwrap();
        let named = named.into_iter().map(|own| (own.bone, own.name)).chain(eyes);
        if look_at.is_some() {
            let humanoid = named.collect();
            model.avatar = Some(Box::new(Avatar { humanoid, look_at, ..Avatar::default() }));
        }
        let made = form(&model);
        let (bone, offset) = made.gaze.unwrap();
        assert!(offset.abs_diff_eq(Vec3::new(0.0, 0.1, 0.05), 1e-5), "{offset}");
        assert_eq!(made.eyes, [BoneId(eye), BoneId(eye + 1)]);
        let pose = sample(&made.model, &PoseSpec::linear(ClipId(0), 1.0)).parent_from_bone;
        let (yaw, pitch, _) = rotation_of(&pose[bone]).to_euler(glam::EulerRot::YXZ);
        let [wanted_yaw, wanted_pitch]: [f32; 2] = last;
        assert!((yaw - wanted_yaw).abs() < 1e-3, "{yaw} {wanted_yaw}");
        assert!((pitch - wanted_pitch).abs() < 1e-3, "{pitch} {wanted_pitch}");
    }
}
