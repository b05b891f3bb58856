//! A hypothesis, and the changes that test it.

use std::sync::Arc;

use super::cause::CauseInfo;
use super::evidence::Evidence;
use super::specimen::Specimen;
use crate::model::Model;

/// Undoes a fault in a model in plain form.
pub(super) type Undo = Arc<dyn Fn(&mut Model) + Send + Sync>;

/// One mistake that exporters make: a row of a table in `hypotheses`.
pub(super) struct Hypothesis {
    pub(super) cause: &'static CauseInfo,
    /// The evidence that must improve. Each kind with suspicious items leads to a separate attempt.
    pub(super) evidence: &'static [&'static Evidence],
    /// Returns the changes to try, given one kind of evidence and its suspicious items.
    pub(super) trials: fn(&Specimen, &'static Evidence, &[usize]) -> Vec<Trial>,
}

/// A change that may undo the fault.
#[derive(Clone)]
pub(super) struct Trial {
    /// The variant of the fault and the affected part of the model, such as a factor and a clip; may be empty.
    pub(super) detail: String,
    pub(super) undo: Undo,
    /// A change that improves the evidence by destroying information, such as moving all bones to one point. The
    /// trial must improve it far more.
    pub(super) rival: Option<Undo>,
    /// Whether evidence about the drawing must improve too, because the trial's own evidence improves with any such
    /// change.
    pub(super) needs_support: bool,
    /// Whether the change only shows where the fault is: the lost values can't be restored, and are estimated.
    pub(super) is_estimate: bool,
}

impl Trial {
    pub(super) fn new(
        detail: impl Into<String>,
        undo: impl Fn(&mut Model) + Send + Sync + 'static,
    ) -> Self {
        Self {
            detail: detail.into(),
            undo: Arc::new(undo),
            rival: None,
            needs_support: false,
            is_estimate: false,
        }
    }

    pub(super) fn estimate(self) -> Self {
        Self { is_estimate: true, ..self }
    }

    pub(super) fn with_rival(self, rival: impl Fn(&mut Model) + Send + Sync + 'static) -> Self {
        Self { rival: Some(Arc::new(rival)), ..self }
    }
}
