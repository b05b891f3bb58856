//! The structure of `--json`. Keys and their order are a contract. The structure for a single file is in
//! `rigscope_core::summary`.

use serde::Serialize;

use super::file_findings::NamedCause;
use rigscope_core::summary::FindingEntry;

/// `validate`.
#[derive(Debug, Serialize)]
pub(super) struct Validation {
    pub(super) schema: &'static str,
    pub(super) files: Vec<ValidatedFile>,
    /// Findings of severity error in all files.
    pub(super) errors: u64,
    /// Findings of severity warning in all files.
    pub(super) warnings: u64,
    /// Findings in all files that `--allow` ignored.
    pub(super) allowed: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct ValidatedFile {
    pub(super) file: String,
    /// Null if the format is unknown.
    pub(super) format: Option<&'static str>,
    /// Whether no finding makes the command fail.
    pub(super) ok: bool,
    #[serde(rename = "notes")]
    pub(super) findings: Vec<FindingEntry>,
    /// Causes of the findings, as `diagnose` names them.
    pub(super) causes: Vec<ValidatedCause>,
}

#[derive(Debug, Serialize)]
pub(super) struct ValidatedCause {
    pub(super) cause: String,
    pub(super) message: String,
    /// Codes of the findings that it explains.
    pub(super) explains: Vec<String>,
}

impl From<&NamedCause> for ValidatedCause {
    fn from(cause: &NamedCause) -> Self {
        let NamedCause { name, statement, explains } = cause.clone();
        Self { cause: name, message: statement, explains }
    }
}

/// `validate --jsonl`, for one file.
#[derive(Debug, Serialize)]
pub(super) struct ValidatedLine {
    pub(super) schema: &'static str,
    #[serde(flatten)]
    pub(super) file: ValidatedFile,
}

/// `info --jsonl`, for a file that cannot be read.
#[derive(Debug, Serialize)]
pub(super) struct Unread {
    pub(super) schema: &'static str,
    pub(super) file: String,
    pub(super) error: String,
}

/// `pose`.
#[derive(Debug, Serialize)]
pub(super) struct Pose<'a> {
    pub(super) schema: &'static str,
    pub(super) vertices: &'a [[f32; 3]],
    pub(super) normals: &'a [[f32; 3]],
}

/// `fix`.
#[derive(Debug, Serialize)]
pub(super) struct Fixed {
    pub(super) schema: &'static str,
    pub(super) file: String,
    pub(super) applied: Vec<AppliedFix>,
    pub(super) refused: Vec<RefusedFix>,
    /// Fixes that must be named.
    pub(super) offered: Vec<OfferedFix>,
    /// Findings without an automatic fix.
    pub(super) unfixable: Vec<CodeCount>,
    /// Findings that only the rewritten file has.
    pub(super) new: Vec<CodeCount>,
    /// Whether only the affected bytes changed; null if nothing was fixed.
    pub(super) patched: Option<bool>,
    pub(super) bytes_changed: Option<u64>,
    /// Losses of a rewritten file.
    pub(super) losses: Vec<String>,
    /// The vertex that moved farthest; null if none moved, or if their number changed.
    pub(super) moved: Option<MovedVertex>,
    /// The written files, the main one first; empty on a dry run.
    pub(super) outputs: Vec<FixedFile>,
}

#[derive(Debug, Serialize)]
pub(super) struct AppliedFix {
    #[serde(flatten)]
    pub(super) name: CodeOrCause,
    pub(super) action: String,
    pub(super) places: u64,
}

/// The code of a finding, or the name of a cause.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CodeOrCause {
    Code(String),
    Cause(String),
}

#[derive(Debug, Serialize)]
pub(super) struct OfferedFix {
    #[serde(flatten)]
    pub(super) name: CodeOrCause,
    pub(super) action: String,
    pub(super) places: u64,
    /// Whether nothing may need a fix.
    pub(super) guess: bool,
    /// The command that applies it.
    pub(super) command: String,
}

#[derive(Debug, Serialize)]
pub(super) struct RefusedFix {
    #[serde(flatten)]
    pub(super) name: CodeOrCause,
    pub(super) why: String,
}

