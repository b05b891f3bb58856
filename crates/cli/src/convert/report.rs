//! Results of conversions as text and JSON.

use serde::Serialize;

use super::jobs::Job;
use super::one::{Done, Failed};
use crate::info_text::finding_text;
use crate::lines::Lines;
use crate::output::{Output, Paint};
use crate::text::{counted, grouped, path as printed, plain};
use rigscope_core::model::{Finding, Severity};
use rigscope_core::summary::FindingEntry;
use rigscope_io::convert::{BetweenKeys, ConversionDeviation, Lost};
use rigscope_io::files::path_text;
use rigscope_io::formats::loss_list::Loss;
use rigscope_io::formats::loss_summary::{label, summary};
use rigscope_io::formats::losses::Aspect;
use std::path::Path;

type Outcome = Result<Done, Failed>;

/// Prints failed conversions to stderr.
pub(super) fn tell_failures(jobs: &[Job], outcomes: &[Outcome], output: &Output) {
    for (job, outcome) in jobs.iter().zip(outcomes) {
        match outcome {
            Ok(_) => {}
            Err(Failed::Error(error) | Failed::OverLimit(error)) => output.error(error),
            Err(Failed::Lossy(_, codes)) => {
                let message = format!(
                    "nothing was written, because data would be lost ({}); --allow accepts losses by their codes",
                    codes.join(", ")
                );
                output.report_at(Severity::Error, &job.input, &message);
            }
        }
    }
}

/// The conversion, if it succeeded or would have.
fn done_of(outcome: &Outcome) -> Option<&Done> {
    match outcome {
        Ok(done) => Some(done),
        Err(Failed::Lossy(done, _)) => Some(done),
        Err(Failed::Error(_) | Failed::OverLimit(_)) => None,
    }
}

/// A block per file, then totals if there are several.
pub(super) fn as_text(jobs: &[Job], outcomes: &[Outcome], paint: Paint) -> Lines {
    let mut out = Lines::default();
    for (job, outcome) in jobs.iter().zip(outcomes) {
        if let Some(done) = done_of(outcome) {
            file(&mut out, job, done, paint);
        }
    }
    if jobs.len() > 1 {
        let sums = Sums::of(outcomes);
        out.push(format!(
            "{}: {} converted, {} failed, {} with losses",
            counted(jobs.len() as u64, "file"),
            grouped(sums.converted),
            grouped(sums.failed),
            grouped(sums.lossy),
        ));
    }
    out
}

fn file(out: &mut Lines, job: &Job, done: &Done, paint: Paint) {
    let outputs: Vec<String> = (done.outputs.iter())
        .map(|(path, bytes)| format!("{} ({})", printed(path), counted(*bytes as u64, "byte")))
        .collect();
    let target = if outputs.is_empty() { printed(&job.output) } else { outputs.join(", ") };
    out.push(format!("{} -> {target}", paint.bold(&printed(&job.input))));
    let mut line = |label: &str, text: &str| {
        out.push(format!("  {label} {}", plain(text)));
    };
    if let Some(text) = &done.found_files {
        line(&format!("{}:", paint.severity(Severity::Info, "info")), text);
    }
    for sentence in done.converted.loss_sentences() {
        let label = format!("{}:", label(&sentence, &done.converted.predicted));
        line(&paint.severity(Severity::Warning, &label), &sentence);
    }
    let found = paint.severity(Severity::Error, "unexpectedly lost:");
    for sentence in summary(&done.converted.unforeseen()) {
        line(&found, &sentence);
    }
    for finding in done.converted.added() {
        line(&paint.dim("added:"), &finding.message);
    }
    for finding in done.converted.remarks() {
        let label = paint.severity(finding.severity(), finding.severity().as_str());
        line(&format!("{label}:"), &finding_text(&FindingEntry::from(finding)));
    }
    if let Some(errors) = &done.converted.errors {
        let (from, to) = (extension(&job.input, "the input"), extension(&job.output, "the output"));
        line(&paint.dim("measured:"), &errors.describe(&from, &to));
    }
    for hint in hints(job, done) {
        line(&paint.dim("hint:"), hint);
    }
}

