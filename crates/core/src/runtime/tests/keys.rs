//! Interpolation of keys.

use super::*;
use crate::model::{BoneId, ClipId, MeshId, MorphShape, MorphTarget, MorphTrack, VertexId};
use crate::pose::{read_track, sample};

#[test]
fn rotations_are_blended_as_the_runtime_does() {
    let rules = Rules { rotations: Rotations::Nlerp, ..Rules::EXACT };
    let played = runtime(rules).play(&turning(Interpolation::Linear));
    assert_eq!(played.differences[0].kind, "rotations-nlerped");
    // A quarter of the way, nlerp is behind slerp.
    let angle = |model: &Model| first_vertex(model, 0.25).angle_between(Vec3::X).to_degrees();
    assert!((angle(&turning(Interpolation::Linear)) - 42.5).abs() < 0.01);
    assert!((angle(&played.model) - 42.5).abs() > 4.0);
    // At both keys and in the middle there is no difference.
    let model = turning(Interpolation::Linear);
    let worst = worst(&model, &runtime(rules)).unwrap();
    assert!(worst.distance > 0.07 && worst.time_secs == 0.25, "{worst:?}");
}

#[test]
fn splines_are_straightened() {
    for (splines, interpolation) in
        [(Splines::Linear, Interpolation::Linear), (Splines::Step, Interpolation::Step)]
    {
        let rules = Rules { splines, ..Rules::EXACT };
        let played = runtime(rules).play(&turning(Interpolation::Cubic));
        let rotation = tracks(&played.model.clips[ClipId(0)])[0].rotation.clone().unwrap();
        assert_eq!(rotation.interpolation, interpolation);
        assert_eq!(rotation.values.len(), 2);
        assert_eq!(played.differences[0].kind, "splines-ignored");
    }
}

#[test]
fn clips_are_sampled_at_the_rate_of_the_runtime() {
    let rules = Rules { rates: Rates::Frames(10.0), ..Rules::EXACT };
    let played = runtime(rules).play(&turning(Interpolation::Linear));
    let angle = |secs: f64| first_vertex(&played.model, secs).angle_between(Vec3::X).to_degrees();
    // Between frames, the earlier one holds.
    assert!((angle(0.39) - 51.0).abs() < 0.01, "{}", angle(0.39));
    assert!((angle(1.0) - 170.0).abs() < 0.01);
    let model = turning(Interpolation::Linear);
    assert_eq!(model.skeleton.display_name(BoneId(0)), "a");
    let still = Rules { rates: Rates::Interpolated(10.0), ..Rules::EXACT };
    assert!(worst(&model, &runtime(still)).is_none_or(|worst| worst.of_extent().unwrap() < 0.01));
}

#[test]
fn clips_that_are_too_long_for_their_keys_are_not_sampled() {
    let rules = Rules { rates: Rates::Frames(10.0), ..Rules::EXACT };
    let mut model = turning(Interpolation::Linear);
    let tracks = tracks_mut(&mut model.clips[ClipId(0)]);
    let times = &mut tracks[0].rotation.as_mut().unwrap().times_secs;
    *times.last_mut().unwrap() = 1e9;
    model.clips[ClipId(0)].duration_secs = 1e9;
    let played = runtime(rules).play(&model);
    assert_eq!(played.model.clips, model.clips);
    let text = &played.differences[0].text;
    assert_eq!(text, "clips that are sampled 10 times per second are too long to show that");
}

