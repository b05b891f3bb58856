//! Files that are opened together, from the command line, a dialog, or dropped on the window.
//!
//! Each file with a mesh gets a tab. Files without a mesh are added to one of these models: files of a kind that never
//! has a mesh to the first, and others, after they were read, to the model whose bones they move. Files that the
//! user adds to a model on purpose are in `related_files`.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::{AppState, Document, LoadReason, LoadRequest, Origin, Request, StartAt, ToastLevel};
use rigscope_core::pose::transfer::matching;
use rigscope_io::OpenOptions;
use rigscope_io::formats::{COMMON_EXTENSIONS, FORMATS};

/// A file that the user has chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenFile {
    pub path: PathBuf,
    /// Its kind, judged by its first bytes.
    pub kind: ChosenKind,
}

/// The kind of a file, judged by its first bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChosenKind {
    Image,
    /// A skeleton or an animation without a mesh.
    Bones,
    /// A file of a known format, which may contain a mesh.
    Model,
    /// Not a known format.
    Unknown,
    /// Unreadable, with the reason.
    Unreadable(String),
}

/// Files that are opened together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileGroup {
    pub files: Vec<ChosenFile>,
    /// How each of them is read.
    pub options: OpenOptions,
    /// For the first model.
    pub start: StartAt,
}

/// A file that is opened after the current load.
#[derive(Clone, Debug)]
pub(super) enum Waiting {
    Open(Box<LoadRequest>),
    /// Adds files to the document in the tab with this id.
    Add {
        tab: u64,
        paths: Vec<PathBuf>,
    },
}

/// The state of opening files together.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    waiting: VecDeque<Waiting>,
    /// The tabs of the models that files without a mesh may belong to.
    tabs: Vec<u64>,
    /// The first tab that was opened.
    first: Option<u64>,
    /// Documents without a mesh, which wait until all models are open.
    without_mesh: Vec<Document>,
}

impl AppState {
    /// Whether files that were chosen together are still being opened.
    pub fn is_opening_group(&self) -> bool {
        let Group { waiting, first, without_mesh, tabs: _ } = &self.tabs.group;
        !waiting.is_empty() || !without_mesh.is_empty() || first.is_some()
    }

    /// Opens each model in a tab. Without any, opens the first file whose extension belongs to a readable format, with
    /// the others as related files.
    pub(crate) fn open_group(&mut self, group: FileGroup) -> Vec<Request> {
        let FileGroup { files, options, start } = group;
        let opens =
            |file: &ChosenFile| matches!(file.kind, ChosenKind::Model | ChosenKind::Unreadable(_));
        let (models, others): (Vec<_>, Vec<_>) = files.into_iter().partition(opens);
        let paths = |files: Vec<ChosenFile>| files.into_iter().map(|file| file.path).collect();
        let (mut models, mut others): (Vec<PathBuf>, Vec<PathBuf>) = (paths(models), paths(others));
        if models.is_empty() {
            if others.is_empty() {
                return Vec::new();
            }
            let main = others.iter().position(|path| has_known_extension(path)).unwrap_or(0);
            models.push(others.remove(main));
        }
        self.open_models(models, others, options, start, None)
    }

    /// Opens each of `models` in a tab, and adds `others` to the first. Models that turn out to have no mesh may also
    /// be added to the document in the tab `joins`.
    pub(super) fn open_models(
        &mut self,
        models: Vec<PathBuf>,
        others: Vec<PathBuf>,
        options: OpenOptions,
        start: StartAt,
        joins: Option<u64>,
    ) -> Vec<Request> {
        let is_alone = models.len() == 1 && joins.is_none();
        let reason = if is_alone { LoadReason::Open } else { LoadReason::Together };
        let mut requests = models.into_iter().map(|path| LoadRequest {
            options: options.clone(),
            ..Self::request(Origin::File(path), reason)
        });
        let Some(mut first) = requests.next() else { return Vec::new() };
        first.options.with.splice(0..0, others);
        first.start = start;
        let waiting = requests.map(|request| Waiting::Open(Box::new(request)));
        self.tabs.group = Group {
            waiting: waiting.collect(),
            tabs: joins.into_iter().collect(),
            ..Group::default()
        };
        self.start_job(first)
    }

