//! Models as runtimes with single rules play them.

use glam::{Mat4, Quat, Vec3};

use super::*;
use crate::compare::Moved;
use crate::model::testing::*;
use crate::model::{BoneId, Interpolation, Model, Place, Report, Track};
use crate::pose::{PoseSpec, skin_model};

fn runtime(rules: Rules) -> Runtime {
    Runtime {
        id: "test",
        name: "Test",
        version: "1",
        formats: &["gltf"],
        source: "",
        verified: Verified::No { exceptions: &[] },
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
    assert_eq!(kinds, [("influences-dropped", 1), ("weights-normalized", 1)]);
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
