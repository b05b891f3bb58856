//! One hypothesis, and the changes by which it is tested.

use std::sync::Arc;

use super::case::Case;
use super::cause::CauseInfo;
use super::evidence::Evidence;
use crate::model::Model;

/// Reverts a fault in a model in plain form.
pub(super) type Undo = Arc<dyn Fn(&mut Model) + Send + Sync>;

/// One thing that exporters get wrong: a row of the tables in `hypotheses`.
pub(super) struct Hypothesis {
    pub(super) cause: &'static CauseInfo,
    /// What must get better. The hypothesis is tried for each of them that is suspicious.
    pub(super) evidence: &'static [&'static Evidence],
    /// The changes to try if items of the evidence are suspicious.
    pub(super) trials: fn(&Case, &'static Evidence, &[usize]) -> Vec<Trial>,
}

/// One change that may revert the fault.
#[derive(Clone)]
pub(super) struct Trial {
    /// Which of several variants it is, such as the factor; may be empty.
    pub(super) detail: String,
    pub(super) undo: Undo,
    /// A change that improves the evidence by destroying information, such as moving all bones to one place. The
    /// trial must be better by far.
    pub(super) rival: Option<Undo>,
}

impl Trial {
    pub(super) fn new(
        detail: impl Into<String>,
        undo: impl Fn(&mut Model) + Send + Sync + 'static,
    ) -> Self {
        Self { detail: detail.into(), undo: Arc::new(undo), rival: None }
    }

    pub(super) fn with_rival(self, rival: impl Fn(&mut Model) + Send + Sync + 'static) -> Self {
        Self { rival: Some(Arc::new(rival)), ..self }
    }
}