    /// Opens documents one after the other, each with its own related files.
    pub(super) fn open_each(&mut self, files: Vec<Vec<PathBuf>>) -> Vec<Request> {
        let requests = files.into_iter().filter_map(|mut files| {
            if files.is_empty() {
                return None;
            }
            let path = files.remove(0);
            Some(Waiting::Open(Box::new(LoadRequest {
                options: OpenOptions { with: files, ..OpenOptions::default() },
                ..Self::request(Origin::File(path), LoadReason::Open)
            })))
        });
        self.tabs.group = Group { waiting: requests.collect(), ..Group::default() };
        self.open_waiting()
    }

    /// Starts loading the next of several files. After the last one, the files without a mesh are added to models.
    pub(crate) fn open_waiting(&mut self) -> Vec<Request> {
        let mut requests = Vec::new();
        while self.job.is_none() {
            match self.tabs.group.waiting.pop_front() {
                Some(Waiting::Open(request)) => requests.extend(self.start_job(*request)),
                Some(Waiting::Add { tab, paths }) => {
                    requests.extend(self.show_tab_of(tab));
                    if self.tab_id() == tab {
                        requests.extend(self.add_related_files(paths));
                    }
                }
                None if self.tabs.group.without_mesh.is_empty() => {
                    requests.extend(self.finish_group());
                    break;
                }
                None => requests.extend(self.place_without_mesh()),
            }
        }
        requests
    }

    /// Records the tab of a document that was opened together with others.
    pub(super) fn join_group(&mut self) {
        let id = self.tab_id();
        self.tabs.group.tabs.push(id);
        self.tabs.group.first.get_or_insert(id);
    }

    /// Puts a document without a mesh aside until the models are open.
    pub(super) fn defer(&mut self, document: Document) {
        self.tabs.group.without_mesh.push(document);
    }

    /// Adds each document without a mesh to the model whose bones it moves, or gives it a tab if there is no model.
    fn place_without_mesh(&mut self) -> Vec<Request> {
        let mut requests = Vec::new();
        let mut added: Vec<(u64, Vec<PathBuf>)> = Vec::new();
        let mut matched = Vec::new();
        for document in std::mem::take(&mut self.tabs.group.without_mesh) {
            let Some((tab, is_match)) = self.best_tab_for(&document) else {
                requests.extend(self.show_opened(document, &StartAt::default()));
                self.tabs.group.first.get_or_insert(self.tab_id());
                continue;
            };
            let path = document.origin.path().map(Path::to_owned);
            // The others are reported as unused when the model is read again.
            matched.extend(path.as_deref().filter(|_| is_match).map(|path| (tab, name_of(path))));
            let paths = path.into_iter().chain(document.options.with);
            match added.iter_mut().find(|(other, _)| *other == tab) {
                Some((_, added)) => added.extend(paths),
                None => added.push((tab, paths.collect())),
            }
        }
        for (tab, name) in matched {
            let model = self.model_in_tab(tab).map(|document| document.origin.name());
            let text = format!("{name} has no mesh and was added to {}", model.unwrap_or_default());
            self.toasts.push(ToastLevel::Info, text);
        }
        let added = added.into_iter().map(|(tab, paths)| Waiting::Add { tab, paths });
        self.tabs.group.waiting.extend(added);
        requests
    }

    /// The tab of the model that most bones of `document` have a counterpart in, and whether there is any. Names count
    /// more than order.
    fn best_tab_for(&self, document: &Document) -> Option<(u64, bool)> {
        let fit = |tab: u64| {
            let model = self.model_in_tab(tab)?;
            let matching = matching(&document.model, &model.model);
            let num_matched = matching.bones.iter().flatten().count();
            let is_same_order = matching.has_same_parents == Some(true);
            Some(match matching.is_by_order {
                false => (2, num_matched),
                true if is_same_order => (1, num_matched),
                true => (0, 0),
            })
        };
        let tabs = self.tabs.group.tabs.iter().filter_map(|&tab| Some((fit(tab)?, tab)));
        // The first of equals.
        tabs.rev().max_by_key(|(fit, _)| *fit).map(|((how, _), tab)| (tab, how > 0))
    }

    fn finish_group(&mut self) -> Vec<Request> {
        let group = std::mem::take(&mut self.tabs.group);
        group.first.map_or_else(Vec::new, |first| self.show_tab_of(first))
    }
}

pub(super) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

pub(super) fn has_meshes(document: &Document) -> bool {
    !document.model.meshes.is_empty()
}

fn has_known_extension(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let extension = extension.to_ascii_lowercase();
    let mut formats = FORMATS.iter();
    !COMMON_EXTENSIONS.contains(&&*extension)
        && formats.any(|f| f.info.can_read && f.info.extensions.contains(&&*extension))
}
