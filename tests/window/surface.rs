//! Directions of vertices and bad triangles.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use rigscope_core::visual::Switch;
use rigscope_state::Command;

use crate::host::{Session, asset, window_with};

#[test]
fn normals_and_tangents_are_toggled_by_shortcuts_and_scaled_by_a_slider() {
    let mut harness = window_with(asset());
    assert!(harness.query_by_label("Length of lines").is_none());
    harness.key_press_modifiers(Modifiers::ALT, Key::N);
    harness.press(Modifiers::ALT, Key::T);
    let overlays = harness.app().tab.view.overlays;
    assert!(overlays.normals && overlays.tangents && !overlays.bitangents);
    harness.get_by_label("Length of lines");
    harness.get_by_label("— normals");
    assert!(harness.query_by_label("— bitangents").is_none());
    harness.press(Modifiers::ALT, Key::Period);
    let longer = harness.app().tab.view.overlays.glyph_permille;
    assert!(longer > overlays.glyph_permille);
    // The next run has them too.
    assert!(harness.app().settings.overlays.normals);
    assert_eq!(harness.app().settings.overlays.glyph_permille, longer);
}

#[test]
fn a_model_without_bad_triangles_shows_a_message() {
    let mut harness = window_with(asset());
    harness.press(Modifiers::ALT, Key::X);
    let bad = harness.app().marked_triangles().cloned().unwrap();
    if bad.is_empty() {
        harness.get_by_label("No triangles are flipped or without area.");
    }
    harness.command(Command::switch(Switch::BadTriangles));
    assert!(harness.app().marked_triangles().is_none());
}

#[test]
fn bad_triangles_are_counted_and_drawn() {
    // Two good triangles, one against its normals, one without area.
    let obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nv 3 0 0\nvn 0 0 1\n\
               f 1//1 2//1 3//1\nf 1//1 3//1 4//1\nf 2//1 6//1 5//1\nf 1//1 2//1 7//1\n";
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("bad.obj");
    std::fs::write(&path, obj).unwrap();
    let mut harness = window_with(path);
    harness.press(Modifiers::ALT, Key::X);
    harness.get_by_label("1 triangle flipped");
    harness.get_by_label("1 triangle without area");
    let marks = harness.app().marks();
    assert_eq!((marks.faces.len(), marks.lines_on_top.len()), (2, 6));
}
