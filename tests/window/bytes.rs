//! The pane of bytes, linked both ways.

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_core::model::{BoneId, Element, MeshId, VertexId};
use rigscope_state::{Action, BytesAction, Command, Pane, Request, Selection};

use crate::host::{Host, Session, asset, window, window_with};

#[test]
fn a_byte_selects_its_element_and_a_selection_shows_its_bytes() {
    let mut harness = window_with(asset());
    harness.command(Command::pane(Pane::Bytes));
    harness.get_by_label("Click a byte to select its element.");

    let document = harness.app().tab.document.clone().unwrap();
    let provenance = &document.model.provenance;
    let bytes = provenance.of(Element::Vertex { mesh: 0 }, 7)[0].clone();
    harness.act(Action::Bytes(BytesAction::MoveCursor(bytes.start + 20)));
    let selection = harness.app().tab.selection;
    assert!(matches!(selection, Selection::Vertex { mesh: MeshId(0), vertex: VertexId(7), .. }));
    harness.get_by_label("vertex 7");
    assert_eq!(harness.app().selected_bytes(), [bytes]);

    let select = Action::Select(Selection::Bone(BoneId(3)));
    harness.state_mut().apply(select);
    harness.command(Command::RevealBytes);
    let state = harness.app();
    let selected = state.selected_bytes();
    assert!(!selected.is_empty());
    assert_eq!(state.tab.view.bytes.cursor, Some(selected[0].start));
}

#[test]
fn selecting_a_byte_of_a_keyframe_shows_the_keyframe_and_its_bone() {
    let mut harness = window_with(asset());
    let document = harness.app().tab.document.clone().unwrap();
    let num_bones = document.model.skeleton.len() as u64;
    let element = Element::Key { clip: 0 };
    let record = document.model.provenance.of(element, 2 * num_bones + 5);
    let look = Action::Bytes(BytesAction::MoveCursor(record[0].start));
    harness.state_mut().apply(look);
    let state = harness.app();
    assert_eq!(state.tab.selection, Selection::Bone(BoneId(5)));
    assert_eq!(state.current_key(), Some(2));
    assert!(state.selected_bytes().contains(&record[0]));
}

#[test]
fn typing_an_offset_moves_the_cursor_to_it() {
    let mut harness = window_with(asset());
    harness.command(Command::pane(Pane::Bytes));
    harness.get_by_label("Go to offset").focus();
    harness.run();
    harness.get_by_label("Go to offset").type_text("0x40");
    harness.run();
    harness.press(egui::Modifiers::NONE, egui::Key::Enter);
    assert_eq!(harness.app().tab.view.bytes.cursor, Some(0x40));
}

#[test]
fn a_truncated_file_shows_the_decoded_bytes_and_the_failure() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("cut.bsm2");
    let bytes = std::fs::read(asset()).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let mut harness = window();
    harness.state_mut().open(path);
    harness.run();
    harness.click("Show bytes");
    let state = harness.app();
    assert!(state.settings.panes.shows(Pane::Bytes));
    let file = state.file_bytes().unwrap();
    assert_eq!(file.name, "cut.bsm2");
    assert!(!file.provenance.spans.is_empty());
    let failing = file.failure.unwrap().bytes.clone().unwrap();
    assert!(failing.start < bytes.len() as u64 / 2);
    harness.get_by_label_contains("Reading stopped here: truncated BSM2 file: ");
}

#[test]
fn clicking_a_row_selects_its_record() {
    let mut harness = window_with(asset());
    // Two records share a row, and both are to be seen.
    harness.set_size(egui::vec2(2200.0, 860.0));
    harness.command(Command::pane(Pane::Bytes));
    let document = harness.app().tab.document.clone().unwrap();
    let vertex = document.model.provenance.of(Element::Vertex { mesh: 0 }, 7);
    harness.act(Action::Bytes(BytesAction::MoveCursor(vertex[0].start)));
    harness.act(Action::Select(Selection::None));
    let hit = document.model.provenance.at(vertex[0].start).unwrap();
    let field = hit.field.unwrap();
    let [start, end] =
        [hit.field_bytes.start, hit.field_bytes.end].map(|at| usize::try_from(at).unwrap());
    let bytes = &document.content.whole().unwrap()[start..end];
    let said = format!("vertex 7 {} {}", field.name, rigscope_core::model::decode(field, bytes));
    harness.click(&said);
    let is_it = |s| matches!(s, Selection::Vertex { vertex, .. } if vertex.0 == 7);
    assert!(is_it(harness.app().tab.selection), "{:?}", harness.app().tab.selection);
}

#[test]
fn a_dragged_column_width_is_restored_in_the_next_window() {
    let mut harness = window_with(asset());
    harness.command(Command::pane(Pane::Bytes));
    let grip = harness.get_by_label("Width of the records").rect().center();
    harness.drag_at(grip);
    harness.run();
    harness.hover_at(grip + egui::vec2(25.0, 0.0));
    harness.run();
    harness.drop_at(grip + egui::vec2(25.0, 0.0));
    harness.run();
    let place = |harness: &Harness<'_, Host>| {
        harness.get_by_label("Width of the records").rect().center().x
    };
    let moved = place(&harness);
    assert!((moved - grip.x - 25.0).abs() < 1.0, "{grip} {moved}");
    assert!(harness.state().requests.contains(&Request::SaveSettings));
    let mut next = window_with(asset());
    next.state_mut().state.settings = harness.app().settings.clone();
    next.run();
    assert_eq!(place(&next), moved);
}

#[test]
fn bytes_are_searched_and_matches_navigated_by_keyboard() {
    let mut harness = window_with(asset());
    let ctrl = egui::Modifiers { ctrl: true, command: true, ..egui::Modifiers::NONE };
    harness.press(ctrl, egui::Key::F);
    assert!(harness.app().settings.panes.shows(Pane::Bytes));
    harness.get_by_label("Find").type_text("NECK");
    harness.run();
    let bytes = harness.document().content.whole().unwrap();
    let places: Vec<u64> = (0..bytes.len() - 3)
        .filter(|&at| bytes[at..at + 4].eq_ignore_ascii_case(b"neck"))
        .map(|at| at as u64)
        .collect();
    assert!(!places.is_empty());
    let cursor = |harness: &Harness<'_, Host>| harness.app().tab.view.bytes.cursor;
    for place in places.iter().chain(&places[..1]) {
        harness.press(egui::Modifiers::NONE, egui::Key::Enter);
        assert_eq!(cursor(&harness), Some(*place));
    }
    harness.get_by_label(&format!("1 of {}", places.len()));
    harness.press(egui::Modifiers::SHIFT, egui::Key::Enter);
    assert_eq!(cursor(&harness), places.last().copied());
    harness.get_by_label("Find").type_text(" and more");
    harness.run();
    harness.get_by_label("No matches");
}
