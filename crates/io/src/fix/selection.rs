//! The fixes that pass: their file is read again and must keep their promise.
//!
//! A fix passes if
//!
//! - the file is drawn as the model from which it was made, which is also the preview;
//! - its finding is gone, or its cause isn't found any more and the evidence of the cause is as good as promised;
//! - no error appears, and no warning about the drawing.

use std::collections::BTreeMap;

use super::attempt::{Attempt, FixJob};
use super::chosen::{Choice, Chosen};
use super::result::{FixError, FixOptions};
use rigscope_core::diagnose::{CauseId, Diagnosis, Evidence, Piece, diagnose};
use rigscope_core::model::numbers::percent;
use rigscope_core::model::{Finding, FindingGroup, Severity};
use rigscope_core::reshape::plain;

/// A rewritten file may deviate by this fraction of the model's size, or by this multiple of the deviation from
/// rewriting the file without a fix.
const MAX_DEVIATION: f64 = 0.01;
const MAX_OF_BASELINE: f64 = 1.5;
/// The evidence of the file may exceed the evidence of the fixed model by this factor, because values are rounded.
const SAME_EVIDENCE: f64 = 1.2;
/// A fix must reduce its evidence at least to this share.
const LESS_EVIDENCE: f64 = 0.5;

/// Number of occurrences by code.
pub(super) fn counts(findings: &[Finding]) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.kind.code()).or_default() += finding.count;
    }
    counts
}

/// Findings that only the second list has, and warnings and errors that occur there more often.
pub(super) fn new_findings(before: &[Finding], after: &[Finding]) -> Vec<Finding> {
    let known = counts(before);
    let is_new = |finding: &&Finding| match known.get(finding.kind.code()) {
        None => true,
        Some(count) => finding.severity() >= Severity::Warning && finding.count > *count,
    };
    after.iter().filter(is_new).cloned().collect()
}

/// Whether a new finding speaks against a fix.
fn is_harm(finding: &Finding) -> bool {
    let is_drawn =
        !matches!(finding.kind.info().group, FindingGroup::File | FindingGroup::Collision);
    match finding.severity() {
        Severity::Error => true,
        Severity::Warning => is_drawn,
        _ => false,
    }
}

/// Selects the fixes that pass.
pub(super) struct FixSelection<'a, 'b, 'f> {
    case: &'a FixJob<'b, 'f>,
    findings: &'a [Finding],
    options: &'a FixOptions<'a>,
    /// The file when rewritten without fixes.
    baseline: Option<Attempt>,
}

/// The fixes that pass, their result, and the rejected fixes with the reason.
#[derive(Default)]
pub(super) struct Selected {
    pub(super) attempt: Option<Attempt>,
    pub(super) fixes: Vec<Chosen>,
    pub(super) refused: Vec<(Chosen, String)>,
}

impl<'a, 'b, 'f> FixSelection<'a, 'b, 'f> {
    pub(super) fn new(
        case: &'a FixJob<'b, 'f>,
        findings: &'a [Finding],
        options: &'a FixOptions<'a>,
    ) -> Self {
        Self { case, findings, options, baseline: None }
    }

    /// Tries some fixes on top of those that have passed: all at once and, if that fails, one by one.
    pub(super) fn select(
        &mut self,
        mut selected: Selected,
        chosen: Vec<Chosen>,
    ) -> Result<Selected, FixError> {
        if chosen.is_empty() {
            return Ok(selected);
        }
        let all = [selected.fixes.clone(), chosen.clone()].concat();
        let attempt = self.case.attempt(&all)?;
        if self.objection(&attempt, &all)?.is_none() {
            return Ok(Selected { attempt: Some(attempt), fixes: all, ..selected });
        }
        for fix in chosen {
            self.case.report.progress("trying fixes", 0.5)?;
            let mut with = selected.fixes.clone();
            with.push(fix);
            let attempt = self.case.attempt(&with)?;
            match self.objection(&attempt, &with)? {
                None => {
                    selected.fixes = with;
                    selected.attempt = Some(attempt);
                }
                Some(reason) => selected.refused.push((fix, reason)),
            }
        }
        Ok(selected)
    }

    /// The reason for rejecting some fixes, as a phrase.
    fn objection(
        &mut self,
        attempt: &Attempt,
        fixes: &[Chosen],
    ) -> Result<Option<String>, FixError> {
        if let Some(reason) = self.case.opposites(fixes) {
            return Ok(Some(reason));
        }
        let left = counts(&attempt.findings);
        let remains = |code: &&str| left.contains_key(*code);
        let is_wanted = |code: &&&str| match &self.options.choice {
            Choice::All => true,
            Choice::Named { codes, .. } => codes.iter().any(|named| named == **code),
        };
        let is_left = |fix: &&Chosen| fix.codes().iter().filter(is_wanted).any(&remains);
        if let Some(fix) = fixes.iter().find(is_left) {
            return Ok(Some(fix.refusal().to_owned()));
        }
        if let Some(reason) = self.deviation(attempt)? {
            return Ok(Some(reason));
        }
        if let Some(reason) = self.remaining_cause(attempt, fixes)? {
            return Ok(Some(reason));
        }
        if let Some(reason) = self.remaining_piece(attempt, fixes) {
            return Ok(Some(reason));
        }
        let mut new = new_findings(self.findings, &attempt.findings);
        new.retain(|finding| is_harm(finding) && !self.is_judged_anew(finding, fixes));
        if !new.is_empty() && !attempt.written.is_patched {
            // Findings that the writer adds to any file don't count against a fix.
            new = new_findings(&self.baseline()?.findings, &new);
        }
        let codes: Vec<&str> = new.iter().map(|finding| finding.kind.code()).collect();
        Ok((!codes.is_empty()).then(|| format!("it would cause {}", codes.join(", "))))
    }

