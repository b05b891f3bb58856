//! The outline: the current selection is the only marked row; layout of the space.

use egui::{Key, Role, accesskit::Toggled, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use rigscope_core::model::{BoneId, Finding, FindingKind, Place};
use rigscope_core::visual::OutlineTarget;
use rigscope_state::{Action, BytesAction, Command, FindingsAction, Selection};

use crate::host::{Host, Session, asset, window_with};

/// The bones whose rows are marked.
fn marked(harness: &Harness<'_, Host>) -> Vec<String> {
    let rows = harness.get_all_by_role(Role::TreeItem);
    let rows = rows.filter(|row| row.accesskit_node().toggled() == Some(Toggled::True));
    rows.filter_map(|row| row.accesskit_node().label()).collect()
}

fn bone_name(harness: &Harness<'_, Host>, bone: u32) -> String {
    let document = harness.document();
    document.bone_name(BoneId(bone))
}

fn select(harness: &mut Harness<'_, Host>, bone: u32) {
    harness.act(Action::Select(Selection::Bone(BoneId(bone))));
}

#[test]
fn only_the_selected_bone_s_row_is_marked_and_scrolled_into_view() {
    let mut harness = window_with(asset());
    harness.set_size(vec2(900.0, 600.0));
    harness.run();
    let num = harness.document().model.skeleton.len();
    let num = u32::try_from(num).unwrap();
    let pane = harness.get_by_role_and_label(Role::Tree, "Bones").rect();
    for bone in (0..num).chain([0]) {
        select(&mut harness, bone);
        let name = bone_name(&harness, bone);
        assert_eq!(marked(&harness), [name.as_str()]);
        let row = harness.get_by_role_and_label(Role::TreeItem, &name).rect();
        assert!(pane.expand(1.0).contains_rect(row), "{name} at {row:?} of {pane:?}");
    }
    harness.act(Action::Run(Command::ClearSelection));
    assert!(marked(&harness).is_empty());
}

#[test]
fn the_row_under_the_pointer_is_outlined_in_the_view() {
    let mut harness = window_with(asset());
    let hover = |harness: &mut Harness<'_, Host>, at| {
        harness.hover_at(at);
        harness.run();
        harness.app().hovered()
    };
    let bone = bone_name(&harness, 2);
    let row = harness.get_by_role_and_label(Role::TreeItem, &bone).rect().center();
    assert_eq!(hover(&mut harness, row), Some(OutlineTarget::Bone(BoneId(2))));
    let subset = harness.document().subset_name(0);
    let eye = harness.get_by_label(&format!("Isolate {subset}")).rect().center();
    assert_eq!(hover(&mut harness, eye), Some(OutlineTarget::Part(0)));
    // Nothing is selected by that, and nothing stays.
    assert_eq!(harness.app().tab.selection, Selection::None);
    assert_eq!(hover(&mut harness, pos2(700.0, 5.0)), None);
    harness.command(Command::ToggleHover);
    assert_eq!(hover(&mut harness, row), None);
    // A branch that closes under the pointer takes its rows with it.
    harness.command(Command::ToggleHover);
    assert!(harness.app().hovered().is_some());
    let root = bone_name(&harness, 0);
    harness.get_by_label(&format!("Collapse {root}")).click_accesskit();
    harness.run();
    assert_eq!(harness.app().hovered(), None);
}

#[test]
fn a_closed_branch_opens_for_the_selection_and_keys_move_between_rows() {
    let mut harness = window_with(asset());
    let root = bone_name(&harness, 0);
    harness.click(&format!("Collapse {root}"));
    let num_rows = |harness: &Harness<'_, Host>| harness.get_all_by_role(Role::TreeItem).count();
    let closed = num_rows(&harness);
    let last = harness.document().model.skeleton.len() - 1;
    select(&mut harness, u32::try_from(last).unwrap());
    assert!(num_rows(&harness) > closed);

    let row = |harness: &Harness<'_, Host>, number: usize| {
        let rows: Vec<_> = harness.get_all_by_role(Role::TreeItem).collect();
        rows[number].accesskit_node().label().unwrap()
    };
    let (first, second) = (row(&harness, 0), row(&harness, 1));
    harness.get_by_role_and_label(Role::TreeItem, &first).click();
    harness.run();
    harness.key_press(Key::ArrowDown);
    harness.run();
    assert_eq!(marked(&harness), [second]);
    harness.key_press(Key::ArrowUp);
    harness.run();
    assert_eq!(marked(&harness), [first]);
}

#[test]
fn bones_get_the_height_left_by_subsets_and_the_splitter_can_be_dragged() {
    let mut harness = window_with(asset());
    let heights = |harness: &Harness<'_, Host>| {
        let line = harness.get_by_role_and_label(Role::Splitter, "Subsets and bones").rect();
        let pane = harness.get_by_label("Outline pane").rect();
        (line.center().y - pane.top(), pane.bottom() - line.center().y)
    };
    let (subsets, bones) = heights(&harness);
    assert!(subsets < bones, "{subsets} {bones}");
    let from = harness.get_by_role_and_label(Role::Splitter, "Subsets and bones").rect().center();
    harness.drag_at(from);
    harness.run();
    harness.hover_at(from - vec2(0.0, 30.0));
    harness.run();
    harness.drop_at(from - vec2(0.0, 30.0));
    harness.run();
    let (dragged, _) = heights(&harness);
    assert!((subsets - dragged - 30.0).abs() < 4.0, "{subsets} {dragged}");
}

#[test]
fn search_and_closed_branches_are_per_document() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a.bsm2", "b.bsm2"].map(|name| {
        let path = folder.path().join(name);
        std::fs::copy(asset(), &path).unwrap();
        path
    });
    let mut harness = window_with(a);
    let root = bone_name(&harness, 0);
    harness.click(&format!("Collapse {root}"));
    harness.state_mut().open(b);
    harness.run();
    harness.get_by_label(&format!("Collapse {root}"));
    harness.click("Tab a.bsm2");
    harness.get_by_label(&format!("Expand {root}"));
}

#[test]
fn a_finding_and_a_byte_are_marked_only_while_their_element_is_selected() {
    let mut harness = window_with(asset());
    let place = Place::Bone(3);
    let finding = Finding::new(FindingKind::ZeroNormal, place, "message".into(), 1);
    harness.act(Action::Findings(FindingsAction::Validated(vec![finding].into())));
    harness.click("message");
    assert_eq!(marked(&harness), [bone_name(&harness, 3)]);
    assert!(harness.app().is_about_selection(place));
    harness.state_mut().apply(Action::Bytes(BytesAction::MoveCursor(40)));
    assert_eq!(harness.app().tab.view.bytes.cursor, Some(40));
    select(&mut harness, 5);
    let state = harness.app();
    assert!(!state.is_about_selection(place));
    assert_eq!(state.tab.view.bytes.cursor, None);
    // It can still be read.
    harness.get_by_label("message.");
    select(&mut harness, 3);
    assert!(harness.app().is_about_selection(place));
    harness.click("Close the finding");
    assert!(harness.query_by_label("message.").is_none());
}
