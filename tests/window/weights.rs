//! Weights: from a bone to its heat map and the vertices that it moves.

use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;
use rigscope_core::visual::VertexPaint;
use rigscope_state::{Selection, WeightsMode};

use crate::host::{Session, asset, window, window_with};

#[test]
fn a_bone_shows_its_weights_and_its_vertices_are_selected_from_the_list() {
    let mut harness = window_with(asset());
    harness.click("neck");
    harness.click("Weights of this bone");
    let state = harness.app();
    assert!(state.shows_weights(WeightsMode::Bone));
    let neck = state.tab.selection.bone().unwrap();
    assert_eq!(state.tab.view.weights.bone, Some(neck));
    let Some(VertexPaint::Heat { values, .. }) = state.vertex_paint() else {
        panic!("no heat map");
    };
    let moved = values.iter().filter(|value| **value > 0.0).count();
    assert_eq!(moved, state.tab.view.weights.rows.len());
    assert!(moved > 0);

    let first = state.tab.view.weights.rows[0].vertex;
    let table = state.tab.view.weights.table.get().cloned().unwrap();
    let (mesh, vertex) = table.place(first).unwrap();
    let label = match state.tab.document.as_ref().unwrap().model.meshes.len() {
        1 => format!("vertex {}", vertex.0),
        _ => format!("vertex {} of mesh {}", vertex.0, mesh.0),
    };
    harness.click(&label);
    let state = harness.app();
    assert!(matches!(state.tab.selection, Selection::Vertex { vertex: v, .. } if v == vertex));
    assert_eq!(state.tab.view.weights.bone, Some(neck), "the bone stays");
    harness.get_by_label("Influence centre");
}

#[test]
fn two_bones_are_compared_by_locking_one() {
    let mut harness = window_with(asset());
    harness.click("neck");
    harness.click("Weights of this bone");
    harness.click("Lock the bone");
    harness.click("head");
    harness.click("Weights of two bones");
    harness.get_by_label("Shared vertices");
    harness.get_by_label("Locked bone, weight sum");
    harness.click("Unlock");
    assert_eq!(harness.app().tab.view.weights.locked, None);
}

#[test]
fn all_bones_sums_and_packing_have_separate_lists() {
    let mut harness = window_with(asset());
    harness.press(egui::Modifiers::SHIFT, Key::W);
    harness.click("All bone weights");
    harness.get_by_label("Bones that move vertices");
    harness.click("Weight sums");
    harness.get_by_label("All weights sum to 1.");
    harness.click("Weights lost by packing");
    harness.get_by_label("Losses when packing to four 8-bit influences per vertex.");
    harness.click("Weights lost by packing");
    assert!(harness.app().vertex_paint().is_none(), "off again");
}

#[test]
fn without_a_file_the_pane_shows_a_message() {
    let mut harness = window();
    harness.press(egui::Modifiers::SHIFT, Key::W);
    assert!(harness.get_all_by_label("Nothing is open.").count() >= 2);
    assert!(harness.query_by_role_and_label(Role::Button, "Unlock").is_none());
}
