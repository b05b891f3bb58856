//! The compass under the pointer.

use egui_kittest::kittest::Queryable;
use glam::Vec3;
use rigscope_core::camera::{Camera, Preset};
use rigscope_state::{Action, Command};
use rigscope_window::ui::compass_end;

use crate::host::{asset, window_with};

#[test]
fn compass_ends_select_the_six_views_and_dragging_orbits() {
    let mut harness = window_with(asset());
    for (direction, preset) in [
        (Vec3::X, Preset::Side),
        (Vec3::NEG_X, Preset::Left),
        (Vec3::Y, Preset::Top),
        (Vec3::NEG_Y, Preset::Bottom),
        (Vec3::Z, Preset::Front),
        (Vec3::NEG_Z, Preset::Back),
    ] {
        harness.state_mut().apply(Action::Run(Command::ViewIso));
        harness.run();
        let view = harness.get_by_label("View").rect();
        let world = harness.state().state.tab.view.camera.view_from_world();
        let end = compass_end(view, &world, direction);
        harness.hover_at(end);
        harness.step();
        harness.drag_at(end);
        harness.step();
        harness.drop_at(end);
        harness.run();
        let mut wanted = Camera::default();
        wanted.look_from(preset);
        let found = harness.state().state.tab.view.camera;
        assert_eq!(
            (found.yaw_rad, found.pitch_rad),
            (wanted.yaw_rad, wanted.pitch_rad),
            "{preset:?}"
        );
    }
    let compass = harness.get_by_label("Compass").rect().center();
    let before = harness.state().state.tab.view.camera.yaw_rad;
    harness.drag_at(compass);
    harness.step();
    harness.hover_at(compass + egui::vec2(25.0, 0.0));
    harness.step();
    harness.drop_at(compass + egui::vec2(25.0, 0.0));
    harness.run();
    assert!(harness.state().state.tab.view.camera.yaw_rad < before);
}

#[test]
fn shortcuts_are_found_by_key_and_by_words() {
    let mut harness = window_with(asset());
    harness.state_mut().apply(Action::Run(Command::Keys));
    harness.run();
    harness.get_by_label("Mouse, in the view");
    harness.get_by_label("Search shortcuts").focus();
    harness.run();
    harness.get_by_label("Search shortcuts").type_text("end the range");
    harness.run();
    harness.get_by_label("], Alt+Right");
    harness.get_by_label("End the range here");
    assert!(harness.query_by_label("Mouse, in the view").is_none());
}
