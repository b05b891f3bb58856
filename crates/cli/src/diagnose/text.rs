//! The text output of `diagnose`.

use std::path::Path;

use crate::output::Paint;
use crate::text::{counted, path as printed};
use rigscope_core::diagnose::{Cause, Diagnosis, Evidence, Measured, Tried};

/// The most hypotheses to list if no cause is found.
const MAX_TRIED: usize = 5;
/// Hypotheses that leave more of the evidence aren't worth a line.
const MAX_REMAINING: f64 = 0.8;

/// The causes, with evidence and fix. Without causes, the suspicious evidence and the hypotheses that were tried.
pub(super) fn of(path: &Path, diagnosis: &Diagnosis, paint: Paint) -> String {
    let path = printed(path);
    if !diagnosis.causes.is_empty() {
        return diagnosis.causes.iter().map(|cause| cause_text(&path, cause, paint)).collect();
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
        let [before, after] = values(tried.evidence, tried.values);
        out.push_str(&format!("    {}: at best {after} instead of {before}\n", tried.info.name));
    }
    out
}

/// Both values as text; the first without the quantity that it is a share of, which the second names.
fn values(evidence: &Evidence, values: [f64; 2]) -> [String; 2] {
    let [before, after] = values.map(|value| evidence.text(value));
    let before = match (before.split_once(" of "), after.split_once(" of ")) {
        (Some((number, of)), Some((_, same))) if of == same => number.to_owned(),
        _ => before,
    };
    [before, after]
}

/// The share of the evidence that remains after the best change.
fn remaining(tried: &Tried) -> f64 {
    tried.values[1] / tried.values[0]
}

fn cause_text(path: &str, cause: &Cause, paint: Paint) -> String {
    let [before, after] = values(cause.evidence, cause.values);
    let head = format!("{path}: cause: {} [{}]\n", cause.statement(), cause.info.name);
    let evidence = cause.evidence.meaning;
    let body = format!("  evidence: without it, {evidence} is {after} instead of {before}\n");
    let fix = format!("  fix: {}\n", cause.info.fix);
    format!("{head}{}", paint.dim(&format!("{body}{fix}")))
}
