//! Expressions and the gaze of animations, on faces built in code.

use super::{RetargetOptions, add_clips, retarget_clips};
use crate::model::testing::*;
use crate::pose::{PoseSpec, moves_textures, posed_texture, sample};
use glam::{Affine2, Quat, Vec2, Vec3, Vec4};

fn expression(key: &'static str, target: usize, weight: f32) -> Expression {
    Expression {
        name: key.to_owned(),
        preset: Expression::preset_of_vrm_1(key),
        weights: vec![ExpressionWeight { mesh: MeshId(0), target, weight }],
        ..Expression::default()
    }
}

/// A face with four morph targets, and bones for its eyes.
fn face(expressions: Vec<Expression>) -> Model {
    let mut model = ModelBuilder::new()
        .bones(&[
            ("head", None, Vec3::Y),
            ("eye_l", Some(0), Vec3::X),
            ("eye_r", Some(0), -Vec3::X),
        ])
        .triangle()
        .morph("a", &[(0, Vec3::X)])
        .morph("b", &[(0, Vec3::Y)])
        .morph("c", &[(0, Vec3::Z)])
        .morph("d", &[(1, Vec3::Z)])
        .materials(&["skin"])
        .build();
    let humanoid = vec![(BoneId(1), "leftEye".to_owned()), (BoneId(2), "rightEye".to_owned())];
    model.avatar = Some(Box::new(Avatar { humanoid, expressions, ..Avatar::default() }));
    model
}

/// A clip of one second that moves expressions: bone 0 is the gaze.
fn animation(drivers: &[(&'static str, &[(f64, f32)])]) -> Model {
    let mut bones = vec![("gaze", None, Vec3::ZERO)];
    bones.extend(drivers.iter().map(|(name, _)| (*name, None, Vec3::ZERO)));
    let mut builder = ModelBuilder::new().bones(&bones).clip("talk", 1.0);
    let mut expressions = Vec::new();
    for (bone, (name, keys)) in (1..).zip(drivers) {
        let keys = keys.iter().map(|(time, weight)| (*time, Vec3::X * *weight));
        builder = builder.translation(bone, linear(keys));
        let own = Expression { weights: Vec::new(), ..expression(name, 0, 0.0) };
        expressions.push(Expression { driver: Some(BoneId(bone)), ..own });
    }
    let mut model = builder.build();
    model.avatar = Some(Box::new(Avatar { expressions, ..Avatar::default() }));
    model
}

fn played(model: &Model, animation: &Model) -> (Model, Vec<String>) {
    let mut out = model.clone();
    let report = Report::new();
    let bones = IdVec::filled(None, animation.skeleton.bones());
    retarget_clips(&mut out, animation, bones, RetargetOptions::default(), "talk", &report)
        .unwrap();
    (out, report.findings().iter().map(|finding| finding.message.clone()).collect())
}

fn weights(model: &Model, time: f64) -> Vec<f32> {
    sample(model, &PoseSpec::linear(ClipId(0), time)).morph_weights.remove(0)
}

fn near(found: Vec<f32>, wanted: &[f32]) {
    assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-4), "{found:?} {wanted:?}");
}

#[test]
fn weights_add_up_and_are_clamped() {
    let model = face(vec![expression("aa", 0, 0.5), expression("happy", 0, 1.0)]);
    let clip = animation(&[
        ("aa", &[(0.0, 0.0), (1.0, 2.0)]),
        ("happy", &[(0.0, 0.25), (1.0, 0.25)]),
        ("sad", &[(0.0, 1.0)]),
    ]);
    let (out, messages) = played(&model, &clip);
    near(weights(&out, 0.25), &[0.5, 0.0, 0.0, 0.0]);
    near(weights(&out, 0.75), &[0.75, 0.0, 0.0, 0.0]);
    let lost = "1 expression of talk has no counterpart in the model: sad";
    assert!(messages.iter().any(|message| message == lost), "{messages:?}");
    let bones = "1 of 4 bones of talk has no counterpart in the model: gaze";
    assert!(messages.iter().any(|message| message == bones), "{messages:?}");
}

