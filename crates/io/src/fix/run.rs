//! The steps of fixing a file, and the choice of fixes that pass.

use std::path::Path;

use super::attempt::{FixJob, has_same_extension};
use super::chosen::{
    Choice, Chosen, ChosenCauses, FixKind, choose_causes, choose_fixes, choose_pieces,
};
use super::offered::offered_fixes;
use super::result::{Applied, FixError, FixOptions, FixResult, Refused};
use super::selection::{FixSelection, Selected, counts, new_findings};
use crate::convert::{Check, ConvertOptions, target_of};
use crate::files::{ConversionFiles, FileSource};
use crate::formats::FORMATS;
use crate::open::{Document, format_id};
use rigscope_core::diagnose::{Cause, CauseId, Diagnosis, diagnose};
use rigscope_core::measure::{FarthestVertex, MeasureOptions, measure_same};
use rigscope_core::model::{Cancelled, Finding, Model, Report};
use rigscope_core::reshape::plain;
use rigscope_core::validate::validate;

/// The most vertices that are posed to measure how far a fix moves them: a fraction of a second.
const MAX_MEASURED_VERTICES: usize = 10_000_000;

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
    let findings = document.findings(&of_rules);
    let format = FORMATS
        .iter()
        .copied()
        .find(|format| format.info.id == format_id(document))
        .ok_or(FixError::Empty)?;
    let needs_causes = match &options.choice {
        Choice::All => true,
        Choice::Named { causes, pieces, .. } => !causes.is_empty() || !pieces.is_empty(),
    };
    let own_diagnosis = match options.diagnosis {
        None if needs_causes => Some(diagnose(model, options.context, &report.quiet())?),
        _ => None,
    };
    let diagnosis = options.diagnosis.or(own_diagnosis.as_ref());
    let ChosenCauses { chosen: causes, withheld, guesses } =
        choose_causes(&options.choice, diagnosis);
    let fixes = choose_fixes(&options.choice, format, &findings);
    let unexplained = match diagnosis.filter(|_| options.choice == Choice::All) {
        Some(diagnosis) => diagnosis.unexplained(report)?.map(|own| own.pieces).unwrap_or_default(),
        None => Vec::new(),
    };
    let pieces = choose_pieces(&options.choice, diagnosis);
    let chosen = [causes.clone(), pieces.clone(), fixes.clone()].concat();
    let nothing = FixResult {
        written: None,
        applied: Vec::new(),
        refused: withheld.iter().filter_map(|id| undecided(*id, diagnosis)).collect(),
        offered: offered_fixes(
            &options.choice,
            format,
            &findings,
            diagnosis,
            &guesses,
            &unexplained,
        ),
        missing: missing(&options.choice, &findings, diagnosis, &pieces),
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
    let mut convert_options = ConvertOptions { check: Check::Full, ..ConvertOptions::default() };
    convert_options.write.part = part.map(str::to_owned);
    let case = FixJob {
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
    let mut selection = FixSelection::new(&case, &findings, options);
    // Causes first: the fix of a finding may remove the evidence of its cause.
    let mut selected = selection.select(Selected::default(), causes)?;
    selected = selection.select(selected, pieces)?;
    let failed: Vec<CauseId> = selected.refused.iter().filter_map(|(fix, _)| fix.cause()).collect();
    let failed = [failed, withheld].concat();
    let (left, protected) = left(fixes, &selected, &options.choice, diagnosis, &failed);
    selected = selection.select(selected, left)?;
    selected.refused.extend(protected);
    let resolved = resolved(&findings, &selected);
    let mut refused = nothing.refused.clone();
    for (fix, reason) in &selected.refused {
        refused.extend(refusals(*fix, reason, &findings, diagnosis));
    }
    let remaining: Vec<Finding> = findings
        .iter()
        .filter(|own| !resolved.iter().any(|other| other.kind == own.kind))
        .cloned()
        .collect();
    let mut applied: Vec<Applied> =
        selected.fixes.iter().flat_map(|fix| applied(*fix, &remaining, diagnosis)).collect();
    if let Some(cause) = applied.iter_mut().find(|own| own.kind != FixKind::Finding) {
        cause.resolved = resolved;
    }
    let Some(attempt) = selected.attempt.filter(|_| !selected.fixes.is_empty()) else {
        return Ok(FixResult { refused, ..nothing });
    };
    report.progress("measuring", 0.9)?;
    // As in the written file: undoing a cause may have removed findings, or some of their places.
    let is_left = |own: &&Finding| nothing.unfixable.iter().any(|other| other.kind == own.kind);
    let unfixable = worst_first(attempt.findings.iter().filter(is_left));
    let offered = offered_fixes(
        &options.choice,
        format,
        &attempt.findings,
        diagnosis,
        &guesses,
        &unexplained,
    );
    Ok(FixResult {
        applied,
        refused,
        new: new_findings(&findings, &attempt.findings),
        moved: moved(&case.before, &attempt.after, report)?,
        model: Some(attempt.model),
        written: Some(attempt.written),
        unfixable,
        offered,
        ..nothing
    })
}

/// The vertex that moved farthest; `None` if none did, or if the models have different vertices or clips.
fn moved(
    before: &Model,
    after: &Model,
    report: &Report,
) -> Result<Option<FarthestVertex>, Cancelled> {
    let wants = MeasureOptions {
        done_before: 0.9,
        max_vertices: Some(MAX_MEASURED_VERTICES),
        ..MeasureOptions::default()
    };
    let measured = measure_same(before, after, wants, report)?;
    Ok(measured.and_then(|own| own.total.worst).filter(|worst| worst.distance > 0.0))
}

/// Why a cause with rivals, or one whose right values are lost, isn't undone.
fn undecided(id: CauseId, diagnosis: Option<&Diagnosis>) -> Option<Refused> {
    let cause = diagnosis?.cause(id)?;
    if cause.is_estimate {
        let reason = "the file doesn't contain the right values; export it again".to_owned();
        return Some(Refused { name: cause.info.name.to_owned(), kind: FixKind::Cause, reason });
    }
    let rivals: Vec<&str> = cause.rivals.iter().map(|rival| rival.info.name).collect();
    Some(Refused {
        name: cause.info.name.to_owned(),
        kind: FixKind::Cause,
        reason: format!(
            "{} would explain the evidence as well, with another result; decide, and name the cause",
            rivals.join(" or ")
        ),
    })
}

/// The fixes of findings that the causes have left, and those that would remove the evidence of a cause that wasn't
/// undone.
fn left(
    fixes: Vec<Chosen>,
    selected: &Selected,
    choice: &Choice,
    diagnosis: Option<&Diagnosis>,
    failed: &[CauseId],
) -> (Vec<Chosen>, Vec<(Chosen, String)>) {
    let explains = |cause: &Cause, code: &str| {
        let rivals = cause.rivals.iter().map(|rival| rival.info);
        std::iter::once(cause.info).chain(rivals).any(|info| info.explains.contains(&code))
    };
    let cause_of = |fix: &Chosen| {
        let causes = failed.iter().filter_map(|id| diagnosis?.cause(*id));
        let mut causes =
            causes.filter(|cause| fix.codes().iter().any(|code| explains(cause, code)));
        causes.next().filter(|_| *choice == Choice::All)
    };
    let (mut left, mut protected) = (Vec::new(), Vec::new());
    for fix in fixes {
        let is_left = selected.attempt.as_ref().is_none_or(|attempt| {
            fix.codes().iter().any(|code| counts(&attempt.findings).contains_key(code))
        });
        match cause_of(&fix) {
            Some(cause) => {
                let name = cause.info.name;
                let reason = if cause.is_estimate {
                    format!("it is a symptom of the cause {name}, which this fix would hide")
                } else {
                    format!("the cause {name} explains it; undo that instead")
                };
                protected.push((fix, reason));
            }
            None if is_left => left.push(fix),
            None => {}
        }
    }
    (left, protected)
}

/// Findings that are gone although no fix of them was applied: a cause explained them.
fn resolved(findings: &[Finding], selected: &Selected) -> Vec<Finding> {
    let Some(attempt) = &selected.attempt else { return Vec::new() };
    let left = counts(&attempt.findings);
    let has_fix = |finding: &&Finding| {
        selected.fixes.iter().any(|fix| fix.codes().contains(&finding.kind.code()))
    };
    let is_gone = |finding: &&Finding| !left.contains_key(finding.kind.code());
    findings.iter().filter(is_gone).filter(|own| !has_fix(own)).cloned().collect()
}

/// The entries of a fix in the list of rejected ones.
fn refusals(
    fix: Chosen,
    reason: &str,
    findings: &[Finding],
    diagnosis: Option<&Diagnosis>,
) -> Vec<Refused> {
    let applied = applied(fix, findings, diagnosis).into_iter();
    applied
        .map(|own| Refused { name: own.name, kind: own.kind, reason: reason.to_owned() })
        .collect()
}

/// The codes and names of a choice that don't occur in the file.
fn missing(
    choice: &Choice,
    findings: &[Finding],
    diagnosis: Option<&Diagnosis>,
    differing: &[Chosen],
) -> Vec<String> {
    let Choice::Named { codes, causes, pieces } = choice else { return Vec::new() };
    let has_finding =
        |code: &&String| findings.iter().any(|finding| finding.kind.code() == code.as_str());
    let has_cause = |name: &&String| {
        let causes = diagnosis.map_or(&[][..], |own| &own.causes).iter();
        let mut all = causes.flat_map(|cause| std::iter::once(cause).chain(&cause.rivals));
        all.any(|cause| cause.info.name == name.as_str())
    };
    let codes = codes.iter().filter(|code| !has_finding(code));
    let is_equal = |name: &&String| !differing.iter().any(|own| own.name(None) == name.as_str());
    let causes = causes.iter().filter(|name| !has_cause(name));
    codes.chain(causes).chain(pieces.iter().filter(is_equal)).cloned().collect()
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
            (Chosen::Cause(id), Some(diagnosis)) => {
                diagnosis.cause(*id).is_some_and(|cause| cause.info.explains(finding.kind))
            }
            _ => false,
        })
    };
    let has_fix = |finding: &&Finding| super::can_fix(finding.kind.code(), format).is_some();
    worst_first(findings.iter().filter(|own| !has_fix(own) && !is_explained(own)))
}

