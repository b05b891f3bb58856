//! Reports of `validate` and `check`: one [`FileReport`] per file, and one module per format of other programs.
//!
//! Not for: the text for terminals and the JSON, which are next to each command.

mod file_report;
mod github;
mod gitlab;
mod html;
mod junit;
mod markdown;
mod sarif;

use std::borrow::Cow;

use clap::ValueEnum;
use serde::Serialize;

pub(super) use file_report::{BaselineState, FileReport, ReportedFinding, shown_path};

use super::lines::Lines;
use super::output::{Output, Paint};
use super::text::counted;
use rigscope_core::model::output_text::{OutputTarget, text_for};

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

impl ReportFormat {
    /// The format of the first flag that is set, otherwise this one.
    pub(super) fn or_flags<const N: usize>(self, flags: [(bool, Self); N]) -> Self {
        flags.into_iter().find(|(is_set, _)| *is_set).map_or(self, |(_, format)| format)
    }
}

/// Prints the report of a command. `files` includes paths that don't exist; `is_whole`: there was a model in every path
/// on the command line. `text`, `json` and `lines` make the formats that differ by command.
pub(super) fn print<J: Serialize, L: Serialize>(
    command: &str,
    (format, output): (ReportFormat, &Output),
    (files, is_whole): (&[FileReport], bool),
    text: impl FnOnce(Paint) -> Lines,
    json: impl FnOnce() -> J,
    mut lines: impl Iterator<Item = L>,
) -> anyhow::Result<()> {
    let text = match format {
        ReportFormat::Text => return output.print_lines(&text(output.paint())),
        ReportFormat::Json => return output.print_json(&json()),
        ReportFormat::Jsonl => return lines.try_for_each(|line| output.print_json_line(&line)),
        ReportFormat::Sarif => return output.print_json(&sarif::log(files, is_whole)),
        ReportFormat::Junit => junit::text(command, files),
        ReportFormat::Github => github::text(files),
        ReportFormat::Gitlab => gitlab::text(files)?,
        ReportFormat::Markdown => markdown::text(command, files),
        ReportFormat::Html => html::text(command, files),
    };
    output.print_report(&text)
}

/// `12 files, 2 failed, 1 moved, 1 missing`.
fn totals(files: &[FileReport]) -> String {
    let mut parts = vec![counted(files.len() as u64, "file")];
    let num_failed = files.iter().filter(|file| file.has_failed).count();
    if num_failed > 0 {
        parts.push(format!("{num_failed} failed"));
    }
    for state in ["moved", "new", "missing", "renamed"] {
        let has_it =
            |file: &&FileReport| file.state.as_ref().is_some_and(|own| own.starts_with(state));
        let num = files.iter().filter(has_it).count();
        if num > 0 {
            parts.push(format!("{num} {state}"));
        }
    }
    parts.join(", ")
}

/// Text in XML and HTML.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    text_for(OutputTarget::Markup, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::model::{Finding, FindingKind, Place};

    /// A file of each kind, with names and messages that need escaping.
    pub(super) fn files() -> Vec<FileReport> {
        let finding = |kind, message: &str, place, fails| ReportedFinding {
            finding: Finding::new(kind, place, message.to_owned(), 1),
            fails,
            baseline: None,
            cause: None,
        };
        let line = Place::Line { line: 7, column: Some(3) };
        vec![
            FileReport {
                path: "./in/a <b> & \"c\".glb".into(),
                state: Some("moved".to_owned()),
                has_failed: true,
                findings: vec![
                    finding(
                        FindingKind::Unreadable,
                        "50% of <x>,\nand | more\u{1}",
                        Place::File,
                        true,
                    ),
                    finding(FindingKind::ZeroNormal, "low", line, false),
                ],
                images: vec![("Before".to_owned(), vec![1, 2, 3])],
                ..FileReport::default()
            },
            FileReport { path: "ok.glb".into(), ..FileReport::default() },
        ]
    }

    #[test]
    fn totals_count_failures_and_states() {
        assert_eq!(totals(&files()), "2 files, 1 failed, 1 moved");
    }
}
