//! The start screen, shown without a document: information about recent files.
//!
//! The application inspects the files in the background while the screen is visible.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{AppState, JobId, JobOwner, Request, Thumbnail};

/// Information about a recent file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecentInfo {
    /// The file no longer exists.
    Missing,
    /// The file exists and has no thumbnail, because it is too large or can't be read.
    Plain,
    /// The file exists and has a thumbnail.
    Drawn(Arc<Thumbnail>),
}

/// An action on recent files.
#[derive(Clone, Debug)]
pub enum RecentAction {
    /// Inspects all of them again when they are next shown.
    Inspect,
    /// The result for one file.
    Inspected(PathBuf, RecentInfo),
    /// The job has inspected all its files.
    AllInspected(JobId),
    /// Removes a file from the list.
    Forget(PathBuf),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct StartPage {
    looks: HashMap<PathBuf, RecentInfo>,
    /// The job that inspects files.
    job: Option<JobId>,
}

impl StartPage {
    /// Information about the file at `path`, if it has been inspected.
    pub fn look(&self, path: &Path) -> Option<&RecentInfo> {
        self.looks.get(path)
    }

    /// Drops information about a file that may have changed.
    pub(crate) fn forget(&mut self, path: &Path) {
        self.looks.remove(path);
    }
}

impl AppState {
    /// Whether no document is open or being loaded.
    pub fn shows_start(&self) -> bool {
        self.tab.document.is_none() && self.job.is_none() && !self.is_embedded
    }

    pub(crate) fn apply_recent(&mut self, action: RecentAction) -> Vec<Request> {
        match action {
            RecentAction::Inspect => self.start.looks.clear(),
            RecentAction::Inspected(path, look) => {
                self.start.looks.insert(path, look);
            }
            RecentAction::AllInspected(id) => {
                if self.start.job == Some(id) {
                    self.start.job = None;
                    // Files without a result aren't inspected again.
                    for path in &self.settings.recent {
                        let look = self.start.looks.entry(path.clone());
                        look.or_insert(RecentInfo::Plain);
                    }
                }
            }
            RecentAction::Forget(path) => {
                self.settings.recent.retain(|known| *known != path);
                self.start.forget(&path);
                return vec![Request::SaveSettings];
            }
        }
        Vec::new()
    }

    /// Starts or stops the inspection of recent files as the screen appears or disappears.
    pub(crate) fn follow_start(&mut self) -> Vec<Request> {
        if !self.shows_start() {
            return self.start.job.take().map(Request::Cancel).into_iter().collect();
        }
        if self.start.job.is_some() {
            return Vec::new();
        }
        let recent = self.settings.recent.iter();
        let unknown = recent.filter(|path| self.start.look(path).is_none());
        let paths: Vec<PathBuf> = unknown.cloned().collect();
        if paths.is_empty() {
            return Vec::new();
        }
        let id = self.new_job(JobOwner::RecentFiles);
        self.start.job = Some(id);
        vec![Request::InspectRecent { id, paths }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, LoadReason, Origin, Settings};

    fn asked(requests: &[Request]) -> Option<(JobId, Vec<PathBuf>)> {
        requests.iter().find_map(|request| match request {
            Request::InspectRecent { id, paths } => Some((*id, paths.clone())),
            _ => None,
        })
    }

    #[test]
    fn recent_files_are_inspected_once_without_an_open_document() {
        let mut settings = Settings::default();
        settings.remember(Path::new("b.fbx"));
        settings.remember(Path::new("a.fbx"));
        let mut state = AppState::new(settings);
        let look = || Action::Recent(RecentAction::Inspect);
        let (id, paths) = asked(&state.apply(look())).unwrap();
        assert_eq!(paths, [Path::new("a.fbx"), Path::new("b.fbx")]);
        assert!(asked(&state.apply(Action::CloseDialog)).is_none(), "it is on its way");
        let looked = RecentAction::Inspected("a.fbx".into(), RecentInfo::Missing);
        state.apply(Action::Recent(looked));
        assert_eq!(state.start.look(Path::new("a.fbx")), Some(&RecentInfo::Missing));
        let done = RecentAction::AllInspected(id);
        assert!(asked(&state.apply(Action::Recent(done))).is_none());
        assert_eq!(state.start.look(Path::new("b.fbx")), Some(&RecentInfo::Plain));
        let requests = state.apply(Action::Recent(RecentAction::Forget("a.fbx".into())));
        assert_eq!(requests, [Request::SaveSettings]);
        assert_eq!(state.settings.recent, [PathBuf::from("b.fbx")]);
        // Loading a file has priority.
        let (id, _) = asked(&state.apply(look())).unwrap();
        let request = AppState::request(Origin::Sample, LoadReason::Open);
        let requests = state.apply(Action::Start(request));
        assert!(requests.contains(&Request::Cancel(id)));
    }
}
