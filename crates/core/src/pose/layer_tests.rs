//! Layers of poses, and decomposed sampling between keys.

use glam::{Affine3A, Quat, Vec3};

use super::*;
use crate::model::RotationBlending;
use crate::model::testing::*;

const INTERVAL_NS: u64 = 1_000_000_000;

fn at(x: f32, turn_rad: f32) -> Affine3A {
    Affine3A::from_rotation_translation(Quat::from_rotation_z(turn_rad), Vec3::new(x, 1.0, 0.0))
}

/// A bone that rests at (0, 1, 0). `turn` rotates it by two radians while it moves 4 along x; in
/// `lift` it moves up by 2.
fn model(space: KeySpace) -> Model {
    let up = |y: f32| Affine3A::from_translation(Vec3::Y * y) * at(0.0, 0.5);
    let clip = |name, keys: &[Affine3A]| sampled(name, space, INTERVAL_NS, 1, keys);
    let one = ModelBuilder::new().chain(&["root"]).rest(LocalTransform::Matrix(at(0.0, 0.0)));
    let one = if space == KeySpace::Local { one } else { one.without_hierarchy() };
    one.add_clip(clip("turn", &[at(0.0, 0.0), at(4.0, 2.0)]))
        .add_clip(clip("lift", &[up(0.0), up(2.0)]))
        .build()
}

fn spec(time_secs: f64, sampling: Sampling) -> PoseSpec {
    PoseSpec {
        clip: Some(ClipId(0)),
        moment: Moment::TimeSecs(time_secs),
        sampling,
        ..PoseSpec::default()
    }
}

/// The only bone's matrix, local or baked.
fn bone(model: &Model, spec: &PoseSpec) -> Affine3A {
    let pose = sample(model, spec);
    pose.model_from_mesh.unwrap_or(pose.model_from_bone)[BoneId(0)]
}

fn laid(mode: LayerMode, weight: f32) -> PoseSpec {
    PoseSpec {
        layer: Some(ClipLayer {
            clip: ClipId(1),
            time_secs: 1.0,
            weight,
            mode,
            reference_secs: None,
            mask: None,
        }),
        ..spec(0.0, Sampling::Step)
    }
}

#[test]
fn decomposed_sampling_rotates_without_shrinking_and_hits_the_keys() {
    let model = model(KeySpace::Local);
    let half = bone(&model, &spec(0.5, Sampling::Decomposed));
    assert!(half.abs_diff_eq(at(2.0, 1.0), 1e-5), "{half}");
    let summed = bone(&model, &spec(0.5, Sampling::Linear));
    assert!((summed.matrix3.x_axis.length() - 1.0f32.cos()).abs() < 1e-5);
    for (time, key) in [(0.0, at(0.0, 0.0)), (1.0, at(4.0, 2.0)), (9.0, at(4.0, 2.0))] {
        assert_eq!(bone(&model, &spec(time, Sampling::Decomposed)), key);
    }
}

#[test]
fn baked_skinning_matrices_keep_their_scale_between_keys() {
    let model = model(KeySpace::Skin);
    for step in 0..=10u8 {
        let time = f64::from(step) * 0.1;
        let matrix = bone(&model, &spec(time, Sampling::Decomposed));
        assert!((matrix.matrix3.determinant() - 1.0).abs() < 1e-4);
        let rotation = Quat::from_mat3a(&matrix.matrix3);
        let wanted = 2.0 * f32::from(step) * 0.1;
        assert!((rotation.to_axis_angle().1 - wanted).abs() < 1e-3, "{time}");
    }
}

#[test]
fn a_crossfade_goes_from_one_clip_to_the_other() {
    for space in [KeySpace::Local, KeySpace::Skin] {
        let model = model(space);
        let (first, second) =
            (at(0.0, 0.0), Affine3A::from_translation(Vec3::Y * 2.0) * at(0.0, 0.5));
        let matrix = |weight| bone(&model, &laid(LayerMode::Crossfade, weight));
        assert_eq!(matrix(0.0), first);
        assert!(matrix(1.0).abs_diff_eq(second, 1e-5));
        let rotation = Quat::from_mat3a(&matrix(0.5).matrix3);
        assert!((rotation.to_axis_angle().1 - 0.25).abs() < 1e-4, "{space:?}");
    }
    let half = bone(&model(KeySpace::Local), &laid(LayerMode::Crossfade, 0.5));
    assert!(half.translation.distance(Vec3::Y.into()) < 2.0);
    assert!((half.translation.y - 2.0).abs() < 1e-5);
}

#[test]
fn additive_clip_adds_its_motion_relative_to_start_or_rest() {
    for space in [KeySpace::Local, KeySpace::Skin] {
        let model = model(space);
        // From its own start, the second clip only moves up by 2.
        let half = bone(&model, &laid(LayerMode::AddToStart, 0.5));
        let wanted = Affine3A::from_translation(Vec3::Y) * at(0.0, 0.0);
        assert!(half.abs_diff_eq(wanted, 1e-5), "{space:?} {half}");
    }
    // Relative to the rest pose it rotates as well.
    let full = bone(&model(KeySpace::Local), &laid(LayerMode::AddToRest, 1.0));
    let wanted = Affine3A::from_translation(Vec3::Y * 2.0) * at(0.0, 0.5);
    assert!(full.abs_diff_eq(wanted, 1e-5), "{full}");
}

