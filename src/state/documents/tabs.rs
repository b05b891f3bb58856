//! Several documents, one of them shown.
//!
//! What belongs to the document shown lies in [`AppState`] itself; that of all others is parked
//! here, so that nothing else has to know that there are others.
//!
//! Invariant: the place of the tab that is shown is empty.

use std::path::{Path, PathBuf};

use super::history::History;
use crate::state::{
    Action, AppState, Document, Effect, Export, ExportStage, LoadReason, Origin, Playback, Problem,
    Selection, ViewState, WatchStatus,
};

/// What can be done with tabs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TabAction {
    /// Shows the tab at this place.
    Show(usize),
    /// Closes the tab at this place.
    Close(usize),
    /// Opens each of these, one after another; of each the first is the file, the others go along.
    OpenEach(Vec<Vec<PathBuf>>),
}

/// All that belongs to one document.
#[derive(Clone, Debug, Default)]
struct Parked {
    document: Option<Document>,
    view: ViewState,
    playback: Playback,
    selection: Selection,
    watch: WatchStatus,
    export: Option<Export>,
    problem: Option<Problem>,
    history: History,
    /// It has changed on disk and was not read again.
    is_stale: bool,
}

/// One tab.
#[derive(Clone, Debug, Default)]
struct Tab {
    id: u64,
    parked: Parked,
}

/// The tabs.
#[derive(Clone, Debug)]
pub(in crate::state) struct Tabs {
    list: Vec<Tab>,
    active: usize,
    next_id: u64,
    /// What is still to be opened after what is being read.
    pub(in crate::state) waiting: Vec<Vec<PathBuf>>,
}

impl Default for Tabs {
    fn default() -> Self {
        Self { list: vec![Tab::default()], active: 0, next_id: 1, waiting: Vec::new() }
    }
}

/// A tab as its button shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TabRow {
    /// Stays the same while the tab is open.
    pub id: u64,
    /// Name of the file, with its folder where two have the same name.
    pub name: String,
    /// The file.
    pub path: Option<PathBuf>,
    /// Whether it is shown.
    pub is_active: bool,
}

impl AppState {
    /// The tabs from left to right.
    pub fn tabs(&self) -> Vec<TabRow> {
        let origins: Vec<_> = (0..self.tabs.list.len())
            .map(|at| self.document_at(at).map(|document| &document.origin))
            .collect();
        let name = |origin: Option<&Origin>| origin.map_or_else(|| "empty".into(), Origin::name);
        let rows = self.tabs.list.iter().zip(&origins).enumerate();
        rows.map(|(at, (tab, &origin))| {
            let same = origins.iter().filter(|other| name(**other) == name(origin));
            let path = origin.and_then(Origin::path);
            let folder = path.and_then(Path::parent).and_then(Path::file_name);
            let name = match folder.filter(|_| same.count() > 1) {
                Some(folder) => format!("{} — {}", name(origin), folder.to_string_lossy()),
                None => name(origin),
            };
            TabRow {
                id: tab.id,
                name,
                path: path.map(Path::to_owned),
                is_active: at == self.tabs.active,
            }
        })
        .collect()
    }

    /// How many tabs there are; at least one, which may be empty.
    pub fn num_tabs(&self) -> usize {
        self.tabs.list.len()
    }

    /// The id of the tab that is shown.
    pub fn tab_id(&self) -> u64 {
        self.tabs.list.get(self.tabs.active).map_or(0, |tab| tab.id)
    }

    /// Whether a tab with this id is open.
    pub fn has_tab(&self, id: u64) -> bool {
        self.tabs.list.iter().any(|tab| tab.id == id)
    }

    pub(in crate::state) fn apply_tab(&mut self, action: TabAction) -> Vec<Effect> {
        match action {
            TabAction::Show(at) => self.show_tab(at),
            TabAction::Close(at) => self.close_tab(at),
            TabAction::OpenEach(files) => {
                self.tabs.waiting = files;
                self.open_waiting()
            }
        }
    }

