//! Tracks that runtimes read differently.

use super::*;
use crate::model::{BoneId, BoneTrack, ClipId, NodeProperty, StoredTrack};

/// A vertex that follows a node, which moves to x = 1 and has a rotation track.
fn moving() -> Model {
    ModelBuilder::new()
        .bones(&[("a", None, Vec3::ZERO)])
        .mesh([Vec3::ZERO])
        .attached_to(0)
        .clip("walk", 1.0)
        .translation(0, linear([(0.0, Vec3::ZERO), (1.0, Vec3::X)]))
        .build()
}

fn track(translation: Track<Vec3>) -> BoneTrack {
    BoneTrack { bone: BoneId(0), translation: Some(translation), rotation: None, scale: None }
}

#[test]
fn channels_by_pointer_can_be_ignored() {
    let mut model = moving();
    model.stored.pointer_tracks.push(StoredTrack {
        clip: ClipId(0),
        node: BoneId(0),
        property: NodeProperty::Translation,
    });
    let played = runtime(Rules { reads_pointers: false, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "pointer-tracks-ignored");
    assert_eq!(first_vertex(&model, 1.0), Vec3::X);
    assert_eq!(first_vertex(&played.model, 1.0), Vec3::ZERO);
    assert!(runtime(Rules::EXACT).play(&model).differences.is_empty());
}

#[test]
fn the_last_of_several_channels_can_apply() {
    let mut model = moving();
    let later = track(linear([(0.0, Vec3::Y), (1.0, Vec3::Z)]));
    model.stored.repeated_tracks.push((ClipId(0), later));
    let played = runtime(Rules { last_channel_applies: true, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "last-channel-applies");
    assert_eq!(first_vertex(&played.model, 1.0), Vec3::Z);
}

#[test]
fn one_of_several_keys_at_the_same_time_can_count() {
    let mut model = moving();
    let keys = [(0.0, Vec3::ZERO), (0.5, Vec3::X), (0.5, Vec3::Y), (1.0, Vec3::Z)];
    tracks_mut(&mut model.clips[ClipId(0)])[0] = track(linear(keys));
    for (repeated_keys, middle) in [(RepeatedKeys::First, Vec3::X), (RepeatedKeys::Last, Vec3::Y)] {
        let played = runtime(Rules { repeated_keys, ..Rules::EXACT }).play(&model);
        assert_eq!(played.differences[0].kind, "repeated-keys-dropped");
        assert_eq!(first_vertex(&played.model, 0.5), middle);
        assert_eq!(first_vertex(&played.model, 0.25), middle * 0.5);
    }
}

#[test]
fn keys_that_are_not_in_order_are_searched_for_the_first_later_one() {
    let mut model = moving();
    let x = |x: f32| Vec3::X * x;
    let stored = track(linear([(0.0, x(0.0)), (0.6, x(6.0)), (0.3, x(-1.0)), (1.0, x(6.0))]));
    model.stored.unsorted_tracks.push((ClipId(0), stored));
    let played = runtime(Rules { searches_unsorted_keys: true, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "unsorted-keys-searched");
    let at = |secs: f64| first_vertex(&played.model, secs).x;
    // Until 0.6 s, the second key is the first later one; then it is the last.
    assert!((at(0.3) - 3.0).abs() < 1e-5, "{}", at(0.3));
    assert!((at(0.65) - (-1.0 + 7.0 * 0.35 / 0.7)).abs() < 1e-4, "{}", at(0.65));
    assert!((at(1.0) - 6.0).abs() < 1e-5);
}

#[test]
fn single_spline_keys_can_have_the_value_of_their_tangent() {
    let mut model = moving();
    let spline = Track {
        times_secs: vec![0.0],
        values: vec![Vec3::Y, Vec3::X, Vec3::Z],
        interpolation: Interpolation::Cubic,
    };
    tracks_mut(&mut model.clips[ClipId(0)])[0] = track(spline);
    let rules = Rules { single_spline_keys_are_tangents: true, ..Rules::EXACT };
    let played = runtime(rules).play(&model);
    assert_eq!(played.differences[0].kind, "single-spline-keys-misread");
    assert_eq!(first_vertex(&played.model, 0.0), Vec3::Y);
}

#[test]
fn integer_keys_may_not_be_divided() {
    let mut model = turning(Interpolation::Linear);
    let property = NodeProperty::Rotation;
    let own = StoredTrack { clip: ClipId(0), node: BoneId(0), property };
    model.stored.integer_tracks.push((own, 127));
    let played = runtime(Rules { divides_integer_keys: false, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "integer-keys-not-divided");
    let rotation = tracks(&played.model.clips[ClipId(0)])[0].rotation.clone().unwrap();
    assert!((rotation.values[0].length() - 127.0).abs() < 1e-3);
}

#[test]
fn splines_of_weights_are_misread_as_more_targets() {
    let mut model = moving();
    let mesh = MeshId(0);
    let target = crate::model::MorphTarget::single("wide".to_owned(), Default::default());
    model.meshes[mesh].morph_targets.push(target);
    let values = [0.1, 1.0, 0.0, 0.2, 1.0, 0.0, 0.3, 1.0, 0.0].to_vec();
    let times_secs = vec![0.0, 0.5, 1.0];
    model.clips[ClipId(0)].morph_tracks.push(crate::model::MorphTrack {
        mesh,
        target: 0,
        weights: Track { times_secs, values, interpolation: Interpolation::Cubic },
    });
    let played = runtime(Rules { misreads_spline_weights: true, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "morph-splines-misread");
    let weight = |secs: f64| {
        crate::pose::sample(&played.model, &PoseSpec::linear(None, secs)).morph_weights[0][0]
    };
    // There are only three in-tangents: one spline key, whose value is the second of them.
    assert_eq!([weight(0.25), weight(1.0)], [0.0, 0.0]);
}

#[test]
fn nodes_with_the_same_path_share_the_motion_of_the_last() {
    let bones =
        [("top", None, Vec3::ZERO), ("arm", Some(0), Vec3::ZERO), ("arm", Some(0), Vec3::X)];
    let model = ModelBuilder::new()
        .bones(&bones)
        .mesh([Vec3::ZERO])
        .attached_to(1)
        .clip("wave", 1.0)
        .translation(1, linear([(0.0, Vec3::ZERO), (1.0, Vec3::X)]))
        .translation(2, linear([(0.0, Vec3::ZERO), (1.0, Vec3::Y)]))
        .build();
    let played = runtime(Rules { binding: Binding::ByPath, ..Rules::EXACT }).play(&model);
    assert_eq!(played.differences[0].kind, "nodes-share-motion");
    assert_eq!(first_vertex(&played.model, 1.0), Vec3::Y);
}
