//! JUnit XML: a test per file, which fails if the file does.
//!
//! Ambiguous: there is no standard; elements and attributes are those of Apache Ant's `JUnitReport` schema that
//! Jenkins, GitLab and Azure read.

use super::{FileReport, escaped, totals};

pub(super) fn text(title: &str, files: &[FileReport]) -> String {
    let num_failed = files.iter().filter(|file| file.has_failed).count();
    let counts =
        format!("tests=\"{}\" failures=\"{num_failed}\" errors=\"0\" time=\"0\"", files.len());
    let title = escaped(title);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str(&format!("<testsuites {counts}>\n  <testsuite name=\"{title}\" {counts}>\n"));
    for file in files {
        let (path, problems) = (file.shown_path(), file.problems());
        let name = escaped(&path);
        out.push_str(&format!("    <testcase classname=\"{title}\" name=\"{name}\" time=\"0\""));
        if problems.is_empty() && !file.has_failed {
            out.push_str("/>\n");
            continue;
        }
        out.push_str(">\n");
        let lines = |fails: bool| {
            let problems = problems.iter().filter(|problem| problem.fails == fails);
            let lines = problems.map(|problem| {
                let severity = problem.finding.severity().as_str();
                escaped(&format!("{severity}: {} [{}]", problem.text(), problem.code()))
                    .into_owned()
            });
            lines.collect::<Vec<_>>()
        };
        let (failing, others) = (lines(true), lines(false));
        if file.has_failed {
            let first = failing.first().map_or("failed", String::as_str);
            let all = failing.join("\n");
            out.push_str(&format!("      <failure message=\"{first}\">{all}</failure>\n"));
        }
        if !others.is_empty() {
            let all = others.join("\n");
            out.push_str(&format!("      <system-out>{all}</system-out>\n"));
        }
        out.push_str("    </testcase>\n");
    }
    let totals = totals(files);
    let totals = escaped(&totals);
    out.push_str(&format!(
        "    <system-out>{totals}</system-out>\n  </testsuite>\n</testsuites>\n"
    ));
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_file_is_a_test() {
        let text = super::text("check", &super::super::tests::files());
        assert!(text.contains("tests=\"2\" failures=\"1\""), "{text}");
        assert!(text.contains("name=\"in/a &lt;b&gt; &amp; &quot;c&quot;.glb\""), "{text}");
        assert!(text.contains("<failure message=\"error: 50% of &lt;x&gt;"), "{text}");
        assert!(text.contains("<system-out>warning: low at line 7"), "{text}");
        assert!(text.contains("name=\"ok.glb\" time=\"0\"/>"), "{text}");
    }
}
