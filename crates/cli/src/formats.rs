//! `formats`: lists the supported formats. For compatibility, the JSON also lists the findings.

use serde::Serialize;

use super::FormatsArgs;
use super::exit::Exit;
use super::lines::Lines;
use super::output::Output;
use super::table::{Align, Table};
use rigscope_core::model::{FindingInfo, FindingKind};
use rigscope_core::validate::findings;
use rigscope_io::formats::{Caps, FORMATS, FormatInfo, FormatKind};

pub(super) fn run(args: &FormatsArgs, output: &Output) -> anyhow::Result<Exit> {
    if args.json {
        output.print_json(&as_json())?
    } else {
        output.print_lines(&as_text(output))?
    }
    Ok(Exit::Done)
}

fn holds(caps: Caps) -> Vec<&'static str> {
    let all = [
        (caps.mesh, "mesh"),
        (caps.skin, "skin"),
        (caps.clips, "clips"),
        (caps.collision, "collision"),
    ];
    let held = all.into_iter().filter(|(is_held, _)| *is_held);
    held.map(|(_, name)| name).collect()
}

fn kind(kind: FormatKind) -> &'static str {
    match kind {
        FormatKind::Binary => "binary",
        FormatKind::Text => "text",
    }
}

fn as_json() -> Formats {
    let format = |info: &FormatInfo| FormatEntry {
        id: info.id,
        name: info.name,
        extensions: info.extensions,
        kind: kind(info.kind),
        read: info.can_read,
        write: info.can_write,
        holds: holds(info.caps),
        citation: info.citation,
    };
    let entry = |row: &FindingInfo| FindingKindEntry {
        code: row.code,
        severity: row.severity.as_str(),
        meaning: row.meaning,
    };
    Formats {
        schema: "rigscope.formats/1",
        formats: FORMATS.iter().map(|f| format(&f.info)).collect(),
        findings: findings().map(FindingKind::info).map(entry).collect(),
    }
}

fn as_text(output: &Output) -> Lines {
    let paint = output.paint();
    let mut formats = Table::new([Align::Left; 6]);
    formats.row(["id", "extensions", "kind", "does", "holds", "name"].map(String::from));
    for info in FORMATS.iter().map(|format| &format.info) {
        let does = match (info.can_read, info.can_write) {
            (true, true) => "read, write",
            (true, false) => "read",
            (false, true) => "write",
            (false, false) => "-",
        };
        let extensions: Vec<_> = info.extensions.iter().map(|e| format!(".{e}")).collect();
        formats.row([
            info.id.to_owned(),
            extensions.join(" "),
            kind(info.kind).to_owned(),
            does.to_owned(),
            holds(info.caps).join(", "),
            info.name.to_owned(),
        ]);
    }
    let mut out = Lines::default();
    for (at, line) in formats.lines().iter().enumerate() {
        match at {
            0 => out.push(paint.bold(line)),
            _ => out.push(line),
        }
    }
    out.push("");
    out.push("`rigscope rules` lists all findings.");
    out
}

/// `formats --json`.
#[derive(Debug, Serialize)]
struct Formats {
    schema: &'static str,
    formats: Vec<FormatEntry>,
    #[serde(rename = "notes")]
    findings: Vec<FindingKindEntry>,
}

#[derive(Debug, Serialize)]
struct FormatEntry {
    id: &'static str,
    name: &'static str,
    extensions: &'static [&'static str],
    kind: &'static str,
    read: bool,
    write: bool,
    holds: Vec<&'static str>,
    citation: &'static str,
}

#[derive(Debug, Serialize)]
struct FindingKindEntry {
    code: &'static str,
    severity: &'static str,
    meaning: &'static str,
}
