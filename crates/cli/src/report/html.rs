//! A page that needs no other file and no network.

use std::fmt::Write;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::{FileReport, escaped, totals};

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --weak: #888; --bad: #d33; --warn: #b80; --good: #292; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; }
.totals { color: var(--weak); margin-top: 0; }
section { border-top: 1px solid var(--line); padding: 0.75rem 0; }
h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
.state { font-weight: normal; color: var(--weak); margin-left: 0.5rem; }
.failed h2::before { content: '✕ '; color: var(--bad); }
.passed h2::before { content: '✓ '; color: var(--good); }
ul { margin: 0.25rem 0 0; padding-left: 1.5rem; }
.error::marker { color: var(--bad); } .warning::marker { color: var(--warn); }
.code { color: var(--weak); font-size: 0.85em; }
.fix { color: var(--weak); }
.images { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 0.75rem; margin: 0.5rem 0; }
figure { margin: 0; }
figcaption { color: var(--weak); font-size: 0.85em; }
img { width: 100%; border-radius: 4px; display: block; }
code { font-size: 0.9em; }
";

pub(super) fn text(title: &str, files: &[FileReport]) -> String {
    let title = escaped(title);
    let mut out = String::new();
    let head = "<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">";
    // Writing to a string can't fail.
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head>{head}<title>{title}</title><style>{STYLE}</style></head>\n\
         <body><h1>{title}</h1><p class=\"totals\">{}</p>\n",
        escaped(&totals(files))
    );
    let mut sorted: Vec<&FileReport> = files.iter().collect();
    // Stable: files of the same kind stay sorted by path.
    sorted.sort_by_key(|file| (!file.has_failed, file.problems().is_empty()));
    for file in sorted {
        section(&mut out, file);
    }
    out.push_str("</body></html>\n");
    out
}

fn section(out: &mut String, file: &FileReport) {
    let class = if file.has_failed { "failed" } else { "passed" };
    let state = escaped(file.state.as_deref().unwrap_or_default());
    let path = file.shown_path();
    let path = escaped(&path);
    let _ = writeln!(
        out,
        "<section class=\"{class}\"><h2>{path}<span class=\"state\">{state}</span></h2>"
    );
    if !file.images.is_empty() {
        out.push_str("<div class=\"images\">\n");
    }
    for (title, png) in &file.images {
        let title = escaped(title);
        let data = base64(png);
        let _ = writeln!(
            out,
            "<figure><img src=\"data:image/png;base64,{data}\" alt=\"{title}\">\
             <figcaption>{title}</figcaption></figure>"
        );
    }
    if !file.images.is_empty() {
        out.push_str("</div>\n");
    }
    let problems = file.problems();
    if !problems.is_empty() {
        out.push_str("<ul>\n");
        for problem in problems {
            let fix = problem.finding.kind.info().fix;
            let text = problem.text();
            let text = escaped(&text);
            let _ = write!(
                out,
                "<li class=\"{}\">{text} <span class=\"code\">{}</span>",
                problem.finding.severity().as_str(),
                escaped(problem.code())
            );
            if !fix.is_empty() {
                let _ = write!(out, "<br><span class=\"fix\">Fix: {}</span>", with_code(fix));
            }
            out.push_str("</li>\n");
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</section>\n");
}

/// Text with code between backticks.
fn with_code(text: &str) -> String {
    let mut out = String::new();
    for (number, part) in text.split('`').enumerate() {
        match number % 2 {
            0 => out.push_str(&escaped(part)),
            _ => out.push_str(&format!("<code>{}</code>", escaped(part))),
        }
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_contains_everything_escaped() {
        let text = super::text("rigscope check", &super::super::tests::files());
        assert!(text.contains("<h2>in/a &lt;b&gt; &amp; &quot;c&quot;.glb"), "{text}");
        assert!(text.contains("data:image/png;base64,AQID"), "{text}");
        assert!(text.contains("Fix: delete faces without area"));
        assert!(!text.contains("http"), "no network");
        assert_eq!(super::with_code("run `a <b>` now"), "run <code>a &lt;b&gt;</code> now");
    }
}
