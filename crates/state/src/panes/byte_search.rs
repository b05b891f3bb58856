//! Searching the bytes shown in the pane, in a task, and stepping through the matches.

use std::sync::Arc;

use super::byte_query::{ByteMatches, ByteQuery};
use crate::{Action, AppState, BytesAction, Derived, DerivedIn, ModelKey, Pane, Request, TaskSlot};
use rigscope_core::model::{NO_SPANS, Provenance, Report};
use rigscope_io::formats::Content;

const SEARCH: TaskSlot = TaskSlot("searching bytes");

/// The search in the Bytes pane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByteSearch {
    pub query: ByteQuery,
    /// The matches.
    pub found: Derived<SearchKey, ByteMatches>,
    /// Jump to a match as soon as the matches are known.
    pending_jump: Option<SearchDirection>,
    /// Incremented when the search field should get keyboard focus.
    pub num_focus_requests: u64,
}

/// The direction of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchDirection {
    /// To the next match, wrapping around.
    Next,
    /// To the previous match, wrapping around.
    Previous,
}

/// An action on the search.
#[derive(Clone, Debug)]
pub enum ByteSearchAction {
    /// Starts a search; an empty text ends it.
    Search(ByteQuery),
    /// Jumps to a match.
    Jump(SearchDirection),
    /// The matches have been found.
    Found(Arc<ByteMatches>),
}

/// The inputs of a search.
#[derive(Clone)]
pub struct SearchKey {
    content: Content,
    source: Source,
    query: ByteQuery,
}

/// The source of the known spans.
#[derive(Clone)]
enum Source {
    /// A file of the model, as numbered by [`rigscope_core::model::Span::file`].
    Model(ModelKey, usize),
    Broken(Arc<Provenance>),
}

impl PartialEq for SearchKey {
    fn eq(&self, other: &Self) -> bool {
        self.content.is_same(&other.content) && self.query == other.query
    }
}

impl std::fmt::Debug for SearchKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SearchKey({:?})", self.query)
    }
}

impl Source {
    fn provenance(&self) -> &Provenance {
        match self {
            Self::Model(model, 0) => &model.0.provenance,
            Self::Model(model, file) => {
                let related = model.0.related_bytes.get(file - 1);
                related.map_or(&NO_SPANS, |related| &related.provenance)
            }
            Self::Broken(provenance) => provenance,
        }
    }
}

impl AppState {
    pub(crate) fn apply_byte_search(&mut self, action: ByteSearchAction) -> Vec<Request> {
        match action {
            ByteSearchAction::Search(query) => {
                let search = &mut self.tab.view.byte_search;
                search.query = query;
                search.pending_jump = None;
            }
            ByteSearchAction::Jump(direction) => {
                self.tab.view.byte_search.pending_jump = Some(direction);
                return self.go_to_found();
            }
            ByteSearchAction::Found(found) => {
                self.tab.view.byte_search.found.set(found);
                return self.go_to_found();
            }
        }
        Vec::new()
    }

    /// Opens the Bytes pane and focuses its search field.
    pub(crate) fn focus_byte_search(&mut self) {
        self.bring_to_front(Pane::Bytes);
        self.tab.view.byte_search.num_focus_requests += 1;
    }

    /// Performs the pending jump if the matches are known.
    fn go_to_found(&mut self) -> Vec<Request> {
        let cursor = self.tab.view.bytes.cursor;
        let search = &mut self.tab.view.byte_search;
        let Some(found) = search.found.get() else { return Vec::new() };
        let at = match search.pending_jump.take() {
            None => return Vec::new(),
            Some(SearchDirection::Next) => {
                let next = cursor.map_or(0, |at| found.at.partition_point(|other| *other <= at));
                found.at.get(next).or(found.at.first())
            }
            Some(SearchDirection::Previous) => {
                let before = cursor.map_or(0, |at| found.at.partition_point(|other| *other < at));
                before.checked_sub(1).and_then(|at| found.at.get(at)).or(found.at.last())
            }
        };
        match at.copied() {
            Some(at) => self.apply_bytes(BytesAction::MoveCursor(at)),
            None => Vec::new(),
        }
    }

    /// The number of the match at the cursor, counted from 1.
    pub fn found_number(&self) -> Option<usize> {
        let found = self.tab.view.byte_search.found.get()?;
        let number = found.at.binary_search(&self.tab.view.bytes.cursor?).ok()?;
        Some(number + 1)
    }

    /// The progress of a running search.
    pub fn search_progress(&self) -> Option<f32> {
        self.task(SEARCH).map(|task| task.fraction)
    }

