//! The steps of fixing a file, and the choice of fixes that pass.

use std::collections::BTreeMap;
use std::path::Path;

use super::attempt::{Attempt, Case, has_same_extension};
use super::chosen::{Choice, Chosen, choose};
use super::result::{Applied, FixError, FixOptions, FixResult, Refused};
use crate::convert::{Check, ConvertOptions, target_of};
use crate::files::{ConversionFiles, FileSource};
use crate::formats::FORMATS;
use crate::open::{Document, format_id};
use rigscope_core::bake::plain;
use rigscope_core::diagnose::{Diagnosis, diagnose};
use rigscope_core::fix::moved;
use rigscope_core::model::{Finding, Report, Severity};
use rigscope_core::validate::validate;

/// Fixes a file, for writing to `files.target`. Nothing is written yet.
///
/// # Errors
/// If the result can't be written, or on cancellation.
pub fn fix<'f>(
    file: &FileSource,
    document: &Document,
    options: &FixOptions<'_>,
    files: &dyn Fn() -> ConversionFiles<'f>,
    report: &Report,
) -> Result<FixResult, FixError> {
    report.progress("checking", 0.0)?;
    let model = &document.model;
    let of_rules = report.quiet();
    validate(model, &of_rules)?;
    let findings = [document.notes.clone(), of_rules.notes()].concat();
    let format = FORMATS
        .iter()
        .copied()
        .find(|format| format.info.id == format_id(document))
        .ok_or(FixError::Empty)?;
    let needs_causes = match &options.choice {
        Choice::All => true,
        Choice::Named { causes, .. } => !causes.is_empty(),
    };
    let own_diagnosis = match options.diagnosis {
        None if needs_causes => Some(diagnose(model, options.context, &report.quiet())?),
        _ => None,
    };
    let diagnosis = options.diagnosis.or(own_diagnosis.as_ref());
    let chosen = choose(&options.choice, format, &findings, diagnosis);
    let nothing = FixResult {
        written: None,
        applied: Vec::new(),
        refused: Vec::new(),
        missing: missing(&options.choice, &findings, diagnosis),
        unfixable: unfixable(&findings, format, diagnosis, &chosen),
        new: Vec::new(),
        moved: None,
        model: None,
    };
    if chosen.is_empty() {
        return Ok(nothing);
    }
    let target = files().target;
    let extension = target.extension().unwrap_or_default().to_string_lossy().into_owned();
    let (target_format, part) =
        target_of(&extension).ok_or(FixError::ReadOnly { extension: extension.clone() })?;
    let mut convert_options = ConvertOptions { check: Check::Losses, ..ConvertOptions::default() };
    convert_options.write.part = part.map(str::to_owned);
    let case = Case {
        file,
        document,
        format,
        before: plain(model, None),
        diagnosis,
        target: target_format,
        is_same_kind: target_format.info.id == format.info.id
            && has_same_extension(&file.path, target),
        files,
        options: &convert_options,
        report,
    };
    let mut proof = Proof { case: &case, findings: &findings, options, baseline: None };
    let Held { attempt, fixes: kept, refused } = proof.hold(chosen)?;
    let applied = kept.iter().flat_map(|fix| applied(*fix, &findings, diagnosis)).collect();
    let Some(attempt) = attempt.filter(|_| !kept.is_empty()) else {
        return Ok(FixResult { refused, ..nothing });
    };
    report.progress("measuring", 0.9)?;
    Ok(FixResult {
        applied,
        refused,
        new: new_findings(&findings, &attempt.findings),
        moved: moved(&case.before, &attempt.after),
        model: Some(attempt.model),
        written: Some(attempt.written),
        ..nothing
    })
}

/// The codes and names of a choice that don't occur in the file.
fn missing(choice: &Choice, findings: &[Finding], diagnosis: Option<&Diagnosis>) -> Vec<String> {
    let Choice::Named { codes, causes } = choice else { return Vec::new() };
    let has_finding =
        |code: &&String| findings.iter().any(|finding| finding.kind.code() == code.as_str());
    let has_cause = |name: &&String| {
        diagnosis.is_some_and(|own| own.causes.iter().any(|cause| cause.info.name == name.as_str()))
    };
    let codes = codes.iter().filter(|code| !has_finding(code));
    codes.chain(causes.iter().filter(|name| !has_cause(name))).cloned().collect()
}

/// Findings without a fix, except those that a chosen cause explains.
fn unfixable(
    findings: &[Finding],
    format: &crate::formats::Format,
    diagnosis: Option<&Diagnosis>,
    chosen: &[Chosen],
) -> Vec<Finding> {
    let is_explained = |finding: &Finding| {
        chosen.iter().any(|fix| match (fix, diagnosis) {
            (Chosen::Cause(at), Some(diagnosis)) => {
                diagnosis.causes.get(*at).is_some_and(|cause| cause.info.explains(finding.kind))
            }
            _ => false,
        })
    };
    let mut list: Vec<Finding> = findings
        .iter()
        .filter(|finding| super::can_fix(finding.kind.code(), format).is_none())
        .filter(|finding| !is_explained(finding))
        .cloned()
        .collect();
    list.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
    list
}

fn applied(fix: Chosen, findings: &[Finding], diagnosis: Option<&Diagnosis>) -> Vec<Applied> {
    let of_codes = |action: &str| {
        let own = findings.iter().filter(|finding| fix.codes().contains(&finding.kind.code()));
        own.map(|finding| Applied {
            name: finding.kind.code().to_owned(),
            is_cause: false,
            action: action.to_owned(),
            count: finding.count,
        })
        .collect()
    };
    match fix {
        Chosen::Model(own) => of_codes(own.action),
        Chosen::File(own) => of_codes(own.action),
        Chosen::Cause(at) => {
            let cause = diagnosis.and_then(|diagnosis| diagnosis.causes.get(at));
            let of = cause.map(|cause| Applied {
                name: cause.info.name.to_owned(),
                is_cause: true,
                action: cause.statement(),
                count: 1,
            });
            of.into_iter().collect()
        }
    }
}

