//! The window's own file dialog: its list, and the keys and clicks that choose from it.
//!
//! A choice is looked up again before it is used: the list may be older than the folder, or cut.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::{FileDialog, FileFilter};
use crate::{AppState, Dialog, JobId, JobOwner, Request};
use rigscope_io::files::{FolderEntry, FolderListing};

/// The open file dialog.
#[derive(Clone, Debug)]
pub struct FileChooser {
    pub dialog: FileDialog,
    pub folder: PathBuf,
    /// The user's folder.
    pub home: Option<PathBuf>,
    /// The content of the folder, or why it can't be read; `None` while it is being listed.
    pub listing: Option<Result<FolderListing, String>>,
    /// A name or a path; in a dialog that opens files also a part of names.
    pub text: String,
    /// Position among the dialog's filters.
    pub filter: usize,
    /// Shows names that begin with a dot.
    pub shows_hidden: bool,
    pub rows: ChosenRows,
    /// The existing file that the user must confirm to replace.
    pub replaces: Option<PathBuf>,
    /// The job that lists the folder.
    id: JobId,
    /// Uses the entry with the name in `text`, or opens it if it's a folder, once it was looked up.
    is_accepting: bool,
}

/// Positions in [`FileChooser::shown`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChosenRows {
    /// The row that the arrow keys move from.
    pub cursor: Option<usize>,
    pub selected: BTreeSet<usize>,
    /// The other end of a range selected with Shift.
    anchor: usize,
}

impl ChosenRows {
    fn one(row: usize) -> Self {
        Self { cursor: Some(row), selected: BTreeSet::from([row]), anchor: row }
    }
}

/// An action of the file dialog.
#[derive(Clone, Debug, PartialEq)]
pub enum ChooserAction {
    /// Opens the dialog; the folder is the user's.
    Open(Box<FileDialog>, Option<PathBuf>),
    Listed(JobId, Result<FolderListing, String>),
    /// Shows another folder.
    Enter(PathBuf),
    Type(String),
    SetFilter(usize),
    ShowHidden(bool),
    /// Selects only this row.
    Select(usize),
    /// Selects the rows between the last one selected and this one, if the dialog accepts several files.
    SelectTo(usize),
    /// Adds a row to the selection, or removes it.
    Toggle(usize),
    /// Opens the selected folder, or uses the selected files or the name.
    Accept,
    /// Confirms that a file is replaced.
    Replace,
    /// Keeps the file.
    Keep,
}

impl FileChooser {
    /// The entries to show.
    pub fn shown(&self) -> Vec<&FolderEntry> {
        let Some(Ok(listing)) = &self.listing else { return Vec::new() };
        let all = FileFilter::all_files();
        let filter = self.dialog.filters.get(self.filter).unwrap_or(&all);
        // A path doesn't filter names.
        let part = if self.is_saving() || has_separator(&self.text) { "" } else { &self.text };
        let part = part.to_lowercase();
        let is_shown = |entry: &&FolderEntry| {
            (self.shows_hidden || !entry.name.starts_with('.'))
                && (entry.is_dir || filter.shows(&entry.name))
                && (part.is_empty() || entry.name.to_lowercase().contains(&part))
        };
        listing.entries.iter().filter(is_shown).collect()
    }

    pub fn is_saving(&self) -> bool {
        self.dialog.name.is_some()
    }

    /// Whether there is something to accept.
    pub fn can_accept(&self) -> bool {
        !self.rows.selected.is_empty() || !self.text.trim().is_empty()
    }

    fn show(&mut self, folder: PathBuf, id: JobId, name: Option<String>) -> Vec<Request> {
        if folder != self.folder {
            self.listing = None;
        }
        (self.id, self.folder) = (id, folder.clone());
        self.rows = ChosenRows::default();
        self.replaces = None;
        self.is_accepting = name.is_some();
        vec![Request::ListFolder { id, folder, name }]
    }

