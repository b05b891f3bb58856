//! Tabs: several open documents, one of them shown.
//!
//! The current tab is [`AppState::tab`]; the others are stored here, so that other modules only
//! deal with one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::{Group, has_meshes};
use crate::{
    Action, AppState, Dialog, Document, Export, Fixing, ImageExportOutcome, JobId, LoadReason,
    Origin, Request, Stage, Tab, ViewState,
};
use rigscope_core::model::Model;

/// An action on tabs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TabAction {
    /// Shows the tab at this index.
    Show(usize),
    /// Closes the tab at this index.
    Close(usize),
    /// Opens these in turn. In each list the first file is the document and the others are its
    /// related files.
    OpenEach(Vec<Vec<PathBuf>>),
}

/// The tabs in the background, and the position of the current tab among them.
///
/// Invariant: `active` is at most the number of other tabs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tabs {
    others: Vec<Tab>,
    active: usize,
    last_id: u64,
    /// Files that are being opened together.
    pub(super) group: Group,
}

/// A tab as shown in the tab bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TabRow {
    /// Unique while the tab is open.
    pub id: u64,
    /// Name of the file, with its folder if two tabs have the same name.
    pub name: String,
    pub path: Option<PathBuf>,
    /// Whether it is the current tab.
    pub is_active: bool,
}

impl AppState {
    /// The tabs from left to right.
    pub fn tabs(&self) -> Vec<TabRow> {
        let name = |tab: &Tab| tab.origin().map_or_else(|| "Empty".into(), Origin::name);
        self.all_tabs()
            .map(|tab| {
                let path = tab.origin().and_then(Origin::path);
                let folder = path.and_then(Path::parent).and_then(Path::file_name);
                let num_same = self.all_tabs().filter(|other| name(other) == name(tab)).count();
                let name = match folder.filter(|_| num_same > 1) {
                    Some(folder) => format!("{} — {}", name(tab), folder.to_string_lossy()),
                    None => name(tab),
                };
                TabRow {
                    id: tab.id,
                    name,
                    path: path.map(Path::to_owned),
                    is_active: tab.id == self.tab.id,
                }
            })
            .collect()
    }

    /// Number of tabs, at least one. A tab may be empty.
    pub fn num_tabs(&self) -> usize {
        self.tabs.others.len() + 1
    }

    pub fn tab_id(&self) -> u64 {
        self.tab.id
    }

    pub fn has_tab(&self, id: u64) -> bool {
        self.all_tabs().any(|tab| tab.id == id)
    }

    /// Whether a tab contains this model.
    pub fn is_open(&self, model: &Arc<Model>) -> bool {
        let mut documents = self.all_tabs().filter_map(|tab| tab.document.as_ref());
        documents.any(|document| Arc::ptr_eq(&document.model, model))
    }

    /// All tabs from left to right, including the current one.
    fn all_tabs(&self) -> impl Iterator<Item = &Tab> {
        let (left, right) = self.tabs.others.split_at(self.tabs.active);
        left.iter().chain([&self.tab]).chain(right)
    }

    pub(crate) fn apply_tab(&mut self, action: TabAction) -> Vec<Request> {
        match action {
            TabAction::Show(at) => self.show_tab(at),
            TabAction::Close(at) => self.close_tab(at),
            TabAction::OpenEach(files) => self.open_each(files),
        }
    }

    /// Moves `by` tabs to the right, wrapping around.
    pub(crate) fn step_tab(&mut self, by: usize) -> Vec<Request> {
        self.show_tab((self.tabs.active + by) % self.num_tabs())
    }

    pub(crate) fn close_active_tab(&mut self) -> Vec<Request> {
        self.close_tab(self.tabs.active)
    }

    /// Shows the tab with this id, if it is still open.
    pub(super) fn show_tab_of(&mut self, id: u64) -> Vec<Request> {
        let at = self.all_tabs().position(|tab| tab.id == id);
        at.map_or_else(Vec::new, |at| self.show_tab(at))
    }

    /// The document with a mesh in the tab with this id.
    pub(super) fn model_in_tab(&self, id: u64) -> Option<&Document> {
        let tab = self.all_tabs().find(|tab| tab.id == id)?;
        tab.document.as_ref().filter(|document| has_meshes(document))
    }

    /// Shows the tab for a newly opened document: the tab with the same file, the current tab if it
    /// is empty or contains the unchanged sample, else a new one.
    pub(super) fn prepare_tab(&mut self, origin: &Origin) -> Vec<Request> {
        let open_at = self.all_tabs().position(|tab| tab.origin() == Some(origin));
        if let Some(at) = open_at {
            return self.show_tab(at);
        }
        match &self.tab.document {
            None => Vec::new(),
            Some(document) if document.origin == Origin::Sample && !self.tab.history.can_undo() => {
                Vec::new()
            }
            Some(_) => self.add_tab(),
        }
    }