    /// Whether a finding couldn't be seen before: a curve wasn't examined, or an undone cause explains the finding: the fault hid it, such as joints that are
    /// dislocated by design. A fix that reaches only some meshes makes their bind poses different, however.
    fn is_judged_anew(&self, finding: &Finding, fixes: &[Chosen]) -> bool {
        // Rules about keys skip unsorted curves.
        let sorts_keys = fixes.iter().any(|fix| fix.codes().contains(&"keys-not-ascending"));
        if sorts_keys && finding.kind.info().group == FindingGroup::Animation {
            return true;
        }
        let causes = fixes.iter().filter_map(Chosen::cause);
        let mut causes = causes.filter_map(|id| self.case.diagnosis?.cause(id));
        finding.severity() < Severity::Error
            && finding.kind.code() != "different-bind-poses"
            && causes.any(|cause| cause.info.explains(finding.kind))
    }

    /// The file when rewritten without fixes.
    fn baseline(&mut self) -> Result<&Attempt, FixError> {
        if self.baseline.is_none() {
            self.baseline = Some(self.case.attempt_rewrite()?);
        }
        self.baseline.as_ref().ok_or(FixError::Empty)
    }

    /// How a rewritten file deviates from the fixed model by more than rewriting costs. A patched file is compared
    /// before.
    fn deviation(&mut self, attempt: &Attempt) -> Result<Option<String>, FixError> {
        let Some(deviation) = attempt.deviation.filter(|deviation| *deviation > MAX_DEVIATION)
        else {
            return Ok(None);
        };
        let usual = self.baseline()?.deviation.unwrap_or(0.0);
        Ok((deviation > usual * MAX_OF_BASELINE).then(|| {
            let share = percent(deviation);
            format!("the written file deviates from the fixed model by {share} of its size")
        }))
    }

    /// Why a piece among some fixes still differs from the reference in the written file.
    fn remaining_piece(&self, attempt: &Attempt, fixes: &[Chosen]) -> Option<String> {
        let diagnosis = self.case.diagnosis?;
        let written = plain(&attempt.model, None);
        if !have_same_vertices(&attempt.after, &written) {
            return None;
        }
        let mut pieces = fixes.iter().filter_map(|fix| match fix {
            Chosen::Piece(piece) => Some(piece),
            _ => None,
        });
        let still = |piece: &&&Piece| {
            diagnosis.differs(piece, &written) && !diagnosis.differs(piece, &attempt.after)
        };
        let piece = pieces.find(still)?;
        Some(format!("the {} would still differ in the written file", piece.meaning))
    }

    /// Why the causes among some fixes aren't undone in the written file.
    fn remaining_cause(
        &self,
        attempt: &Attempt,
        fixes: &[Chosen],
    ) -> Result<Option<String>, FixError> {
        let causes: Vec<CauseId> = fixes.iter().filter_map(Chosen::cause).collect();
        let Some(diagnosis) = self.case.diagnosis.filter(|_| !causes.is_empty()) else {
            return Ok(None);
        };
        let again = diagnose(&attempt.model, self.options.context, &self.case.report.quiet())?;
        let written = plain(&attempt.model, None);
        for id in causes {
            let Some(cause) = diagnosis.cause(id) else { continue };
            if again.causes.iter().any(|other| other.info.name == cause.info.name) {
                return Ok(Some("it is still found in the written file".to_owned()));
            }
            let values = if have_same_vertices(&attempt.after, &written) {
                [diagnosis.model(), &attempt.after, &written]
                    .map(|model| diagnosis.evidence_in(id, model))
            } else {
                // Another format may arrange vertices differently, so that items can't be compared.
                let before = worst(diagnosis, cause.evidence);
                [before, before.map(|value| value * LESS_EVIDENCE), worst(&again, cause.evidence)]
            };
            let [Some(before), Some(promised), Some(written)] = values else { continue };
            let most = (promised * SAME_EVIDENCE).max(before * 1e-3);
            if promised > before * LESS_EVIDENCE || written > most {
                let text = cause.evidence.text(written);
                let meaning = cause.evidence.meaning;
                return Ok(Some(format!("{meaning} would still be {text} in the written file")));
            }
        }
        Ok(None)
    }
}

fn worst(diagnosis: &Diagnosis, evidence: &Evidence) -> Option<f64> {
    let own = diagnosis.measured.iter().find(|own| own.evidence.name == evidence.name);
    own.map(|own| own.worst)
}

fn have_same_vertices(a: &rigscope_core::model::Model, b: &rigscope_core::model::Model) -> bool {
    a.meshes.len() == b.meshes.len()
        && a.clips.len() == b.clips.len()
        && a.meshes.iter().zip(&b.meshes).all(|(a, b)| a.num_vertices() == b.num_vertices())
}
