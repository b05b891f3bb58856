//! Models as runtimes with single rules play them.

use glam::{Mat4, Quat, Vec3};

use super::*;
use crate::compare::Moved;
use crate::model::testing::*;
use crate::model::{
    BoneId, Influences, Interpolation, MeshId, Model, MorphShape, MorphTarget, MorphTrack, Motion,
    Place, Report, Track, VertexId,
};
use crate::pose::{PoseSpec, read_track, sample, skin_model};

fn runtime(rules: Rules) -> Runtime {
    Runtime {
        id: "test",
        name: "Test",
        version: "1",
        formats: &["gltf"],
        source: "",
        verified: Verified::No(Measured { num_exact: 0, num_files: 0, exceptions: &[] }),
        rules,
    }
}

fn worst(model: &Model, runtime: &Runtime) -> Option<Moved> {
    let played = runtime.play(model).model;
    deviations(model, &played, &Report::new()).unwrap().worst
}

/// Two bones; vertex 0 has its heaviest influence in the second set, and vertex 1 a sum of 0.5.
fn two_sets() -> Model {
    let bones = [("a", None, Vec3::ZERO), ("b", None, Vec3::X)];
    let lists: [&[(u32, f32)]; 3] = [&[(0, 0.25), (1, 0.75)], &[(0, 0.5)], &[(1, 1.0)]];
    let skin = skin(&[(0, Mat4::IDENTITY), (1, Mat4::IDENTITY)], lists);
    let mut model = ModelBuilder::new().bones(&bones).triangle().skin(skin).build();
    inverse_bind_mut(&mut model.meshes[0]).in_first_set = vec![1, 1, 1];
    model
}

fn weights(model: &Model, vertex: usize) -> Vec<(u32, f32)> {
    let mut list = Vec::new();
    let influences = &inverse_bind(&model.meshes[0]).influences;
    influences.for_each(vertex, |slot, weight| list.push((slot, weight)));
    list
}

#[test]
fn identifiers_are_unique_and_references_change_nothing() {
    let model = two_sets();
    for runtime in RUNTIMES {
        assert_eq!(RUNTIMES.iter().filter(|other| other.id == runtime.id).count(), 1);
        assert!(!runtime.formats.is_empty() && !runtime.source.is_empty(), "{}", runtime.id);
        if runtime.verified == Verified::Reference {
            let played = runtime.play(&model);
            assert!(played.effects.is_empty(), "{}", runtime.id);
            assert_eq!(worst(&model, runtime), None, "{}", runtime.id);
        }
    }
}

#[test]
fn influences_outside_the_first_set_are_dropped() {
    let rules = Rules { influences: Influencing::FirstSet, ..Rules::EXACT };
    let played = runtime(rules).play(&two_sets());
    assert_eq!(weights(&played.model, 0), [(0, 0.25)]);
    let [effect] = &played.effects[..] else { panic!("{:?}", played.effects) };
    assert_eq!((effect.kind, effect.count), ("influences-dropped", 1));
    assert_eq!(effect.place, Place::Vertex { mesh: 0, vertex: 0 });
    assert!(effect.text.contains("up to 75 % of the weight"), "{}", effect.text);

    let heaviest = Rules { influences: Influencing::Heaviest(1), ..Rules::EXACT };
    assert_eq!(weights(&runtime(heaviest).play(&two_sets()).model, 0), [(1, 0.75)]);
}

#[test]
fn weights_are_normalized_after_dropping_influences() {
    let rules =
        Rules { influences: Influencing::FirstSet, weights: Weights::Normalized, ..Rules::EXACT };
    let played = runtime(rules).play(&two_sets());
    assert_eq!(weights(&played.model, 0), [(0, 1.0)]);
    assert_eq!(weights(&played.model, 1), [(0, 1.0)]);
    let kinds: Vec<_> = played.effects.iter().map(|effect| (effect.kind, effect.count)).collect();
    assert_eq!(kinds, [("influences-dropped", 1)]);
    let worst = worst(&two_sets(), &runtime(rules)).unwrap();
    assert!(worst.distance > 0.1, "{worst:?}");
}

