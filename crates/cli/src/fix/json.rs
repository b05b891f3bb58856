//! The structure of `fix --json`. Keys and their order are a contract.

use serde::Serialize;

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
    pub(super) name: FixName,
    pub(super) action: String,
    pub(super) places: u64,
}

/// The code of a finding, or the name of a cause or of a piece of the reference.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FixName {
    Code(String),
    Cause(String),
    Piece(String),
}

#[derive(Debug, Serialize)]
pub(super) struct OfferedFix {
    #[serde(flatten)]
    pub(super) name: FixName,
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
    pub(super) name: FixName,
    pub(super) why: String,
}

#[derive(Debug, Serialize)]
pub(super) struct CodeCount {
    pub(super) code: &'static str,
    pub(super) places: u64,
    /// How to fix it in the exporting program.
    pub(super) advice: &'static str,
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