    /// Goes `by` tabs to the right, and round.
    pub(in crate::state) fn step_tab(&mut self, by: usize) -> Vec<Effect> {
        let num = self.tabs.list.len();
        self.show_tab((self.tabs.active + by) % num.max(1))
    }

    pub(in crate::state) fn close_active_tab(&mut self) -> Vec<Effect> {
        self.close_tab(self.tabs.active)
    }

    /// Starts reading the next of the files that were asked for together.
    pub(in crate::state) fn open_waiting(&mut self) -> Vec<Effect> {
        while self.job.is_none() && !self.tabs.waiting.is_empty() {
            let mut files = self.tabs.waiting.remove(0);
            if !files.is_empty() {
                let path = files.remove(0);
                return self.open(path, files);
            }
        }
        Vec::new()
    }

    /// Makes the place where a document that has just been opened is shown: where the same file is
    /// open already, in place of nothing or of the sample as it came, else beside what is shown.
    pub(in crate::state) fn make_room(&mut self, origin: &Origin) -> Vec<Effect> {
        let is_open = |at: &usize| self.document_at(*at).map(|d| &d.origin) == Some(origin);
        if let Some(at) = (0..self.tabs.list.len()).find(is_open) {
            return self.show_tab(at);
        }
        match &self.document {
            None => Vec::new(),
            Some(document) if document.origin == Origin::Sample && !self.history.can_undo() => {
                Vec::new()
            }
            Some(_) => self.add_tab(),
        }
    }

    /// Shows an empty tab beside the present one, with the view set up as it is.
    fn add_tab(&mut self) -> Vec<Effect> {
        let effects = self.leave_tab();
        let mut view = ViewState {
            overlays: self.settings.overlays,
            size_points: self.view.size_points,
            ..ViewState::default()
        };
        view.camera.projection = self.view.camera.projection;
        let speed = self.playback.speed;
        self.swap_active();
        let at = self.tabs.active + 1;
        let id = self.tabs.next_id;
        self.tabs.next_id += 1;
        let parked = Parked::default();
        self.tabs.list.insert(at, Tab { id, parked });
        self.tabs.active = at;
        self.view = view;
        self.playback.speed = speed;
        effects
    }

    fn show_tab(&mut self, at: usize) -> Vec<Effect> {
        if at == self.tabs.active || at >= self.tabs.list.len() {
            return Vec::new();
        }
        let mut effects = self.leave_tab();
        let size = self.view.size_points;
        self.swap_active();
        self.tabs.active = at;
        self.swap_active();
        if self.view.size_points != size {
            self.view.size_points = size;
            self.view.frame_again();
        }
        self.view.overlays = self.view.overlays.shared_with(&self.settings.overlays);
        self.apply_playback_settings();
        if std::mem::take(&mut self.is_stale) && self.settings.watch {
            effects.extend(self.reload());
        }
        effects
    }

    /// Stops what works on the document shown. A reload is done when the tab is shown again.
    fn leave_tab(&mut self) -> Vec<Effect> {
        if self.dialog == Some(crate::state::Dialog::Export) {
            self.dialog = None;
        }
        let mut effects = self.cancel_tasks();
        self.view.animation.forget_unfinished();
        self.view.bones.trail.forget_unfinished();
        let is_reload = |job: &crate::state::Job| job.reason == LoadReason::Reload;
        if self.job.as_ref().is_some_and(is_reload) {
            self.is_stale = true;
            effects.extend(self.cancel_job());
        }
        effects
    }

    fn close_tab(&mut self, at: usize) -> Vec<Effect> {
        let mut effects = Vec::new();
        if at >= self.tabs.list.len() {
            return effects;
        }
        if at == self.tabs.active {
            if self.tabs.list.len() == 1 {
                effects.extend(self.leave_tab());
                self.empty_tab(&mut effects);
                effects.extend(self.keep_open_files());
                return effects;
            }
            // The one to the right takes its place, as it does for the hand that closes several.
            let next = match at + 1 < self.tabs.list.len() {
                true => at + 1,
                false => at - 1,
            };
            effects.extend(self.show_tab(next));
        }
        let closed = self.tabs.list.remove(at);
        cancel_export(closed.parked.export.as_ref(), &mut effects);
        if at < self.tabs.active {
            self.tabs.active -= 1;
        }
        effects.extend(self.keep_open_files());
        effects
    }

