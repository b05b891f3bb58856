//! Earlier versions of files, from Git.
//!
//! Runs the `git` program of the user, with commands that only read and that start no other program: hooks, filters,
//! external diffs and file system monitors of the repository's settings aren't used.

mod open;
mod repository;
mod revision;

pub use open::{RevisionError, file_at, revisions_with_related};
pub use repository::{HistoryError, Repository, lfs_pointer};
pub use revision::{Revision, RevisionRange};
