//! `rules`: lists all findings by group, or explains one.

use serde::Serialize;

use super::RulesArgs;
use super::exit::Exit;
use super::lines::Lines;
use super::option_args::unknown_name;
use super::output::{Output, Paint};
use super::suggested_command::suggested;
use super::table::{Align, Table};
use rigscope_core::model::{FindingGroup, FindingInfo, FindingKind};
use rigscope_core::validate::{finding_of_code, findings};
use rigscope_io::fix::fix_of;

pub(super) fn run(args: &RulesArgs, output: &Output) -> anyhow::Result<Exit> {
    let rules: Vec<&FindingInfo> = match &args.code {
        Some(code) => vec![named(code)?.info()],
        None => findings().map(FindingKind::info).collect(),
    };
    if args.json {
        output.print_json(&as_json(&rules))?
    } else if let (Some(_), [rule]) = (&args.code, rules.as_slice()) {
        output.print_lines(&explanation(rule, output.paint()))?
    } else {
        output.print_lines(&list(&rules, output.paint()))?
    }
    Ok(Exit::Done)
}

fn named(code: &str) -> anyhow::Result<FindingKind> {
    finding_of_code(code).ok_or_else(|| {
        let codes = findings().map(FindingKind::code).collect();
        anyhow::anyhow!(unknown_name(code, "finding", "`rigscope rules` lists all", codes))
    })
}

fn as_json(rules: &[&FindingInfo]) -> Rules {
    let rule = |row: &&FindingInfo| Rule {
        code: row.code,
        severity: row.severity.as_str(),
        group: row.group.as_str(),
        meaning: row.meaning,
        effect: row.consequence,
        fix: row.fix,
        example: row.example,
        mend: row.fix,
    };
    Rules { schema: "rigscope.rules/1", rules: rules.iter().map(rule).collect() }
}

/// A section per group with a line per finding.
fn list(rules: &[&FindingInfo], paint: Paint) -> Lines {
    let mut out = Lines::default();
    for group in FindingGroup::ALL {
        out.push(paint.bold(group.as_str()));
        let mut table = Table::new([Align::Left; 3]);
        for row in rules.iter().filter(|row| row.group == group) {
            table.row([row.code, row.severity.as_str(), row.meaning].map(String::from));
        }
        out.extend(table.lines().iter().map(|line| format!("  {line}")));
        out.push("");
    }
    out.push("`rigscope rules CODE` shows the effect of a finding and how to fix it.");
    out
}

fn explanation(row: &FindingInfo, paint: Paint) -> Lines {
    let severity = paint.severity(row.severity, row.severity.as_str());
    let fix = fix_of(row.code).map_or_else(String::new, |fix| {
        let command = suggested(["fix", "FILE", "-o", "OUT", "--rule", row.code]);
        let only = fix.format.map_or_else(String::new, |name| format!(" ({name} files)"));
        format!("  Command: {command}{only}\n")
    });
    Lines::constant(&format!(
        "{} ({severity}, {})\n\n  Problem: {}.\n  Effect:  {}.\n  Fix:     {}.\n{fix}  Example: hero.glb: {severity}: \
         {} [{}]\n",
        paint.bold(row.code),
        row.group.as_str(),
        row.meaning,
        row.consequence,
        row.fix,
        row.example,
        row.code,
    ))
}

/// `rules --json`.
#[derive(Debug, Serialize)]
struct Rules {
    schema: &'static str,
    rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
struct Rule {
    code: &'static str,
    severity: &'static str,
    group: &'static str,
    meaning: &'static str,
    effect: &'static str,
    fix: &'static str,
    /// A message of this kind.
    example: &'static str,
    /// The former name of `fix`, for programs that read it.
    mend: &'static str,
}
