//! Measurements, without a window.

use super::super::tests::{apply, load, model, opened, picked, run};
use super::*;
use crate::{Action, AppState, Channel, Command, Pane, PickFor, PickHit, Request, Selection};
use rigscope_core::model::{BoneId, MeshId, Model, VertexId};
use rigscope_core::pose::{sample, skin_model};

fn vertex(number: u32) -> ModelPoint {
    ModelPoint::Vertex { mesh: MeshId(0), vertex: VertexId(number) }
}

fn measure(state: &mut AppState, points: &[ModelPoint]) -> usize {
    let add = |&point| apply(state, Action::Measure(MeasureAction::Add(point)));
    points.iter().map(add).sum()
}

fn curves(state: &AppState) -> MeasureCurves {
    (**state.tab.view.measure.curves.get().unwrap()).clone()
}

fn at_keys(channel: &Channel) -> Vec<f64> {
    channel.keys.iter().map(|[_, value]| *value).collect()
}

#[test]
fn distances_and_angle_of_moving_vertices_match_expected_values() {
    let mut state = opened();
    run(&mut state, Command::Measure);
    // Vertex 3 is at (1 + key, 0), vertex 0 stays at (-2, 0), vertex 5 is at (1 + key, 1).
    assert_eq!(measure(&mut state, &[vertex(3), vertex(0), vertex(5)]), 2);
    let curves = curves(&state);
    let by_hand = |value: fn(f64) -> f64| (0..11u8).map(move |key| value(3.0 + f64::from(key)));
    assert!(at_keys(&curves.distances[0]).into_iter().eq(by_hand(|x| x)));
    assert!(at_keys(&curves.distances[1]).into_iter().eq(by_hand(|x| x.hypot(1.0))));
    for (angle, by_hand) in at_keys(&curves.angle).iter().zip(by_hand(|x| (1.0 / x).atan())) {
        assert!((angle - by_hand.to_degrees()).abs() < 1e-6, "{angle}");
    }
    assert_eq!(curves.angle.keys.len(), 11);
    // Between keys the earlier one holds, as in the view.
    assert!(curves.distances[0].points.iter().all(|[_, x]| x.fract() == 0.0));
    state.apply(Action::SeekKey(4));
    let places = state.measured_places();
    assert_eq!(state.measured_distances(&places)[0], 7.0);
    assert!((state.measured_angle(&places).unwrap() - (1.0f64 / 7.0).atan().to_degrees()) < 1e-6);
}

#[test]
fn points_follow_posed_vertices_and_displayed_bones() {
    let mut state = opened();
    state.apply(Action::SeekKey(3));
    measure(&mut state, &[vertex(4), ModelPoint::Bone(BoneId(1))]);
    let document = state.tab.document.as_ref().unwrap();
    let spec = state.tab.playback.pose_spec();
    let skinned = &skin_model(&document.model, &spec)[0];
    let bones = state.bone_shapes();
    let arm = bones.iter().find(|shape| shape.bone == BoneId(1)).unwrap();
    assert_eq!(state.measured_places(), [skinned.positions[4], arm.head]);
    let pose = sample(&document.model, &spec);
    assert_eq!(vertex(6).place(&document.model, &pose, &document.anchors), None);
}

#[test]
fn curves_are_computed_once_and_only_while_their_pane_is_open() {
    let mut state = opened();
    assert_eq!(measure(&mut state, &[vertex(0), vertex(3)]), 0, "the pane is closed");
    assert_eq!(run(&mut state, Command::pane(Pane::Measure)), 1);
    assert_eq!(apply(&mut state, Action::Seek(0.4)), 0, "the time doesn't matter");
    assert_eq!(run(&mut state, Command::ToggleLinear), 1, "sampling is");
    assert_eq!(run(&mut state, Command::NextClip), 1);
    assert_eq!(at_keys(&curves(&state).distances[0]), [3.0, 4.0, 5.0]);
    run(&mut state, Command::ClearMeasured);
    assert!(state.tab.view.measure.curves.get().is_none());
}

#[test]
fn fourth_point_starts_over_and_each_point_can_be_undone() {
    let mut state = opened();
    run(&mut state, Command::Measure);
    assert!(state.settings.panes.shows(Pane::Measure));
    let points = |state: &AppState| state.tab.view.measure.points.clone();
    measure(&mut state, &[vertex(0), vertex(0), vertex(9), vertex(1)]);
    assert_eq!(points(&state), [vertex(0), vertex(1)], "twice the same, and one that is not there");
    measure(&mut state, &[vertex(2), vertex(3)]);
    assert_eq!(points(&state), [vertex(3)]);
    run(&mut state, Command::Undo);
    assert_eq!(points(&state), [vertex(0), vertex(1), vertex(2)]);
    run(&mut state, Command::Redo);
    run(&mut state, Command::Measure);
    assert!(points(&state).is_empty(), "a single point measures nothing");
    // A click on the background adds no point and doesn't change the selection.
    run(&mut state, Command::Measure);
    apply(&mut state, Action::Select(Selection::Subset(1)));
    let at = crate::PickAt { wanted_for: PickFor::Measuring, ..Default::default() };
    apply(&mut state, Action::Pick(at));
    let beside = picked(&state, at, PickHit::default());
    apply(&mut state, beside);
    assert_eq!((points(&state).len(), state.tab.selection), (0, Selection::Subset(1)));
}

#[test]
fn points_survive_a_reload_if_the_file_still_contains_them() {
    let mut state = opened();
    let arm = ModelPoint::Bone(BoneId(1));
    measure(&mut state, &[vertex(3), arm]);
    load(&mut state, Action::Run(Command::Reload), model(["skin", "cloth"]));
    assert_eq!(state.tab.view.measure.points, [vertex(3), arm]);
    let without_mesh = Model { meshes: Vec::new().into(), ..model(["skin", "cloth"]) };
    load(&mut state, Action::Run(Command::Reload), without_mesh);
    assert!(state.tab.view.measure.points.is_empty());
    let said = state
        .toasts
        .log()
        .entries()
        .iter()
        .any(|entry| entry.text.contains("measurement has ended"));
    assert!(said);
}

#[test]
fn measurements_are_copied_as_csv() {
    let mut state = opened();
    let copied = |state: &mut AppState| {
        let requests = state.apply(Action::Run(Command::CopyMeasured));
        match requests.first() {
            Some(Request::CopyText(text)) => text.clone(),
            other => panic!("{other:?}"),
        }
    };
    measure(&mut state, &[vertex(0), vertex(3), vertex(5)]);
    let shown = copied(&mut state);
    assert_eq!(shown.lines().count(), 2, "{shown}");
    run(&mut state, Command::pane(Pane::Measure));
    let all = copied(&mut state);
    let mut lines = all.lines();
    assert_eq!(lines.next(), Some("time (s),key,P1-P2 (units),P2-P3 (units),angle (degrees)"));
    assert_eq!(lines.next(), Some("0.000000,1,3,1,90"));
    assert!(all.contains("\n0.300000,1,6,1,90\n"), "{all}");
}