    /// Adds an empty tab after the current one, with the same projection and speed, and shows it.
    fn add_tab(&mut self) -> Vec<Request> {
        let requests = self.leave_tab();
        self.tabs.last_id += 1;
        let mut tab = self.empty_tab(self.tabs.last_id);
        tab.view.camera.projection = self.tab.view.camera.projection;
        tab.playback.speed = self.tab.playback.speed;
        let at = self.tabs.active + 1;
        self.tabs.others.insert(self.tabs.active, std::mem::replace(&mut self.tab, tab));
        self.tabs.active = at;
        requests
    }

    fn show_tab(&mut self, at: usize) -> Vec<Request> {
        if at == self.tabs.active || at >= self.num_tabs() {
            return Vec::new();
        }
        let mut requests = self.leave_tab();
        self.tabs.others.insert(self.tabs.active, std::mem::take(&mut self.tab));
        self.tab = self.tabs.others.remove(at);
        self.tabs.active = at;
        // The size of the view may have changed.
        self.frame_again();
        self.tab.view.overlays = self.tab.view.overlays.shared_with(&self.settings.overlays);
        self.apply_playback_settings();
        requests.extend(self.resume_second_models());
        if std::mem::take(&mut self.tab.is_stale) && self.settings.watch {
            requests.extend(self.reload());
        }
        requests
    }

    /// Stops the background work on the current document. A reload is repeated when the tab is
    /// shown again.
    fn leave_tab(&mut self) -> Vec<Request> {
        // These belong to the document.
        self.close_docked();
        self.dialog.take_if(|dialog| *dialog == Dialog::GoToVertex);
        let mut requests = self.cancel_tasks();
        // Loaded from disk again when the tab is shown again.
        self.tab.view.poses = crate::PosesView::default();
        requests.extend(self.stop_second_models());
        let is_reload = |job: &crate::Job| job.reason == LoadReason::Reload;
        if self.job.as_ref().is_some_and(is_reload) {
            self.tab.is_stale = true;
            requests.extend(self.cancel_job());
        }
        requests
    }

    fn close_tab(&mut self, at: usize) -> Vec<Request> {
        let mut requests = Vec::new();
        if at >= self.num_tabs() {
            return requests;
        }
        let closed = if self.num_tabs() == 1 {
            requests.extend(self.leave_tab());
            let empty = self.empty_tab(self.tab.id);
            let closed = std::mem::replace(&mut self.tab, empty);
            self.apply_playback_settings();
            closed
        } else {
            if at == self.tabs.active {
                // The tab to its right is next, so that several can be closed without moving the
                // pointer.
                let next = if at + 1 < self.num_tabs() { at + 1 } else { at - 1 };
                requests.extend(self.show_tab(next));
            }
            let is_left = at < self.tabs.active;
            self.tabs.active -= usize::from(is_left);
            self.tabs.others.remove(if is_left { at } else { at - 1 })
        };
        let export = closed.export.and_then(|export| export.stage.job());
        let jobs = export.into_iter().chain(closed.view.image_export.stage.job());
        requests.extend(jobs.map(Request::Cancel));
        requests.extend(self.save_open_files());
        requests
    }

    /// A tab without a document, with the saved display options.
    fn empty_tab(&self, id: u64) -> Tab {
        let view = ViewState { overlays: self.settings.overlays, ..ViewState::default() };
        Tab { id, view, ..Tab::default() }
    }

    /// Stores the list of open files for the next session.
    pub(super) fn save_open_files(&mut self) -> Vec<Request> {
        let documents = self.all_tabs().filter_map(|tab| tab.document.as_ref());
        let files = documents.filter_map(|document| {
            let path = document.origin.path()?.to_owned();
            let related_files = document.options.with.iter().cloned();
            Some(std::iter::once(path).chain(related_files).collect())
        });
        let files: Vec<Vec<PathBuf>> = files.collect();
        if self.settings.open_files == files {
            return Vec::new();
        }
        self.settings.open_files = files;
        vec![Request::SaveSettings]
    }

    /// The export with job `id`, in any tab.
    pub(crate) fn export_of(&mut self, id: JobId) -> Option<&mut Export> {
        let mut exports = self.all_tabs_mut().filter_map(|tab| tab.export.as_mut());
        exports.find(|export| export.stage.job() == Some(id))
    }

