//! What a reader, writer or check tells while it works: notes, progress, and whether to go on.
//!
//! Not for: errors that end the work; those are returned.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Note, NoteKind, Place, Severity};

/// Set from one thread to stop work on another.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work should stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How far a piece of work is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What is being done, as a short phrase.
    pub what: &'static str,
    /// 0 to 1.
    pub fraction: f32,
}

/// The work was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

type OnProgress = Box<dyn Fn(Progress) + Send + Sync>;

/// Collects notes, passes progress on and carries the wish to cancel.
#[derive(Default)]
pub struct Report {
    notes: Mutex<Vec<Note>>,
    on_progress: Option<OnProgress>,
    cancel: CancelToken,
}

impl Report {
    /// Collects notes only.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Collects notes, calls `on_progress` now and then, and stops when `cancel` says so.
    pub fn with_progress(
        on_progress: impl Fn(Progress) + Send + Sync + 'static,
        cancel: CancelToken,
    ) -> Self {
        Self {
            notes: Mutex::default(),
            on_progress: Some(Box::new(on_progress)),
            cancel,
        }
    }

    /// A report for a part of the work whose notes and progress nobody wants; cancelled with this.
    #[must_use]
    pub fn quiet(&self) -> Self {
        Self {
            cancel: self.cancel.clone(),
            ..Self::default()
        }
    }

    /// Notes one occurrence.
    pub fn note(&self, kind: NoteKind, place: Place, message: impl Into<String>) {
        self.note_many(kind, place, 1, || message.into());
    }

    /// Notes `count` occurrences, the first at `place`; none when `count` is 0.
    ///
    /// `message` is only called for the first of its kind, so that a million findings cost no
    /// million texts.
    pub fn note_many(
        &self,
        kind: NoteKind,
        place: Place,
        count: u64,
        message: impl FnOnce() -> String,
    ) {
        if count == 0 {
            return;
        }
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        match notes.iter_mut().find(|note| note.kind == kind) {
            Some(note) => note.count += count,
            None => notes.push(Note {
                kind,
                place,
                message: message(),
                count,
            }),
        }
    }

    /// Says how far the work is.
    ///
    /// # Errors
    /// [`Cancelled`] when the work should stop.
    pub fn progress(&self, what: &'static str, fraction: f32) -> Result<(), Cancelled> {
        if self.cancel.is_cancelled() {
            return Err(Cancelled);
        }
        if let Some(on_progress) = &self.on_progress {
            on_progress(Progress { what, fraction });
        }
        Ok(())
    }

    /// The notes so far, worst first, otherwise in the order of their finding.
    #[must_use]
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = self
            .notes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        notes.sort_by_key(|note| std::cmp::Reverse(note.severity()));
        notes
    }

    /// The worst severity noted.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.notes().first().map(Note::severity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_one_kind_are_counted_and_keep_the_first_place() {
        let report = Report::new();
        report.note(NoteKind::ZeroTangent, Place::File, "first");
        report.note(NoteKind::NotFinite, Place::Bone(1), "bad");
        report.note_many(NoteKind::ZeroTangent, Place::Bone(3), 4, || unreachable!());
        report.note_many(NoteKind::ZeroNormal, Place::File, 0, || unreachable!());
        let notes = report.notes();
        assert_eq!(notes.len(), 2);
        assert_eq!(notes[0].kind, NoteKind::NotFinite);
        assert_eq!((notes[1].count, notes[1].message.as_str()), (5, "first"));
    }

    #[test]
    fn a_cancelled_report_stops_at_the_next_progress() {
        let cancel = CancelToken::default();
        let report = Report::with_progress(|_| {}, cancel.clone());
        assert_eq!(report.progress("reading", 0.5), Ok(()));
        cancel.cancel();
        assert_eq!(report.progress("reading", 0.6), Err(Cancelled));
    }
}