#[test]
fn a_model_without_expressions_plays_only_bones() {
    let mut model = ModelBuilder::new().chain(&["gaze"]).build();
    let clip = animation(&[("aa", &[(0.0, 1.0)]), ("happy", &[(0.0, 1.0)])]);
    let report = Report::new();
    add_clips(&mut model, &clip, "talk", &report);
    let messages: Vec<_> = report.findings().into_iter().map(|own| own.message).collect();
    let lost = "2 expressions of talk have no counterpart in the model: aa, happy";
    assert!(messages.iter().any(|message| message == lost), "{messages:?}");
}

#[test]
fn binary_expressions_jump_and_others_are_overridden() {
    let happy = Expression {
        overrides: [ExpressionOverride::Block, ExpressionOverride::None, ExpressionOverride::Blend],
        ..expression("happy", 0, 1.0)
    };
    let blink = Expression { is_binary: true, ..expression("blink", 1, 1.0) };
    let model = face(vec![happy, blink, expression("aa", 2, 1.0), expression("angry", 3, 1.0)]);
    let rise: &[(f64, f32)] = &[(0.0, 0.0), (1.0, 1.0)];
    let (out, _) = played(&model, &animation(&[("blink", rise)]));
    near(weights(&out, 0.49), &[0.0; 4]);
    near(weights(&out, 0.51), &[0.0, 1.0, 0.0, 0.0]);
    let full: &[(f64, f32)] = &[(0.0, 1.0), (1.0, 1.0)];
    let late: &[(f64, f32)] = &[(0.0, 0.0), (0.5, 0.0), (1.0, 1.0)];
    let clip = animation(&[("happy", late), ("blink", full), ("aa", rise), ("angry", rise)]);
    let (out, _) = played(&model, &clip);
    near(weights(&out, 0.4), &[0.0, 1.0, 0.4, 0.4]);
    // The mouth is half open at that time, and half overridden.
    near(weights(&out, 0.75), &[0.5, 0.0, 0.375, 0.75]);
    near(weights(&out, 0.9), &[0.8, 0.0, 0.18, 0.9]);
}

#[test]
fn colours_move_from_the_material_to_the_expression() {
    let color = ExpressionColor {
        material: MaterialId(0),
        property: MaterialProperty::BaseColor,
        value: Vec4::new(1.0, 0.0, 0.0, 1.0),
    };
    let blush =
        Expression { colors: vec![color], num_material_changes: 3, ..expression("blush", 0, 0.0) };
    let (out, messages) = played(&face(vec![blush]), &animation(&[("blush", &[(0.0, 0.5)])]));
    let [track] = &out.clips[ClipId(0)].material_tracks[..] else { panic!("one track") };
    assert_eq!(track.values.values, [Vec4::new(1.0, 0.5, 0.5, 1.0)]);
    let lost = "2 changes of materials by expressions of the model aren't played; only base colours, emission and texture transforms are: blush";
    assert!(messages.iter().any(|message| message == lost), "{messages:?}");
}

fn looking(by_expressions: bool) -> LookAt {
    let range = |most_output| LookAtRange { most_input_deg: 90.0, most_output };
    LookAt {
        by_expressions,
        inner: range(10.0),
        outer: range(20.0),
        down: range(30.0),
        up: range(40.0),
    }
}

/// A gaze to the left and down, in degrees.
fn gaze(yaw: f32, pitch: f32) -> Model {
    let mut model = animation(&[]);
    let turn = Quat::from_rotation_y(yaw.to_radians()) * Quat::from_rotation_x(pitch.to_radians());
    let clip =
        ModelBuilder::new().clip("look", 1.0).rotation(0, linear([(0.0, turn), (1.0, turn)]));
    model.clips = vec![clip.into_clip()].into();
    model.avatar.as_mut().unwrap().gaze = Some(BoneId(0));
    model
}

