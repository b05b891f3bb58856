//! Reports of `validate` and `check` for other programs and for people: annotations, test results, pages.
//!
//! One file per format. Not for: the text for terminals, and the JSON of each command.

mod github;
mod gitlab;
mod html;
mod junit;
mod markdown;

use std::borrow::Cow;
use std::path::Path;

use clap::ValueEnum;

use super::output::Output;
use super::text::counted;
use rigscope_core::model::output_text::{OutputTarget, text_for};
use rigscope_core::model::{Finding, FindingKind, Place, Severity, numbers};
use rigscope_io::files::slash_path;

/// The format of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For terminals
    #[default]
    Text,
    /// One JSON object
    Json,
    /// One JSON object per file and line
    Jsonl,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// JUnit XML, for the test results of CI systems
    Junit,
    /// Annotations of GitHub Actions
    Github,
    /// Code quality report of GitLab
    Gitlab,
    /// Markdown, for job summaries and comments
    Markdown,
    /// A page that needs no other file
    Html,
}

/// A file in a report.
#[derive(Debug, Default)]
pub(super) struct ReportedFile {
    /// With `/`.
    pub(super) path: String,
    /// `None` unless the file was compared with a baseline.
    pub(super) state: Option<String>,
    /// Whether it makes the command fail.
    pub(super) has_failed: bool,
    pub(super) problems: Vec<Problem>,
    /// Images as PNG, with their titles.
    pub(super) images: Vec<(String, Vec<u8>)>,
}

/// A line of a report.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) severity: Severity,
    /// Code of the rule, or of the comparison.
    pub(super) code: String,
    pub(super) message: String,
    /// Number of places.
    pub(super) count: u64,
    pub(super) place: Place,
    /// How to fix it; may be empty.
    pub(super) fix: &'static str,
    /// Whether it makes the command fail.
    pub(super) fails: bool,
}

impl ReportedFile {
    /// A path on the command line that doesn't exist.
    pub(super) fn missing(path: &Path) -> Self {
        let message = "no such file or folder".to_owned();
        let finding = Finding::new(FindingKind::Unreadable, Place::File, message, 1);
        Self {
            path: slash_path(path),
            has_failed: true,
            problems: vec![Problem::of(&finding, true)],
            ..Self::default()
        }
    }
}

impl Problem {
    pub(super) fn of(finding: &Finding, fails: bool) -> Self {
        Self {
            severity: finding.severity(),
            code: finding.kind.code().to_owned(),
            message: finding.message.clone(),
            count: finding.count,
            place: finding.place,
            fix: finding.kind.info().fix,
            fails,
        }
    }

    /// The message with its place, if it is a part of the file.
    fn text(&self) -> String {
        let mut text = match self.place {
            Place::File => self.message.clone(),
            place => format!("{} at {place}", self.message),
        };
        if self.count > 1 {
            text.push_str(&format!(", {} times", numbers::grouped(self.count)));
        }
        text
    }

    /// The line in the file; 1 for binary files.
    fn line(&self) -> u32 {
        match self.place {
            Place::Line { line, .. } if line > 0 => line,
            _ => 1,
        }
    }
}

/// Prints files in a format of this module; returns whether it has the format.
pub(super) fn print(
    format: ReportFormat,
    title: &str,
    files: &[ReportedFile],
    output: &Output,
) -> anyhow::Result<bool> {
    let text = match format {
        ReportFormat::Junit => junit::text(title, files),
        ReportFormat::Github => github::text(files),
        ReportFormat::Gitlab => gitlab::text(files)?,
        ReportFormat::Markdown => markdown::text(title, files),
        ReportFormat::Html => html::text(title, files),
        ReportFormat::Text | ReportFormat::Json | ReportFormat::Jsonl | ReportFormat::Sarif => {
            return Ok(false);
        }
    };
    output.print_report(&text)?;
    Ok(true)
}

/// `12 files, 2 failed, 1 moved, 1 missing`.
fn totals(files: &[ReportedFile]) -> String {
    let mut parts = vec![counted(files.len() as u64, "file")];
    let num_failed = files.iter().filter(|file| file.has_failed).count();
    if num_failed > 0 {
        parts.push(format!("{num_failed} failed"));
    }
    for state in ["moved", "new", "missing", "renamed"] {
        let has_it =
            |file: &&ReportedFile| file.state.as_ref().is_some_and(|own| own.starts_with(state));
        let num = files.iter().filter(has_it).count();
        if num > 0 {
            parts.push(format!("{num} {state}"));
        }
    }
    parts.join(", ")
}

/// Text in XML and HTML.
fn escaped(text: &str) -> Cow<'_, str> {
    text_for(OutputTarget::Markup, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of each kind, with names and messages that need escaping.
    pub(super) fn files() -> Vec<ReportedFile> {
        let problem = |severity, message: &str, place| Problem {
            severity,
            code: "zero-normal".to_owned(),
            message: message.to_owned(),
            count: 1,
            place,
            fix: "recompute normals",
            fails: severity == Severity::Error,
        };
        vec![
            ReportedFile {
                path: "in/a <b> & \"c\".glb".to_owned(),
                state: Some("moved".to_owned()),
                has_failed: true,
                problems: vec![
                    problem(Severity::Error, "50% of <x>,\nand | more\u{1}", Place::File),
                    problem(Severity::Warning, "low", Place::Line { line: 7, column: Some(3) }),
                ],
                images: vec![("Before".to_owned(), vec![1, 2, 3])],
            },
            ReportedFile { path: "ok.glb".to_owned(), ..ReportedFile::default() },
        ]
    }

    #[test]
    fn totals_count_failures_and_states() {
        assert_eq!(totals(&files()), "2 files, 1 failed, 1 moved");
    }
}