/// The extension of a path with its dot.
fn extension(path: &Path, otherwise: &str) -> String {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    extension.map_or_else(|| otherwise.to_owned(), |extension| format!(".{extension}"))
}

/// Options that would keep more.
fn hints(job: &Job, done: &Done) -> Vec<&'static str> {
    let mut hints = Vec::new();
    let errors = done.converted.errors.as_ref().filter(|errors| errors.is_worse_between_keys());
    let between_keys = errors.and_then(|errors| errors.between_keys);
    match between_keys {
        Some(BetweenKeys { source_holds: true, written_holds: false })
            if job.format.stores_step_keys() =>
        {
            hints.push("--step-keys keeps the steps between keys");
        }
        Some(BetweenKeys { source_holds: false, written_holds: true }) => {
            hints.push("a higher --rate makes the steps between keys smaller");
        }
        _ => {}
    }
    let loses_parents = done.converted.predicted.iter().any(|loss| loss.aspect == Aspect::Parents);
    let has_choice = job.format.writer.is_some_and(|writer| writer.has_choice_of_hierarchy);
    if loses_parents && has_choice {
        hints.push("--hierarchy keeps bone names, parents and rest transforms");
    }
    hints
}

struct Sums {
    converted: u64,
    failed: u64,
    lossy: u64,
}

