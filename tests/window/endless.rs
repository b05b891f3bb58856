//! Files with very long names and lists: only the visible part is laid out, and cut.

use egui::Shape;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_core::model::{BoneId, ClipId};
use rigscope_core::visual::Switch;
use rigscope_state::{Action, Command, PANES, Pane, Selection};

use crate::host::{Host, Session, window_with};
use crate::support::extreme_files::{self, Amount};

/// More characters than that are in no text of a frame.
const MAX_TEXT: usize = 2_500;
/// More shapes than that are in no frame: a window has room for a few hundred rows.
const MAX_SHAPES: usize = 12_000;

/// Statistics of one frame: the longest text, and the number of shapes.
fn drawn(harness: &Harness<'_, Host>) -> (usize, usize) {
    let mut shapes: Vec<&Shape> =
        (harness.output().shapes.iter()).map(|clipped| &clipped.shape).collect();
    let (mut longest, mut num) = (0, 0);
    while let Some(shape) = shapes.pop() {
        num += 1;
        match shape {
            Shape::Text(text) => longest = longest.max(text.galley.text().len()),
            Shape::Vec(inner) => shapes.extend(inner),
            _ => {}
        }
    }
    (longest, num)
}

fn assert_bounded(harness: &Harness<'_, Host>, what: &str) {
    let (longest, num) = drawn(harness);
    assert!(longest < MAX_TEXT, "{what}: a text of {longest} bytes is laid out");
    assert!(num < MAX_SHAPES, "{what}: {num} shapes are drawn");
}

/// Shows every pane, selects a thing of every kind, and opens every box that lists things.
fn look_everywhere(harness: &mut Harness<'_, Host>) {
    for info in PANES {
        harness.state_mut().apply(Action::ShowPane(info.pane, true));
        harness.run_ok();
        assert_bounded(harness, info.name);
    }
    for selection in [
        Selection::Clip(ClipId(0)),
        Selection::Bone(BoneId(1)),
        Selection::Subset(0),
        Selection::None,
    ] {
        harness.state_mut().apply(Action::Select(selection));
        harness.run_ok();
        assert_bounded(harness, &format!("{selection:?}"));
    }
    harness.state_mut().apply(Action::Run(Command::switch(Switch::BoneNames)));
    // Before others that share its place.
    harness.state_mut().apply(Action::ShowPane(Pane::Animation, true));
    harness.run_ok();
    for label in ["Clip", "Clip to blend with"] {
        harness.get_by_role_and_label(Role::ComboBox, label).click();
        harness.run_ok();
        assert_bounded(harness, label);
        harness.key_press(egui::Key::Escape);
        harness.run_ok();
    }
    for command in [Command::GoToVertex, Command::Export] {
        harness.state_mut().apply(Action::Run(command));
        harness.run_ok();
        assert_bounded(harness, command.info().name);
        harness.state_mut().apply(Action::CloseDialog);
        harness.run_ok();
    }
}

#[test]
fn long_names_are_truncated_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let amount = Amount { clips: 3, subsets: 3, bones: 5, meshes: 2 };
    let endless = "x".repeat(1 << 19);
    let path = extreme_files::write(folder.path(), amount, |kind, number| {
        format!("{kind} {number} {endless}")
    });
    let mut harness = window_with(path);
    assert_bounded(&harness, "as it opens");
    look_everywhere(&mut harness);
    let title = harness.app().title();
    assert!(title.len() < MAX_TEXT);
    // Copied text is complete.
    harness.state_mut().apply(Action::Select(Selection::Bone(BoneId(1))));
    harness.state_mut().apply(Action::Run(Command::CopyInspected));
    let copied = harness.state().requests.iter().rev().find_map(|request| match request {
        rigscope_state::Request::CopyText(text) => Some(text.len()),
        _ => None,
    });
    assert!(copied.unwrap() > endless.len());
}

#[test]
fn only_visible_rows_of_long_lists_are_laid_out() {
    let folder = tempfile::tempdir().unwrap();
    let amount = Amount { clips: 4_000, subsets: 40, bones: 40, meshes: 20 };
    let path =
        extreme_files::write(folder.path(), amount, |kind, number| format!("{kind} {number}"));
    let mut harness = window_with(path);
    assert_bounded(&harness, "as it opens");
    // Rows that are laid out have a node even if they are out of sight.
    let num_rows = |harness: &Harness<'_, Host>| {
        let rows = harness.query_all_by_label_contains("clip ");
        rows.count()
    };
    assert!(num_rows(&harness) < 200, "{} rows", num_rows(&harness));
    harness.get_by_role_and_label(Role::ComboBox, "Clip").click();
    harness.run_ok();
    let num = num_rows(&harness);
    assert!((3..200).contains(&num), "{num} rows in the open box");
    harness.key_press(egui::Key::Escape);
    harness.run_ok();
    look_everywhere(&mut harness);
}

#[test]
fn many_tabs_are_laid_out_around_the_active_one() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |number: usize| {
        let path = folder.path().join(format!("{number}.obj"));
        std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
        path
    };
    let mut harness = window_with(copy(0));
    for number in 1..60 {
        harness.state_mut().open(copy(number));
    }
    harness.run_ok();
    assert!(harness.query_by_label("Tab 59.obj").is_some());
    assert!(harness.query_by_label("Tab 0.obj").is_none());
    // It is scrolled out of sight.
    harness.get_by_label("Tabs to the left").click_accesskit();
    harness.run_ok();
    harness.get_by_label("0.obj").click();
    harness.run_ok();
    assert!(harness.query_by_label("Tab 0.obj").is_some());
    assert!(harness.query_by_label("Tab 59.obj").is_none());
}