#[test]
fn an_additive_clip_can_be_relative_to_any_of_its_poses() {
    let model = model(KeySpace::Local);
    let mut spec = laid(LayerMode::AddToStart, 1.0);
    let from_end = |spec: &mut PoseSpec, reference_secs| {
        let layer = spec.layer.unwrap();
        spec.layer = Some(ClipLayer { reference_secs, ..layer });
        bone(&model, spec)
    };
    // The pose at its end, relative to that pose.
    assert!(from_end(&mut spec, Some(1.0)).abs_diff_eq(at(0.0, 0.0), 1e-6));
    let from_start = from_end(&mut spec, Some(0.0));
    assert_eq!(from_start, from_end(&mut spec, None));
}

#[test]
fn a_mask_limits_a_clip_to_a_bone_and_those_below_it() {
    let one = Affine3A::from_translation(Vec3::X);
    let still = [one; 4];
    let moved = [Affine3A::from_translation(Vec3::Y); 4];
    let clip = |name, keys: &[Affine3A]| sampled(name, KeySpace::Local, INTERVAL_NS, 4, keys);
    let model = ModelBuilder::new()
        .bones(&[
            ("root", None, Vec3::X),
            ("arm", Some(0), Vec3::X),
            ("hand", Some(1), Vec3::X),
            ("leg", Some(0), Vec3::X),
        ])
        .add_clip(clip("still", &still))
        .add_clip(clip("moved", &moved))
        .build();
    let mut spec = laid(LayerMode::Crossfade, 1.0);
    spec.layer = spec.layer.map(|layer| ClipLayer { time_secs: 0.0, ..layer });
    let moves = |spec: &PoseSpec| {
        let pose = sample(&model, spec);
        [0, 1, 2, 3].map(|bone| pose.parent_from_bone[BoneId(bone)] == moved[0])
    };
    assert_eq!(moves(&spec), [true; 4]);
    spec.layer = spec.layer.map(|layer| ClipLayer { mask: Some(BoneId(1)), ..layer });
    assert_eq!(moves(&spec), [false, true, true, false]);
    // Baked skinning matrices have no parents that they are relative to.
    let baked = sampled("b", KeySpace::Skin, INTERVAL_NS, 4, &still);
    assert!(!ClipLayer::can_be_masked(&baked));
}

#[test]
fn a_runtime_that_replaces_clips_shows_the_second_one() {
    let mut model = model(KeySpace::Local);
    model.clip_blending.rotations = RotationBlending::Replaced;
    let shown = bone(&model, &laid(LayerMode::Crossfade, 0.25));
    let second = Affine3A::from_translation(Vec3::Y * 2.0) * at(0.0, 0.5);
    assert!(shown.abs_diff_eq(second, 1e-6));
}

#[test]
fn in_place_removes_only_the_motion_over_the_ground() {
    for space in [KeySpace::Local, KeySpace::Skin] {
        let model = model(space);
        let in_place = Some(InPlace { bone: BoneId(0), point: Vec3::ZERO });
        let held = PoseSpec { in_place, ..spec(0.5, Sampling::Decomposed) };
        let free = bone(&model, &spec(0.5, Sampling::Decomposed));
        let matrix = bone(&model, &held);
        assert!(matrix.translation.x.abs() < 1e-5, "{matrix}");
        assert_eq!(matrix.translation.y, free.translation.y);
        assert_eq!(matrix.matrix3, free.matrix3);
    }
}

#[test]
fn morph_overrides_take_precedence_over_the_clip() {
    let mut model = model(KeySpace::Local);
    let target = |name, default_weight| MorphTarget { default_weight, ..morph(name, &[]) };
    model.meshes = vec![
        Mesh { morph_targets: vec![target("a", 0.25)], ..Mesh::default() },
        Mesh { morph_targets: vec![target("b", 0.0), target("c", 0.5)], ..Mesh::default() },
    ]
    .into();
    let mut wanted = spec(0.0, Sampling::Step);
    assert!(wanted.morphs.set(1, Some(0.75)) && wanted.morphs.set(99, Some(1.0)));
    let weights = sample(&model, &wanted).morph_weights;
    assert_eq!(weights, [vec![0.25], vec![0.75, 0.5]]);
}

#[test]
fn blend_error_matches_one_minus_the_cosine() {
    let mut model = model(KeySpace::Local);
    let points = ModelBuilder::new().mesh([Vec3::ZERO, Vec3::X * 3.0, Vec3::Z]);
    model.meshes = vec![points.attached_to(0).into_mesh()].into();
    let error = blend_error(&model, ClipId(0), &Report::new()).unwrap();
    let worst = error.worst.unwrap();
    assert_eq!((worst.mesh, worst.vertex, worst.time_secs), (MeshId(0), VertexId(1), 0.5));
    assert!((worst.distance - 3.0 * (1.0 - 1.0f32.cos())).abs() < 1e-5);
    assert_eq!(error.distances.len(), 3);
    assert_eq!((error.distances[0], error.distances[2]), (0.0, 0.0));
    // Pure translation is the same either way.
    let lifted = blend_error(&model, ClipId(1), &Report::new()).unwrap();
    assert!(lifted.worst.is_none_or(|worst| worst.distance < 1e-6));
}
