//! Influences and weights.

use super::*;
use crate::model::{Influences, MeshId, NegativeInfluences, OutsideInfluence, Place, StoredMesh};
use crate::runtime::Center;

#[test]
fn influences_outside_the_first_set_are_dropped() {
    let rules = Rules { influences: Influencing::FirstSet, ..Rules::EXACT };
    let played = runtime(rules).play(&two_sets());
    assert_eq!(weights(&played.model, 0), [(0, 0.25)]);
    let [difference] = &played.differences[..] else { panic!("{:?}", played.differences) };
    assert_eq!((difference.kind, difference.count), ("influences-dropped", 1));
    assert_eq!(difference.place, Place::Vertex { mesh: 0, vertex: 0 });
    assert!(difference.text.contains("up to 75 % of the weight"), "{}", difference.text);

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
    let kinds: Vec<_> = played.differences.iter().map(|own| (own.kind, own.count)).collect();
    assert_eq!(kinds, [("influences-dropped", 1)]);
    let worst = worst(&two_sets(), &runtime(rules)).unwrap();
    assert!(worst.distance > 0.1, "{worst:?}");
}

#[test]
fn vertices_without_weights_vanish_or_follow_a_joint() {
    let mut model = two_sets();
    let lists: [&[(u32, f32)]; 3] = [&[(1, 1.0)], &[], &[(0, 0.5), (1, 1.5)]];
    inverse_bind_mut(&mut model.meshes[MeshId(0)]).influences = Influences::from_lists(lists);
    inverse_bind_mut(&mut model.meshes[MeshId(0)]).in_first_set.clear();
    let play = |weights| runtime(Rules { weights, ..Rules::EXACT }).play(&model);
    let vanishing = play(Weights::Normalized);
    assert_eq!(vanishing.differences[0].kind, "unweighted-vanish");
    assert!(skin_model(&vanishing.model, &PoseSpec::default())[0].positions[1].is_nan());
    assert_eq!(weights(&vanishing.model, 2), [(0, 0.25), (1, 0.75)]);
    let following = play(Weights::ClampedToJoint);
    assert_eq!(following.differences[0].kind, "unweighted-follow-joint");
    assert_eq!(weights(&following.model, 1), [(0, 1.0)]);
    // 0.5 and 1 of 1.5.
    assert_eq!(weights(&following.model, 2), [(0, 0.5 / 1.5), (1, 1.0 / 1.5)]);
}

#[test]
fn raw_weights_move_vertices_towards_the_origin() {
    let mut model = two_sets();
    let lists: [&[(u32, f32)]; 3] = [&[(1, 0.25)], &[], &[(0, 0.5), (1, 1.0)]];
    inverse_bind_mut(&mut model.meshes[MeshId(0)]).influences = Influences::from_lists(lists);
    inverse_bind_mut(&mut model.meshes[MeshId(0)]).in_first_set.clear();
    let exact = skin_model(&model, &PoseSpec::default())[0].positions.clone();
    let played =
        runtime(Rules { weights: Weights::Raw(Center::World), ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "weights-not-normalized");
    assert_eq!(played.differences[0].count, 3);
    let raw = skin_model(&played.model, &PoseSpec::default())[0].positions.clone();
    assert!(raw[0].distance(exact[0] * 0.25) < 1e-6, "{raw:?}");
    assert!(raw[1].length() < 1e-6);
    assert!(raw[2].distance(exact[2] * 1.5) < 1e-6, "{raw:?}");
}

#[test]
fn integers_are_rounded_again_and_floats_are_not() {
    let mut model = two_sets();
    let lists: [&[(u32, f32)]; 3] = [&[(0, 0.2), (1, 0.1)], &[(0, 1.0)], &[(1, 1.0)]];
    inverse_bind_mut(&mut model.meshes[MeshId(0)]).influences = Influences::from_lists(lists);
    inverse_bind_mut(&mut model.meshes[MeshId(0)]).in_first_set.clear();
    let rules = Rules { weights: Weights::RoundedToJoint(Center::World), ..Rules::EXACT };
    let third = |model: &Model| weights(&runtime(rules).play(model).model, 0)[1].1;
    assert!((third(&model) - 1.0 / 3.0).abs() < 1e-7);
    let max_integer_weight = Some(20);
    model.meshes[MeshId(0)].stored =
        Some(Box::new(StoredMesh { max_integer_weight, ..StoredMesh::default() }));
    // A third of 20, rounded to 7.
    assert_eq!(third(&model), 0.35);

    let rules = Rules { weights: Weights::NormalizedFloats(Center::World), ..Rules::EXACT };
    let played = runtime(rules).play(&model);
    assert_eq!(played.differences[0].kind, "weights-not-normalized");
    assert_eq!(weights(&played.model, 0)[0], (0, 0.2));
}

#[test]
fn unweighted_vertices_follow_the_first_joint_in_their_list() {
    let mut model = two_sets();
    let skin = inverse_bind_mut(&mut model.meshes[MeshId(0)]);
    skin.influences = Influences::from_lists([&[][..], &[], &[]]);
    skin.in_first_set.clear();
    skin.unweighted_slots = vec![(2, 1)];
    let rules = Rules { weights: Weights::NormalizedToJoint, ..Rules::EXACT };
    let played = runtime(rules).play(&model).model;
    let slots = [0, 1, 2].map(|vertex| weights(&played, vertex)[0].0);
    assert_eq!(slots, [0, 0, 1]);
}

#[test]
fn ties_are_rounded_in_double_precision() {
    let mut model = two_sets();
    // A half of 255 each.
    let lists: [&[(u32, f32)]; 3] =
        [&[(0, 3.0 / 255.0), (1, 3.0 / 255.0)], &[(0, 1.0)], &[(1, 1.0)]];
    let skin = inverse_bind_mut(&mut model.meshes[MeshId(0)]);
    skin.influences = Influences::from_lists(lists);
    skin.in_first_set.clear();
    let max_integer_weight = Some(255);
    model.meshes[MeshId(0)].stored =
        Some(Box::new(StoredMesh { max_integer_weight, ..StoredMesh::default() }));
    let rules = Rules { weights: Weights::RoundedToJoint(Center::World), ..Rules::EXACT };
    let played = runtime(rules).play(&model);
    assert_eq!(played.differences[0].kind, "weights-rounded");
    assert_eq!(weights(&played.model, 0)[0].1, 128.0 / 255.0);
}

#[test]
fn negative_weights_and_repeated_joints_are_those_of_the_file() {
    let mut model = two_sets();
    let lists: [&[(u32, f32)]; 3] =
        [&[(0, 1.25), (1, 0.0)], &[(0, 0.25), (1, 0.5), (0, 0.25)], &[(1, 1.0)]];
    let skin = inverse_bind_mut(&mut model.meshes[MeshId(0)]);
    skin.influences = Influences::from_lists(lists);
    skin.in_first_set.clear();
    let list = vec![OutsideInfluence { vertex: 0, entry: 1, slot: 1, weight: -0.25 }];
    skin.negative = Some(Box::new(NegativeInfluences { list }));
    let played = runtime(Rules { uses_negative_weights: true, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "negative-weights-used");
    assert_eq!(weights(&played.model, 0), [(0, 1.25), (1, -0.25)]);
    let played = runtime(Rules { replaces_repeated_joints: true, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "repeated-joints-replaced");
    assert_eq!(weights(&played.model, 1), [(1, 0.5), (0, 0.25)]);
}
