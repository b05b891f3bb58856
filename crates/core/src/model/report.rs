//! Results that a reader, writer or check reports while it works: findings, progress and the byte
//! spans it has read. Also handles cancellation.
//!
//! Not for: errors that end the work; those are returned.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Finding, FindingKind, Model, Place, Provenance, RelatedFileUse, Severity, Span};

/// Most spans stored per file. Normal files have far fewer, and a file with a million empty parts
/// must not cost a hundred bytes for each.
const MAX_SPANS: usize = 1 << 16;
/// Most related files that are reported, since a folder may contain thousands.
const MAX_RELATED_FILES: usize = 512;

/// Set by one thread to stop work on another.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Requests cancellation.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether cancellation was requested.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Progress of an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The current step, as a short phrase.
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
    /// Set while other files, or bytes that aren't the file's own, are read.
    is_closed: bool,
}

/// Collects findings, spans and related files, and passes on progress and cancellation.
#[derive(Default)]
pub struct Report {
    findings: Mutex<Vec<Finding>>,
    spans: Mutex<Spans>,
    related_files: Mutex<Vec<RelatedFileUse>>,
    on_progress: Option<OnProgress>,
    cancel: CancelToken,
}

impl Report {
    /// Collects results without progress callbacks or cancellation.
    pub fn new() -> Self {
        Self::default()
    }

    /// Collects results, calls `on_progress` now and then, and stops once `cancel` is set.
    pub fn with_progress(
        on_progress: impl Fn(Progress) + Send + Sync + 'static,
        cancel: CancelToken,
    ) -> Self {
        Self { on_progress: Some(Box::new(on_progress)), cancel, ..Self::default() }
    }

    /// A report for a part of the work: it ignores spans and progress, and its findings are dropped
    /// unless they are passed to [`Self::add_all_of`]. It is cancelled together with this one.
    #[must_use]
    pub fn quiet(&self) -> Self {
        Self {
            cancel: self.cancel.clone(),
            spans: Mutex::new(Spans { is_closed: true, ..Spans::default() }),
            ..Self::default()
        }
    }

    /// As [`Self::quiet`], but with the spans of the work.
    #[must_use]
    pub fn part(&self) -> Self {
        Self { cancel: self.cancel.clone(), ..Self::default() }
    }

    /// Reports one occurrence.
    pub fn add(&self, kind: FindingKind, place: Place, message: impl Into<String>) {
        self.add_many(kind, place, 1, || message.into());
    }

    /// Reports `count` occurrences, the first at `place`; does nothing if `count` is 0.
    ///
    /// `message` is only called for the first finding of its kind, so that a million occurrences
    /// don't format a million texts.
    pub fn add_many(
        &self,
        kind: FindingKind,
        place: Place,
        count: u64,
        message: impl FnOnce() -> String,
    ) {
        self.add_places(kind, count, [place], message);
    }

    /// Reports `count` occurrences at `places`, of which the first
    /// [`MAX_PLACES`](super::MAX_PLACES) are stored; does nothing without a place.
    ///
    /// `message` describes the first place. `count` may exceed the number of places.
    pub fn add_places(
        &self,
        kind: FindingKind,
        count: u64,
        places: impl IntoIterator<Item = Place>,
        message: impl FnOnce() -> String,
    ) {
        let mut message = Some(message);
        let mut message = || message.take().map(|message| message()).unwrap_or_default();
        self.add_dyn(kind, count, &mut places.into_iter(), &mut message);
    }

    /// [`Self::add_places`], compiled once for all callers. `message` is called at most once.
    fn add_dyn(
        &self,
        kind: FindingKind,
        count: u64,
        places: &mut dyn Iterator<Item = Place>,
        message: &mut dyn FnMut() -> String,
    ) {
        let Some(place) = places.next().filter(|_| count > 0) else { return };
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        let text = kind.has_separate_messages().then(&mut *message);
        let is_it = |finding: &&mut Finding| {
            finding.kind == kind && text.as_ref().is_none_or(|text| finding.message == *text)
        };
        match findings.iter_mut().find(is_it) {
            Some(finding) => {
                finding.count += count;
                finding.add_places(std::iter::once(place).chain(places));
            }
            None => {
                let mut finding = Finding::new(kind, place, text.unwrap_or_else(message), count);
                finding.add_places(places);
                findings.push(finding);
            }
        }
    }

    /// Adds the paths of the places in `model` to messages that lack them, if its format has paths.
    pub fn add_paths(&self, model: &Model) {
        let Some(paths) = &model.paths else { return };
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        for finding in findings.iter_mut() {
            let path = paths.of_place(finding.place);
            if let Some(path) = path.filter(|path| !finding.message.contains(path)) {
                finding.message = format!("{path}: {}", finding.message);
            }
        }
    }

    /// Adds the findings of `other`, in its order.
    pub fn add_all_of(&self, other: Self) {
        for finding in other.findings.into_inner().unwrap_or_else(PoisonError::into_inner) {
            self.add_places(finding.kind, finding.count, finding.places, || finding.message);
        }
    }

    /// Reports the span of a record, as soon as it is known to be inside the file, so that it is
    /// available even if the reader fails later.
    pub fn span(&self, span: Span) {
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        if !spans.is_closed && spans.list.len() < MAX_SPANS {
            spans.list.push(span);
        }
    }

    /// Whether spans are being recorded; if not, data needed only for spans can be dropped.
    pub fn takes_spans(&self) -> bool {
        let spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        !spans.is_closed
    }

