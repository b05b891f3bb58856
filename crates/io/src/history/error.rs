//! Why something can't be read from a repository.

use rigscope_core::model::display_text;

/// Longest message of Git that is passed on.
const MAX_MESSAGE_CHARS: usize = 500;

/// Why something can't be read from a repository.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum HistoryError {
    /// The `git` program can't be started.
    #[error("git can't be started: {0}")]
    NoGit(String),
    /// Git's own message, without control characters.
    #[error("{0}")]
    Git(String),
    /// No folder above the file has a `.git`.
    #[error("this isn't in a Git repository")]
    NoRepository,
    /// `core.worktree` of the configuration leads elsewhere, or the `.git` of the folder is invalid.
    #[error("`.git` in {0} doesn't belong to that folder")]
    OtherFolder(String),
    /// Git takes too long, or needs too much memory.
    #[error("git was stopped: it {0}")]
    Stopped(String),
    /// The commit has the file, but the clone lacks its content.
    #[error(
        "this clone doesn't have the content, which isn't downloaded; if it is a partial clone, run `git backfill` or \
         clone again without --filter"
    )]
    NotInClone,
    /// The content is in Git LFS and hasn't been fetched.
    #[error("the file is in Git LFS and wasn't fetched; run `git lfs fetch --all`")]
    InLfs,
    /// The object in the local store of Git LFS isn't the one that the commit names.
    #[error(
        "the object in the store of Git LFS is damaged ({0}); delete it and run `git lfs fetch --all`"
    )]
    LfsDamaged(String),
    /// It is larger than the limit for files.
    #[error("the file is larger than {0} bytes")]
    TooLarge(u64),
    /// The commit has a symbolic link at this path.
    #[error("this is a symbolic link in the commit; links aren't followed there")]
    Link,
    /// A link in the working tree leads out of it.
    #[error("a symbolic link leads out of the repository and isn't followed")]
    LeadsOutside,
    /// A file can't be read.
    #[error("{0}")]
    File(String),
}

impl HistoryError {
    /// Git's message in printable form; it may contain names from the repository.
    pub(super) fn git(message: &str) -> Self {
        Self::Git(display_text::shortened(message, MAX_MESSAGE_CHARS).into_owned())
    }
}
