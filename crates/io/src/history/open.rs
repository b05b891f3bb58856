//! Model files at a revision, with the related files of that revision.

use std::io;
use std::sync::Arc;

use super::{HistoryError, Repository};
use crate::files::{FileSource, FolderCallbacks};
use crate::open::{OpenError, Opener};

/// Why a file can't be opened at a revision.
#[derive(Debug, thiserror::Error)]
pub enum RevisionError {
    /// The repository can't provide it.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The commit doesn't have the file.
    #[error("removed")]
    NoFile,
    /// The content is malformed or unsupported.
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// The file at `path`, relative to the repository, in a commit. Related files are those of the same commit.
///
/// # Errors
/// If the commit doesn't have the file or it can't be read.
pub fn file_at(
    opener: &Opener,
    repository: &Arc<Repository>,
    commit: &str,
    path: &str,
) -> Result<FileSource, RevisionError> {
    let bytes = repository.content(commit, path)?.ok_or(RevisionError::NoFile)?;
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let lister = (Arc::clone(repository), commit.to_owned(), folder.to_owned());
    let list = move |place: &str| {
        let (repository, commit, folder) = &lister;
        let Some(folder) = place_of(folder, place) else { return Ok(Vec::new()) };
        let paths = repository.files(commit, &folder).map_err(io::Error::other)?;
        let below = |path: String| {
            if folder.is_empty() {
                Some(path)
            } else {
                Some(path.strip_prefix(&format!("{folder}/"))?.to_owned())
            }
        };
        Ok(paths.into_iter().filter_map(below).collect())
    };
    let reader = (Arc::clone(repository), commit.to_owned(), folder.to_owned());
    let read = move |place: &str| {
        let (repository, commit, folder) = &reader;
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let path = place_of(folder, place).ok_or_else(missing)?;
        repository.content(commit, &path).map_err(io::Error::other)?.ok_or_else(missing)
    };
    Ok(opener.file_in_folders(name, bytes, FolderCallbacks::new(list, read)))
}

/// A path relative to `folder`, which may begin with `../`, as a path in the repository; `None` if it leads outside.
fn place_of(folder: &str, place: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in place.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::place_of;

    #[test]
    fn places_stay_in_the_repository() {
        assert_eq!(place_of("a/b", "c.png").as_deref(), Some("a/b/c.png"));
        assert_eq!(place_of("a/b", "").as_deref(), Some("a/b"));
        assert_eq!(place_of("a/b", "../x/c.png").as_deref(), Some("a/x/c.png"));
        assert_eq!(place_of("", "../c.png"), None);
    }
}