/// A bone that turns by 170 degrees, with a vertex at a distance of 1.
fn turning(interpolation: Interpolation) -> Model {
    let turn = |degrees: f32| Quat::from_rotation_z(degrees.to_radians());
    let values = match interpolation {
        Interpolation::Cubic => {
            let still = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
            let fast = Quat::from_xyzw(0.0, 0.0, 4.0, 0.0);
            vec![still, turn(0.0), fast, still, turn(170.0), still]
        }
        _ => vec![turn(0.0), turn(170.0)],
    };
    let track = Track { times_secs: vec![0.0, 1.0], values, interpolation };
    ModelBuilder::new()
        .bones(&[("a", None, Vec3::ZERO)])
        .mesh([Vec3::X, Vec3::Y, Vec3::ZERO])
        .indices([0, 1, 2])
        .bound([[(0, 1.0)], [(0, 1.0)], [(0, 1.0)]])
        .clip("turn", 1.0)
        .rotation(0, track)
        .build()
}

fn first_vertex(model: &Model, time_secs: f64) -> Vec3 {
    skin_model(model, &PoseSpec::linear(None, time_secs))[0].positions[0]
}

#[test]
fn rotations_are_blended_as_the_runtime_does() {
    let rules = Rules { rotations: Rotations::Nlerp, ..Rules::EXACT };
    let played = runtime(rules).play(&turning(Interpolation::Linear));
    assert_eq!(played.effects[0].kind, "rotations-nlerped");
    // A quarter of the way, nlerp is behind slerp.
    let angle = |model: &Model| first_vertex(model, 0.25).angle_between(Vec3::X).to_degrees();
    assert!((angle(&turning(Interpolation::Linear)) - 42.5).abs() < 0.01);
    assert!((angle(&played.model) - 42.5).abs() > 4.0);
    // At both keys and in the middle there is no difference.
    let model = turning(Interpolation::Linear);
    let worst = worst(&model, &runtime(rules)).unwrap();
    assert!(worst.distance > 0.07 && worst.moment.unwrap().1 == 0.2, "{worst:?}");
}

