//! Several files in tabs.

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers, PointerButton};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_state::{Action, Command, LoadReason, Request, Selection};

use crate::host::{Host, Session, asset, window_with};

/// The sample under another name.
fn copy(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::copy(asset(), &path).unwrap();
    path
}

fn name(harness: &Harness<'static, Host>) -> String {
    let document = harness.app().tab.document.as_ref();
    document.map_or_else(String::new, |document| document.name().to_owned())
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

#[test]
fn files_open_in_tabs_that_preserve_their_state() {
    let folder = scratch();
    let (a, b) = (copy(folder.path(), "a.bsm2"), copy(folder.path(), "b.bsm2"));
    let mut harness = window_with(a.clone());
    assert!(harness.query_by_label("Tab a.bsm2").is_none(), "one needs no tab");
    harness.click("Hide skin");
    harness.state_mut().apply(Action::Select(Selection::Subset(2)));
    harness.state_mut().open(b.clone());
    harness.run();
    assert_eq!(name(&harness), "b.bsm2");
    harness.get_by_label("Hide skin");
    assert_eq!(harness.app().tab.selection, Selection::None);

    harness.click("Tab a.bsm2");
    assert_eq!(name(&harness), "a.bsm2");
    harness.get_by_label("Show skin");
    assert_eq!(harness.app().tab.selection, Selection::Subset(2));
    assert_eq!(harness.app().settings.open_files, [vec![a], vec![b]]);
}

#[test]
fn shortcuts_cycle_through_tabs_and_close_them() {
    let folder = scratch();
    let mut harness = window_with(copy(folder.path(), "a.bsm2"));
    for other in ["b.bsm2", "c.bsm2"] {
        harness.state_mut().open(copy(folder.path(), other));
    }
    harness.run();
    assert_eq!(name(&harness), "c.bsm2");
    harness.press(Modifiers::COMMAND, Key::Tab);
    assert_eq!(name(&harness), "a.bsm2");
    harness.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Tab);
    assert_eq!(name(&harness), "c.bsm2");
    harness.press(Modifiers::COMMAND, Key::W);
    assert_eq!(name(&harness), "b.bsm2");
    harness.click("Close b.bsm2");
    assert_eq!(name(&harness), "a.bsm2");
    harness.press(Modifiers::COMMAND, Key::W);
    assert_eq!(name(&harness), "");
    assert!(harness.app().settings.open_files.is_empty());
    harness.state_mut().open(copy(folder.path(), "d.bsm2"));
    harness.run();
    assert_eq!((name(&harness).as_str(), harness.app().num_tabs()), ("d.bsm2", 1));
}

#[test]
fn a_middle_click_closes_an_inactive_tab() {
    let folder = scratch();
    let mut harness = window_with(copy(folder.path(), "a.bsm2"));
    harness.state_mut().open(copy(folder.path(), "b.bsm2"));
    harness.run();
    harness.get_by_label("Tab a.bsm2").click_button(PointerButton::Middle);
    harness.run();
    assert_eq!(name(&harness), "b.bsm2");
    assert_eq!(harness.app().num_tabs(), 1);
}

#[test]
fn opening_an_open_file_activates_its_tab_and_reloads_it() {
    let folder = scratch();
    let a = copy(folder.path(), "a.bsm2");
    let mut harness = window_with(a.clone());
    harness.state_mut().open(copy(folder.path(), "b.bsm2"));
    harness.state_mut().open(a);
    harness.run();
    assert_eq!(name(&harness), "a.bsm2");
    assert_eq!(harness.app().num_tabs(), 2);
}

#[test]
fn a_reload_cancelled_by_a_tab_switch_is_repeated() {
    let folder = scratch();
    let mut harness = window_with(copy(folder.path(), "a.bsm2"));
    harness.state_mut().open(copy(folder.path(), "b.bsm2"));
    harness.state_mut().apply(Action::FileChanged);
    let left = harness.state().request();
    harness.state_mut().apply(Action::Run(Command::PreviousTab));
    assert!(harness.state().requests.contains(&Request::Cancel(left.id)));
    harness.state_mut().answer(&left);
    assert_eq!(name(&harness), "a.bsm2", "the answer comes too late");
    harness.state_mut().apply(Action::Run(Command::NextTab));
    let again = harness.state().request();
    assert_eq!((again.reason, again.target), (LoadReason::Reload, left.target));
    assert_ne!(again.id, left.id);
}

#[test]
fn the_last_session_is_restored_if_enabled() {
    let folder = scratch();
    let files = ["a.bsm2", "gone.bsm2", "b.bsm2"].map(|name| copy(folder.path(), name));
    let mut harness = window_with(files[0].clone());
    let host = harness.state_mut();
    assert!(host.state.start_action().is_none());
    host.apply(Action::Run(Command::ToggleReopen));
    host.state.settings.open_files = files.iter().map(|path| vec![path.clone()]).collect();
    let settings = host.state.settings.clone();
    host.state = rigscope_state::AppState::new(settings);
    let start = host.state.start_action().unwrap();
    std::fs::write(&files[1], "no model").unwrap();
    host.apply(start);
    for _ in 0..files.len() {
        let request = host.request();
        host.answer(&request);
    }
    assert!(host.state.job.is_none());
    let names: Vec<_> = host.state.tabs().into_iter().map(|tab| tab.name).collect();
    assert_eq!(names, ["a.bsm2", "b.bsm2"]);
}
