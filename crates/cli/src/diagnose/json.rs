//! The structure of `diagnose --json`. Keys and their order are a contract.

use serde::Serialize;

/// `diagnose`.
#[derive(Debug, Serialize)]
pub(super) struct Diagnosis {
    pub(super) schema: &'static str,
    pub(super) file: String,
    /// Most convincing first.
    pub(super) causes: Vec<Cause>,
    /// Names of the causes that `--allow` or the project ignores.
    pub(super) ignored: Vec<&'static str>,
    /// Hypotheses that didn't explain the evidence, with the best value that each reached.
    pub(super) tried: Vec<TriedCause>,
    pub(super) measured: Vec<MeasuredEvidence>,
    /// Visible differences from the reference that the causes don't explain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unexplained: Option<Unexplained>,
}

#[derive(Debug, Serialize)]
pub(super) struct Unexplained {
    /// The largest difference, as `diff` measures it.
    pub(super) message: String,
    pub(super) pieces: Vec<PieceDifference>,
}

/// A part of the model that can be taken over from the reference.
#[derive(Debug, Serialize)]
pub(super) struct PieceDifference {
    pub(super) piece: &'static str,
    pub(super) message: String,
    /// Number of differing items.
    pub(super) places: usize,
    pub(super) command: String,
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
    /// `None` if `fix` can't undo the cause.
    pub(super) command: Option<String>,
    /// The reason for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) refused: Option<String>,
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
