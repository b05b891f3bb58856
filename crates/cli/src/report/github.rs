//! Annotations of GitHub Actions.
//!
//! Source: GitHub, "Workflow commands for GitHub Actions"; the escapes are those of `@actions/core`.

use std::borrow::Cow;

use super::file_report::FileReport;
use rigscope_core::model::Severity;
use rigscope_core::model::output_text::{OutputTarget, text_for};

pub(super) fn text(files: &[FileReport]) -> String {
    let mut out = String::new();
    for file in files {
        let path = file.shown_path();
        for problem in file.problems() {
            // A denied warning is an error there.
            let command = match problem.finding.severity() {
                _ if problem.fails => "error",
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "notice",
            };
            let (path, line) = (property(&path), problem.line());
            let title = property(problem.code());
            let text = problem.text();
            let message = data(&text);
            out.push_str(&format!(
                "::{command} file={path},line={line},title={title}::{message}\n"
            ));
        }
    }
    out
}

fn data(text: &str) -> Cow<'_, str> {
    text_for(OutputTarget::WorkflowMessage, text)
}

fn property(text: &str) -> Cow<'_, str> {
    text_for(OutputTarget::WorkflowProperty, text)
}

#[cfg(test)]
mod tests {
    #[test]
    fn commands_are_single_lines() {
        let text = super::text(&super::super::tests::files());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(
            lines[0].starts_with("::error file=in/a <b> & \"c\".glb,line=1,title=unreadable::")
        );
        assert!(lines[0].contains("50%25 of <x>,\\nand"), "{}", lines[0]);
        assert!(lines[1].starts_with("::warning file=in/a <b> & \"c\".glb,line=7,"));
    }
}
