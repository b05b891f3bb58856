//! The results of `fix` as text and JSON.

use std::ffi::OsString;
use std::path::PathBuf;

use super::FixArgs;
use super::json;
use crate::lines::Lines;
use crate::output::Paint;
use crate::suggested_command::{file_arg, suggested};
use crate::text::{counted, path as printed};
use rigscope_core::model::numbers::grouped;
use rigscope_core::model::{ClipId, Finding, Severity};
use rigscope_io::files::path_text;
use rigscope_io::fix::{FixKind, FixResult, Offered, default_target};
use rigscope_io::open::Document;

/// A result to print.
pub(super) struct Shown<'a> {
    pub(super) args: &'a FixArgs,
    pub(super) document: &'a Document,
    pub(super) result: &'a FixResult,
    /// Paths and lengths of the files.
    pub(super) written: &'a [(PathBuf, usize)],
}

/// Codes with their number of occurrences.
fn codes(findings: &[Finding]) -> String {
    let one = |finding: &Finding| format!("{} ({})", finding.kind.code(), grouped(finding.count));
    findings.iter().map(one).collect::<Vec<_>>().join(", ")
}

impl Shown<'_> {
    pub(super) fn as_text(&self, paint: Paint) -> Lines {
        let (args, result) = (self.args, self.result);
        let path = printed(&args.file);
        let num = counted(result.applied.len() as u64, "problem");
        let verb = if args.dry_run { "can be fixed" } else { "fixed" };
        let mut out = Lines::default();
        out.push(match result.applied.len() {
            0 => format!("{path}: nothing to fix"),
            _ => format!("{path}: {num} {verb}"),
        });
        let mut line = |text: String| out.push(format!("  {text}"));
        for fix in &result.applied {
            let count = match fix.count {
                count if fix.kind == FixKind::Finding => grouped(count),
                _ => kind_text(fix.kind).to_owned(),
            };
            line(format!("{} ({count}): {}", paint.good(&fix.name), fix.action));
            if !fix.resolved.is_empty() {
                line(format!("  this also removes {}", codes(&fix.resolved)));
            }
        }
        for fix in &result.refused {
            line(format!("not fixed: {}: {}", fix.name, fix.reason));
        }
        if let Some(written) = &result.written {
            for loss in &written.losses {
                line(format!("lost: {loss}"));
            }
            for finding in &written.findings {
                line(format!("{}: {}", finding.kind.code(), finding.message));
            }
            line(if written.is_patched {
                format!("changed: {}", counted(written.num_changed, "byte"))
            } else {
                "rewritten: extensions and extra data that Rigscope doesn't read aren't preserved"
                    .to_owned()
            });
            line(result.moved_text(&self.document.model));
            if !result.new.is_empty() {
                line(format!("new in the rewritten file: {}", codes(&result.new)));
            }
        }
        for fix in &result.offered {
            let label = if fix.is_guess { "a guess, not applied" } else { "only if named" };
            let count = match fix.kind {
                FixKind::Finding => grouped(fix.count),
                kind => kind_text(kind).to_owned(),
            };
            line(format!("{label}: {} ({count}): {}", fix.name, fix.action));
            line(paint.dim(&format!("  apply it with: {}", self.command(fix))));
        }
        if !result.unfixable.is_empty() {
            let finding = format!("without an automatic fix: {}", codes(&result.unfixable));
            line(paint.dim(&finding));
        }
        // Infos need no decision.
        for finding in result.unfixable.iter().filter(|own| own.severity() >= Severity::Warning) {
            let info = finding.kind.info();
            line(paint.dim(&format!("  {}: {}", info.code, info.fix)));
        }
        for (path, num_bytes) in self.written {
            out.push(format!("{}: {} bytes", printed(path), grouped(*num_bytes as u64)));
        }
        out
    }

    /// The command that applies one fix.
    fn command(&self, fix: &Offered) -> String {
        let args = self.args;
        let option = match fix.kind {
            FixKind::Finding => "--rule",
            FixKind::Cause => "--cause",
            FixKind::Piece => "--from-good",
        };
        let target = args.output.clone().unwrap_or_else(|| default_target(&args.file));
        let mut command: Vec<OsString> = vec!["fix".into(), file_arg(&args.file)];
        for (option, path) in [("--source", &args.source), ("--good", &args.good)] {
            if let Some(path) = path.as_ref().filter(|_| fix.kind != FixKind::Finding) {
                command.extend([option.into(), file_arg(path)]);
            }
        }
        command.extend([option.into(), fix.name.clone().into(), "-o".into(), file_arg(&target)]);
        suggested(command)
    }

    pub(super) fn as_json(&self) -> json::Fixed {
        let result = self.result;
        let finding = |finding: &Finding| json::CodeCount {
            code: finding.kind.code(),
            places: finding.count,
            advice: finding.kind.info().fix,
        };
        let written = result.written.as_ref();
        json::Fixed {
            schema: "rigscope.fix/1",
            file: path_text(&self.args.file),
            applied: result
                .applied
                .iter()
                .map(|fix| json::AppliedFix {
                    name: fix_name(&fix.name, fix.kind),
                    action: fix.action.clone(),
                    places: fix.count,
                })
                .collect(),
            refused: result
                .refused
                .iter()
                .map(|fix| json::RefusedFix {
                    name: fix_name(&fix.name, fix.kind),
                    why: fix.reason.clone(),
                })
                .collect(),
            offered: result
                .offered
                .iter()
                .map(|fix| json::OfferedFix {
                    name: fix_name(&fix.name, fix.kind),
                    action: fix.action.clone(),
                    places: fix.count,
                    guess: fix.is_guess,
                    command: self.command(fix),
                })
                .collect(),
            unfixable: result.unfixable.iter().map(finding).collect(),
            new: result.new.iter().map(finding).collect(),
            patched: written.map(|written| written.is_patched),
            bytes_changed: written.filter(|w| w.is_patched).map(|written| written.num_changed),
            losses: written.map_or_else(Vec::new, |written| {
                written.losses.iter().map(ToString::to_string).collect()
            }),
            moved: result.moved.map(|moved| json::MovedVertex {
                max: moved.distance
                    / f64::from(self.document.model.axes.display_units_per_file_unit()),
                of_size: moved.of_extent().unwrap_or_default(),
                mesh: moved.made.mesh.index(),
                vertex: moved.made.vertex.0,
                clip: moved.clip.map(ClipId::index),
                time_secs: moved.clip.map(|_| moved.time_secs),
            }),
            outputs: self
                .written
                .iter()
                .map(|(path, num_bytes)| json::FixedFile {
                    path: path_text(path),
                    bytes: *num_bytes,
                })
                .collect(),
        }
    }
}

fn kind_text(kind: FixKind) -> &'static str {
    match kind {
        FixKind::Finding => "finding",
        FixKind::Cause => "cause",
        FixKind::Piece => "piece",
    }
}

fn fix_name(name: &str, kind: FixKind) -> json::FixName {
    let name = name.to_owned();
    match kind {
        FixKind::Finding => json::FixName::Code(name),
        FixKind::Cause => json::FixName::Cause(name),
        FixKind::Piece => json::FixName::Piece(name),
    }
}