#[test]
fn a_gaze_turns_the_eyes_within_their_ranges() {
    let mut model = face(Vec::new());
    model.avatar.as_mut().unwrap().look_at = Some(looking(false));
    for (yaw, pitch, left, right) in
        [(45.0, 45.0, [10.0, 15.0], [5.0, 15.0]), (-45.0, -90.0, [-5.0, -40.0], [-10.0, -40.0])]
    {
        let (out, _) = played(&model, &gaze(yaw, pitch));
        let pose = sample(&out, &PoseSpec::linear(ClipId(0), 0.5)).parent_from_bone;
        for (bone, [yaw, pitch]) in [(BoneId(1), left), (BoneId(2), right)] {
            let wanted = Quat::from_rotation_y(f32::to_radians(yaw))
                * Quat::from_rotation_x(f32::to_radians(pitch));
            let (_, found, place) = pose[bone].to_scale_rotation_translation();
            assert!(found.angle_between(wanted) < 1e-3, "{bone:?} {found} {wanted}");
            assert_eq!(place.y, 0.0);
        }
    }
}

#[test]
fn a_gaze_without_eyes_moves_expressions_or_is_reported() {
    let mut model = face(vec![expression("lookLeft", 0, 1.0), expression("lookDown", 1, 1.0)]);
    let mut by_expressions = looking(true);
    by_expressions.outer.most_output = 1.0;
    by_expressions.down.most_output = 0.5;
    model.avatar.as_mut().unwrap().look_at = Some(by_expressions);
    let (out, _) = played(&model, &gaze(45.0, 90.0));
    near(weights(&out, 0.5), &[0.5, 0.5, 0.0, 0.0]);
    model.avatar.as_mut().unwrap().look_at = None;
    let report = Report::new();
    add_clips(&mut model, &gaze(45.0, 90.0), "look", &report);
    let lost = "the gaze of look isn't played, because the model states no look-at";
    assert!(report.findings().iter().any(|own| own.message == lost), "{:?}", report.findings());
}

#[test]
fn textures_move_from_their_transform_to_that_of_the_expression() {
    let changes = ExpressionTextures {
        material: MaterialId(0),
        offset: Vec2::new(0.5, 0.0),
        scale: Vec2::splat(2.0),
    };
    let blush = Expression {
        textures: vec![changes],
        num_material_changes: 1,
        ..expression("blush", 0, 0.0)
    };
    let mut model = face(vec![blush]);
    let at_rest = Affine2::from_scale_angle_translation(Vec2::ONE, -0.5, Vec2::new(0.1, 0.2));
    model.materials[MaterialId(0)].textures = vec![
        TextureRef {
            texture_from_uv: Some(Box::new(at_rest)),
            ..TextureRef::file(TextureRole::BaseColor, "a.png")
        },
        TextureRef::file(TextureRole::BaseColor, "hidden.png"),
        TextureRef::file(TextureRole::Emissive, "b.png"),
    ];
    let (out, messages) = played(&model, &animation(&[("blush", &[(0.0, 0.0), (1.0, 1.0)])]));
    assert!(!messages.iter().any(|message| message.contains("played")), "{messages:?}");
    let at = |role, at_rest: &Affine2, time| {
        let spec = PoseSpec::linear(ClipId(0), time);
        posed_texture(&out, MaterialId(0), role, at_rest, &spec).unwrap()
    };
    let near =
        |found: Affine2, wanted: Affine2| assert!(found.abs_diff_eq(wanted, 1e-5), "{found}");
    near(at(TextureRole::BaseColor, &at_rest, 0.0), at_rest);
    let half = Vec2::new(0.3, 0.1);
    let half = Affine2::from_scale_angle_translation(Vec2::splat(1.5), -0.5, half);
    near(at(TextureRole::BaseColor, &at_rest, 0.5), half);
    let full = Affine2::from_scale_angle_translation(Vec2::splat(2.0), 0.0, Vec2::new(0.5, 0.0));
    near(at(TextureRole::Emissive, &Affine2::IDENTITY, 1.0), full);
    let spec = PoseSpec::linear(ClipId(0), 0.5);
    let normal = TextureRole::Normal;
    assert_eq!(posed_texture(&out, MaterialId(0), normal, &at_rest, &spec), None);
    assert!(moves_textures(&out, MaterialId(0)) && !moves_textures(&model, MaterialId(0)));
}
