//! Collects the places of a finding, with the message of the worst.

use crate::model::{FindingKind, Place, Report};
use crate::validate::worst::Worst;

/// The places of a finding. Only the worst one has a message: there may be a million places.
#[derive(Default)]
pub(super) struct WorstPlace {
    places: Worst<Place>,
    message: String,
}

impl WorstPlace {
    /// Counts one place; the one with the largest `measure` is the worst.
    pub(super) fn add(&mut self, measure: f32, place: Place, message: impl FnOnce() -> String) {
        if self.places.worst.as_ref().is_none_or(|(most, _)| measure > *most) {
            self.message = message();
        }
        self.places.add(measure, place);
    }

    /// Reports all places as one finding.
    pub(super) fn report(self, kind: FindingKind, report: &Report) {
        report.add_places(kind, self.places.count, self.places.worst_first(), || {
            self.message.clone()
        });
    }
}
