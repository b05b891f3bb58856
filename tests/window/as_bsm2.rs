//! The document as BSM2 would store it.

use std::path::PathBuf;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope::model::Report;
use rigscope::state::{Arrangement, Pane, Selection};

use crate::host::{Host, asset, window_with};
use crate::support::{open_file, written};

/// The character that comes with the program, in float vertices.
pub(super) fn floats(folder: &tempfile::TempDir) -> PathBuf {
    let model = open_file(&asset(), &[], &Report::new()).unwrap();
    let converted = written::converted(&model, "gltf", None);
    for (name, file) in &converted.files {
        std::fs::write(folder.path().join(name), &file.bytes).unwrap();
    }
    folder.path().join(&converted.files[0].0)
}

fn packed(folder: &tempfile::TempDir) -> Harness<'static, Host> {
    let mut harness = window_with(floats(folder));
    harness.get_by_label("Show as BSM2").click();
    harness.run();
    harness
}

#[test]
fn one_button_packs_and_shows_both_models_and_what_that_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = packed(&folder);
    let state = &harness.state().state;
    assert!(state.settings.panes.shows(Pane::AsBsm2));
    assert_eq!(state.layers().len(), 2);
    harness.get_by_label("Errors");
    harness.get_by_label_contains("vertices, at most");
    harness.get_by_label("Texture coordinate").click();
    harness.run();
    harness.get_by_label("Errors as colours").click();
    harness.run();
    assert!(harness.state().state.shows_deviation());
    assert!(harness.state().state.layers()[1].paint.is_some());
    harness.get_by_label("Worst position").click();
    harness.run();
    let selection = harness.state().state.tab.selection;
    assert!(matches!(selection, Selection::Vertex { .. }));
}

#[test]
fn both_models_are_arranged_by_buttons_over_the_view_and_by_keys() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = packed(&folder);
    let now = |harness: &Harness<'static, Host>| harness.state().state.tab.view.second.arrangement;
    assert_eq!(now(&harness), Arrangement::Split);
    harness.get_by_label("Line between both");
    harness.get_by_label("Side by side").click();
    harness.run();
    assert_eq!(now(&harness), Arrangement::Beside);
    harness.key_press_modifiers(Modifiers::ALT, Key::Num5);
    harness.run();
    assert_eq!(now(&harness), Arrangement::Ghost);
    harness.get_by_label("Show one model").click();
    harness.run();
    assert_eq!(harness.state().state.layers().len(), 1);
    assert!(harness.query_by_label("Side by side").is_none());
}

#[test]
fn the_line_between_both_is_dragged() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = packed(&folder);
    let from = harness.get_by_label("Line between both").rect().center();
    let to = from + egui::vec2(-120.0, 0.0);
    harness.drag_at(from);
    harness.run();
    harness.hover_at(to);
    harness.run();
    harness.drop_at(to);
    harness.run();
    let divider = harness.state().state.tab.view.second.divider;
    assert!(divider < 0.45, "{divider}");
    let rect = harness.get_by_label("Line between both").rect();
    assert!((rect.center().x - to.x).abs() < 2.0);
}

#[test]
fn what_is_packed_already_is_said_so() {
    let mut harness = window_with(asset());
    harness.key_press_modifiers(Modifiers::ALT, Key::B);
    harness.run();
    harness.get_by_label_contains("packed already");
}
