//! The list of findings, from the reader and from validation, filtered and sorted.
//!
//! Not for: producing findings (`formats`, `model::check`, `validate`).
//!
//! Invariant: `rows` is computed when something changes, never while drawing.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::{Action, AppState, Derived, DerivedIn, ModelKey, Request, TaskSlot};
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
pub enum FindingsAction {
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
    fn restart(&mut self, findings: &[Finding]) {
        self.all = findings.to_vec();
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
        for (number, finding) in self.all.iter().enumerate() {
            let info = finding.kind.info();
            let is_finding_allowed = is_allowed(finding.kind);
            if is_finding_allowed {
                self.num_allowed += 1
            } else {
                self.num_of_severity[info.severity as usize] += 1
            }
            let filter = &self.filter;
            let is_shown = (filter.shows_allowed || !is_finding_allowed)
                && filter.severities[info.severity as usize]
                && filter.group.is_none_or(|group| group == info.group)
                && (text.is_empty() || has_text(finding, &text));
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
        for finding in self.shown() {
            let times = match finding.count {
                1 => String::new(),
                count => format!(" ({count} times)"),
            };
            out.push_str(&format!(
                "{}: {}: {} at {}{times}\n",
                finding.severity().as_str(),
                finding.kind.code(),
                finding.message,
                finding.place
            ));
        }
        out
    }

    /// The visible findings, in display order.
    pub fn shown(&self) -> impl Iterator<Item = &Finding> {
        self.rows.iter().filter_map(|&number| self.all.get(number))
    }
}

fn has_text(finding: &Finding, text: &str) -> bool {
    finding.kind.code().contains(text)
        || finding.message.to_lowercase().contains(text)
        || finding.place.to_string().to_lowercase().contains(text)
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
    pub(crate) fn follow_findings(&mut self) -> Vec<Request> {
        let key = self.model_key();
        if self.tab.view.findings.validation.key() != key.as_ref() {
            let findings = self.tab.document.as_ref().map_or(&[][..], |d| &d.findings);
            self.tab.view.findings.restart(findings);
            self.refresh_findings();
        }
        let place: DerivedIn<_, _> = |view| &mut view.findings.validation;
        self.derive(SLOT, place, key, true, |_, key| {
            move |report: &Report| {
                validate(&key.0, report)?;
                Ok(Action::Findings(FindingsAction::Validated(Arc::new(report.findings()))))
            }
        })
    }

    pub(crate) fn apply_findings(&mut self, action: FindingsAction) -> Vec<Request> {
        let list = &mut self.tab.view.findings;
        match action {
            FindingsAction::Validated(findings) => {
                list.all.extend(findings.iter().cloned());
                list.validation.set(findings);
            }
            FindingsAction::Filter(filter) => list.filter = filter,
            FindingsAction::Sort(order) => {
                list.is_reversed = list.order == order && !list.is_reversed;
                list.order = order;
            }
            FindingsAction::Show(number) => {
                let Some(place) = list.all.get(number).map(|finding| finding.place) else {
                    return Vec::new();
                };
                list.selected = Some(number);
                list.place = 0;
                self.focus(place);
                return Vec::new();
            }
            FindingsAction::ShowPlace(number) => {
                self.show_place(number);
                return Vec::new();
            }
            FindingsAction::Close => {
                list.selected = None;
                return Vec::new();
            }
            FindingsAction::Allow(kind, is_allowed) => {
                let code = kind.code().to_owned();
                let allowed = &mut self.settings.allowed_findings;
                if is_allowed {
                    allowed.insert(code)
                } else {
                    allowed.remove(&code)
                };
                self.refresh_findings();
                return vec![Request::SaveSettings];
            }
        }
        self.refresh_findings();
        Vec::new()
    }

    fn refresh_findings(&mut self) {
        let allowed = &self.settings.allowed_findings;
        self.tab.view.findings.refresh(|kind| allowed.contains(kind.code()));
    }

    /// Whether findings of `kind` are ignored.
    pub fn is_allowed(&self, kind: FindingKind) -> bool {
        self.settings.allowed_findings.contains(kind.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::model::Place;

    fn finding_of(kind: FindingKind, place: Place, message: &str, count: u64) -> Finding {
        Finding::new(kind, place, message.into(), count)
    }

    fn state() -> AppState {
        let mut state = AppState::default();
        let findings = vec![
            finding_of(FindingKind::ZeroTangent, Place::Bone(3), "third", 9),
            finding_of(FindingKind::NotFinite, Place::File, "first", 1),
            finding_of(FindingKind::ZeroNormal, Place::Bone(1), "Second", 4),
        ];
        state.apply_findings(FindingsAction::Validated(Arc::new(findings)));
        state
    }

    fn messages(state: &AppState) -> Vec<&str> {
        let shown = state.tab.view.findings.shown();
        shown.map(|finding| finding.message.as_str()).collect()
    }

    #[test]
    fn worst_findings_come_first_and_sorting_again_reverses_the_order() {
        let mut state = state();
        assert_eq!(messages(&state), ["first", "Second", "third"]);
        state.apply_findings(FindingsAction::Sort(FindingOrder::Count));
        assert_eq!(messages(&state), ["third", "Second", "first"]);
        state.apply_findings(FindingsAction::Sort(FindingOrder::Count));
        assert_eq!(messages(&state), ["first", "Second", "third"]);
        state.apply_findings(FindingsAction::Sort(FindingOrder::Place));
        assert_eq!(messages(&state), ["first", "Second", "third"]);
    }

    #[test]
    fn only_findings_that_match_all_filters_are_shown() {
        let mut state = state();
        let mut filter = FindingFilter { text: " SECOND".into(), ..FindingFilter::default() };
        state.apply_findings(FindingsAction::Filter(filter.clone()));
        assert_eq!(messages(&state), ["Second"]);
        filter.severities[Severity::Warning as usize] = false;
        state.apply_findings(FindingsAction::Filter(filter.clone()));
        assert!(messages(&state).is_empty());
        filter = FindingFilter { group: Some(FindingGroup::File), ..FindingFilter::default() };
        state.apply_findings(FindingsAction::Filter(filter));
        assert_eq!(messages(&state), ["first"]);
    }

    #[test]
    fn ignored_findings_are_counted_saved_and_can_be_shown() {
        let mut state = state();
        let requests = state.apply_findings(FindingsAction::Allow(FindingKind::ZeroNormal, true));
        assert_eq!(requests, [Request::SaveSettings]);
        assert_eq!(messages(&state), ["first", "third"]);
        assert_eq!(state.tab.view.findings.num_allowed, 1);
        assert_eq!(state.tab.view.findings.num(Severity::Warning), 0);
        let filter = FindingFilter { shows_allowed: true, ..FindingFilter::default() };
        state.apply_findings(FindingsAction::Filter(filter));
        assert_eq!(messages(&state), ["first", "Second", "third"]);
        state.apply_findings(FindingsAction::Allow(FindingKind::ZeroNormal, false));
        assert_eq!(state.tab.view.findings.num_allowed, 0);
    }

    #[test]
    fn text_has_one_line_per_finding() {
        let text = state().tab.view.findings.text();
        let first = "error: not-finite: first at file\n";
        assert!(text.starts_with(first), "{text}");
        assert!(text.ends_with("info: zero-tangent: third at bones[3] (9 times)\n"));
    }

    #[test]
    fn another_document_starts_a_new_list() {
        let mut state = state();
        state.tab.view.findings.selected = Some(1);
        assert!(state.tab.view.findings.is_validated());
        state.tab.document = crate::tests::opened().tab.document;
        let requests = state.follow_findings();
        assert!(
            matches!(requests.as_slice(), [Request::Run(_)]) && state.follow_findings().is_empty()
        );
        let list = &state.tab.view.findings;
        assert_eq!((list.all.len(), list.selected, list.is_validated()), (0, None, false));
    }
}
