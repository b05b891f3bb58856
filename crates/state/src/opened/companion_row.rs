//! The files around a model, as a list.

use std::path::PathBuf;

use rigscope_core::model::{CompanionFile, CompanionRole};

/// A file around the model, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanionRow {
    /// What the reader listed.
    pub file: CompanionFile,
    /// Where it is on disk; `None` inside an archive, or where it was not found.
    pub path: Option<PathBuf>,
    /// Whether the user gave it along.
    pub is_given: bool,
}

impl CompanionRow {
    /// Whether it can be taken.
    pub fn can_take(&self) -> bool {
        let is_there = !self.file.is_missing && self.path.is_some();
        !self.file.is_taken && is_there && self.file.role != CompanionRole::Other
    }

    /// Whether the model can be read without it.
    pub fn can_leave(&self) -> bool {
        self.is_given || (self.file.is_taken && self.file.role != CompanionRole::Buffer)
    }
}

/// The rows of what a reader listed. `path_of` finds a file of the folders on disk.
pub(super) fn rows(
    listed: Vec<CompanionFile>,
    given: &[PathBuf],
    path_of: impl Fn(&str) -> Option<PathBuf>,
) -> Vec<CompanionRow> {
    let row = |file: CompanionFile| {
        let has_name = |path: &&PathBuf| {
            let name = path.file_name().unwrap_or(path.as_os_str());
            name.to_string_lossy() == file.file.as_str()
        };
        let given = given.iter().find(has_name);
        CompanionRow {
            is_given: given.is_some(),
            path: given.cloned().or_else(|| path_of(&file.file)),
            file,
        }
    };
    listed.into_iter().map(row).collect()
}