#[test]
fn smooth_splines_pass_the_keys_without_a_kink_and_are_level_at_the_ends() {
    let values = [0.0, 2.0, 1.0, 4.0];
    let mut track = Track {
        times_secs: vec![0.0, 0.5, 2.0, 3.0],
        values: values.iter().flat_map(|&value| [9.0, value, -9.0]).collect(),
        interpolation: Interpolation::Cubic,
    };
    assert!(splines::change(&mut track, Splines::Smooth, 3.0));
    let spans: Vec<_> = track.cubic_spans().collect();
    // The second derivatives of a Hermite curve at the beginning and at the end of a span, times the square of its
    // length.
    let begin = |span: usize| {
        let span = &spans[span];
        6.0 * (span.to - span.from) - 4.0 * span.out_tangent - 2.0 * span.in_tangent
    };
    let end = |span: usize| {
        let span = &spans[span];
        2.0 * span.out_tangent + 4.0 * span.in_tangent - 6.0 * (span.to - span.from)
    };
    let squares = [0.25, 2.25, 1.0];
    for key in 1..3 {
        assert!((end(key - 1) / squares[key - 1] - begin(key) / squares[key]).abs() < 1e-4);
        assert_eq!(spans[key].from, values[key]);
    }
    assert_eq!((spans[0].out_tangent, spans[2].in_tangent), (0.0, 0.0));
}

#[test]
fn padded_splines_overshoot_outside_their_keys() {
    let mut track = Track {
        times_secs: vec![1.0, 2.0],
        values: vec![0.0, 5.0, 8.0, -8.0, 7.0, 0.0],
        interpolation: Interpolation::Cubic,
    };
    let value = |track: &Track<f32>, secs| read_track(track, secs).unwrap();
    assert_eq!(value(&track, 0.5), 5.0);
    assert!(splines::change(&mut track, Splines::Padded, 4.0));
    assert_eq!(track.times_secs, [0.0, 1.0, 2.0, 4.0]);
    // Between equal keys, the slopes of 8 and 0 over a second add an eighth of 8.
    assert_eq!(value(&track, 0.5), 6.0);
    // The slopes of 0 and -8 over two seconds.
    assert_eq!(value(&track, 3.0), 9.0);
    assert!(!splines::change(&mut track, Splines::Padded, 4.0));
}

#[test]
fn rotations_that_are_not_normalized_scale_their_bone() {
    let raw = Rotations::Raw(RawRotations { lerp_above: 0.9995, ..RawRotations::PLAIN });
    let rules = runtime(Rules { rotations: raw, ..Rules::EXACT });
    let mut model = turning(Interpolation::Linear);
    assert!(rules.play(&model).differences.is_empty());
    let tracks = tracks_mut(&mut model.clips[ClipId(0)]);
    let rotation = tracks[0].rotation.as_mut().unwrap();
    rotation.values.iter_mut().for_each(|value| *value *= 1.1);
    let played = rules.play(&model);
    assert_eq!(played.differences[0].kind, "rotations-unnormalized");
    // The matrix of 1.1 times the quaternion: x = 1 - 2 (y^2 + z^2), and y = 2 z w.
    let half = 85f32.to_radians();
    let (z, w) = (1.1 * half.sin(), 1.1 * half.cos());
    let expected = Vec3::new(1.0 - 2.0 * z * z, 2.0 * z * w, 0.0);
    assert!(first_vertex(&played.model, 1.0).distance(expected) < 1e-6);
    assert!((first_vertex(&model, 1.0).length() - 1.0).abs() < 1e-6);
}

#[test]
fn morph_weights_are_clamped_between_keys() {
    let target = MorphTarget::single(
        "wide".to_owned(),
        MorphShape {
            vertices: vec![VertexId(0)],
            position_offsets: vec![Vec3::X],
            ..MorphShape::default()
        },
    );
    let mut model = turning(Interpolation::Linear);
    model.meshes[MeshId(0)].morph_targets.push(target);
    let weights = linear([(0.0, -0.5), (1.0, 3.5)]);
    let mesh = MeshId(0);
    model.clips[ClipId(0)].morph_tracks.push(MorphTrack { mesh, target: 0, weights });
    let rules = runtime(Rules { morph_weights: MorphWeights::Clamped, ..Rules::EXACT });
    let played = rules.play(&model);
    assert_eq!(played.differences[0].kind, "morph-weights-clamped");
    let weight = |secs| sample(&played.model, &PoseSpec::linear(None, secs)).morph_weights[0][0];
    // The first key widens the range.
    assert_eq!([0.0, 0.25, 0.9].map(weight), [-0.5, 0.5, 1.0]);
}