fn worst_first<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<Finding> {
    let mut list: Vec<Finding> = findings.cloned().collect();
    list.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
    list
}

fn applied(fix: Chosen, findings: &[Finding], diagnosis: Option<&Diagnosis>) -> Vec<Applied> {
    let of_codes = |action: &str| {
        let own = findings.iter().filter(|finding| fix.codes().contains(&finding.kind.code()));
        own.map(|finding| Applied {
            name: finding.kind.code().to_owned(),
            kind: FixKind::Finding,
            action: action.to_owned(),
            count: finding.count,
            resolved: Vec::new(),
        })
        .collect()
    };
    match fix {
        Chosen::Model(own) => of_codes(own.action),
        Chosen::File(own) => of_codes(own.action),
        Chosen::Cause(id) => {
            let cause = diagnosis.and_then(|diagnosis| diagnosis.cause(id));
            let of = cause.map(|cause| Applied {
                name: cause.info.name.to_owned(),
                kind: FixKind::Cause,
                action: cause.statement(),
                count: 1,
                resolved: Vec::new(),
            });
            of.into_iter().collect()
        }
        Chosen::Piece(piece) => vec![Applied {
            name: piece.name.to_owned(),
            kind: FixKind::Piece,
            action: format!("the {} of the reference", piece.meaning),
            count: 1,
            resolved: Vec::new(),
        }],
    }
}

/// The default path of a fixed file: the name with `-fixed`, and `.glb` for read-only formats.
#[must_use]
pub fn default_target(input: &Path) -> std::path::PathBuf {
    let mut name = input.file_stem().unwrap_or_default().to_owned();
    let extension = input.extension().unwrap_or_default().to_string_lossy().into_owned();
    let extension = if target_of(&extension).is_some() { extension } else { "glb".to_owned() };
    name.push(format!("-fixed.{extension}"));
    input.with_file_name(name)
}