    fn select(&mut self, rows: ChosenRows) {
        let shown = self.shown();
        if rows.cursor.is_none_or(|row| row >= shown.len()) {
            return;
        }
        // A click on a file suggests its name.
        let name = rows.cursor.and_then(|row| shown.get(row)).filter(|entry| !entry.is_dir);
        let name = name.filter(|_| self.is_saving()).map(|entry| entry.name.clone());
        self.text = name.unwrap_or(std::mem::take(&mut self.text));
        self.rows = rows;
        self.replaces = None;
    }

    /// The row to use for the text: the name itself, a name that begins with it, or the first that contains it.
    fn best_match(&self) -> Option<usize> {
        if self.is_saving() || self.text.is_empty() || has_separator(&self.text) {
            return None;
        }
        let text = self.text.to_lowercase();
        let shown = self.shown();
        let names = || shown.iter().map(|entry| entry.name.to_lowercase());
        let begins = || names().position(|name| name.starts_with(&text));
        names().position(|name| name == text).or_else(begins).or((!shown.is_empty()).then_some(0))
    }

    /// The extension to add to the name of a file to save.
    fn missing_extension(&self, name: &str) -> Option<&str> {
        let extension = self.dialog.filters.get(self.filter)?.extensions.first()?;
        let is_missing = self.is_saving() && Path::new(name).extension().is_none();
        is_missing.then_some(extension)
    }

    /// The path in `text`.
    fn typed_path(&self) -> Option<PathBuf> {
        let text = self.text.trim();
        let path = match (text.strip_prefix('~'), &self.home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                home.join(rest.trim_start_matches('/'))
            }
            _ => self.folder.join(text),
        };
        (!text.is_empty()).then(|| without_dots(&path))
    }
}

fn has_separator(text: &str) -> bool {
    text.contains(std::path::is_separator) || text.starts_with('~')
}

/// `path` without `.` and `..`.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

impl AppState {
    pub(crate) fn apply_chooser(&mut self, action: ChooserAction) -> Vec<Request> {
        if let ChooserAction::Open(dialog, home) = action {
            return self.open_chooser(*dialog, home);
        }
        let id = self.new_job(JobOwner::FileChooser);
        let Some(chooser) = self.chooser.as_mut() else { return Vec::new() };
        match action {
            ChooserAction::Open(..) => {}
            ChooserAction::Listed(of, listing) if of == chooser.id => {
                return self.take_listing(listing);
            }
            ChooserAction::Listed(..) => {}
            ChooserAction::Enter(folder) => {
                if !chooser.is_saving() {
                    chooser.text.clear();
                }
                return chooser.show(folder, id, None);
            }
            ChooserAction::Type(text) => {
                chooser.text = text;
                chooser.replaces = None;
                chooser.is_accepting = false;
                let found = chooser.best_match();
                chooser.rows = found.map_or_else(ChosenRows::default, ChosenRows::one);
            }
            ChooserAction::SetFilter(filter) => {
                chooser.filter = filter;
                chooser.rows = ChosenRows::default();
            }
            ChooserAction::ShowHidden(shows) => {
                chooser.shows_hidden = shows;
                chooser.rows = ChosenRows::default();
            }
            ChooserAction::Select(row) => chooser.select(ChosenRows::one(row)),
            ChooserAction::SelectTo(row) if chooser.dialog.is_multiple => {
                let anchor = chooser.rows.cursor.map_or(row, |_| chooser.rows.anchor);
                let selected = (anchor.min(row)..=anchor.max(row)).collect();
                chooser.select(ChosenRows { cursor: Some(row), selected, anchor });
            }
            ChooserAction::Toggle(row) if chooser.dialog.is_multiple => {
                let mut selected = chooser.rows.selected.clone();
                if !selected.remove(&row) {
                    selected.insert(row);
                }
                chooser.select(ChosenRows { cursor: Some(row), selected, anchor: row });
            }
            ChooserAction::SelectTo(row) | ChooserAction::Toggle(row) => {
                chooser.select(ChosenRows::one(row));
            }
            ChooserAction::Accept => return self.accept(id),
            ChooserAction::Replace => {
                if let Some(path) = chooser.replaces.take() {
                    return self.finish_chooser(vec![path]);
                }
            }
            ChooserAction::Keep => chooser.replaces = None,
        }
        Vec::new()
    }

