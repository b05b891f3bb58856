//! What a reader, writer or check reports while it works: notes, progress, which bytes it has read,
//! and whether to go on.
//!
//! Not for: errors that end the work; those are returned.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::{CompanionFile, Note, NoteKind, Place, Provenance, Severity, Span};

/// Spans that are kept of one file. Sound files have far fewer; one made of a million empty parts
/// must not cost a hundred bytes for each.
const MAX_SPANS: usize = 1 << 16;
/// Files around a model that are reported: a folder may hold thousands.
const MAX_COMPANIONS: usize = 512;

/// Set from one thread to stop work on another.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work should stop.
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

/// The spans of the file being read.
#[derive(Default)]
struct Spans {
    list: Vec<Span>,
    /// What is read now is not the file, or not its own bytes.
    is_closed: bool,
}

/// Collects notes, spans and the files around, passes progress on and carries the wish to cancel.
#[derive(Default)]
pub struct Report {
    notes: Mutex<Vec<Note>>,
    spans: Mutex<Spans>,
    companions: Mutex<Vec<CompanionFile>>,
    on_progress: Option<OnProgress>,
    cancel: CancelToken,
}

impl Report {
    /// Collects notes only.
    pub fn new() -> Self {
        Self::default()
    }

    /// Collects notes, calls `on_progress` now and then, and stops when `cancel` says so.
    pub fn with_progress(
        on_progress: impl Fn(Progress) + Send + Sync + 'static,
        cancel: CancelToken,
    ) -> Self {
        Self { on_progress: Some(Box::new(on_progress)), cancel, ..Self::default() }
    }

