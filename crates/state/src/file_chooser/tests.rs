//! The window's own file dialog, with the answers of a disk.

use std::path::{Path, PathBuf};

use super::*;
use crate::{Action, AppState, Dialog, FileKind, Request, Settings};
use rigscope_io::files::list_folder;

/// Applies an action and lists folders as the application would; the chosen files, if any.
fn act(state: &mut AppState, action: ChooserAction) -> Vec<PathBuf> {
    let mut chosen = Vec::new();
    let mut requests = state.apply(Action::Chooser(action));
    while let Some(request) = requests.pop() {
        match request {
            Request::ListFolder { id, folder, name } => {
                let listing = list_folder(&folder, name.as_deref());
                let listing = listing.map_err(|error| error.to_string());
                let listed = ChooserAction::Listed(id, listing);
                requests.extend(state.apply(Action::Chooser(listed)));
            }
            Request::FilesChosen(_, paths) => chosen.extend(paths),
            _ => {}
        }
    }
    chosen
}

fn type_and_accept(state: &mut AppState, text: &str) -> Vec<PathBuf> {
    act(state, ChooserAction::Type(text.into()));
    act(state, ChooserAction::Accept)
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["hero.glb", "notes.txt", "HORSE.GLB", ".hidden.glb"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    std::fs::create_dir(folder.path().join("horses")).unwrap();
    std::fs::write(folder.path().join("horses/foal.glb"), "").unwrap();
    folder
}

fn open(state: &mut AppState, folder: &Path, name: Option<&str>) {
    let settings = Settings { folder: Some(folder.to_owned()), ..Settings::default() };
    let dialog = if let Some(name) = name {
        FileDialog::to_save(FilePurpose::Export, name.into(), "glb", &settings)
    } else {
        let filters = vec![FileFilter::new("Models", &["glb"]), FileFilter::all_files()];
        FileDialog::to_open(FileKind::Model, filters, &settings)
    };
    act(state, ChooserAction::Open(Box::new(dialog), None));
    assert_eq!(state.dialog, Some(Dialog::Files));
}

fn names(state: &AppState) -> Vec<String> {
    let shown = state.chooser.as_ref().unwrap().shown();
    shown.into_iter().map(|entry| entry.name.clone()).collect()
}

#[test]
fn files_are_found_by_format_and_by_parts_of_their_names() {
    let (mut state, folder) = (AppState::default(), folder());
    open(&mut state, folder.path(), None);
    assert_eq!(names(&state), ["horses", "hero.glb", "HORSE.GLB"]);
    act(&mut state, ChooserAction::SetFilter(1));
    assert_eq!(names(&state), ["horses", "hero.glb", "HORSE.GLB", "notes.txt"]);
    act(&mut state, ChooserAction::ShowHidden(true));
    assert!(names(&state).contains(&".hidden.glb".to_owned()));
    act(&mut state, ChooserAction::Type("ORSE".into()));
    assert_eq!(names(&state), ["horses", "HORSE.GLB"]);
    // The first match is a folder.
    assert!(act(&mut state, ChooserAction::Accept).is_empty());
    assert_eq!(names(&state), ["foal.glb"]);
    let chosen = type_and_accept(&mut state, "fo");
    assert_eq!(chosen, [folder.path().join("horses/foal.glb")]);
    assert_eq!((state.dialog, state.chooser.is_none()), (None, true));
}

#[test]
fn several_files_can_be_selected_and_paths_typed() {
    let (mut state, folder) = (AppState::default(), folder());
    open(&mut state, folder.path(), None);
    act(&mut state, ChooserAction::Select(1));
    act(&mut state, ChooserAction::SelectTo(2));
    let at = |name: &str| folder.path().join(name);
    assert_eq!(act(&mut state, ChooserAction::Accept), [at("hero.glb"), at("HORSE.GLB")]);

    open(&mut state, folder.path(), None);
    assert_eq!(type_and_accept(&mut state, "horses/../horses/foal.glb"), [at("horses/foal.glb")]);
    open(&mut state, &at("horses"), None);
    assert!(type_and_accept(&mut state, "..").is_empty());
    assert_eq!(state.chooser.as_ref().unwrap().folder, folder.path());
    // A name that doesn't exist isn't opened.
    assert!(type_and_accept(&mut state, "gone.glb").is_empty());
    assert_eq!(state.dialog, Some(Dialog::Files));
    assert!(type_and_accept(&mut state, "no/such/folder/").is_empty());
    assert!(matches!(state.chooser.as_ref().unwrap().listing, Some(Err(_))));
}

#[test]
fn an_existing_file_is_replaced_only_after_confirmation() {
    let (mut state, folder) = (AppState::default(), folder());
    let at = |name: &str| folder.path().join(name);
    open(&mut state, folder.path(), Some("hero.glb"));
    assert!(act(&mut state, ChooserAction::Accept).is_empty());
    assert_eq!(state.chooser.as_ref().unwrap().replaces, Some(at("hero.glb")));
    act(&mut state, ChooserAction::Keep);
    assert_eq!(type_and_accept(&mut state, "new"), [at("new.glb")], "with the extension");

    open(&mut state, folder.path(), Some("new.glb"));
    // In another folder, and after the list was read.
    std::fs::write(at("horses/new.glb"), "").unwrap();
    assert!(type_and_accept(&mut state, "horses/new.glb").is_empty());
    assert_eq!(act(&mut state, ChooserAction::Replace), [at("horses/new.glb")]);
}

#[test]
fn a_whole_name_is_preferred_to_names_that_contain_it() {
    let (mut state, folder) = (AppState::default(), folder());
    std::fs::write(folder.path().join("a hero.glb"), "").unwrap();
    open(&mut state, folder.path(), None);
    let at = |name: &str| folder.path().join(name);
    assert_eq!(type_and_accept(&mut state, "hero.glb"), [at("hero.glb")]);
    open(&mut state, folder.path(), None);
    assert_eq!(type_and_accept(&mut state, "her"), [at("hero.glb")], "it begins with the text");
    open(&mut state, folder.path(), None);
    assert_eq!(type_and_accept(&mut state, "a h"), [at("a hero.glb")]);
}