    fn open_chooser(&mut self, dialog: FileDialog, home: Option<PathBuf>) -> Vec<Request> {
        let id = self.new_job(JobOwner::FileChooser);
        let folder = dialog.folder.clone().or_else(|| home.clone());
        let folder = folder.unwrap_or_else(|| Path::new("/").to_owned());
        let mut chooser = FileChooser {
            text: dialog.name.clone().unwrap_or_default(),
            dialog,
            folder: PathBuf::new(),
            home,
            listing: None,
            filter: 0,
            shows_hidden: false,
            rows: ChosenRows::default(),
            replaces: None,
            id,
            is_accepting: false,
        };
        let requests = chooser.show(folder, id, None);
        self.chooser = Some(chooser);
        self.open_modal(Dialog::Files);
        requests
    }

    /// Looks up the selection or the name.
    fn accept(&mut self, id: JobId) -> Vec<Request> {
        let Some(chooser) = &mut self.chooser else { return Vec::new() };
        let shown = chooser.shown();
        let selected = chooser.rows.selected.iter().filter_map(|&row| shown.get(row));
        let selected: Vec<FolderEntry> = selected.map(|&entry| entry.clone()).collect();
        let files = selected.iter().filter(|entry| !entry.is_dir);
        let files: Vec<_> = files.map(|entry| chooser.folder.join(&entry.file_name)).collect();
        if let [FolderEntry { file_name, is_dir: true, .. }] = &selected[..] {
            let folder = chooser.folder.join(file_name);
            return self.apply_chooser(ChooserAction::Enter(folder));
        }
        if !chooser.is_saving() && !files.is_empty() {
            return self.finish_chooser(files);
        }
        let Some(path) = chooser.typed_path() else { return Vec::new() };
        let is_folder = chooser.text.trim().ends_with(std::path::is_separator);
        match (path.parent(), path.file_name().and_then(|name| name.to_str())) {
            (Some(folder), Some(name)) if !is_folder => {
                let (folder, mut name) = (folder.to_owned(), name.to_owned());
                if let Some(extension) = chooser.missing_extension(&name) {
                    name = format!("{name}.{extension}");
                }
                chooser.text.clone_from(&name);
                chooser.show(folder, id, Some(name))
            }
            _ => {
                chooser.text = chooser.dialog.name.clone().unwrap_or_default();
                chooser.show(path, id, None)
            }
        }
    }

    fn take_listing(&mut self, listing: Result<FolderListing, String>) -> Vec<Request> {
        let Some(chooser) = &mut self.chooser else { return Vec::new() };
        let named = listing.as_ref().ok().and_then(|listing| listing.named.clone());
        let is_read = listing.is_ok();
        chooser.listing = Some(listing);
        if !std::mem::take(&mut chooser.is_accepting) || !is_read {
            return Vec::new();
        }
        let path = chooser.folder.join(&chooser.text);
        match named {
            Some(FolderEntry { is_dir: true, .. }) => {
                chooser.text = chooser.dialog.name.clone().unwrap_or_default();
                let id = self.new_job(JobOwner::FileChooser);
                self.chooser.as_mut().map_or_else(Vec::new, |chooser| chooser.show(path, id, None))
            }
            Some(_) if chooser.is_saving() => {
                chooser.replaces = Some(path);
                Vec::new()
            }
            None if !chooser.is_saving() => Vec::new(),
            Some(_) | None => self.finish_chooser(vec![path]),
        }
    }

    fn finish_chooser(&mut self, paths: Vec<PathBuf>) -> Vec<Request> {
        self.close_dialog();
        let chooser = self.chooser.take();
        chooser.map_or_else(Vec::new, |chooser| {
            vec![Request::FilesChosen(chooser.dialog.purpose, paths)]
        })
    }
}
