//! Lists of clips and their filters.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_state::{Command, Pane, Selection};
use tempfile::TempDir;

use crate::host::{Host, Session, window_with};
use crate::support::gltf::write_motions;

const CLIPS: [&str; 9] =
    ["idle", "walk", "run", "jump left", "jump right", "attack", "hit", "die", "talk"];

fn open_list(harness: &mut Harness<'_, Host>) {
    harness.get_by_role_and_label(Role::ComboBox, "Clip").click();
    harness.run();
}

#[test]
fn a_long_list_of_clips_is_filtered_by_words_and_enter_selects_the_first() {
    let folder = TempDir::new().unwrap();
    let path = write_motions(folder.path(), "moves.gltf", &["root", "hip"], &CLIPS);
    let mut harness = window_with(path);
    open_list(&mut harness);
    assert!(harness.get_by_label("Filter clips").is_focused());
    harness.get_by_label("Filter clips").type_text("right JUMP");
    harness.run();
    assert!(harness.query_by_label_contains("attack  (").is_some(), "the inspector lists all");
    harness.press(Modifiers::NONE, Key::Enter);
    let clip = harness.app().tab.playback.clip.unwrap();
    assert_eq!(harness.document().clip_name(clip.index()), "jump right");
    assert!(harness.query_by_label("Filter clips").is_none(), "the list has closed");
    open_list(&mut harness);
    assert_eq!(harness.get_by_label("Filter clips").value().as_deref().unwrap_or_default(), "");
}

#[test]
fn a_list_uses_the_height_of_the_window_and_stays_in_place_while_it_is_filtered() {
    let folder = TempDir::new().unwrap();
    let names: Vec<String> = (0..30).map(|number| format!("clip {number}")).collect();
    let clips: Vec<&str> = names.iter().map(String::as_str).collect();
    let path = write_motions(folder.path(), "moves.gltf", &["root", "hip"], &clips);
    let mut harness = window_with(path);
    harness.command(Command::pane(Pane::Inspector));
    open_list(&mut harness);
    harness.run_steps(3);
    let num = harness.get_all_by_label_contains("clip ").filter(|row| row.rect().height() > 0.0);
    assert!(num.count() >= 25);
    let place = harness.get_by_label("Filter clips").rect();
    harness.get_by_label("Filter clips").type_text("clip 17");
    harness.run();
    assert_eq!(harness.get_by_label("Filter clips").rect(), place);
}

#[test]
fn the_clips_of_the_inspector_are_filtered_and_escape_shows_all_again() {
    let folder = TempDir::new().unwrap();
    let path = write_motions(folder.path(), "moves.gltf", &["root", "hip"], &CLIPS);
    let mut harness = window_with(path);
    harness.click("Filter clips of the model");
    harness.get_by_label("Filter clips of the model").type_text("al");
    harness.run();
    assert!(harness.query_by_label_contains("attack  (").is_none());
    harness.get_by_label_contains("talk  (");
    harness.get_by_label("Filter clips of the model").type_text("x");
    harness.run();
    harness.get_by_label("No clip matches.");
    harness.press(Modifiers::NONE, Key::Escape);
    harness.get_by_label_contains("attack  (").click();
    harness.run();
    assert!(matches!(harness.app().tab.selection, Selection::Clip(clip) if clip.index() == 5));
}

#[test]
fn a_short_list_of_clips_has_no_filter() {
    let folder = TempDir::new().unwrap();
    let path = write_motions(folder.path(), "moves.gltf", &["root", "hip"], &CLIPS[..3]);
    let mut harness = window_with(path);
    assert!(harness.query_by_label("Filter clips of the model").is_none());
    open_list(&mut harness);
    assert!(harness.query_by_label("Filter clips").is_none());
    harness.get_all_by_label_contains("run  (").last().unwrap().click();
    harness.run();
    assert_eq!(harness.app().tab.playback.clip.unwrap().index(), 2);
}
