//! The document against another file.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope::state::{Action, CompareAction, Effect, FileKind, Pane};

use crate::as_bsm2::floats;
use crate::host::{Host, asset, window_with};

/// The character in float vertices, against the one that comes with the program.
fn compared(folder: &tempfile::TempDir) -> Harness<'static, Host> {
    let mut harness = window_with(floats(folder));
    harness.key_press_modifiers(Modifiers::ALT, Key::C);
    harness.run();
    let asked = harness.state().effects.last().cloned();
    assert_eq!(asked, Some(Effect::PickFiles(FileKind::Compare)));
    let with = Action::Compare(CompareAction::With(asset()));
    harness.state_mut().apply(with);
    harness.run();
    harness.get_by_label_contains("reading sample.bsm2");
    let request = harness.state().request();
    harness.state_mut().answer(&request);
    harness.run();
    harness
}

#[test]
fn another_file_is_compared_and_all_differences_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = compared(&folder);
    let state = &harness.state().state;
    assert!(state.settings.panes.shows(Pane::Compare));
    assert_eq!(state.layers().len(), 2);
    let compared = state.tab.view.compare.compared.clone().unwrap();
    assert!(!compared.differences().is_empty());
    let first = compared.differences()[0].kind.code();
    harness.get_by_label("A");
    harness.get_by_label("Extent of A");
    harness.get_by_label(first);
    harness.get_by_label("Distances as colours").click();
    harness.run();
    assert!(harness.state().state.shows_difference());
    harness.get_by_label("End the comparison").click();
    harness.run();
    assert_eq!(harness.state().state.layers().len(), 1);
    assert!(harness.query_by_label("Extent of A").is_none());
}

#[test]
fn a_click_on_a_difference_selects_what_it_is_about() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = compared(&folder);
    let state = &harness.state().state;
    let compared = state.tab.view.compare.compared.clone().unwrap();
    let placed = compared.differences().iter().find(|d| d.place.is_some());
    let code = placed.expect("a difference in one place").kind.code();
    harness.get_by_label(code).click();
    harness.run();
    let selection = harness.state().state.tab.selection;
    assert_ne!(selection, rigscope::state::Selection::None);
}

#[test]
fn a_reloaded_file_is_compared_with_what_was_there_before() {
    let mut harness = window_with(asset());
    harness.key_press(Key::F5);
    harness.run();
    let request = harness.state().request();
    harness.state_mut().answer(&request);
    harness.key_press_modifiers(Modifiers::ALT, Key::P);
    harness.run();
    harness.get_by_label("Equal");
    harness.get_by_label("Nothing differs.");
    harness.get_by_label_contains("sample.bsm2 before 10:20:30");
}