    /// Reports a related file. A later report replaces an earlier one with the same file and role,
    /// except that a used file remains used.
    pub fn related_file(&self, file: RelatedFileUse) {
        let mut all = (self.related_files.lock()).unwrap_or_else(PoisonError::into_inner);
        let is_same =
            |other: &&mut RelatedFileUse| other.file == file.file && other.role == file.role;
        let has_room = all.len() < MAX_RELATED_FILES || file.is_used;
        match all.iter_mut().find(is_same) {
            Some(known) if known.is_used && !file.is_used => {}
            Some(known) => *known = file,
            // Used files are reported even if there are very many.
            None if has_room => all.push(file),
            None => {}
        }
    }

    /// The related files, sorted by role; used ones first, then by fit.
    pub fn related_files(&self) -> Vec<RelatedFileUse> {
        let all = (self.related_files.lock()).unwrap_or_else(PoisonError::into_inner);
        let mut all = all.clone();
        all.sort_by(|a, b| {
            let fit = |file: &RelatedFileUse| file.fit.unwrap_or(-1.0);
            (a.role, !a.is_used).cmp(&(b.role, !b.is_used)).then(fit(b).total_cmp(&fit(a)))
        });
        all
    }

    /// Ignores spans from now on, because other files are read.
    pub fn close_spans(&self) {
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        spans.is_closed = true;
    }

    /// Discards all spans and records new ones, because another file is read.
    pub fn open_spans(&self) {
        *self.spans.lock().unwrap_or_else(PoisonError::into_inner) = Spans::default();
    }

    /// Takes the spans reported so far in the main file; the last step of a reader.
    pub fn take_provenance(&self) -> Provenance {
        self.take_provenance_of(0)
    }

    /// Takes the spans reported so far in a file, as numbered by [`Span::file`].
    pub fn take_provenance_of(&self, file: u16) -> Provenance {
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        let is_partial = spans.list.len() >= MAX_SPANS;
        let (own, others) =
            std::mem::take(&mut spans.list).into_iter().partition(|span| span.file == file);
        spans.list = others;
        let mut map = Provenance::from_spans(own);
        map.is_partial = is_partial;
        map
    }

    /// Reports progress.
    ///
    /// # Errors
    /// [`Cancelled`] if cancellation was requested.
    pub fn progress(&self, what: &'static str, fraction: f32) -> Result<(), Cancelled> {
        if self.cancel.is_cancelled() {
            return Err(Cancelled);
        }
        if let Some(on_progress) = &self.on_progress {
            on_progress(Progress { what, fraction });
        }
        Ok(())
    }

    /// The findings so far, worst first, otherwise in the order of reporting.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner).clone();
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
        findings
    }

    /// The worst severity so far.
    pub fn worst(&self) -> Option<Severity> {
        self.findings().first().map(Finding::severity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Element;

    #[test]
    fn findings_of_one_kind_are_counted_and_keep_the_first_place() {
        let report = Report::new();
        report.add(FindingKind::ZeroTangent, Place::File, "first");
        report.add(FindingKind::NotFinite, Place::Bone(1), "bad");
        report.add_many(FindingKind::ZeroTangent, Place::Bone(3), 4, || unreachable!());
        report.add_many(FindingKind::ZeroNormal, Place::File, 0, || unreachable!());
        let findings = report.findings();
        assert_eq!(findings.len(), 2);
        assert_eq!(findings[0].kind, FindingKind::NotFinite);
        assert_eq!((findings[1].count, findings[1].message.as_str()), (5, "first"));
        let part = report.quiet();
        part.add_many(FindingKind::ZeroTangent, Place::File, 2, || "later".into());
        part.add(FindingKind::ZeroNormal, Place::Bone(2), "new");
        report.add_all_of(part);
        let counts: Vec<_> =
            report.findings().iter().map(|finding| (finding.kind, finding.count)).collect();
        assert!(counts.contains(&(FindingKind::ZeroTangent, 7)), "{counts:?}");
        assert!(counts.contains(&(FindingKind::ZeroNormal, 1)), "{counts:?}");
    }

    #[test]
    fn all_places_of_a_finding_are_stored_up_to_a_limit() {
        let report = Report::new();
        let vertices =
            |range: std::ops::Range<u32>| range.map(|vertex| Place::Vertex { mesh: 0, vertex });
        report.add_places(FindingKind::ZeroNormal, 0, vertices(0..3), || unreachable!());
        report.add_places(FindingKind::ZeroNormal, 3, vertices(0..0), || unreachable!());
        report.add_places(FindingKind::ZeroNormal, 3, vertices(4..7), || "three".into());
        report.add_many(FindingKind::ZeroNormal, Place::Bone(1), 1, || unreachable!());
        let finding = &report.findings()[0];
        assert_eq!((finding.count, finding.place), (4, Place::Vertex { mesh: 0, vertex: 4 }));
        let expected: Vec<_> = vertices(4..7).chain([Place::Bone(1)]).collect();
        assert_eq!(finding.places, expected);
        let part = report.quiet();
        part.add_places(FindingKind::ZeroNormal, 9000, vertices(10..9010), || "many".into());
        report.add_all_of(part);
        let finding = &report.findings()[0];
        assert_eq!((finding.count, finding.places.len()), (9004, crate::model::MAX_PLACES));
    }

    #[test]
    fn spans_are_recorded_for_one_file_until_taken() {
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
