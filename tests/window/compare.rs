//! The document against another file.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_state::{Action, CompareAction, FileKind, Painter, Pane, Request, SecondModel};

use crate::as_bsm2::floats;
use crate::host::{Host, Session, asset, window_with};

/// The character in float vertices, against the one that comes with the program.
pub fn compared(folder: &tempfile::TempDir) -> Harness<'static, Host> {
    let mut harness = window_with(floats(folder));
    harness.press(Modifiers::ALT, Key::C);
    let asked = harness.state().requests.last().cloned();
    assert_eq!(asked, Some(Request::PickFiles(FileKind::Compare)));
    harness.act(Action::Compare(CompareAction::Load(asset())));
    harness.get_by_label_contains("Reading sample.bsm2");
    harness.answer();
    harness
}

#[test]
fn another_file_is_compared_and_all_differences_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = compared(&folder);
    let state = harness.app();
    assert!(state.settings.panes.shows(Pane::Compare));
    assert_eq!(state.layers().len(), 2);
    let compared = state.tab.view.compare.compared().cloned().unwrap();
    assert!(!compared.differences().is_empty());
    let first = compared.differences()[0].kind.code();
    harness.get_by_label("A (this file)");
    harness.get_by_label("Size of A");
    harness.get_by_label(first);
    harness.click("Distances as colours");
    assert!(harness.app().shows_colors(Painter::Second(SecondModel::Compared)));
    harness.click("End comparison");
    assert_eq!(harness.app().layers().len(), 1);
    assert!(harness.query_by_label("Size of A").is_none());
}

#[test]
fn a_click_on_a_difference_selects_its_element() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = compared(&folder);
    let state = harness.app();
    let compared = state.tab.view.compare.compared().cloned().unwrap();
    let placed = compared.differences().iter().find(|d| d.place.is_some());
    let code = placed.expect("a difference in one place").kind.code();
    harness.click(code);
    let selection = harness.app().tab.selection;
    assert_ne!(selection, rigscope_state::Selection::None);
}

#[test]
fn a_reloaded_file_is_compared_with_its_previous_version() {
    let mut harness = window_with(asset());
    harness.press(Modifiers::NONE, Key::F5);
    let request = harness.state().request();
    harness.state_mut().answer(&request);
    harness.press(Modifiers::ALT, Key::P);
    harness.get_by_label("Equal");
    harness.get_by_label("There are no differences.");
    harness.get_by_label_contains("sample.bsm2 before 10:20:30");
}
