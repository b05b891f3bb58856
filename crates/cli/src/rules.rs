//! `rules`: lists all findings and how to fix them.

use super::exit::Exit;
use super::output::Output;
use super::table::{Align, Table};
use super::{RulesArgs, json};
use rigscope_core::model::{FindingInfo, FindingKind};
use rigscope_core::validate::findings;

pub(super) fn run(args: &RulesArgs, output: &Output) -> anyhow::Result<Exit> {
    if args.json {
        output.print_json(&as_json())?
    } else {
        output.print_text(as_text(output))?
    }
    Ok(Exit::Done)
}

fn as_json() -> json::Rules {
    let rule = |row: &FindingInfo| json::Rule {
        code: row.code,
        severity: row.severity.as_str(),
        group: row.group.as_str(),
        meaning: row.meaning,
        mend: row.fix,
    };
    json::Rules {
        schema: "rigscope.rules/1",
        rules: findings().map(FindingKind::info).map(rule).collect(),
    }
}

/// Two lines per finding: its meaning, and how to fix it.
fn as_text(output: &Output) -> String {
    let paint = output.paint();
    let mut table = Table::new([Align::Left; 4]);
    table.row(["finding", "severity", "group", "meaning, and how to fix it"].map(String::from));
    for row in findings().map(FindingKind::info) {
        let (severity, group) = (row.severity.as_str(), row.group.as_str());
        table.row([row.code, severity, group, row.meaning].map(String::from));
        table.row(["", "", "", &format!("  {}", row.fix)].map(String::from));
    }
    let mut out = String::new();
    for (at, line) in table.lines().iter().enumerate() {
        out.push_str(&match at {
            0 => paint.bold(line),
            _ if at % 2 == 0 => paint.dim(line),
            _ => line.clone(),
        });
        out.push('\n');
    }
    out
}
