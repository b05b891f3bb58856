//! Lists the revisions of the open file.

use std::path::PathBuf;

use super::window::App;
use rigscope_io::formats::Limits;
use rigscope_io::history::{Repository, Revision};
use rigscope_state::{Action, JobId, RevisionsAction};

impl App {
    /// Lists them on a thread, and sends the result to the state.
    pub(super) fn list_revisions(&mut self, id: JobId, path: PathBuf) {
        self.jobs.start(id, move |_| {
            let listed = RevisionsAction::Listed(id, revisions(&path));
            Ok(Action::Revisions(listed))
        });
    }
}

/// The revisions of a file, or why there are none.
fn revisions(path: &std::path::Path) -> Result<Vec<Revision>, String> {
    let repository = Repository::of(path, Limits::default().max_file_bytes);
    let repository = repository.map_err(|error| error.to_string())?;
    let own = repository.relative(path).ok_or("the file isn't in the repository")?;
    repository.revisions(&own).map_err(|error| error.to_string())
}
