//! The report about one file, for every format.

use std::path::{Path, PathBuf};

use crate::file_findings::NamedCause;
use rigscope_core::model::{Finding, FindingKind, Place, numbers};
use rigscope_io::files::slash_path;

/// A file in a report.
#[derive(Debug, Default)]
pub(crate) struct FileReport {
    /// As it was found, or as it was typed if it doesn't exist.
    pub(crate) path: PathBuf,
    /// Id of the format; `None` if the format is unknown.
    pub(crate) format: Option<&'static str>,
    /// `None` unless the file was compared with a baseline.
    pub(crate) state: Option<String>,
    /// Whether it makes the command fail.
    pub(crate) has_failed: bool,
    /// Worst first. With a baseline, after the differences from it.
    pub(crate) findings: Vec<ReportedFinding>,
    /// Causes of the findings.
    pub(crate) causes: Vec<NamedCause>,
    /// Images as PNG, with their titles.
    pub(crate) images: Vec<(String, Vec<u8>)>,
    /// Whether it is a path on the command line that doesn't exist.
    pub(crate) is_missing: bool,
}

/// A finding in a report.
#[derive(Debug)]
pub(crate) struct ReportedFinding {
    pub(crate) finding: Finding,
    /// Whether it makes the command fail.
    pub(crate) fails: bool,
    /// `None` unless the file was compared with a baseline.
    pub(crate) baseline: Option<BaselineState>,
    /// The cause that explains it.
    pub(crate) cause: Option<NamedCause>,
}

/// Whether the baseline contains a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BaselineState {
    New,
    /// Such findings are only listed in SARIF.
    Unchanged,
}

impl FileReport {
    /// A path on the command line that doesn't exist.
    pub(crate) fn missing(path: &Path) -> Self {
        let message = "no such file or folder".to_owned();
        let finding = Finding::new(FindingKind::Unreadable, Place::File, message, 1);
        Self {
            path: path.to_owned(),
            has_failed: true,
            findings: vec![ReportedFinding { finding, fails: true, baseline: None, cause: None }],
            is_missing: true,
            ..Self::default()
        }
    }

    /// The path with `/`; paths that don't exist are shown as they were typed.
    pub(super) fn shown_path(&self) -> String {
        if self.is_missing { slash_path(&self.path) } else { shown_path(&self.path) }
    }

    /// The findings that the baseline doesn't accept. It never accepts exceeded limits, which come last.
    pub(super) fn problems(&self) -> Vec<&ReportedFinding> {
        let is_limit = |own: &&ReportedFinding| {
            own.baseline.is_some() && own.finding.kind == FindingKind::OverBudget
        };
        let is_new = |own: &&ReportedFinding| {
            own.baseline != Some(BaselineState::Unchanged) && !is_limit(own)
        };
        let new = self.findings.iter().filter(is_new);
        new.chain(self.findings.iter().filter(is_limit)).collect()
    }
}

/// A path with `/`, and without `./` before it.
pub(crate) fn shown_path(path: &Path) -> String {
    let path = slash_path(path);
    path.strip_prefix("./").map_or(path.clone(), str::to_owned)
}

impl ReportedFinding {
    pub(super) fn code(&self) -> &'static str {
        self.finding.kind.code()
    }

    /// The message with its place, if it is a part of the file, and its cause.
    pub(super) fn text(&self) -> String {
        let Finding { message, place, count, .. } = &self.finding;
        let mut text = match place {
            Place::File => message.clone(),
            place => format!("{message} at {place}"),
        };
        if *count > 1 {
            text.push_str(&format!(", {} times", numbers::grouped(*count)));
        }
        text + &self.cause_text()
    }

    /// The message and its cause.
    pub(super) fn message(&self) -> String {
        self.finding.message.clone() + &self.cause_text()
    }

    fn cause_text(&self) -> String {
        self.cause.as_ref().map_or_else(String::new, NamedCause::suffix)
    }

    /// The line in the file; 1 for binary files.
    pub(super) fn line(&self) -> u32 {
        match self.finding.place {
            Place::Line { line, .. } if line > 0 => line,
            _ => 1,
        }
    }
}

impl BaselineState {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Unchanged => "unchanged",
        }
    }
}
