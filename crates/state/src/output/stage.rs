//! How writing goes, of exports and pictures alike.

/// How it goes to write something; `T` is what there is to say of what was written.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Stage<T> {
    /// Nothing has been asked for.
    #[default]
    Choosing,
    /// It is being made.
    Running {
        /// Which job.
        id: u64,
        /// What is being done.
        what: &'static str,
        /// 0 to 1.
        fraction: f32,
    },
    /// It is written.
    Done(T),
    /// It could not be.
    Failed(String),
}

impl<T> Stage<T> {
    /// The job that makes it now.
    pub fn job(&self) -> Option<u64> {
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