/// Number of occurrences by code.
fn counts(findings: &[Finding]) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.kind.code()).or_default() += finding.count;
    }
    counts
}

/// Findings that only the second list has, and warnings and errors that occur there more often.
fn new_findings(before: &[Finding], after: &[Finding]) -> Vec<Finding> {
    let known = counts(before);
    let is_new = |finding: &&Finding| match known.get(finding.kind.code()) {
        None => true,
        Some(count) => finding.severity() >= Severity::Warning && finding.count > *count,
    };
    after.iter().filter(is_new).cloned().collect()
}

/// Selects the fixes that remove their findings and don't cause new ones.
struct Proof<'a, 'b, 'f> {
    case: &'a Case<'b, 'f>,
    findings: &'a [Finding],
    options: &'a FixOptions<'a>,
    /// Findings of the file when rewritten without fixes.
    baseline: Option<Vec<Finding>>,
}

/// The fixes that pass, their result, and the rejected fixes.
struct Held {
    attempt: Option<Attempt>,
    fixes: Vec<Chosen>,
    refused: Vec<Refused>,
}

/// The reason for rejecting a fix.
enum Objection {
    Remains,
    Causes(Vec<Finding>),
}

impl Proof<'_, '_, '_> {
    /// Tries all fixes at once. If that fails, tries them one by one, on top of those that have passed.
    fn hold(&mut self, chosen: Vec<Chosen>) -> Result<Held, FixError> {
        let attempt = self.case.attempt(&chosen)?;
        if self.objection(&attempt, &chosen)?.is_none() {
            return Ok(Held { attempt: Some(attempt), fixes: chosen, refused: Vec::new() });
        }
        let (mut kept, mut best, mut refused) = (Vec::new(), None, Vec::new());
        for fix in chosen {
            self.case.report.progress("trying fixes", 0.5)?;
            let mut with = kept.clone();
            with.push(fix);
            let attempt = self.case.attempt(&with)?;
            match self.objection(&attempt, &with)? {
                None => {
                    kept = with;
                    best = Some(attempt);
                }
                Some(objection) => refused.extend(self.refusal(fix, &objection)),
            }
        }
        Ok(Held { attempt: best, fixes: kept, refused })
    }

    fn refusal(&self, fix: Chosen, objection: &Objection) -> Vec<Refused> {
        let reason = match objection {
            Objection::Remains => "the fix doesn't remove it".to_owned(),
            Objection::Causes(new) => {
                let codes: Vec<&str> = new.iter().map(|finding| finding.kind.code()).collect();
                format!("it would cause {}", codes.join(", "))
            }
        };
        let applied = applied(fix, self.findings, self.case.diagnosis);
        applied
            .into_iter()
            .map(|own| Refused { name: own.name, is_cause: own.is_cause, reason: reason.clone() })
            .collect()
    }

    /// Whether the diagnosis of the result still names one of the causes.
    fn has_same_cause(&self, attempt: &Attempt, fixes: &[Chosen]) -> Result<bool, FixError> {
        let causes = self.case.diagnosis.map_or(&[][..], |diagnosis| &diagnosis.causes);
        let undone: Vec<&str> = fixes
            .iter()
            .filter_map(|fix| match fix {
                Chosen::Cause(at) => causes.get(*at).map(|cause| cause.info.name),
                _ => None,
            })
            .collect();
        if undone.is_empty() {
            return Ok(false);
        }
        let again = diagnose(&attempt.model, self.options.context, &self.case.report.quiet())?;
        Ok(again.causes.iter().any(|cause| undone.contains(&cause.info.name)))
    }

    fn objection(
        &mut self,
        attempt: &Attempt,
        fixes: &[Chosen],
    ) -> Result<Option<Objection>, FixError> {
        let left = counts(&attempt.findings);
        let remains = |code: &&str| left.contains_key(*code);
        let is_wanted = |code: &&&str| match &self.options.choice {
            Choice::All => true,
            Choice::Named { codes, .. } => codes.iter().any(|named| named == **code),
        };
        if fixes.iter().any(|fix| fix.codes().iter().filter(is_wanted).any(&remains)) {
            return Ok(Some(Objection::Remains));
        }
        if self.has_same_cause(attempt, fixes)? {
            return Ok(Some(Objection::Remains));
        }
        let mut new = new_findings(self.findings, &attempt.findings);
        if !new.is_empty() && !attempt.written.is_patched {
            // Findings that the writer adds to any file don't count against a fix.
            if self.baseline.is_none() {
                let same_kind = self.case.attempt_rewrite()?;
                self.baseline = Some(same_kind.findings);
            }
            let baseline = self.baseline.as_deref().unwrap_or_default();
            new = new_findings(baseline, &new);
        }
        Ok((!new.is_empty()).then_some(Objection::Causes(new)))
    }
}

/// The default path of a fixed file: the name with `-fixed`, and `.glb` for read-only formats.
#[must_use]
pub fn default_target(input: &Path) -> std::path::PathBuf {
    let stem = input.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let extension = input.extension().unwrap_or_default().to_string_lossy().into_owned();
    let extension = if target_of(&extension).is_some() { extension } else { "glb".to_owned() };
    input.with_file_name(format!("{stem}-fixed.{extension}"))
}
