//! The table of `fit` as a page, which needs no other file and no network.

use std::fmt::Write;

use super::{Fit, Row};
use crate::report::escaped;
use rigscope_io::files::path_text;

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --weak: #888; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; padding: 0 1rem; max-width: 100rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; }
p { color: var(--weak); margin-top: 0; }
div { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: 0.4rem 0.6rem; vertical-align: top; text-align: left; min-width: 9rem; }
th { font-weight: 600; overflow-wrap: anywhere; }
.as-is { background: #2a23; } .retargeted { background: #28d3; } .partial { background: #b803; } .no { background: #d333; }
td b { display: block; }
";

/// Models are rows, files with clips columns, both in the order of the arguments.
pub(super) fn page(rows: &[Row<'_>]) -> String {
    let (mut models, mut clips) = (Vec::new(), Vec::new());
    for (model, clip, _) in rows {
        if !models.contains(model) {
            models.push(*model);
        }
        if !clips.contains(clip) {
            clips.push(*clip);
        }
    }
    let num =
        |result: &[&str]| rows.iter().filter(|(.., fit)| result.contains(&fit.result())).count();
    let (plays, partial) = (num(&["as-is", "retargeted"]), num(&["partial"]));
    let in_part = if partial > 0 { format!(", {partial} only in part") } else { String::new() };
    let mut out = String::new();
    let head = "<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">";
    // Writing to a string can't fail.
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head>{head}<title>Clips and models</title><style>{STYLE}</style></head>\n\
         <body><h1>Clips and models</h1><p>{plays} of {} combinations play{in_part}</p>\n<div><table><tr><th></th>",
        rows.len()
    );
    for clip in &clips {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(&path_text(clip)));
    }
    out.push_str("</tr>\n");
    for model in &models {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escaped(&path_text(model)));
        for clip in &clips {
            let found = rows.iter().find(|(own, other, _)| own == model && other == clip);
            match found {
                Some((.., fit)) => cell(&mut out, fit),
                None => out.push_str("<td>the same file</td>"),
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div></body></html>\n");
    out
}

fn cell(out: &mut String, fit: &Fit) {
    let text = fit.text();
    let (title, details) = text.split_once(": ").unwrap_or((&text, ""));
    let _ = write!(
        out,
        "<td class=\"{}\"><b>{}</b>{}</td>",
        fit.result(),
        escaped(title),
        escaped(details)
    );
}
