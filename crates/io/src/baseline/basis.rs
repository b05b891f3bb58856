//! The conditions under which an entry of a baseline still describes its file, so that it needn't be checked again.

use serde::{Deserialize, Serialize};

use crate::files::{FileSource, FolderReads, short_hash};
use crate::open::Opener;

/// The inputs of an entry other than the content of the file, whose hash the entry has too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Basis {
    /// Hash of the program's readers and rules, and of all settings.
    rules: String,
    /// Reads of related files, by folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    folders: Vec<FolderReads>,
}

impl Basis {
    /// The basis of an entry that was just made for `file`, with `rules` from [`rules_hash`]. The reads must have been
    /// recorded.
    #[must_use]
    pub fn of(file: &FileSource, rules: String) -> Self {
        let mut folders = file.reads();
        if folders.iter().all(FolderReads::is_empty) {
            folders.clear();
        }
        Self { rules, folders }
    }

    /// The basis of the same entry under other rules.
    #[must_use]
    pub fn with_rules(self, rules: String) -> Self {
        Self { rules, ..self }
    }

    /// Whether the entry was made with these rules.
    #[must_use]
    pub fn has_rules(&self, rules: &str) -> bool {
        self.rules == rules
    }

    /// Whether the related files of `file` are as they were.
    #[must_use]
    pub fn is_current(&self, file: &FileSource) -> bool {
        self.folders.is_empty() || file.is_unchanged(&self.folders)
    }
}

/// Identifies the readers and rules of this program, and all settings: those of `opener`, and those of the rules.
/// Platforms and compilers don't matter, because a baseline made on one machine is checked on others.
#[must_use]
pub fn rules_hash(opener: &Opener, settings: &str) -> String {
    let sources = [rigscope_core::SOURCE_HASH, crate::SOURCE_HASH];
    short_hash(format!("{sources:?} {} {settings}", opener.hash()).as_bytes())
}
