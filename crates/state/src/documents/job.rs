//! A file on its way, and why the last one did not arrive.

use crate::{LoadReason, Origin, StartAt};

/// A file that is being read.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Grows with every job; results of earlier ones are dropped.
    pub id: u64,
    /// What is read.
    pub target: Origin,
    /// Why.
    pub reason: LoadReason,
    /// Where the clock shall stand afterwards.
    pub start: StartAt,
    /// What is being done.
    pub what: &'static str,
    /// 0 to 1.
    pub fraction: f32,
}

/// Why a file could not be opened, until the user has seen it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What failed, in a few words.
    pub title: String,
    /// The reason in a person's words, as a sentence.
    pub message: String,
    /// The reason as the command line says it.
    pub exact: String,
    /// Name and value of what is known about it.
    pub facts: Vec<(&'static str, String)>,
}

impl Problem {
    /// All of it as text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n{}\n{}\n", self.title, self.message, self.exact);
        for (name, value) in &self.facts {
            text.push_str(&format!("{name}: {value}\n"));
        }
        text
    }
}
