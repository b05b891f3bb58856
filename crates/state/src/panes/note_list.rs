//! The list of findings, from the reader and from validation, filtered and sorted.
//!
//! Not for: producing findings (`formats`, `model::check`, `validate`).
//!
//! Invariant: `rows` is computed when something changes, never while drawing.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::{Action, AppState, Derived, DerivedIn, Effect, ModelKey, TaskSlot};
use rigscope_core::model::{Finding, FindingGroup, FindingKind, Report, Severity};
use rigscope_core::validate::validate;

/// Validates the open model.
const SLOT: TaskSlot = TaskSlot("checking for problems");

/// The sort order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FindingOrder {
    /// Worst first.
    #[default]
    Severity,
    Code,
    /// Most frequent first.
    Count,
    /// By place, in the order of the model.
    Place,
    Message,
}

/// The filter of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingFilter {
    /// Whether findings of each [`Severity`] are shown, by its number.
    pub severities: [bool; 3],
    /// Shows only this group.
    pub group: Option<FindingGroup>,
    /// Shows only findings with this text in code, message or place, ignoring case.
    pub text: String,
    /// Also shows ignored findings.
    pub shows_allowed: bool,
}

impl Default for FindingFilter {
    fn default() -> Self {
        Self { severities: [true; 3], group: None, text: String::new(), shows_allowed: false }
    }
}

/// An action on the list.
#[derive(Clone, Debug)]
pub enum NotesAction {
    /// Validation has finished.
    Validated(Arc<Vec<Finding>>),
    /// Sets the filter.
    Filter(FindingFilter),
    /// Sets the order; the same order again reverses it.
    Sort(FindingOrder),
    /// Selects a finding, by its index in [`FindingList::all`], and its subject.
    Show(usize),
    /// Selects a place of the selected finding, by its index in [`Finding::places`].
    ShowPlace(usize),
    /// Closes the details of the finding; its subject remains selected.
    Close,
    /// Ignores findings of a kind, or reports them again.
    Allow(FindingKind, bool),
}

/// All findings about the open document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FindingList {
    /// The findings of the reader, then those of validation.
    pub all: Vec<Finding>,
    /// The findings of validation.
    validation: Derived<ModelKey, Vec<Finding>>,
    pub filter: FindingFilter,
    pub order: FindingOrder,
    /// Reverses the order.
    pub is_reversed: bool,
    /// Indices in `all` of the visible findings, in display order.
    pub rows: Vec<usize>,
    /// Number of findings that aren't ignored, by [`Severity`] as a number.
    pub num_of_severity: [usize; 3],
    /// Number of ignored findings.
    pub num_allowed: usize,
    /// Index in `all` of the selected finding.
    pub selected: Option<usize>,
    /// Index in [`Finding::places`] of the place shown.
    pub place: usize,
}

impl FindingList {
    /// Replaces all findings, keeping filter and order.
    fn restart(&mut self, notes: &[Finding]) {
        self.all = notes.to_vec();
        self.selected = None;
    }

    /// Whether validation has finished.
    pub fn is_validated(&self) -> bool {
        self.validation.get().is_some()
    }

    /// Number of findings of `severity` that aren't ignored.
    pub fn num(&self, severity: Severity) -> usize {
        self.num_of_severity[severity as usize]
    }

    /// Recomputes rows and counts.
    fn refresh(&mut self, is_allowed: impl Fn(FindingKind) -> bool) {
        (self.num_of_severity, self.num_allowed) = ([0; 3], 0);
        self.rows.clear();
        let text = self.filter.text.trim().to_lowercase();
        for (number, note) in self.all.iter().enumerate() {
            let info = note.kind.info();
            let is_note_allowed = is_allowed(note.kind);
            if is_note_allowed {
                self.num_allowed += 1
            } else {
                self.num_of_severity[info.severity as usize] += 1
            }
            let filter = &self.filter;
            let is_shown = (filter.shows_allowed || !is_note_allowed)
                && filter.severities[info.severity as usize]
                && filter.group.is_none_or(|group| group == info.group)
                && (text.is_empty() || has_text(note, &text));
            if is_shown {
                self.rows.push(number);
            }
        }
        let (all, order, is_reversed) = (&self.all, self.order, self.is_reversed);
        // The sort is stable: equal findings stay in the order in which they were found.
        self.rows.sort_by(|&a, &b| {
            let ordering = compare(&all[a], &all[b], order);
            if is_reversed { ordering.reverse() } else { ordering }
        });
        self.selected = self.selected.filter(|selected| self.rows.contains(selected));
    }

