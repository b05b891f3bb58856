//! The revisions of the open file in its Git repository, to compare with one of them.
//!
//! Not for: reading them (`rigscope_io::history`).

use std::path::{Path, PathBuf};

use super::{AppState, Dialog, JobId, JobOwner, Origin, Request};
use rigscope_io::history::Revision;

/// The list of the dialog.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RevisionList {
    /// The job that lists them.
    id: JobId,
    /// The open file.
    pub path: PathBuf,
    /// Newest first, or why there are none; `None` while they are being listed.
    pub revisions: Option<Result<Vec<Revision>, String>>,
}

/// An action of the dialog.
#[derive(Clone, Debug, PartialEq)]
pub enum RevisionsAction {
    /// The job has listed them.
    Listed(JobId, Result<Vec<Revision>, String>),
    /// Compares the file with the revision at this position.
    Compare(usize),
}

impl AppState {
    pub(crate) fn open_revisions(&mut self) -> Vec<Request> {
        let origin = self.tab.document.as_ref().map(|document| &document.origin);
        let Some(path) = origin.and_then(Origin::path).map(Path::to_owned) else {
            return Vec::new();
        };
        let id = self.new_job(JobOwner::Revisions);
        self.revisions = RevisionList { id, path: path.clone(), revisions: None };
        self.open_modal(Dialog::Revisions);
        vec![Request::ListRevisions { id, path }]
    }

    pub(crate) fn apply_revisions(&mut self, action: RevisionsAction) -> Vec<Request> {
        match action {
            RevisionsAction::Listed(id, revisions) => {
                if self.revisions.id == id {
                    self.revisions.revisions = Some(revisions);
                }
                Vec::new()
            }
            RevisionsAction::Compare(number) => {
                let Some(Ok(list)) = &self.revisions.revisions else { return Vec::new() };
                let Some(revision) = list.get(number).cloned() else { return Vec::new() };
                let path = self.revisions.path.clone();
                self.dialog = None;
                self.load_other(Origin::Revision { path, revision: Box::new(revision) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::opened;

    #[test]
    fn the_file_is_compared_with_the_chosen_revision() {
        let mut state = opened();
        let requests = state.open_revisions();
        let [Request::ListRevisions { id, path }] = &requests[..] else { panic!("{requests:?}") };
        assert_eq!(state.dialog, Some(Dialog::Revisions));
        let revision = Revision { id: "0123456789abcdef".into(), ..Revision::default() };
        let other = state.new_job(JobOwner::Revisions);
        state.apply_revisions(RevisionsAction::Listed(other, Ok(Vec::new())));
        assert_eq!(state.revisions.revisions, None, "of another file");
        state.apply_revisions(RevisionsAction::Listed(*id, Ok(vec![revision.clone()])));
        assert!(state.apply_revisions(RevisionsAction::Compare(1)).is_empty());
        let requests = state.apply_revisions(RevisionsAction::Compare(0));
        assert_eq!(state.dialog, None);
        let load = requests.iter().find_map(|request| match request {
            Request::Load(request) => Some(request.target.clone()),
            _ => None,
        });
        let origin = Origin::Revision { path: path.clone(), revision: Box::new(revision) };
        assert!(origin.name().ends_with(" at 0123456789"), "{}", origin.name());
        assert_eq!(load, Some(origin));
    }
}
