//! The pane of bytes, linked both ways.

use egui_kittest::kittest::Queryable;
use rigscope::model::{BoneId, Element, MeshId, VertexId};
use rigscope::state::{Action, BytesAction, Command, Pane, Selection};

use crate::host::{Session, asset, window, window_with};

#[test]
fn a_byte_selects_what_it_became_and_a_selection_shows_its_bytes() {
    let mut harness = window_with(asset());
    harness.command(Command::ToggleBytes);
    harness.get_by_label("Click a byte to select what it became.");

    let document = harness.app().tab.document.clone().unwrap();
    let provenance = &document.model.provenance;
    let bytes = provenance.of(Element::Vertex { mesh: 0 }, 7)[0].clone();
    harness.act(Action::Bytes(BytesAction::Look(bytes.start + 20)));
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
fn a_byte_of_a_key_shows_that_key_and_its_bone() {
    let mut harness = window_with(asset());
    let document = harness.app().tab.document.clone().unwrap();
    let num_bones = document.model.skeleton.len() as u64;
    let element = Element::Key { clip: 0 };
    let record = document.model.provenance.of(element, 2 * num_bones + 5);
    let look = Action::Bytes(BytesAction::Look(record[0].start));
    harness.state_mut().apply(look);
    let state = harness.app();
    assert_eq!(state.tab.selection, Selection::Bone(BoneId(5)));
    assert_eq!(state.current_key(), Some(2));
    assert!(state.selected_bytes().contains(&record[0]));
}

#[test]
fn an_offset_is_gone_to_by_typing_it() {
    let mut harness = window_with(asset());
    harness.command(Command::ToggleBytes);
    harness.get_by_label("Go to offset").focus();
    harness.run();
    harness.get_by_label("Go to offset").type_text("0x40");
    harness.run();
    harness.press(egui::Modifiers::NONE, egui::Key::Enter);
    assert_eq!(harness.app().tab.view.bytes.cursor, Some(0x40));
}

#[test]
fn a_file_that_stopped_half_way_shows_what_was_read_and_why_no_more() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("cut.bsm2");
    let bytes = std::fs::read(asset()).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let mut harness = window();
    harness.state_mut().open(path);
    harness.run();
    harness.click("Show its bytes");
    let state = harness.app();
    assert!(state.settings.panes.shows(Pane::Bytes));
    let file = state.file_bytes().unwrap();
    assert_eq!(file.name, "cut.bsm2");
    assert!(!file.provenance.spans.is_empty());
    let failing = file.failure.unwrap().bytes.clone().unwrap();
    assert!(failing.start < bytes.len() as u64 / 2);
    harness.get_by_label_contains("Reading stopped here: bsm2: ");
}
