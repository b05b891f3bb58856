//! Progress of exports and images.

use crate::JobId;

/// Progress of writing something; `T` describes the result.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Stage<T> {
    /// Not started.
    #[default]
    Choosing,
    Running {
        id: JobId,
        /// Description of the current step.
        what: &'static str,
        /// 0 to 1.
        fraction: f32,
    },
    Done(T),
    Failed(String),
}

impl<T> Stage<T> {
    /// The job in progress.
    pub fn job(&self) -> Option<JobId> {
        match self {
            Self::Running { id, .. } => Some(*id),
            _ => None,
        }
    }

    pub(super) fn progress(&mut self, now: &'static str, share: f32) {
        if let Self::Running { what, fraction, .. } = self {
            (*what, *fraction) = (now, share);
        }
    }

    pub(super) fn ended(outcome: Result<T, String>) -> Self {
        outcome.map_or_else(Self::Failed, Self::Done)
    }
}
