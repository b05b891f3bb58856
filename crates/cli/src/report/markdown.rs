//! Markdown, for job summaries and comments. Images need a page; a summary can't contain them.

use super::{FileReport, totals};
use rigscope_core::model::Severity;
use rigscope_core::model::output_text::{OutputTarget, text_for};

/// Rows of a file; job summaries are limited to 1 MiB.
const MAX_ROWS: usize = 20;
/// Files with rows.
const MAX_FILES: usize = 200;

pub(super) fn text(title: &str, files: &[FileReport]) -> String {
    let num_failed = files.iter().filter(|file| file.has_failed).count();
    let mark = if num_failed == 0 { "✅" } else { "❌" };
    let mut out = format!("## {mark} {}\n\n{}\n", plain(title), totals(files));
    let mut with_rows: Vec<&FileReport> = files.iter().filter(is_listed).collect();
    if !with_rows.is_empty() {
        out.push_str("\n| | file | finding |\n|---|---|---|\n");
    }
    // Stable: files of the same kind stay sorted by path.
    with_rows.sort_by_key(|file| !file.has_failed);
    for file in with_rows.iter().take(MAX_FILES) {
        let state = file.state.as_deref().filter(|state| *state != "unchanged");
        let state = plain(state.unwrap_or_default());
        let path = code(&file.shown_path());
        let problems = file.problems();
        if problems.is_empty() {
            out.push_str(&format!("| | {path} | {state} |\n"));
        }
        for problem in problems.iter().take(MAX_ROWS) {
            let mark = match problem.finding.severity() {
                _ if problem.fails => "❌",
                Severity::Error | Severity::Warning => "⚠️",
                Severity::Info => "ℹ️",
            };
            let (text, name) = (plain(&problem.text()), code(problem.code()));
            out.push_str(&format!("| {mark} | {path} | {text} ({name}) |\n"));
        }
        let num_more = problems.len().saturating_sub(MAX_ROWS);
        if num_more > 0 {
            out.push_str(&format!("| | {path} | and {num_more} more |\n"));
        }
    }
    let num_more = with_rows.len().saturating_sub(MAX_FILES);
    if num_more > 0 {
        out.push_str(&format!("\nand {num_more} more files\n"));
    }
    out
}

/// Whether a file has a row: it has problems or isn't as before.
fn is_listed(file: &&FileReport) -> bool {
    !file.problems().is_empty() || file.state.as_ref().is_some_and(|state| state != "unchanged")
}

/// Text in a cell of a table.
fn plain(text: &str) -> String {
    text_for(OutputTarget::Markdown, text).into_owned()
}

/// Code in a cell of a table.
fn code(text: &str) -> String {
    text_for(OutputTarget::MarkdownCode, text).into_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn cells_contain_no_markup_of_names() {
        let text = super::text("rigscope check", &super::super::tests::files());
        assert!(text.starts_with("## ❌ rigscope check\n\n2 files, 1 failed, 1 moved\n"), "{text}");
        assert!(text.contains("50% of \\<x\\>,\\\\nand \\| more"), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with("| ")).count(), 3, "{text}");
        assert!(!text.contains("ok.glb"), "{text}");
    }
}
