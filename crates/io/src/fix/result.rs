//! The options and the result of fixing a file.

use super::chosen::{Choice, FixKind};
use super::offered::Offered;
use crate::convert::ConvertError;
use crate::formats::OutputFile;
use crate::formats::loss_list::Loss;
use rigscope_core::diagnose::{Context, Diagnosis};
use rigscope_core::measure::FarthestVertex;
use rigscope_core::model::{Cancelled, Finding, Model};

/// How a file is fixed.
pub struct FixOptions<'a> {
    pub choice: Choice,
    /// A correct version of the model, and its neighbours, for causes that show only in comparison.
    pub context: Context<'a>,
    /// The causes, if they are known already; they must come from a diagnosis with [`FixOptions::context`].
    pub diagnosis: Option<&'a Diagnosis>,
}

/// Why a file can't be fixed.
#[derive(Debug, thiserror::Error)]
pub enum FixError {
    /// Files with this extension can't be written.
    #[error(
        "{extension:?} files can't be written; write the result in another format, such as .glb"
    )]
    ReadOnly { extension: String },
    /// The result can't be written or read.
    #[error(transparent)]
    Convert(#[from] ConvertError),
    /// The writer returned no model.
    #[error("the format can't store the model")]
    Empty,
    /// Fixing was cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl From<Cancelled> for FixError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// The files to write.
#[derive(Clone, Debug)]
pub struct Written {
    /// Names and contents, the main file first.
    pub files: Vec<(String, OutputFile)>,
    /// Whether only the affected bytes differ from the source.
    pub is_patched: bool,
    /// Number of bytes that differ from the source, if it was patched.
    pub num_changed: u64,
    /// Losses of a rewritten file.
    pub losses: Vec<Loss>,
    /// Findings of the writer.
    pub findings: Vec<Finding>,
}

/// A fix that was applied and proven.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The code of the finding, or the name of the cause or piece.
    pub name: String,
    pub kind: FixKind,
    /// The change, as an imperative; for causes, the cause.
    pub action: String,
    /// Number of occurrences in the source; 1 for a cause or a piece.
    pub count: u64,
    /// Findings that undoing a cause has removed.
    pub resolved: Vec<Finding>,
}

/// A fix that wasn't applied.
#[derive(Clone, Debug)]
pub struct Refused {
    /// As [`Applied::name`].
    pub name: String,
    pub kind: FixKind,
    /// The reason, as a phrase.
    pub reason: String,
}

/// The result of fixing a file.
pub struct FixResult {
    /// `None` if nothing was fixed.
    pub written: Option<Written>,
    pub applied: Vec<Applied>,
    pub refused: Vec<Refused>,
    /// Fixes of this file that must be named, guesses first; empty if some are named.
    pub offered: Vec<Offered>,
    /// Codes and names that were requested but don't occur in the file.
    pub missing: Vec<String>,
    /// Findings that have no fix, most severe first: those that the source has too, with their counts in the written
    /// file if there is one.
    pub unfixable: Vec<Finding>,
    /// Findings that only a rewritten file has.
    pub new: Vec<Finding>,
    /// The vertex that moved farthest; `None` if none moved, or if their number changed.
    pub moved: Option<FarthestVertex>,
    /// The fixed model as read from the written file.
    pub model: Option<Model>,
}

impl FixResult {
    /// A sentence without a full stop: `no vertex moves`, or the distance and the place in `model`, which was fixed.
    #[must_use]
    pub fn moved_text(&self, model: &Model) -> String {
        self.moved.map_or_else(
            || "no vertex moves".to_owned(),
            |moved| {
                let (distance, place) = (moved.distance_text(model), moved.place_text(model));
                format!("vertices move by up to {distance}: {place}")
            },
        )
    }
}
