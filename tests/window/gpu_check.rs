//! The pane that compares the GPU with the CPU.

use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_core::pose::skin_model;
use rigscope_state::{Action, GpuCheckAction, Painter, Request, Selection};

use crate::host::{Host, Session, asset, window_with};

/// Replies like a GPU whose vertex 5 deviates by half a unit; false if there was no request.
fn answer(harness: &mut Harness<'static, Host>) -> bool {
    let host = harness.state_mut();
    let at =
        host.requests.iter().position(|request| matches!(request, Request::ReadSkinned { .. }));
    let Some(Request::ReadSkinned { id, pose }) = at.map(|at| host.requests.remove(at)) else {
        return false;
    };
    let model = Arc::clone(&host.state.tab.document.as_ref().unwrap().model);
    let mut vertices = skin_model(&model, &pose);
    vertices[0].positions[5].x += 0.5;
    host.apply(Action::GpuCheck(GpuCheckAction::Read { id, vertices: Ok(Arc::new(vertices)) }));
    harness.run();
    true
}

#[test]
fn a_shortcut_checks_the_pose_and_the_pane_shows_the_worst_vertex() {
    let mut harness = window_with(asset());
    harness.press(Modifiers::ALT, Key::G);
    harness.get_by_label("Stop");
    assert!(answer(&mut harness));
    harness.get_by_label("0.5 units");
    harness.get_by_label_contains("The GPU result deviates");
    harness.click("Deviations as colours");
    assert!(harness.app().shows_colors(Painter::GpuCheck));
    harness.click("Vertex with the largest deviation");
    let Selection::Vertex { vertex, .. } = harness.app().tab.selection else {
        panic!("{:?}", harness.app().tab.selection);
    };
    assert_eq!(vertex.0, 5);
}

#[test]
fn the_clip_is_checked_key_by_key_and_can_be_stopped() {
    let mut harness = window_with(asset());
    harness.press(Modifiers::ALT | Modifiers::SHIFT, Key::G);
    assert!(answer(&mut harness) && answer(&mut harness));
    harness.get_by_label_contains("2 of ");
    harness.click("Stop");
    harness.get_by_label("0.5 units");
    let outcome = harness.app().tab.view.gpu_check.outcome.clone().unwrap();
    assert_eq!(outcome.num_poses, 2);
}
