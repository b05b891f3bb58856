//! Back and forth.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use rigscope_core::visual::Switch;
use rigscope_state::{Action, Command, Selection};

use crate::host::{Session, asset, window_with};

#[test]
fn visibility_colours_selection_and_overlays_are_undone_and_redone() {
    let mut harness = window_with(asset());
    harness.click("Hide skin");
    let before = harness.app().tab.view.looks.clone();
    harness.press(Modifiers::NONE, Key::W);
    harness.state_mut().apply(Action::Select(Selection::Subset(3)));
    harness.act(Action::SetColor(0, [1.0, 0.0, 0.0]));
    assert_eq!(Command::Undo.title(harness.app()), "Undo: Colour");

    harness.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(harness.app().tab.view.looks, before);
    assert_eq!(harness.app().tab.selection, Selection::Subset(3));
    for _ in 0..3 {
        harness.press(Modifiers::COMMAND, Key::Z);
    }
    harness.get_by_label("Hide skin");
    let state = harness.app();
    assert_eq!(state.tab.selection, Selection::None);
    assert!(!state.tab.view.overlays.wireframe && !state.settings.overlays.wireframe);
    assert!(!Command::Undo.is_enabled(state));

    harness.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    harness.get_by_label("Show skin");
    harness.press(Modifiers::COMMAND, Key::Y);
    assert!(harness.app().tab.view.overlays.wireframe);
    // A new step clears the redo stack.
    harness.click("Show skin");
    assert!(!Command::Redo.is_enabled(harness.app()));
}

#[test]
fn each_colour_drag_is_one_undo_step() {
    let mut harness = window_with(asset());
    let state = &mut harness.state_mut().state;
    let colour = state.tab.view.looks[1].color;
    for step in 0..5_u8 {
        state.apply(Action::SetColor(1, [f32::from(step) / 8.0, 0.0, 0.0]));
        state.tick(0.05);
    }
    let middle = state.tab.view.looks[1].color;
    state.tick(5.0);
    state.apply(Action::SetColor(1, [0.0, 1.0, 0.0]));
    state.apply(Action::Run(Command::Undo));
    assert_eq!(state.tab.view.looks[1].color, middle);
    state.apply(Action::Run(Command::Undo));
    assert_eq!(state.tab.view.looks[1].color, colour);
    assert!(!Command::Undo.is_enabled(state));
}

#[test]
fn undo_does_not_affect_the_camera_or_the_playback_time() {
    let mut harness = window_with(asset());
    let state = &mut harness.state_mut().state;
    state.apply(Action::Run(Command::switch(Switch::Wireframe)));
    state.apply(Action::Orbit { yaw_rad: 0.3, pitch_rad: 0.1 });
    state.apply(Action::Seek(0.5));
    let camera = state.tab.view.camera;
    state.apply(Action::Run(Command::Undo));
    assert_eq!(state.tab.view.camera, camera);
    assert_eq!(state.tab.playback.time_secs, 0.5);
    assert!(!state.tab.view.overlays.wireframe);
}
