//! The built-in file dialog, for systems without file dialogs.

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_state::{
    Action, ChooserAction, FileDialog, FileFilter, FileKind, FilePurpose, Request, Settings,
};

use crate::host::{Host, Session, window};

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["hero.glb", "horse.glb", "notes.txt"] {
        std::fs::write(folder.path().join(name), "12").unwrap();
    }
    std::fs::create_dir(folder.path().join("animals")).unwrap();
    std::fs::write(folder.path().join("animals/cat.glb"), "").unwrap();
    folder
}

fn show(harness: &mut Harness<'static, Host>, folder: &Path, name: Option<&str>) {
    let settings = Settings { folder: Some(folder.to_owned()), ..Settings::default() };
    let dialog = if let Some(name) = name {
        FileDialog::to_save(FilePurpose::Export, name.into(), "glb", &settings)
    } else {
        let filters = vec![FileFilter::new("All supported", &["glb"]), FileFilter::all_files()];
        FileDialog::to_open(FileKind::Model, filters, &settings)
    };
    harness.act(Action::Chooser(ChooserAction::Open(Box::new(dialog), None)));
    harness.run();
}

fn chosen(harness: &Harness<'static, Host>) -> Option<Vec<PathBuf>> {
    harness.state().requests.iter().rev().find_map(|request| match request {
        Request::FilesChosen(_, paths) => Some(paths.clone()),
        _ => None,
    })
}

#[test]
fn files_are_opened_with_the_keyboard() {
    let (mut harness, folder) = (window(), folder());
    show(&mut harness, folder.path(), None);
    harness.get_by_label_contains("No desktop portal and no zenity were found");
    harness.get_by_label_contains("hero.glb");
    assert!(harness.query_by_label_contains("notes.txt").is_none(), "not a model");
    // Into the folder and back, then down to the two models.
    let none = Modifiers::NONE;
    harness.press(none, Key::ArrowDown);
    harness.press(none, Key::Enter);
    harness.get_by_label_contains("cat.glb");
    harness.press(Modifiers::ALT, Key::ArrowUp);
    harness.get_by_label_contains("hero.glb");
    harness.press(none, Key::ArrowDown);
    harness.press(none, Key::ArrowDown);
    harness.press(Modifiers::SHIFT, Key::ArrowDown);
    harness.press(none, Key::Enter);
    let models = ["hero.glb", "horse.glb"].map(|name| folder.path().join(name));
    assert_eq!(chosen(&harness).as_deref(), Some(&models[..]));
    assert_eq!(harness.app().dialog, None);
}

#[test]
fn typing_narrows_the_list_and_escape_closes_the_dialog() {
    let (mut harness, folder) = (window(), folder());
    show(&mut harness, folder.path(), None);
    harness.get_by_label("File name").type_text("hors");
    harness.run();
    assert!(harness.query_by_label_contains("hero.glb").is_none());
    harness.press(Modifiers::NONE, Key::Enter);
    assert_eq!(chosen(&harness), Some(vec![folder.path().join("horse.glb")]));

    harness.state_mut().requests.clear();
    show(&mut harness, folder.path(), None);
    harness.press(Modifiers::NONE, Key::Escape);
    assert_eq!((harness.app().dialog, chosen(&harness)), (None, None));
}

#[test]
fn an_existing_file_is_replaced_only_after_a_question() {
    let (mut harness, folder) = (window(), folder());
    harness.set_size(vec2(900.0, 600.0));
    show(&mut harness, folder.path(), Some("hero.glb"));
    harness.press(Modifiers::NONE, Key::Enter);
    harness.get_by_label("hero.glb exists. Replace it?");
    harness.click("Keep");
    assert_eq!(chosen(&harness), None);
    harness.click("Save");
    harness.click("Replace");
    assert_eq!(chosen(&harness), Some(vec![folder.path().join("hero.glb")]));
}

#[test]
fn the_dialog_fits_into_small_and_large_windows() {
    let (mut harness, folder) = (window(), folder());
    for number in 0..200 {
        std::fs::write(folder.path().join(format!("model {number}.glb")), "").unwrap();
    }
    for size in [vec2(900.0, 600.0), vec2(1600.0, 1000.0), vec2(450.0, 300.0)] {
        harness.set_size(size);
        show(&mut harness, folder.path(), None);
        for name in ["Open", "Cancel"] {
            let button = harness.get_all_by_label(name).last().unwrap().rect();
            let inside = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
            assert!(inside.contains_rect(button), "{name} {button} in {size}");
        }
        harness.press(Modifiers::NONE, Key::Escape);
    }
}
