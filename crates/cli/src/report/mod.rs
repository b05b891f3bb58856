//! Reports of `validate` and `check` for other programs and for people: annotations, test results, pages.
//!
//! One file per format. Not for: the text for terminals, and the JSON of each command.

mod github;
mod gitlab;
mod html;
mod junit;
mod markdown;

use clap::ValueEnum;

use super::output::Output;
use super::text::counted;
use rigscope_core::model::{Finding, Place, Severity};

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
    pub(super) state: Option<&'static str>,
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
    pub(super) place: Place,
    /// How to fix it; may be empty.
    pub(super) fix: &'static str,
    /// Whether it makes the command fail.
    pub(super) fails: bool,
}

impl Problem {
    pub(super) fn of(finding: &Finding, fails: bool) -> Self {
        Self {
            severity: finding.severity(),
            code: finding.kind.code().to_owned(),
            message: finding.message.clone(),
            place: finding.place,
            fix: finding.kind.info().fix,
            fails,
        }
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
    output.print(text)?;
    Ok(true)
}

/// `12 files, 1 error, 2 warnings`.
fn totals(files: &[ReportedFile]) -> String {
    let num = |severity| {
        let problems = files.iter().flat_map(|file| &file.problems);
        problems.filter(|problem| problem.severity == severity).count() as u64
    };
    let [errors, warnings] = [Severity::Error, Severity::Warning].map(num);
    let files = counted(files.len() as u64, "file");
    format!("{files}, {}, {}", counted(errors, "error"), counted(warnings, "warning"))
}

/// Text in XML and HTML. Characters that XML doesn't allow are replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
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
            place,
            fix: "recompute normals",
            fails: severity == Severity::Error,
        };
        vec![
            ReportedFile {
                path: "in/a <b> & \"c\".glb".to_owned(),
                state: Some("moved"),
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
    fn text_is_escaped_for_xml() {
        assert_eq!(escaped("a<b>&\"'\u{1}\n"), "a&lt;b&gt;&amp;&quot;&#39;\u{fffd}\n");
        assert_eq!(totals(&files()), "2 files, 1 error, 1 warning");
    }
}