#[test]
fn stepped_tracks_change_late_or_never() {
    let stepped = |times: &[f64]| Track {
        times_secs: times.to_vec(),
        values: (1..=times.len()).map(|at| Vec3::X * at as f32).collect(),
        interpolation: Interpolation::Step,
    };
    let x = |steps, times: &[f64], secs: f64| {
        let model = ModelBuilder::new()
            .bones(&[("a", None, Vec3::ZERO)])
            .triangle()
            .bound([[(0, 1.0)], [(0, 1.0)], [(0, 1.0)]])
            .clip("step", 1.0)
            .translation(0, stepped(times))
            .build();
        let played = runtime(Rules { steps, ..Rules::EXACT }).play(&model).model;
        sample(&played, &PoseSpec::linear(None, secs)).model_from_bone[BoneId(0)].translation.x
    };
    let values = |steps, times: &[f64]| [0.5, 0.6, 1.0].map(|secs| x(steps, times, secs));
    let times = [0.0, 0.5, 1.0];
    assert_eq!(values(Steps::AtKey, &times), [2.0, 2.0, 3.0]);
    assert_eq!(values(Steps::AfterKey, &times), [1.0, 2.0, 2.0]);
    assert_eq!(values(Steps::NeverLast, &times), [2.0, 2.0, 2.0]);
    // A track that ends before its clip.
    assert_eq!(values(Steps::AfterKey, &[0.0, 0.5]), [1.0, 2.0, 2.0]);
    assert_eq!(values(Steps::NeverLast, &[0.0, 0.5]), [1.0, 1.0, 1.0]);
}

#[test]
fn tracks_with_a_single_key_are_ignored() {
    let mut model = turning(Interpolation::Linear);
    let tracks = tracks_mut(&mut model.clips[ClipId(0)]);
    tracks[0].translation = Some(Track {
        times_secs: vec![0.0],
        values: vec![Vec3::Y],
        interpolation: Interpolation::Linear,
    });
    let played = runtime(Rules { reads_single_keys: false, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "single-keys-ignored");
    assert_eq!(first_vertex(&model, 0.0), Vec3::X + Vec3::Y);
    assert_eq!(first_vertex(&played.model, 0.0), Vec3::X);
}

#[test]
fn tangents_are_multiplied_by_the_share_of_the_interval() {
    let mut model = turning(Interpolation::Linear);
    let tracks = tracks_mut(&mut model.clips[ClipId(0)]);
    tracks[0].rotation = None;
    tracks[0].translation = Some(Track {
        times_secs: vec![0.0, 2.0],
        values: [0.0, 0.0, 8.0, 0.0, 0.0, 0.0].map(|x| Vec3::X * x).to_vec(),
        interpolation: Interpolation::Cubic,
    });
    let played = runtime(Rules { splines: Splines::TangentsByShare, ..Rules::EXACT }).play(&model);
    // In the middle the slope of 8 counts by an eighth: over two seconds, or over half of one.
    assert_eq!(first_vertex(&model, 1.0).x, 1.0 + 2.0);
    assert_eq!(first_vertex(&played.model, 1.0).x, 1.0 + 0.5);
}

#[test]
fn other_lengths_scale_the_bone_if_its_matrix_is_homogeneous() {
    let raw = RawRotations {
        normalizes: Normalizes::Nothing,
        is_series: true,
        is_homogeneous: true,
        ..RawRotations::PLAIN
    };
    let rules = runtime(Rules { rotations: Rotations::Raw(raw), ..Rules::EXACT });
    let mut model = turning(Interpolation::Linear);
    // The series approximates sines.
    let exact = first_vertex(&model, 0.4);
    assert!(first_vertex(&rules.play(&model).model, 0.4).distance(exact) < 1e-3);
    let tracks = tracks_mut(&mut model.clips[ClipId(0)]);
    let rotation = tracks[0].rotation.as_mut().unwrap();
    rotation.values.iter_mut().for_each(|value| *value *= 1.5);
    assert!((first_vertex(&rules.play(&model).model, 1.0).length() - 2.25).abs() < 1e-5);
}
