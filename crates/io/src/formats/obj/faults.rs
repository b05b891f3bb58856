//! Faults in the text: those that leave out a statement, and those that end the reading.

use super::ID;
use crate::formats::text::line_and_column;
use crate::formats::{Failure, ReadError};
use rigscope_core::model::{Cancelled, FindingKind, Place, Report};

/// The parts that were left out, with the offset of the first one.
#[derive(Default)]
pub(super) struct Faults {
    num_faces: u64,
    first_face: Option<(usize, String)>,
    num_empty: u64,
    first_empty: Option<(usize, String)>,
}

impl Faults {
    /// Adds a face, line or point that is left out, with the offset of its invalid corner.
    pub(super) fn add_face(&mut self, at: usize, describe: impl FnOnce() -> String) {
        self.num_faces += 1;
        self.first_face.get_or_insert_with(|| (at, describe()));
    }

    /// Adds a statement without arguments.
    pub(super) fn add_empty(&mut self, at: usize, word: &[u8]) {
        self.num_empty += 1;
        self.first_empty.get_or_insert_with(|| {
            (at, format!("the statement {} has no values", String::from_utf8_lossy(word)))
        });
    }

    /// Adds those of the following chunk.
    pub(super) fn append(&mut self, next: Self) {
        self.num_faces += next.num_faces;
        self.first_face = self.first_face.take().or(next.first_face);
        self.num_empty += next.num_empty;
        self.first_empty = self.first_empty.take().or(next.first_empty);
    }

    pub(super) fn report(self, text: &[u8], report: &Report) {
        for (kind, num, first) in [
            (FindingKind::FaceLeftOut, self.num_faces, self.first_face),
            (FindingKind::EmptyStatement, self.num_empty, self.first_empty),
        ] {
            if let Some((at, what)) = first {
                report.add_many(kind, line_and_column(text, at), num, || what);
            }
        }
    }
}

/// Why reading a chunk stopped. The line number is only determined for the first error of the file.
pub(super) enum Stop {
    Cancelled,
    Malformed {
        at: usize,
        field: &'static str,
        what: String,
    },
    /// More corners than may be stored.
    TooLarge,
}

impl Stop {
    /// The error, for a chunk of `text`.
    pub(super) fn error(self, text: &[u8]) -> ReadError {
        match self {
            Self::Cancelled => ReadError::Cancelled,
            Self::Malformed { at, field, what } => {
                ReadError::Malformed(failure(field, line_and_column(text, at), what))
            }
            Self::TooLarge => over_budget("corners"),
        }
    }
}

/// The error if `what` needs more memory than is left.
pub(super) fn over_budget(what: &'static str) -> ReadError {
    let text = format!("{what} need more memory than is allowed for a file of its size");
    ReadError::Limit(failure(what, Place::File, text))
}

pub(super) fn failure(field: &'static str, place: Place, what: String) -> Box<Failure> {
    Box::new(Failure::new(ID, field, place, what))
}

impl From<Cancelled> for Stop {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
