//! Model files at a revision, with the related files of that revision.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use super::{HistoryError, Repository, Revision};
use crate::files::{FileSource, FolderCallbacks};
use crate::open::{OpenError, Opener};
use rigscope_core::model::{RelatedFileRole, Report};

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

/// The commits that changed a model file, or a file that its newest version uses, newest first. Textures don't count,
/// because they change neither counts nor poses.
///
/// # Errors
/// If Git fails.
pub fn revisions_with_related(
    opener: &Opener,
    repository: &Arc<Repository>,
    path: &str,
) -> Result<Vec<Revision>, HistoryError> {
    let own = repository.revisions(path)?;
    let related = own.first().map_or_else(Vec::new, |newest| related(opener, repository, newest));
    if related.is_empty() {
        return Ok(own);
    }
    let order = repository.ancestors("HEAD")?;
    let order: HashMap<&str, usize> = order.iter().map(|id| &**id).zip(0..).collect();
    let mut all: Vec<(bool, Revision)> = own.into_iter().map(|own| (true, own)).collect();
    for path in &related {
        all.extend(repository.revisions(path)?.into_iter().map(|other| (false, other)));
    }
    // Oldest first; of the same commit, the entry of the model.
    all.sort_by_key(|(is_own, revision)| {
        (std::cmp::Reverse(order.get(&*revision.id).copied()), !is_own)
    });
    all.dedup_by(|later, first| later.1.id == first.1.id);
    // Commits of related files get the path that the model had then.
    let mut model_path = None;
    let mut revisions = Vec::new();
    for (is_own, mut revision) in all {
        if is_own {
            model_path = Some(revision.path.clone());
        } else {
            let Some(path) = &model_path else { continue };
            revision.path.clone_from(path);
        }
        revisions.push(revision);
    }
    revisions.reverse();
    Ok(revisions)
}

/// The paths of the related files that a model uses, except textures.
fn related(opener: &Opener, repository: &Arc<Repository>, revision: &Revision) -> Vec<String> {
    let report = Report::new();
    let read = file_at(opener, repository, &revision.id, &revision.path)
        .map(|file| opener.parse(&file, &report).map(|_| ()));
    if read.is_err() {
        return Vec::new();
    }
    let (folder, _) = revision.path.rsplit_once('/').unwrap_or(("", &revision.path));
    let related_files = report.related_files().into_iter();
    let used = related_files.filter(|file| file.is_used && file.role != RelatedFileRole::Texture);
    used.filter_map(|file| place_of(folder, &file.file)).collect()
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