#[derive(Debug, Serialize)]
pub(super) struct CodeCount {
    pub(super) code: &'static str,
    pub(super) places: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct MovedVertex {
    /// File units.
    pub(super) max: f64,
    /// Relative to the size of the model.
    pub(super) of_size: f64,
    pub(super) mesh: usize,
    pub(super) vertex: u32,
    /// Null at rest.
    pub(super) clip: Option<usize>,
    pub(super) time_secs: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(super) struct FixedFile {
    pub(super) path: String,
    pub(super) bytes: usize,
}

/// `diagnose`.
#[derive(Debug, Serialize)]
pub(super) struct Diagnosis {
    pub(super) schema: &'static str,
    pub(super) file: String,
    /// Most convincing first.
    pub(super) causes: Vec<Cause>,
    /// Hypotheses that didn't explain the evidence, with the best value that each reached.
    pub(super) tried: Vec<TriedCause>,
    pub(super) measured: Vec<MeasuredEvidence>,
}

#[derive(Debug, Serialize)]
pub(super) struct Cause {
    pub(super) cause: &'static str,
    /// The share of the first evidence that vanishes without the fault.
    pub(super) certainty: f64,
    /// The evidence for which the cause was named comes first.
    pub(super) evidence: Vec<Evidence>,
    pub(super) message: String,
    pub(super) fix: CauseFix,
    /// Whether the only evidence is that models usually look otherwise; `fix` undoes it only if it is named.
    pub(super) guess: bool,
    /// Codes of findings that are symptoms of the cause.
    pub(super) explains: &'static [&'static str],
    /// Causes that explain the evidence as well, but whose fix has another result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) rivals: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct CauseFix {
    pub(super) command: String,
    /// What to change in the exporter.
    pub(super) exporter: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct Evidence {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    /// With the fault.
    pub(super) before: Option<f64>,
    /// After undoing it in memory.
    pub(super) after: Option<f64>,
    pub(super) unit: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct TriedCause {
    pub(super) cause: &'static str,
    /// Name of the evidence.
    pub(super) evidence: &'static str,
    pub(super) before: Option<f64>,
    pub(super) after: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(super) struct MeasuredEvidence {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    /// The largest of all meshes, clips or bones.
    pub(super) value: Option<f64>,
    pub(super) unit: &'static str,
    pub(super) suspicious: bool,
}

/// `diff`.
#[derive(Debug, Serialize)]
pub(super) struct Diff {
    pub(super) schema: &'static str,
    /// Whether nothing exceeds the tolerance.
    pub(super) equal: bool,
    pub(super) max: DiffMax,
    /// Differences that exceed the tolerance come first.
    pub(super) differences: Vec<DifferenceEntry>,
    /// The matched vertex that moved farthest; null if none moved.
    pub(super) worst: Option<DiffWorst>,
    /// Size of A in the pose used for matching, in display units.
    pub(super) extent: f64,
    pub(super) matched: DiffMatched,
}

/// A vertex of A, its match in B, and when they are farthest apart.
#[derive(Debug, Serialize)]
pub(super) struct DiffWorst {
    /// Display units.
    pub(super) distance: f64,
    /// Relative to the size of A.
    pub(super) of_size: f64,
    pub(super) mesh: usize,
    pub(super) vertex: usize,
    pub(super) mesh_b: usize,
    pub(super) vertex_b: usize,
    /// Index among the clips of A; null for the pose in which vertices were matched.
    pub(super) clip: Option<usize>,
    pub(super) time_secs: Option<f64>,
}

/// The largest differences; null if there was nothing to compare.
#[derive(Debug, Serialize)]
pub(super) struct DiffMax {
    /// Display units.
    pub(super) position: Option<f64>,
    pub(super) normal_deg: Option<f64>,
    pub(super) uv: Option<f64>,
    pub(super) weight: Option<f64>,
    pub(super) key: Option<f64>,
    /// Over all clips, display units.
    pub(super) skinned: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(super) struct DifferenceEntry {
    pub(super) kind: &'static str,
    pub(super) group: &'static str,
    pub(super) what: String,
    pub(super) count: u64,
    /// Null for kinds that have no amount.
    pub(super) amount: Option<f64>,
    pub(super) exceeds: bool,
}

/// How vertices were matched.
#[derive(Debug, Serialize)]
pub(super) struct DiffMatched {
    pub(super) by: &'static str,
    pub(super) pose_a: &'static str,
    pub(super) pose_b: &'static str,
    pub(super) unmatched_a: usize,
    pub(super) unmatched_b: usize,
    /// The largest distance from an unmatched vertex to the nearest vertex of the other file.
    pub(super) farthest_unmatched: Option<f64>,
}

/// `bench`.
#[derive(Debug, Serialize)]
pub(super) struct Bench {
    pub(super) schema: &'static str,
    /// Null without a GPU.
    pub(super) adapter: Option<BenchAdapter>,
    pub(super) rows: Vec<BenchRow>,
}

#[derive(Debug, Serialize)]
pub(super) struct BenchAdapter {
    pub(super) name: String,
    pub(super) backend: &'static str,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
}

/// A step, compared with copying memory.
#[derive(Debug, Serialize)]
pub(super) struct BenchRow {
    pub(super) name: String,
    /// Unit of the times.
    pub(super) unit: &'static str,
    pub(super) median: f64,
    pub(super) min: f64,
    /// Least number of bytes that the step reads and writes.
    pub(super) work: u64,
    /// Time to copy as many bytes, half of them read and half written.
    pub(super) limit: f64,
    /// `limit` divided by `median`: 1 is as fast as a copy.
    pub(super) of_limit: f64,
    /// Number of items, in units of `of`.
    pub(super) count: u64,
    pub(super) of: &'static str,
}

/// `formats`.
#[derive(Debug, Serialize)]
pub(super) struct Formats {
    pub(super) schema: &'static str,
    pub(super) formats: Vec<FormatEntry>,
    #[serde(rename = "notes")]
    pub(super) findings: Vec<FindingKindEntry>,
}

#[derive(Debug, Serialize)]
pub(super) struct FormatEntry {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) extensions: &'static [&'static str],
    pub(super) kind: &'static str,
    pub(super) read: bool,
    pub(super) write: bool,
    pub(super) holds: Vec<&'static str>,
    pub(super) citation: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct FindingKindEntry {
    pub(super) code: &'static str,
    pub(super) severity: &'static str,
    pub(super) meaning: &'static str,
}

/// `rules`.
#[derive(Debug, Serialize)]
pub(super) struct Rules {
    pub(super) schema: &'static str,
    pub(super) rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
pub(super) struct Rule {
    pub(super) code: &'static str,
    pub(super) severity: &'static str,
    pub(super) group: &'static str,
    pub(super) meaning: &'static str,
    pub(super) effect: &'static str,
    pub(super) fix: &'static str,
    /// A message of this kind.
    pub(super) example: &'static str,
    /// The former name of `fix`, for programs that read it.
    pub(super) mend: &'static str,
}

/// `runtimes`.
#[derive(Debug, Serialize)]
pub(super) struct Runtimes {
    pub(super) schema: &'static str,
    /// Null without a file.
    pub(super) file: Option<String>,
    pub(super) runtimes: Vec<RuntimeEntry>,
}

#[derive(Debug, Serialize)]
pub(super) struct RuntimeEntry {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) formats: &'static [&'static str],
    /// Whether posed vertices of the runtime were compared with the prediction, or it is a reference.
    pub(super) verified: bool,
    /// The rules that differ from the format's specification.
    pub(super) facts: Vec<String>,
    /// The files of the comparison; null for references.
    pub(super) files: Option<VerifiedFiles>,
    /// Known differences that aren't predicted.
    pub(super) exceptions: &'static [&'static str],
    pub(super) opens: bool,
    /// Whether the rules apply to the format of the file; if not, `ignores` and `worst` aren't known.
    pub(super) predicted: bool,
    /// The reason why it refuses the file, although it opens the format.
    pub(super) refusal: Option<String>,
    /// Parts that it ignores or plays differently.
    pub(super) ignores: Vec<RuntimeEffect>,
    /// Null if no vertex deviates from the format's specification.
    pub(super) worst: Option<WorstVertex>,
}

#[derive(Debug, Serialize)]
pub(super) struct VerifiedFiles {
    /// Number of files whose vertices are all within 1e-5 of the size of the model.
    pub(super) exact: u32,
    pub(super) of: u32,
}

#[derive(Debug, Serialize)]
pub(super) struct RuntimeEffect {
    pub(super) kind: &'static str,
    pub(super) message: String,
    pub(super) place: String,
    pub(super) count: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct WorstVertex {
    /// File units.
    pub(super) distance: f64,
    /// Relative to the size of the model.
    pub(super) of_size: f64,
    pub(super) mesh: usize,
    pub(super) vertex: u32,
    /// Null at rest.
    pub(super) clip: Option<usize>,
    pub(super) time_secs: Option<f64>,
}
