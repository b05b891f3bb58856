//! A file dialog: its purpose, title, folder and filters.

use std::path::{Path, PathBuf};

use crate::{FileKind, Settings};

/// Use of the chosen files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePurpose {
    Open(FileKind),
    Export,
    Fix,
    Image,
}

/// Files that a dialog shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFilter {
    pub name: String,
    /// Without a dot; empty shows all files.
    pub extensions: Vec<String>,
}

/// A file dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDialog {
    pub purpose: FilePurpose,
    pub title: &'static str,
    /// `None` uses the folder that the system chooses.
    pub folder: Option<PathBuf>,
    /// The suggested name of a file to save; `None` in a dialog that opens files.
    pub name: Option<String>,
    /// The first one is used until the user chooses another.
    pub filters: Vec<FileFilter>,
    pub is_multiple: bool,
}

impl FileFilter {
    pub fn new(name: &str, extensions: &[impl AsRef<str>]) -> Self {
        let extensions = extensions.iter().map(|extension| extension.as_ref().to_owned());
        Self { name: name.to_owned(), extensions: extensions.collect() }
    }

    pub fn all_files() -> Self {
        Self { name: "All files".to_owned(), extensions: Vec::new() }
    }

    /// Whether the filter shows a file of that name.
    pub fn shows(&self, name: &str) -> bool {
        let extension = Path::new(name).extension().unwrap_or_default();
        self.extensions.is_empty()
            || self.extensions.iter().any(|known| extension.eq_ignore_ascii_case(known))
    }
}

impl FileDialog {
    /// A dialog that opens files, in the folder of the last dialog.
    pub fn to_open(kind: FileKind, filters: Vec<FileFilter>, settings: &Settings) -> Self {
        Self {
            purpose: FilePurpose::Open(kind),
            title: match kind {
                FileKind::Model => "Open files",
                FileKind::RelatedFiles => "Add files to the model",
                FileKind::Compare => "Compare with a file",
                FileKind::Image(slot) => slot.question(),
            },
            folder: settings.dialog_folder().map(ToOwned::to_owned),
            name: None,
            filters,
            is_multiple: matches!(kind, FileKind::Model | FileKind::RelatedFiles),
        }
    }

    /// A dialog that saves a file, in the folder of the last dialog.
    pub fn to_save(
        purpose: FilePurpose,
        name: String,
        extension: &str,
        settings: &Settings,
    ) -> Self {
        Self {
            purpose,
            title: match purpose {
                FilePurpose::Fix => "Save the fixed file",
                FilePurpose::Image => "Save image",
                FilePurpose::Open(_) | FilePurpose::Export => "Export",
            },
            folder: settings.dialog_folder().map(ToOwned::to_owned),
            name: Some(name),
            filters: vec![FileFilter::new(&format!(".{extension} files"), &[extension])],
            is_multiple: false,
        }
    }
}
