//! Hulls, occlusion mesh and bounds: from the outline to the view and the validation result.

use egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::Queryable;
use rigscope_core::model::Report;
use rigscope_core::visual::Switch;
use rigscope_state::{Command, Selection};

use crate::host::{Session, asset, window_with};
use crate::support;

/// A file with a hull, an occlusion mesh and bounds, in a folder that exists as long as it does.
fn boxed() -> (tempfile::TempDir, std::path::PathBuf) {
    let mut obj = String::new();
    for (number, (name, high)) in
        [("body", 1.0), ("collision_body", 1.1), ("occlusion", 0.9)].into_iter().enumerate()
    {
        obj += &format!("o {name}\n");
        for corner in 0..8u8 {
            let at = |bit: u8| if corner & bit == 0 { -high } else { high };
            obj += &format!("v {} {} {}\n", at(1), at(2), at(4));
        }
        let first = number * 8 + 1;
        for face in
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
        {
            let corners = face.map(|corner| (first + corner).to_string());
            obj += &format!("f {}\n", corners.join(" "));
        }
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let source = folder.path().join("box.obj");
    std::fs::write(&source, obj).unwrap();
    let model = support::open_file(&source, &[], &Report::new()).unwrap();
    let written = support::written::converted(&model, "bsm", None);
    let path = folder.path().join("box.bsm");
    std::fs::write(&path, &written.files[0].1.bytes).unwrap();
    (folder, path)
}

#[test]
fn hulls_are_shown_individually_or_all_from_the_outline() {
    let (_folder, path) = boxed();
    let mut harness = window_with(path);
    let num_hulls = {
        let document = harness.document();
        assert_eq!(document.collision.hulls.len(), document.model.hulls.len());
        document.model.hulls.len()
    };
    assert!(num_hulls > 0);
    assert!(harness.app().marks().is_empty());
    harness.click("Show Hulls");
    let all = harness.app().marks();
    assert!(!all.faces.is_empty() && !all.lines.is_empty());
    harness.click("Hide Hull 0");
    let fewer = harness.app().marks();
    assert!(fewer.faces.len() < all.faces.len());

    harness.click("Hull 0");
    assert_eq!(harness.app().tab.selection, Selection::Hull(0));
    harness.get_by_label("Corners");
    // The selection is visible even if its kind is hidden.
    assert_eq!(harness.app().marks().faces.len(), all.faces.len());
}

#[test]
fn shortcuts_show_hulls_and_bounds_and_the_pane_verifies_the_bounds() {
    let (_folder, path) = boxed();
    let mut harness = window_with(path);
    harness.press(Modifiers::ALT, Key::K);
    harness.get_by_label("Bounds (in file space and units)");
    harness.click("Measure all clips");
    let verdicts = harness.app().bounds_verdicts().unwrap();
    for verdict in verdicts {
        let mark = if verdict.holds { '✔' } else { '✖' };
        harness.get_by_label(&format!("{mark} {}", verdict.text));
    }
    let before = harness.app().marks().lines.len();
    harness.press(Modifiers::ALT, Key::S);
    let stored = harness.app().marks().lines.len();
    assert!(stored > before);
    harness.press(Modifiers::ALT | Modifiers::SHIFT, Key::S);
    assert!(harness.app().marks().lines.len() > stored);
}

#[test]
fn true_bounds_without_stored_bounds_are_measured_when_first_shown() {
    let mut harness = window_with(asset());
    let stored = |state: &rigscope_state::AppState| {
        let document = state.tab.document.as_ref().unwrap();
        document.model.stored_bounds.is_some()
    };
    harness.command(Command::switch(Switch::TrueBounds));
    let state = harness.app();
    let reach = state.tab.view.collision.reach.get().cloned().unwrap();
    assert!(reach.num_poses > 1 && !reach.bounds.is_empty());
    assert_eq!(state.bounds_verdicts().is_some(), stored(state));
    assert!(!state.marks().lines.is_empty());
}

#[test]
fn an_occlusion_mesh_is_drawn_as_a_mesh_or_as_a_silhouette_in_a_ghost() {
    let (_folder, path) = boxed();
    let mut harness = window_with(path);
    let has_occluder = {
        let document = harness.document();
        document.model.occluder.is_some()
    };
    assert!(has_occluder);
    harness.click("Show Occlusion mesh");
    assert!(!harness.app().marks().faces.is_empty());
    assert_eq!(harness.app().layers().len(), 1);
    harness.click("Show Occlusion silhouette");
    let state = harness.app();
    assert_eq!(state.layers().len(), 2);
    assert!(state.layers()[1].ghost.is_some());
    assert!(state.marks().faces.iter().any(|face| face.color[3] == 1.0));
    // Only the outline has both.
    assert!(harness.query_by_role_and_label(Role::Button, "Hide Occlusion mesh").is_some());
}
