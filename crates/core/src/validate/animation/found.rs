//! What a rule of this group has found, with the message of the worst.

use crate::model::{NoteKind, Place, Report};
use crate::validate::figures::Worst;

/// Places of a finding. A message is made only for the worst so far: there may be a million.
#[derive(Default)]
pub(super) struct Found {
    places: Worst<Place>,
    message: String,
}

impl Found {
    /// Counts one place; the largest `measure` is the worst.
    pub(super) fn add(&mut self, measure: f32, place: Place, message: impl FnOnce() -> String) {
        if self.places.worst.as_ref().is_none_or(|(most, _)| measure > *most) {
            self.message = message();
        }
        self.places.add(measure, place);
    }

    /// Notes all of it as one finding.
    pub(super) fn note(self, kind: NoteKind, report: &Report) {
        report.note_places(kind, self.places.count, self.places.worst_first(), || {
            self.message.clone()
        });
    }
}
