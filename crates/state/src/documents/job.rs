//! A load in progress, and the failure of the last one.

use crate::{JobId, LoadReason, Origin, StartAt};

/// A file being loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    pub id: JobId,
    pub target: Origin,
    pub reason: LoadReason,
    /// The initial state of the playback.
    pub start: StartAt,
    /// Description of the current step.
    pub what: &'static str,
    /// 0 to 1.
    pub fraction: f32,
}

/// A failed load, shown until the user dismisses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Short description of the failure.
    pub title: String,
    /// The reason as a sentence in plain language.
    pub message: String,
    /// The reason as printed by the command line.
    pub exact: String,
    /// Details as names and values.
    pub facts: Vec<(&'static str, String)>,
}

impl Problem {
    /// The complete message as text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n{}\n{}\n", self.title, self.message, self.exact);
        for (name, value) in &self.facts {
            text.push_str(&format!("{name}: {value}\n"));
        }
        text
    }
}
