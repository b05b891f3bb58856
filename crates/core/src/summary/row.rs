//! One file in a table of many.

use serde::Serialize;

use super::columns::InColumns;
use super::info::{Info, NoteEntry};
use crate::model::{Note, Severity};

/// A file that can be read. Keys that are no columns are those of [`Info`].
#[derive(Serialize)]
pub struct Row {
    #[serde(flatten)]
    info: Info,
    content: String,
    ok: bool,
    errors: usize,
    warnings: usize,
}

impl Row {
    /// The row of a file of which there is `info` to say, whose bytes have the hash `content` and in which
    /// rules `found` something.
    pub fn new(mut info: Info, content: String, found: &[Note]) -> Self {
        info.notes.extend(found.iter().map(NoteEntry::from));
        let num = |severity: Severity| {
            info.notes.iter().filter(|note| note.severity == severity.as_str()).count()
        };
        let (errors, warnings) = (num(Severity::Error), num(Severity::Warning));
        Self { content, ok: errors == 0, errors, warnings, info }
    }

    /// As JSON: all columns in their order, and nothing else.
    pub fn in_columns(&self) -> serde_json::Result<String> {
        in_columns(self)
    }
}

/// A file that cannot be read.
#[derive(Serialize)]
pub struct UnreadRow {
    file: String,
    bytes: Option<u64>,
    content: Option<String>,
    ok: bool,
    error: String,
}

impl UnreadRow {
    /// A file of which nothing is known but why.
    pub fn new(file: &str, error: String) -> Self {
        Self { file: file.to_owned(), bytes: None, content: None, ok: false, error }
    }

    /// The same with the length and the hash of its bytes.
    pub fn with_bytes(self, num_bytes: u64, content: String) -> Self {
        Self { bytes: Some(num_bytes), content: Some(content), ..self }
    }

    /// As JSON: all columns in their order, and nothing else.
    pub fn in_columns(&self) -> serde_json::Result<String> {
        in_columns(self)
    }
}

fn in_columns(row: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(&InColumns(&serde_json::to_value(row)?))
}
