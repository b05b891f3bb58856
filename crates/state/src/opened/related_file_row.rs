//! Files related to a model, as rows of a list.

use std::path::PathBuf;

use rigscope_core::model::{RelatedFileRole, RelatedFileUse};

/// A file related to the model.
#[derive(Clone, Debug, PartialEq)]
pub struct RelatedFileRow {
    /// The file as listed by the reader.
    pub file: RelatedFileUse,
    /// Its path on disk; `None` inside an archive or if it wasn't found.
    pub path: Option<PathBuf>,
    /// Whether the user added it.
    pub is_given: bool,
}

impl RelatedFileRow {
    /// Whether it exists and could be used, but isn't.
    pub fn can_take(&self) -> bool {
        let is_there = !self.file.is_missing && self.path.is_some();
        !self.file.is_used && is_there && self.file.role != RelatedFileRole::Other
    }

    /// Whether the model can be loaded without it.
    pub fn can_leave(&self) -> bool {
        self.is_given || (self.file.is_used && self.file.role != RelatedFileRole::Buffer)
    }
}

/// The rows for the files listed by a reader. `path_of` finds a listed file on disk.
pub(super) fn rows(
    listed: Vec<RelatedFileUse>,
    given: &[PathBuf],
    path_of: impl Fn(&str) -> Option<PathBuf>,
) -> Vec<RelatedFileRow> {
    let row = |file: RelatedFileUse| {
        let has_name = |path: &&PathBuf| {
            let name = path.file_name().unwrap_or(path.as_os_str());
            name.to_string_lossy() == file.file.as_str()
        };
        let given = given.iter().find(has_name);
        RelatedFileRow {
            is_given: given.is_some(),
            path: given.cloned().or_else(|| path_of(&file.file)),
            file,
        }
    };
    listed.into_iter().map(row).collect()
}