    pub(crate) fn follow_byte_search(&mut self) -> Vec<Request> {
        let place: DerivedIn<_, _> = |view| &mut view.byte_search.found;
        self.derive(SEARCH, place, self.wanted_search(), true, |_, key| {
            move |report: &Report| {
                let provenance = key.source.provenance();
                // If the file can't be read, the pane shows the error.
                let bytes = key.content.whole().unwrap_or_default();
                let found = Arc::new(key.query.find(&bytes, provenance, report)?);
                Ok(Action::ByteSearch(ByteSearchAction::Found(found)))
            }
        })
    }

    /// The inputs of the search, while the pane is open.
    fn wanted_search(&self) -> Option<SearchKey> {
        let query = &self.tab.view.byte_search.query;
        if !query.is_usable() || !self.settings.panes.shows(Pane::Bytes) {
            return None;
        }
        let (content, source) = match self.shown_broken() {
            Some(broken) => {
                // This runs after every action; copy the spans only once per search.
                let known = self.tab.view.byte_search.found.key();
                let known = known.filter(|key| key.content.is_same(&broken.content));
                let source = match known.map(|key| &key.source) {
                    Some(source @ Source::Broken(_)) => source.clone(),
                    _ => Source::Broken(Arc::new(broken.map.provenance.clone())),
                };
                (&broken.content, source)
            }
            None => {
                let document = self.tab.document.as_ref()?;
                let file = self.tab.view.bytes.file;
                let (file, content) = match document.bytes_of(file) {
                    Some((_, content, _)) => (file, content),
                    None => (0, &document.content),
                };
                (content, Source::Model(self.model_key()?, file))
            }
        };
        Some(SearchKey { content: content.clone(), source, query: query.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::ByteKind;
    use super::*;
    use crate::BrokenFile;
    use rigscope_core::model::Element;
    use rigscope_core::model::Span;
    use rigscope_io::formats::FileMap;

    fn with_bytes(bytes: &[u8]) -> AppState {
        let mut state = AppState::default();
        let header = Span::new(Element::Header, 0, 4, 1);
        let map = FileMap { provenance: Provenance::from_spans(vec![header]), failure: None };
        let content = bytes.to_vec().into();
        state.tab.broken = Some(BrokenFile { name: "broken".into(), content, map });
        state.settings.panes.set(Pane::Bytes, true);
        state
    }

    fn apply(state: &mut AppState, action: Action) -> usize {
        let mut num_tasks = 0;
        for request in state.apply(action) {
            if let Request::Run(task) = request {
                num_tasks += 1;
                let answer = task.run(&Report::new()).ok().map(Box::new);
                apply(state, Action::TaskDone { id: task.id, answer });
            }
        }
        num_tasks
    }

    fn look(text: &str) -> Action {
        let query = ByteQuery { kind: ByteKind::Hex, text: text.into() };
        Action::ByteSearch(ByteSearchAction::Search(query))
    }

    fn go(direction: SearchDirection) -> Action {
        Action::ByteSearch(ByteSearchAction::Jump(direction))
    }

    #[test]
    fn stepping_through_matches_wraps_at_both_ends() {
        let mut state = with_bytes(&[1, 2, 1, 1, 9]);
        assert_eq!(apply(&mut state, look("01")), 1);
        let mut places = Vec::new();
        for direction in
            [SearchDirection::Next; 4].into_iter().chain([SearchDirection::Previous; 2])
        {
            assert_eq!(apply(&mut state, go(direction)), 0, "nothing is searched again");
            places.push((state.tab.view.bytes.cursor, state.found_number()));
        }
        let at = |at: u64, number| (Some(at), Some(number));
        assert_eq!(places, [at(0, 1), at(2, 2), at(3, 3), at(0, 1), at(3, 3), at(2, 2)]);
        assert_eq!(apply(&mut state, look("")), 0);
        assert_eq!(state.tab.view.byte_search.found.get(), None);
    }

    #[test]
    fn next_match_requested_during_a_search_is_shown_when_found() {
        let mut state = with_bytes(&[0, 0, 7]);
        let requests = state.apply(look("07"));
        let Some(Request::Run(task)) = requests.first() else { panic!("{requests:?}") };
        assert!(state.search_progress().is_some());
        state.apply(go(SearchDirection::Next));
        assert_eq!(state.tab.view.bytes.cursor, None);
        let answer = task.run(&Report::new()).ok().map(Box::new);
        state.apply(Action::TaskDone { id: task.id, answer });
        assert_eq!((state.tab.view.bytes.cursor, state.search_progress()), (Some(2), None));
        // A new search stops the running one.
        let first = state.apply(look("00"));
        let Some(Request::Run(task)) = first.first() else { panic!("{first:?}") };
        assert!(state.apply(look("0")).contains(&Request::Cancel(task.id)));
    }
}
