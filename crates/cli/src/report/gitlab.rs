//! Code quality report of GitLab.
//!
//! Source: GitLab, "Code Quality", section "Code Quality report format".

use serde_json::{Value, json};

use super::file_report::FileReport;
use rigscope_core::model::{Severity, output_text};
use rigscope_io::files::hash;

pub(super) fn text(files: &[FileReport]) -> anyhow::Result<String> {
    let mut issues: Vec<Value> = Vec::new();
    for file in files {
        let path = file.shown_path();
        for problem in file.problems() {
            let severity = match problem.finding.severity() {
                _ if problem.fails => "critical",
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Info => "info",
            };
            let identity = [
                &*path,
                problem.code(),
                &problem.finding.message,
                &problem.finding.place.to_string(),
            ];
            // The numbers of earlier issues that are the same tell them apart.
            let same = |issue: &&Value| issue["identity"] == json!(identity);
            let number = issues.iter().filter(same).count();
            issues.push(json!({
                "identity": identity,
                "description": problem.text(),
                "check_name": problem.code(),
                "fingerprint": hash(format!("{}\0{number}", identity.join("\0")).as_bytes()),
                "severity": severity,
                "location": { "path": path, "lines": { "begin": problem.line() } },
            }));
        }
    }
    for issue in &mut issues {
        if let Some(issue) = issue.as_object_mut() {
            issue.remove("identity");
        }
    }
    let text = serde_json::to_string_pretty(&issues)? + "\n";
    Ok(output_text::json(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    #[test]
    fn fingerprints_differ() {
        let mut files = super::super::tests::files();
        let again = super::super::tests::files().swap_remove(0);
        files[0].findings.extend(again.findings);
        let issues: Value = serde_json::from_str(&super::text(&files).unwrap()).unwrap();
        let issues = issues.as_array().unwrap();
        let mut prints: Vec<&str> =
            issues.iter().map(|issue| issue["fingerprint"].as_str().unwrap()).collect();
        assert_eq!(prints.len(), 4);
        prints.sort_unstable();
        prints.dedup();
        assert_eq!(prints.len(), 4);
        assert_eq!(issues[0]["severity"], "critical");
        assert_eq!(issues[1]["location"]["lines"]["begin"], 7);
    }
}