    /// Leaves nothing of the document shown; how the view is set up stays.
    fn empty_tab(&mut self, effects: &mut Vec<Effect>) {
        cancel_export(self.export.as_ref(), effects);
        let view = ViewState {
            overlays: self.settings.overlays,
            size_points: self.view.size_points,
            ..ViewState::default()
        };
        self.swap_active();
        if let Some(tab) = self.tabs.list.get_mut(self.tabs.active) {
            tab.parked = Parked::default();
        }
        self.view = view;
        self.apply_playback_settings();
    }

    /// Remembers which files are open, for the next run.
    pub(in crate::state) fn keep_open_files(&mut self) -> Vec<Effect> {
        let documents = (0..self.tabs.list.len()).filter_map(|at| self.document_at(at));
        let files = documents.filter_map(|document| {
            let path = document.origin.path()?.to_owned();
            let companions = document.companions.iter().cloned();
            Some(std::iter::once(path).chain(companions).collect())
        });
        let files: Vec<Vec<PathBuf>> = files.collect();
        if self.settings.open_files == files {
            return Vec::new();
        }
        self.settings.open_files = files;
        vec![Effect::SaveSettings]
    }

    /// The export of job `id`, of whichever tab it is.
    pub(in crate::state) fn export_of(&mut self, id: u64) -> Option<&mut Export> {
        let parked = self.tabs.list.iter_mut();
        let parked = parked.filter_map(|tab| tab.parked.export.as_mut());
        self.export.iter_mut().chain(parked).find(
            |export| matches!(export.stage, ExportStage::Running { id: its, .. } if its == id),
        )
    }

    /// All files that what is open was read from, in all tabs, and that it is compared with.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        let documents = (0..self.tabs.list.len()).filter_map(|at| self.document_at(at));
        let parked = self.tabs.list.iter().map(|tab| &tab.parked.view);
        let views = parked.chain([&self.view]);
        let others = views.filter_map(|view| view.compare.other.as_ref());
        let others = others.flat_map(|other| other.files.iter().map(PathBuf::as_path));
        documents.flat_map(Document::files).chain(others)
    }

    fn document_at(&self, at: usize) -> Option<&Document> {
        if at == self.tabs.active {
            return self.document.as_ref();
        }
        self.tabs.list.get(at)?.parked.document.as_ref()
    }

    /// Exchanges what is shown with what is parked at the active place.
    fn swap_active(&mut self) {
        use std::mem::swap;
        let Some(tab) = self.tabs.list.get_mut(self.tabs.active) else {
            return;
        };
        let parked = &mut tab.parked;
        swap(&mut self.document, &mut parked.document);
        swap(&mut self.view, &mut parked.view);
        swap(&mut self.playback, &mut parked.playback);
        swap(&mut self.selection, &mut parked.selection);
        swap(&mut self.watch, &mut parked.watch);
        swap(&mut self.export, &mut parked.export);
        swap(&mut self.problem, &mut parked.problem);
        swap(&mut self.history, &mut parked.history);
        swap(&mut self.is_stale, &mut parked.is_stale);
    }

    /// What is opened at the start where the command line names nothing.
    pub fn start_action(&self) -> Option<Action> {
        let files = &self.settings.open_files;
        let wants = self.settings.reopen && !files.is_empty();
        wants.then(|| Action::Tab(TabAction::OpenEach(files.clone())))
    }
}

fn cancel_export(export: Option<&Export>, effects: &mut Vec<Effect>) {
    if let Some(ExportStage::Running { id, .. }) = export.map(|export| &export.stage) {
        effects.push(Effect::CancelLoad(*id));
    }
}