impl Sums {
    fn of(outcomes: &[Outcome]) -> Self {
        let count = |test: fn(&Outcome) -> bool| {
            let num = outcomes.iter().filter(|outcome| test(outcome)).count();
            num as u64
        };
        Self {
            converted: count(|outcome| outcome.is_ok()),
            failed: count(|outcome| outcome.is_err()),
            lossy: count(|outcome| match outcome {
                Ok(done) => super::one::is_lossy(done),
                Err(Failed::Lossy(..)) => true,
                Err(Failed::Error(_) | Failed::OverLimit(_)) => false,
            }),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Conversions {
    schema: &'static str,
    files: Vec<ConvertedFile>,
    converted: u64,
    failed: u64,
    with_losses: u64,
}

#[derive(Serialize)]
struct ConvertedFile {
    file: String,
    format: Option<&'static str>,
    to: &'static str,
    ok: bool,
    error: Option<String>,
    outputs: Vec<WrittenFile>,
    predicted: Vec<LossEntry>,
    observed: Vec<LossEntry>,
    /// All of `predicted`, the rest of `observed`, findings about dropped data, and deviations above the precision of
    /// formats.
    losses: Vec<LostEntry>,
    /// Bones and nodes that the format needs and the model doesn't have.
    added: Vec<AddedEntry>,
    errors: Option<ErrorsEntry>,
    #[serde(rename = "notes")]
    findings: Vec<FindingEntry>,
    #[serde(rename = "read_notes")]
    read_findings: Vec<FindingEntry>,
}

#[derive(Serialize)]
struct WrittenFile {
    file: String,
    bytes: usize,
}

#[derive(Serialize)]
struct LossEntry {
    code: &'static str,
    before: u64,
    after: u64,
    message: String,
}

impl From<&Loss> for LossEntry {
    fn from(loss: &Loss) -> Self {
        Self {
            code: loss.aspect.info().code,
            before: loss.before,
            after: loss.after,
            message: loss.to_string(),
        }
    }
}

#[derive(Serialize)]
struct LostEntry {
    code: &'static str,
    message: String,
}

impl From<&Lost> for LostEntry {
    fn from(lost: &Lost) -> Self {
        Self { code: lost.code(), message: lost.to_string() }
    }
}

#[derive(Serialize)]
struct AddedEntry {
    message: String,
}

#[derive(Serialize)]
struct ErrorsEntry {
    position: Option<f64>,
    skinned: Option<f64>,
    of_extent: Option<f64>,
    /// The same at the keys of the written clips only.
    of_extent_at_keys: Option<f64>,
    normal_deg: Option<f64>,
    uv: Option<f64>,
    weight: Option<f64>,
    unmatched_vertices: usize,
    /// Clips, and keys of the other clips, that weren't compared.
    clips_left_out: usize,
    keys_left_out: usize,
    worst: Option<WorstEntry>,
}

#[derive(Serialize)]
struct WorstEntry {
    mesh: u32,
    vertex: u32,
    /// The vertices of the triangle in which a cut made the vertex.
    corners: Option<[u32; 3]>,
    clip: String,
    time_secs: f64,
    /// Whether the clip is not written.
    lost: bool,
}

impl From<&ConversionDeviation> for ErrorsEntry {
    fn from(errors: &ConversionDeviation) -> Self {
        Self {
            position: errors.position,
            skinned: errors.skinned,
            of_extent: errors.of_extent(),
            of_extent_at_keys: errors.of_extent_at_keys,
            normal_deg: errors.normal_deg,
            uv: errors.uv,
            weight: errors.weight,
            unmatched_vertices: errors.num_unmatched,
            clips_left_out: errors.num_clips_left_out,
            keys_left_out: errors.num_keys_left_out,
            worst: errors.worst.as_ref().map(|worst| WorstEntry {
                mesh: worst.farthest.origin.nearest().mesh.0,
                vertex: worst.farthest.origin.nearest().vertex.0,
                corners: worst.farthest.origin.corners().map(|corners| corners.map(|c| c.vertex.0)),
                clip: worst.clip.clone(),
                time_secs: worst.farthest.time_secs,
                lost: worst.is_lost(),
            }),
        }
    }
}

/// All outcomes in the shape of `rigscope.convert/1`.
pub(super) fn as_json(jobs: &[Job], outcomes: &[Outcome]) -> Conversions {
    let sums = Sums::of(outcomes);
    Conversions {
        schema: "rigscope.convert/1",
        files: jobs.iter().zip(outcomes).map(|(job, outcome)| entry(job, outcome)).collect(),
        converted: sums.converted,
        failed: sums.failed,
        with_losses: sums.lossy,
    }
}

fn entry(job: &Job, outcome: &Outcome) -> ConvertedFile {
    let error = match outcome {
        Ok(_) => None,
        Err(Failed::Lossy(_, codes)) => {
            Some(format!("something would be lost: {}", codes.join(", ")))
        }
        Err(Failed::Error(error) | Failed::OverLimit(error)) => Some(format!("{error:#}")),
    };
    let done = done_of(outcome);
    let losses = |get: fn(&Done) -> &[Loss]| {
        let losses = done.map(get).unwrap_or_default();
        losses.iter().map(LossEntry::from).collect()
    };
    let findings = |get: fn(&Done) -> &[Finding]| {
        let findings = done.map(get).unwrap_or_default();
        findings.iter().map(FindingEntry::from).collect()
    };
    let outputs = done.map(|done| &done.outputs[..]).unwrap_or_default();
    let all_losses = done.map(|done| done.converted.losses()).unwrap_or_default();
    let added = done.into_iter().flat_map(|done| done.converted.added());
    ConvertedFile {
        file: path_text(&job.input),
        format: done.map(|done| done.from),
        to: job.format.info.id,
        ok: outcome.is_ok(),
        error,
        outputs: (outputs.iter())
            .map(|(path, bytes)| WrittenFile { file: path_text(path), bytes: *bytes })
            .collect(),
        predicted: losses(|done| &done.converted.predicted),
        observed: losses(|done| &done.converted.observed),
        losses: all_losses.iter().map(LostEntry::from).collect(),
        added: added.map(|finding| AddedEntry { message: finding.message.clone() }).collect(),
        errors: done.and_then(|done| done.converted.errors.as_ref()).map(ErrorsEntry::from),
        findings: findings(|done| &done.converted.findings),
        read_findings: findings(|done| &done.converted.read_findings),
    }
}
