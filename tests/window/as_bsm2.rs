//! The document as BSM2 would store it.

use std::path::PathBuf;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_core::model::Report;
use rigscope_state::{Arrangement, Painter, Pane, SecondModel, Selection};

use crate::host::{Host, Session, asset, window_with};
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
    harness.click("Show as BSM2");
    harness
}

#[test]
fn one_button_packs_and_shows_both_models_and_the_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = packed(&folder);
    let state = harness.app();
    assert!(state.settings.panes.shows(Pane::AsBsm2));
    assert_eq!(state.layers().len(), 2);
    harness.get_by_label("Deviations");
    harness.get_by_label_contains("vertices, at most");
    harness.click("UV");
    harness.click("Deviations as colours");
    assert!(harness.app().shows_colors(Painter::Second(SecondModel::AsBsm2)));
    assert!(harness.app().layers()[1].paint.is_some());
    harness.click("Worst position");
    let selection = harness.app().tab.selection;
    assert!(matches!(selection, Selection::Vertex { .. }));
}

#[test]
fn both_models_are_arranged_by_buttons_over_the_view_and_by_shortcuts() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = packed(&folder);
    let now = |harness: &Harness<'static, Host>| harness.app().tab.view.second.arrangement;
    assert_eq!(now(&harness), Arrangement::Split);
    harness.get_by_label("Divider between A and B");
    harness.click("Side by side");
    assert_eq!(now(&harness), Arrangement::Beside);
    harness.press(Modifiers::ALT, Key::Num5);
    assert_eq!(now(&harness), Arrangement::Ghost);
    harness.click("Hide B");
    assert_eq!(harness.app().layers().len(), 1);
    assert!(harness.query_by_label("Side by side").is_none());
}

#[test]
fn the_split_line_can_be_dragged() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = packed(&folder);
    let from = harness.get_by_label("Divider between A and B").rect().center();
    let to = from + egui::vec2(-120.0, 0.0);
    harness.drag_at(from);
    harness.run();
    harness.hover_at(to);
    harness.run();
    harness.drop_at(to);
    harness.run();
    let divider = harness.app().tab.view.second.divider;
    assert!(divider < 0.45, "{divider}");
    let rect = harness.get_by_label("Divider between A and B").rect();
    assert!((rect.center().x - to.x).abs() < 2.0);
}

#[test]
fn packed_models_are_labelled() {
    let mut harness = window_with(asset());
    harness.press(Modifiers::ALT, Key::B);
    harness.get_by_label_contains("already packed");
}
