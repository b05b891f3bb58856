//! Measuring by hand: points clicked in the view, values and curves below it.

use egui::{Key, Modifiers, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_core::model::{BoneId, MeshId};
use rigscope_core::pose::skin_model;
use rigscope_state::{Action, ModelPoint, Request, Selection};

use crate::host::{Host, Session, asset, window_with};

/// Where a vertex is on the screen, if it can be clicked there.
fn on_screen(harness: &Harness<'_, Host>, vertex: usize) -> Pos2 {
    let state = harness.app();
    let (document, view) = (state.tab.document.as_ref().unwrap(), &state.tab.view);
    let posed = skin_model(&document.model, &state.tab.playback.pose_spec());
    let display = document.model.axes.display_from_file();
    let clip = view.camera.clip_from_world(state.aspect(), &document.bounds);
    let place = clip.project_point3(display.transform_point3(posed[0].positions[vertex]));
    let rect = harness.get_by_label("View").rect();
    let x = egui::remap(place.x, -1.0..=1.0, rect.x_range());
    egui::pos2(x, egui::remap(-place.y, -1.0..=1.0, rect.y_range()))
}

fn click(harness: &mut Harness<'_, Host>, at: Pos2) {
    harness.hover_at(at);
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
        harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
    }
    harness.run();
}

fn points(harness: &Harness<'_, Host>) -> Vec<ModelPoint> {
    harness.app().tab.view.measure.points.clone()
}

#[test]
fn two_clicks_give_a_distance_and_a_third_an_angle_over_the_clip() {
    let mut harness = window_with(asset());
    harness.press(Modifiers::SHIFT, Key::M);
    harness.get_by_label("Measure: Click the first point: a vertex or a visible bone");
    let num = harness.document().model.meshes[MeshId(0)].num_vertices();
    for vertex in [0, num / 2, num / 3] {
        let at = on_screen(&harness, vertex);
        click(&mut harness, at);
        // Other geometry may be nearer to the pointer, and the pixels around it may be empty.
        if points(&harness).len() == 2 {
            harness.get_by_label_contains("Measure: Click a third point for the angle at P2");
            break;
        }
    }
    let measured = points(&harness);
    assert_eq!(measured.len(), 2, "{measured:?}");
    assert_eq!(harness.app().tab.selection, Selection::None, "measuring selects nothing");

    // The curve equals the result of skinning all vertices, at every key.
    let curves = harness.app().tab.view.measure.curves.get().unwrap().clone();
    let state = harness.app();
    let document = harness.document();
    assert!(!curves.distances[0].keys.is_empty());
    for &[time_secs, distance] in &curves.distances[0].keys {
        let spec = rigscope_core::pose::PoseSpec::at_secs(state.tab.playback.clip, time_secs);
        let posed = skin_model(&document.model, &spec);
        let place = |point: &ModelPoint| match *point {
            ModelPoint::Vertex { mesh, vertex } => {
                posed[mesh.index()].positions[vertex.index()].as_dvec3()
            }
            ModelPoint::Bone(bone) => panic!("{bone:?}"),
        };
        let expected = place(&measured[0]).distance(place(&measured[1]));
        assert!((distance - expected).abs() < 1e-5 * expected.max(1.0), "{distance} {expected}");
    }

    // A click in the curve goes there, and reads nothing again.
    harness.click("Distance curves");
    let playback = &harness.app().tab.playback;
    assert!(playback.time_secs > 0.0 && playback.shows_time());
    let again = harness.app().tab.view.measure.curves.get().unwrap().clone();
    assert!(std::sync::Arc::ptr_eq(&curves, &again));

    // The selected bone is the third point.
    harness.act(Action::Select(Selection::Bone(BoneId(5))));
    harness.press(Modifiers::ALT, Key::M);
    assert_eq!(points(&harness)[2], ModelPoint::Bone(BoneId(5)));
    harness.get_by_label("Angle at P2 curves");
    harness.click("Copy the measurement");
    let Some(Request::CopyText(csv)) = harness.state().requests.last() else {
        panic!("{:?}", harness.state().requests);
    };
    assert!(csv.starts_with("time (s),key,P1-P2 ("), "{csv}");
    assert!(csv.lines().count() > 100);

    // Escape ends measuring and keeps the result; the next click selects again.
    harness.press(Modifiers::NONE, Key::Escape);
    assert!(!harness.app().tab.view.measure.is_picking);
    assert_eq!(points(&harness).len(), 3);
    harness.click("Clear the measurement");
    assert!(points(&harness).is_empty());
    harness.press(Modifiers { ctrl: true, command: true, ..Modifiers::NONE }, Key::Z);
    assert_eq!(points(&harness).len(), 3);
}

#[test]
fn escape_ends_measuring_before_it_clears_the_selection() {
    let mut harness = window_with(asset());
    harness.act(Action::Select(Selection::Bone(BoneId(2))));
    harness.press(Modifiers::SHIFT, Key::M);
    harness.press(Modifiers::NONE, Key::Escape);
    assert!(!harness.app().tab.view.measure.is_picking);
    assert_eq!(harness.app().tab.selection, Selection::Bone(BoneId(2)));
    harness.press(Modifiers::NONE, Key::Escape);
    assert_eq!(harness.app().tab.selection, Selection::None);
}