    /// The visible findings as text, one per line, in the format of `rigscope validate`.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for note in self.shown() {
            let times = match note.count {
                1 => String::new(),
                count => format!(" ({count} times)"),
            };
            out.push_str(&format!(
                "{}: {}: {} at {}{times}\n",
                note.severity().as_str(),
                note.kind.code(),
                note.message,
                note.place
            ));
        }
        out
    }

    /// The visible findings, in display order.
    pub fn shown(&self) -> impl Iterator<Item = &Finding> {
        self.rows.iter().filter_map(|&number| self.all.get(number))
    }
}

fn has_text(note: &Finding, text: &str) -> bool {
    note.kind.code().contains(text)
        || note.message.to_lowercase().contains(text)
        || note.place.to_string().to_lowercase().contains(text)
}

fn compare(a: &Finding, b: &Finding, order: FindingOrder) -> Ordering {
    match order {
        FindingOrder::Severity => b.severity().cmp(&a.severity()),
        FindingOrder::Code => a.kind.code().cmp(b.kind.code()),
        FindingOrder::Count => b.count.cmp(&a.count),
        FindingOrder::Place => a.place.cmp(&b.place),
        FindingOrder::Message => a.message.cmp(&b.message),
    }
}

impl AppState {
    /// Lists the findings about a new document and starts validation.
    pub(crate) fn follow_notes(&mut self) -> Vec<Effect> {
        let key = self.model_key();
        if self.tab.view.notes.validation.key() != key.as_ref() {
            let notes = self.tab.document.as_ref().map_or(&[][..], |d| &d.notes);
            self.tab.view.notes.restart(notes);
            self.refresh_notes();
        }
        let place: DerivedIn<_, _> = |view| &mut view.notes.validation;
        self.derive(SLOT, place, key, true, |_, key| {
            move |report: &Report| {
                validate(&key.0, report)?;
                Ok(Action::Notes(NotesAction::Validated(Arc::new(report.notes()))))
            }
        })
    }

    pub(crate) fn apply_notes(&mut self, action: NotesAction) -> Vec<Effect> {
        let list = &mut self.tab.view.notes;
        match action {
            NotesAction::Validated(notes) => {
                list.all.extend(notes.iter().cloned());
                list.validation.set(notes);
            }
            NotesAction::Filter(filter) => list.filter = filter,
            NotesAction::Sort(order) => {
                list.is_reversed = list.order == order && !list.is_reversed;
                list.order = order;
            }
            NotesAction::Show(number) => {
                let Some(place) = list.all.get(number).map(|note| note.place) else {
                    return Vec::new();
                };
                list.selected = Some(number);
                list.place = 0;
                self.focus(place);
                return Vec::new();
            }
            NotesAction::ShowPlace(number) => {
                self.show_place(number);
                return Vec::new();
            }
            NotesAction::Close => {
                list.selected = None;
                return Vec::new();
            }
            NotesAction::Allow(kind, is_allowed) => {
                let code = kind.code().to_owned();
                let allowed = &mut self.settings.allowed_notes;
                if is_allowed {
                    allowed.insert(code)
                } else {
                    allowed.remove(&code)
                };
                self.refresh_notes();
                return vec![Effect::SaveSettings];
            }
        }
        self.refresh_notes();
        Vec::new()
    }

    fn refresh_notes(&mut self) {
        let allowed = &self.settings.allowed_notes;
        self.tab.view.notes.refresh(|kind| allowed.contains(kind.code()));
    }