    /// The fix with job `id`, in any tab.
    pub(crate) fn fixing_of(&mut self, id: JobId) -> Option<&mut Fixing> {
        let mut all = self.all_tabs_mut().map(|tab| &mut tab.view.fixing);
        all.find(|fixing| fixing.job() == Some(id))
    }

    /// The progress of the images with job `id`, in any tab.
    pub(crate) fn image_export_of(&mut self, id: JobId) -> Option<&mut Stage<ImageExportOutcome>> {
        let mut stages = self.all_tabs_mut().map(|tab| &mut tab.view.image_export.stage);
        stages.find(|stage| stage.job() == Some(id))
    }

    fn all_tabs_mut(&mut self) -> impl Iterator<Item = &mut Tab> {
        self.tabs.others.iter_mut().chain([&mut self.tab])
    }

    /// All files read by open documents, their comparisons and replaced images, in all tabs.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        let documents = self.all_tabs().filter_map(|tab| tab.document.as_ref());
        let others = self.all_tabs().filter_map(|tab| tab.view.compare.other.as_ref());
        let others = others.flat_map(|other| other.files.iter().map(PathBuf::as_path));
        let images = self.all_tabs().flat_map(|tab| tab.view.user_images.paths());
        documents.flat_map(Document::files).chain(others).chain(images)
    }

    /// The action at the start if the command line names no file.
    pub fn start_action(&self) -> Option<Action> {
        let files = &self.settings.open_files;
        let wants = self.settings.reopen && !files.is_empty();
        wants.then(|| Action::Tab(TabAction::OpenEach(files.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{answer, failure, model, opened, request};
    use crate::{BrokenFile, Command, ImageExportAction};
    use rigscope_io::formats::FileMap;

    /// A second tab, which is shown.
    fn open_beside(state: &mut AppState) {
        let wanted = request(state.apply(Action::Open("dir/beside.bsm2".into())));
        answer(state, &wanted, model(["x", "y"]));
        assert_eq!(state.num_tabs(), 2);
    }

    #[test]
    fn images_of_a_tab_are_written_while_another_is_shown() {
        let mut state = opened();
        state.apply(Action::Run(Command::SaveImage));
        let requests = state.apply(Action::ImageExport(ImageExportAction::WriteTo("a.png".into())));
        let Some(Request::WriteImages(wanted)) = requests.first() else {
            panic!("{requests:?}");
        };
        open_beside(&mut state);
        assert!(state.dialog.is_none() && state.tab.view.image_export.stage == Stage::Choosing);
        let id = wanted.id;
        let done = ImageExportOutcome { path: "a.png".into(), num_files: 1, num_bytes: 9 };
        let written = ImageExportAction::Written { id, outcome: Ok(done.clone()) };
        state.apply(Action::ImageExport(written));
        assert_eq!(state.toasts.list().last().unwrap().text, "saved a.png");
        state.apply(Action::Tab(TabAction::Show(0)));
        assert_eq!(state.tab.view.image_export.stage, Stage::Done(done));

        let requests = state.apply(Action::ImageExport(ImageExportAction::WriteTo("b.png".into())));
        let Some(Request::WriteImages(wanted)) = requests.first() else {
            panic!("{requests:?}");
        };
        let closed = state.apply(Action::Tab(TabAction::Close(0)));
        assert!(closed.contains(&Request::Cancel(wanted.id)));
    }

    #[test]
    fn models_stay_open_until_their_tab_is_closed() {
        let mut state = opened();
        let first = Arc::clone(&state.tab.document.as_ref().unwrap().model);
        open_beside(&mut state);
        let second = Arc::clone(&state.tab.document.as_ref().unwrap().model);
        assert!(state.is_open(&first) && state.is_open(&second));
        state.apply(Action::Tab(TabAction::Close(0)));
        assert!(!state.is_open(&first) && state.is_open(&second));
    }

    #[test]
    fn load_failures_stay_with_their_tab() {
        let mut state = opened();
        open_beside(&mut state);
        let wanted = request(state.apply(Action::Open("dir/bad.bsm2".into())));
        state.apply(Action::LoadFailed { id: wanted.id, failure: failure("bsm2: bad") });
        let map = FileMap { provenance: Default::default(), failure: None };
        state.tab.broken = Some(BrokenFile { name: "bad".into(), content: Vec::new().into(), map });
        state.apply(Action::Tab(TabAction::Show(0)));
        assert!(state.tab.problem.is_none() && state.tab.broken.is_none());
        state.apply(Action::Tab(TabAction::Show(1)));
        assert!(state.tab.problem.is_some() && state.tab.broken.is_some());
    }
}