#[test]
fn splines_are_straightened() {
    for (splines, interpolation) in
        [(Splines::Linear, Interpolation::Linear), (Splines::Step, Interpolation::Step)]
    {
        let rules = Rules { splines, ..Rules::EXACT };
        let played = runtime(rules).play(&turning(Interpolation::Cubic));
        let rotation = tracks(&played.model.clips[0])[0].rotation.clone().unwrap();
        assert_eq!(rotation.interpolation, interpolation);
        assert_eq!(rotation.values.len(), 2);
        assert_eq!(played.effects[0].kind, "splines-ignored");
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
    assert!(worst(&model, &runtime(still)).is_none_or(|worst| worst.share < 0.01));
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
    // The second derivatives of a Hermite curve at the beginning and at the end of a span, times the square of its length.
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
    assert!(rules.play(&model).effects.is_empty());
    let Motion::Tracks(tracks) = &mut model.clips[0].motion else { panic!("tracks") };
    let rotation = tracks[0].rotation.as_mut().unwrap();
    rotation.values.iter_mut().for_each(|value| *value *= 1.1);
    let played = rules.play(&model);
    assert_eq!(played.effects[0].kind, "rotations-unnormalized");
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
    model.meshes[0].morph_targets.push(target);
    let weights = linear([(0.0, -0.5), (1.0, 3.5)]);
    let mesh = MeshId(0);
    model.clips[0].morph_tracks.push(MorphTrack { mesh, target: 0, weights });
    let rules = runtime(Rules { morph_weights: MorphWeights::Clamped, ..Rules::EXACT });
    let played = rules.play(&model);
    assert_eq!(played.effects[0].kind, "morph-weights-clamped");
    let weight = |secs| sample(&played.model, &PoseSpec::linear(None, secs)).morph_weights[0][0];
    // The first key widens the range.
    assert_eq!([0.0, 0.25, 0.9].map(weight), [-0.5, 0.5, 1.0]);
}

#[test]
fn clips_that_leave_the_bounds_as_loaded_are_reported() {
    let model = |x: f32| {
        ModelBuilder::new()
            .bones(&[("a", None, Vec3::ZERO)])
            .mesh([Vec3::X, Vec3::Y, Vec3::ZERO])
            .indices([0, 1, 2])
            .bound([[(0, 1.0)], [(0, 1.0)], [(0, 1.0)]])
            .clip("walk", 1.0)
            .translation(0, linear([(0.0, Vec3::ZERO), (1.0, Vec3::X * x)]))
            .build()
    };
    let rules = runtime(Rules { culling: Culling::AsLoaded, ..Rules::EXACT });
    let effects = rules.play(&model(3.0)).effects;
    assert_eq!(effects[0].kind, "culled-too-early");
    // Three times the diagonal of the triangle's box, divided by the square root of 2.
    assert!(effects[0].text.contains("up to 212 % of the size"), "{}", effects[0]);
    assert!(rules.play(&model(0.1)).effects.is_empty());
}

#[test]
fn vertices_without_weights_vanish_or_follow_a_joint() {
    let mut model = two_sets();
    let lists: [&[(u32, f32)]; 3] = [&[(1, 1.0)], &[], &[(0, 0.5), (1, 1.5)]];
    inverse_bind_mut(&mut model.meshes[0]).influences = Influences::from_lists(lists);
    inverse_bind_mut(&mut model.meshes[0]).in_first_set.clear();
    let play = |weights| runtime(Rules { weights, ..Rules::EXACT }).play(&model);
    let vanishing = play(Weights::Normalized);
    assert_eq!(vanishing.effects[0].kind, "unweighted-vanish");
    assert!(skin_model(&vanishing.model, &PoseSpec::default())[0].positions[1].is_nan());
    assert_eq!(weights(&vanishing.model, 2), [(0, 0.25), (1, 0.75)]);
    let following = play(Weights::ClampedToJoint);
    assert_eq!(following.effects[0].kind, "unweighted-follow-joint");
    assert_eq!(weights(&following.model, 1), [(0, 1.0)]);
    // 0.5 and 1 of 1.5.
    assert_eq!(weights(&following.model, 2), [(0, 0.5 / 1.5), (1, 1.0 / 1.5)]);
}

#[test]
fn files_that_require_other_extensions_are_refused() {
    let mut model = two_sets();
    model.required_extensions =
        vec!["KHR_mesh_quantization".into(), "EXT_meshopt_compression".into()];
    let blender = Runtime::of_id("blender").unwrap();
    let error = blender.check_opens("gltf", &model).unwrap_err();
    assert!(error.contains("requires the extension EXT_meshopt_compression"), "{error}");
    assert_eq!(Runtime::of_id("three.js").unwrap().check_opens("gltf", &model), Ok(()));
    assert!(blender.check_opens("iqm", &model).unwrap_err().contains("doesn't open iqm files"));
}

#[test]
fn raw_weights_move_vertices_towards_the_origin() {
    let mut model = two_sets();
    let lists: [&[(u32, f32)]; 3] = [&[(1, 0.25)], &[], &[(0, 0.5), (1, 1.0)]];
    inverse_bind_mut(&mut model.meshes[0]).influences = Influences::from_lists(lists);
    inverse_bind_mut(&mut model.meshes[0]).in_first_set.clear();
    let exact = skin_model(&model, &PoseSpec::default())[0].positions.clone();
    let played =
        runtime(Rules { weights: Weights::Raw(Center::World), ..Rules::EXACT }).play(&model);
    assert_eq!(played.effects[0].kind, "weights-not-normalized");
    assert_eq!(played.effects[0].count, 3);
    let raw = skin_model(&played.model, &PoseSpec::default())[0].positions.clone();
    assert!(raw[0].distance(exact[0] * 0.25) < 1e-6, "{raw:?}");
    assert!(raw[1].length() < 1e-6);
    assert!(raw[2].distance(exact[2] * 1.5) < 1e-6, "{raw:?}");
}

#[test]
fn weights_of_the_mesh_apply_if_those_of_the_node_are_ignored() {
    let mut model = two_sets();
    let mesh = &mut model.meshes[0];
    mesh.morph_targets = ["a", "b"]
        .map(|name| MorphTarget {
            name: name.to_owned(),
            default_weight: 0.5,
            ..MorphTarget::default()
        })
        .to_vec();
    let overridden_morph_weights = Some(vec![0.25]);
    mesh.stored = Some(Box::new(StoredMesh { overridden_morph_weights, ..StoredMesh::default() }));
    let played = runtime(Rules { reads_node_weights: false, ..Rules::EXACT }).play(&model);
    assert_eq!(played.effects[0].kind, "node-weights-ignored");
    let weights = played.model.meshes[0].morph_targets.iter().map(|target| target.default_weight);
    assert_eq!(weights.collect::<Vec<_>>(), [0.25, 0.0]);
}