    /// Whether findings of `kind` are ignored.
    pub fn is_allowed(&self, kind: FindingKind) -> bool {
        self.settings.allowed_notes.contains(kind.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::model::Place;

    fn note(kind: FindingKind, place: Place, message: &str, count: u64) -> Finding {
        Finding::new(kind, place, message.into(), count)
    }

    fn state() -> AppState {
        let mut state = AppState::default();
        let notes = vec![
            note(FindingKind::ZeroTangent, Place::Bone(3), "third", 9),
            note(FindingKind::NotFinite, Place::File, "first", 1),
            note(FindingKind::ZeroNormal, Place::Bone(1), "Second", 4),
        ];
        state.apply_notes(NotesAction::Validated(Arc::new(notes)));
        state
    }

    fn messages(state: &AppState) -> Vec<&str> {
        let shown = state.tab.view.notes.shown();
        shown.map(|note| note.message.as_str()).collect()
    }

    #[test]
    fn worst_findings_come_first_and_sorting_again_reverses_the_order() {
        let mut state = state();
        assert_eq!(messages(&state), ["first", "Second", "third"]);
        state.apply_notes(NotesAction::Sort(FindingOrder::Count));
        assert_eq!(messages(&state), ["third", "Second", "first"]);
        state.apply_notes(NotesAction::Sort(FindingOrder::Count));
        assert_eq!(messages(&state), ["first", "Second", "third"]);
        state.apply_notes(NotesAction::Sort(FindingOrder::Place));
        assert_eq!(messages(&state), ["first", "Second", "third"]);
    }

    #[test]
    fn only_findings_that_match_all_filters_are_shown() {
        let mut state = state();
        let mut filter = FindingFilter { text: " SECOND".into(), ..FindingFilter::default() };
        state.apply_notes(NotesAction::Filter(filter.clone()));
        assert_eq!(messages(&state), ["Second"]);
        filter.severities[Severity::Warning as usize] = false;
        state.apply_notes(NotesAction::Filter(filter.clone()));
        assert!(messages(&state).is_empty());
        filter = FindingFilter { group: Some(FindingGroup::File), ..FindingFilter::default() };
        state.apply_notes(NotesAction::Filter(filter));
        assert_eq!(messages(&state), ["first"]);
    }

    #[test]
    fn ignored_findings_are_counted_saved_and_can_be_shown() {
        let mut state = state();
        let effects = state.apply_notes(NotesAction::Allow(FindingKind::ZeroNormal, true));
        assert_eq!(effects, [Effect::SaveSettings]);
        assert_eq!(messages(&state), ["first", "third"]);
        assert_eq!(state.tab.view.notes.num_allowed, 1);
        assert_eq!(state.tab.view.notes.num(Severity::Warning), 0);
        let filter = FindingFilter { shows_allowed: true, ..FindingFilter::default() };
        state.apply_notes(NotesAction::Filter(filter));
        assert_eq!(messages(&state), ["first", "Second", "third"]);
        state.apply_notes(NotesAction::Allow(FindingKind::ZeroNormal, false));
        assert_eq!(state.tab.view.notes.num_allowed, 0);
    }

    #[test]
    fn text_has_one_line_per_finding() {
        let text = state().tab.view.notes.text();
        let first = "error: not-finite: first at file\n";
        assert!(text.starts_with(first), "{text}");
        assert!(text.ends_with("info: zero-tangent: third at bones[3] (9 times)\n"));
    }

    #[test]
    fn another_document_starts_a_new_list() {
        let mut state = state();
        state.tab.view.notes.selected = Some(1);
        assert!(state.tab.view.notes.is_validated());
        state.tab.document = crate::tests::opened().tab.document;
        let effects = state.follow_notes();
        assert!(matches!(effects.as_slice(), [Effect::Run(_)]) && state.follow_notes().is_empty());
        let list = &state.tab.view.notes;
        assert_eq!((list.all.len(), list.selected, list.is_validated()), (0, None, false));
    }
}
