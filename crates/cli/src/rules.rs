//! `rules`: lists all findings by group and all causes, or explains one.

use serde::Serialize;

use super::RulesArgs;
use super::exit::Exit;
use super::lines::Lines;
use super::option_args::unknown_rule;
use super::output::{Output, Paint};
use super::suggested_command::suggested;
use super::table::{Align, Table};
use rigscope_core::diagnose::{CAUSES, CauseInfo};
use rigscope_core::model::{FindingGroup, FindingInfo, FindingKind};
use rigscope_core::validate::findings;
use rigscope_io::fix::fix_of;

/// What to list or to explain.
struct Selection {
    rules: Vec<&'static FindingInfo>,
    causes: Vec<&'static CauseInfo>,
}

pub(super) fn run(args: &RulesArgs, output: &Output) -> anyhow::Result<Exit> {
    let is_named = |name: &str| args.code.as_ref().is_none_or(|code| code == name);
    let selected = Selection {
        rules: findings().map(FindingKind::info).filter(|rule| is_named(rule.code)).collect(),
        causes: CAUSES.iter().copied().filter(|cause| is_named(cause.name)).collect(),
    };
    if let Some(code) = &args.code
        && selected.rules.is_empty()
        && selected.causes.is_empty()
    {
        anyhow::bail!(unknown_rule(code));
    }
    if args.json {
        output.print_json(&as_json(&selected))?
    } else if args.code.is_some() {
        output.print_lines(&explanations(&selected, output.paint()))?
    } else {
        output.print_lines(&list(&selected, output.paint()))?
    }
    Ok(Exit::Done)
}

fn as_json(selected: &Selection) -> Rules {
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
    let cause = |row: &&'static CauseInfo| JsonCause {
        name: row.name,
        meaning: row.statement,
        fix: row.fix,
        explains: row.explains,
        guess: row.is_guess(),
    };
    Rules {
        schema: "rigscope.rules/1",
        rules: selected.rules.iter().map(rule).collect(),
        causes: selected.causes.iter().map(cause).collect(),
    }
}

/// A section per group with a line per finding, and one with a line per cause.
fn list(selected: &Selection, paint: Paint) -> Lines {
    let mut out = Lines::default();
    for group in FindingGroup::ALL {
        out.push(paint.bold(group.as_str()));
        let mut table = Table::new([Align::Left; 3]);
        for row in selected.rules.iter().filter(|row| row.group == group) {
            table.row([row.code, row.severity.as_str(), row.meaning].map(String::from));
        }
        out.extend(table.lines().iter().map(|line| format!("  {line}")));
        out.push("");
    }
    out.push(paint.bold("causes"));
    let mut table = Table::new([Align::Left; 2]);
    for row in &selected.causes {
        table.row([row.name, row.statement].map(String::from));
    }
    out.extend(table.lines().iter().map(|line| format!("  {line}")));
    out.push("");
    out.push("`rigscope rules CODE` shows the effect of a finding or cause and how to fix it.");
    out.push("`rigscope diagnose FILE` names the causes of what is wrong with a file.");
    out
}

fn explanations(selected: &Selection, paint: Paint) -> Lines {
    let of_rules = selected.rules.iter().map(|rule| explanation(rule, paint));
    let of_causes = selected.causes.iter().map(|cause| cause_explanation(cause, paint));
    let mut out = Lines::default();
    for (at, text) in of_rules.chain(of_causes).enumerate() {
        if at > 0 {
            out.push("");
        }
        out.append(&text);
    }
    out
}

fn cause_explanation(row: &CauseInfo, paint: Paint) -> Lines {
    let mut out = Lines::default();
    out.push(format!("{} (cause)", paint.bold(row.name)));
    out.push("");
    out.push(format!("  Problem:  {}.", row.statement));
    if !row.explains.is_empty() {
        out.push(format!("  Explains: {}.", row.explains.join(", ")));
    }
    out.push(format!("  Fix:      {}.", row.fix));
    out.push(format!("  Named by: {}", suggested(["diagnose", "FILE"])));
    let command = suggested(["fix", "FILE", "-o", "OUT", "--cause", row.name]);
    out.push(format!("  Command:  {command}"));
    if row.is_guess() {
        out.push("  This is a guess: the model may be meant so, and only the command undoes it.");
    }
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
    causes: Vec<JsonCause>,
}

/// A cause that `diagnose` can name.
#[derive(Debug, Serialize)]
struct JsonCause {
    name: &'static str,
    meaning: &'static str,
    /// What to change in the exporter.
    fix: &'static str,
    /// Codes of findings that are symptoms of the cause.
    explains: &'static [&'static str],
    /// Whether the only evidence is that models usually look otherwise.
    guess: bool,
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
