//! A row of the catalog, one per file.

use serde::Serialize;

use super::columns::InColumns;
use super::info::{FindingEntry, Info};
use crate::model::{Finding, Severity};

/// A readable file. Keys that aren't columns are those of [`Info`].
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
    /// The row of a file with the summary `info`, whose bytes have the hash `content`; `found` are
    /// the findings of rules.
    pub fn new(mut info: Info, content: String, found: &[Finding]) -> Self {
        info.findings.extend(found.iter().map(FindingEntry::from));
        let num = |severity: Severity| {
            info.findings.iter().filter(|finding| finding.severity == severity.as_str()).count()
        };
        let (errors, warnings) = (num(Severity::Error), num(Severity::Warning));
        Self { content, ok: errors == 0, errors, warnings, info }
    }

    /// The row as JSON: exactly the columns, in their order.
    pub fn in_columns(&self) -> serde_json::Result<String> {
        in_columns(self)
    }
}

/// An unreadable file.
#[derive(Serialize)]
pub struct UnreadRow {
    file: String,
    bytes: Option<u64>,
    content: Option<String>,
    ok: bool,
    error: String,
}

impl UnreadRow {
    /// A file of which only the reason is known.
    pub fn new(file: &str, error: String) -> Self {
        Self { file: file.to_owned(), bytes: None, content: None, ok: false, error }
    }

    /// Adds the size and the hash of the file's bytes.
    pub fn with_bytes(self, num_bytes: u64, content: String) -> Self {
        Self { bytes: Some(num_bytes), content: Some(content), ..self }
    }

    /// The row as JSON: exactly the columns, in their order.
    pub fn in_columns(&self) -> serde_json::Result<String> {
        in_columns(self)
    }
}

fn in_columns(row: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(&InColumns(&serde_json::to_value(row)?))
}