    /// A report for a part of the work whose spans and progress nobody wants, and whose notes only where
    /// they are asked for ([`Self::add_notes`]); cancelled with this.
    #[must_use]
    pub fn quiet(&self) -> Self {
        Self {
            cancel: self.cancel.clone(),
            spans: Mutex::new(Spans { is_closed: true, ..Spans::default() }),
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
        self.note_places(kind, count, [place], message);
    }

    /// Notes `count` occurrences at `places`, of which the first [`MAX_PLACES`](super::MAX_PLACES) are stored;
    /// does nothing without a place.
    ///
    /// The first place is the one that `message` is about. `count` may exceed the number of places.
    pub fn note_places(
        &self,
        kind: NoteKind,
        count: u64,
        places: impl IntoIterator<Item = Place>,
        message: impl FnOnce() -> String,
    ) {
        let mut places = places.into_iter();
        let Some(place) = places.next().filter(|_| count > 0) else { return };
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        match notes.iter_mut().find(|note| note.kind == kind) {
            Some(note) => {
                note.count += count;
                note.add_places(std::iter::once(place).chain(places));
            }
            None => {
                let mut note = Note::new(kind, place, message(), count);
                note.add_places(places);
                notes.push(note);
            }
        }
    }

    /// Notes what `other` has noted, in its order.
    pub fn add_notes(&self, other: Self) {
        for note in other.notes.into_inner().unwrap_or_else(PoisonError::into_inner) {
            self.note_places(note.kind, note.count, note.places, || note.message);
        }
    }

    /// Tells where records lie in the file being read, as soon as they are known to lie inside it,
    /// so that a reader that fails later has reported them.
    pub fn span(&self, span: Span) {
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        if !spans.is_closed && spans.list.len() < MAX_SPANS {
            spans.list.push(span);
        }
    }

    /// Whether spans are of any use, so that what is only for them need not be kept.
    pub fn takes_spans(&self) -> bool {
        let spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        !spans.is_closed
    }

    /// Reports a file around the model. What is reported last of one file and role counts, but a file
    /// that was taken stays so.
    pub fn companion(&self, file: CompanionFile) {
        let mut all = (self.companions.lock()).unwrap_or_else(PoisonError::into_inner);
        let is_same =
            |other: &&mut CompanionFile| other.file == file.file && other.role == file.role;
        let has_room = all.len() < MAX_COMPANIONS || file.is_taken;
        match all.iter_mut().find(is_same) {
            Some(known) if known.is_taken && !file.is_taken => {}
            Some(known) => *known = file,
            // What was taken is reported however much lies there.
            None if has_room => all.push(file),
            None => {}
        }
    }

    /// The files around the model: by what they are, those taken first, the best of the others next.
    pub fn companions(&self) -> Vec<CompanionFile> {
        let all = (self.companions.lock()).unwrap_or_else(PoisonError::into_inner);
        let mut all = all.clone();
        all.sort_by(|a, b| {
            let fit = |file: &CompanionFile| file.fit.unwrap_or(-1.0);
            (a.role, !a.is_taken).cmp(&(b.role, !b.is_taken)).then(fit(b).total_cmp(&fit(a)))
        });
        all
    }

    /// Takes no more spans: what is read from here on is another file.
    pub fn close_spans(&self) {
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        spans.is_closed = true;
    }

    /// Forgets all spans and takes new ones: another file is read.
    pub fn open_spans(&self) {
        *self.spans.lock().unwrap_or_else(PoisonError::into_inner) = Spans::default();
    }

    /// The spans reported so far, for good: a reader's last step.
    pub fn take_provenance(&self) -> Provenance {
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        Provenance::from_spans(std::mem::take(&mut spans.list))
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
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        notes.sort_by_key(|note| std::cmp::Reverse(note.severity()));
        notes
    }

    /// The worst severity noted.
    pub fn worst(&self) -> Option<Severity> {
        self.notes().first().map(Note::severity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Element;

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
        let part = report.quiet();
        part.note_many(NoteKind::ZeroTangent, Place::File, 2, || "later".into());
        part.note(NoteKind::ZeroNormal, Place::Bone(2), "new");
        report.add_notes(part);
        let counts: Vec<_> = report.notes().iter().map(|note| (note.kind, note.count)).collect();
        assert!(counts.contains(&(NoteKind::ZeroTangent, 7)), "{counts:?}");
        assert!(counts.contains(&(NoteKind::ZeroNormal, 1)), "{counts:?}");
    }

    #[test]
    fn all_places_of_a_finding_are_stored_up_to_a_limit() {
        let report = Report::new();
        let vertices =
            |range: std::ops::Range<u32>| range.map(|vertex| Place::Vertex { mesh: 0, vertex });
        report.note_places(NoteKind::ZeroNormal, 0, vertices(0..3), || unreachable!());
        report.note_places(NoteKind::ZeroNormal, 3, vertices(0..0), || unreachable!());
        report.note_places(NoteKind::ZeroNormal, 3, vertices(4..7), || "three".into());
        report.note_many(NoteKind::ZeroNormal, Place::Bone(1), 1, || unreachable!());
        let note = &report.notes()[0];
        assert_eq!((note.count, note.place), (4, Place::Vertex { mesh: 0, vertex: 4 }));
        let expected: Vec<_> = vertices(4..7).chain([Place::Bone(1)]).collect();
        assert_eq!(note.places, expected);
        let part = report.quiet();
        part.note_places(NoteKind::ZeroNormal, 9000, vertices(10..9010), || "many".into());
        report.add_notes(part);
        let note = &report.notes()[0];
        assert_eq!((note.count, note.places.len()), (9004, crate::model::MAX_PLACES));
    }

    #[test]
    fn spans_are_kept_until_they_are_taken_and_only_of_one_file() {
        let span = |offset| Span::new(Element::Header, offset, 4, 1);
        let report = Report::new();
        report.span(span(0));
        report.close_spans();
        report.span(span(4));
        assert_eq!(report.take_provenance().spans, [span(0)]);
        report.open_spans();
        report.span(span(8));
        assert_eq!(report.take_provenance().spans, [span(8)]);
        assert!(report.take_provenance().spans.is_empty());
        let quiet = report.quiet();
        quiet.span(span(0));
        assert!(quiet.take_provenance().spans.is_empty());
        for at in 0..=MAX_SPANS {
            report.span(span(at * 4));
        }
        assert_eq!(report.take_provenance().spans.len(), MAX_SPANS);
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
