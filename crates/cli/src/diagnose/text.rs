//! The text output of `diagnose`.

use std::path::Path;

use crate::output::Paint;
use crate::text::{counted, path as printed};
use rigscope_core::diagnose::{Cause, Diagnosis, Measured, Tried};
use rigscope_io::fix::default_target;

/// The most hypotheses to list if no cause is found.
const MAX_TRIED: usize = 5;
/// Hypotheses that leave more of the evidence aren't worth a line.
const MAX_REMAINING: f64 = 0.8;

/// The causes, with evidence and fix. Without causes, the suspicious evidence and the hypotheses that were tried.
pub(super) fn of(file: &Path, diagnosis: &Diagnosis, paint: Paint) -> String {
    let path = printed(file);
    if !diagnosis.causes.is_empty() {
        return diagnosis.causes.iter().map(|cause| cause_text(file, cause, paint)).collect();
    }
    let suspicious: Vec<&Measured> =
        diagnosis.measured.iter().filter(|measured| measured.is_suspicious).collect();
    if suspicious.is_empty() {
        let num = counted(diagnosis.measured.len() as u64, "measurement");
        return format!("{path}: nothing suspicious in {num}\n");
    }
    let mut out = format!("{path}: no cause found\n");
    for measured in suspicious {
        let value = measured.evidence.text(measured.worst);
        out.push_str(&format!("  suspicious: {} is {value}\n", measured.evidence.meaning));
    }
    out.push_str(&format!("  ruled out: {}\n", counted(diagnosis.tried.len() as u64, "cause")));
    let mut close: Vec<&Tried> =
        diagnosis.tried.iter().filter(|tried| remaining(tried) < MAX_REMAINING).collect();
    close.sort_by(|a, b| remaining(a).total_cmp(&remaining(b)));
    for tried in close.into_iter().take(MAX_TRIED) {
        let [before, after] = tried.evidence.texts(tried.values);
        out.push_str(&format!("    {}: at best {after} instead of {before}\n", tried.info.name));
    }
    out
}

/// The share of the evidence that remains after the best change.
fn remaining(tried: &Tried) -> f64 {
    tried.values[1] / tried.values[0]
}

fn cause_text(file: &Path, cause: &Cause, paint: Paint) -> String {
    let (path, name) = (printed(file), cause.info.name);
    let head = format!("{path}: cause: {} [{name}]\n", cause.statement());
    let evidence = format!("  evidence: {}\n", cause.improvement());
    let fix = format!("  fix: {}\n", cause.info.fix);
    let target = printed(&default_target(file));
    let command = format!("  or: rigscope fix {path} --cause {name} -o {target}\n");
    format!("{head}{}", paint.dim(&format!("{evidence}{fix}{command}")))
}
