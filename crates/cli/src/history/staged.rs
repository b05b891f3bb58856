//! The files that are staged in a Git repository, for hooks.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::exit::at_path;
use crate::file_search::FileSearch;
use rigscope_io::files::{FileError, is_below};
use rigscope_io::formats::{PROBE_WINDOW_BYTES, is_model_file};
use rigscope_io::history::{Repository, RevisionError, file_at};
use rigscope_io::open::{OpenError, Opener};

/// The files in the index of a repository.
pub(crate) struct Staged {
    repository: Arc<Repository>,
    tree: String,
}

impl Staged {
    /// The index of the repository that contains `path`. Files above `limit_bytes` aren't read.
    pub(crate) fn of(path: &Path, limit_bytes: u64) -> anyhow::Result<Self> {
        let failed = |error| at_path(error, path);
        let repository = Repository::of(path, limit_bytes).map_err(failed)?;
        let tree = repository.staged().map_err(failed)?;
        Ok(Self { repository: Arc::new(repository), tree })
    }

    /// The content of a file; `None` if it isn't in the index.
    pub(crate) fn content(&self, path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
        let Some(own) = self.repository.relative(path) else { return Ok(None) };
        self.repository.content(&self.tree, &own).map_err(|error| at_path(error, path))
    }

    /// An opener that reads files and their related files from the index.
    pub(crate) fn opener(&self, opener: Opener) -> Opener {
        let (repository, tree) = (Arc::clone(&self.repository), self.tree.clone());
        opener.with_provider(move |opener, path| {
            let missing = || FileError::Io(std::io::ErrorKind::NotFound.into());
            let own = repository.relative(path).ok_or_else(missing)?;
            file_at(opener, &repository, &tree, &own).map_err(|error| match error {
                RevisionError::NoFile => missing(),
                RevisionError::Open(OpenError::File(error)) => error,
                other => FileError::Io(std::io::Error::other(other.to_string())),
            })
        })
    }

    /// The models of the index at and below `paths`.
    pub(crate) fn find(&self, paths: &[PathBuf]) -> anyhow::Result<FileSearch> {
        let mut found = FileSearch::default();
        for path in paths {
            let outside = || at_path("the path isn't in the repository", path);
            let scope = self.repository.relative(path).ok_or_else(outside)?;
            let files = self.repository.files(&self.tree, &scope);
            let files = files.map_err(|error| at_path(error, path))?;
            let mut is_missing = true;
            for file in files.iter().filter(|file| is_below(file, &scope)) {
                is_missing = false;
                let below = file.strip_prefix(&scope).unwrap_or(file).trim_start_matches('/');
                if below.is_empty() {
                    found.files.push(path.clone());
                } else if self.is_model(file) {
                    found.files.push(path.join(below));
                }
            }
            if is_missing {
                found.missing.push(path.clone());
            }
        }
        found.files.sort();
        found.files.dedup();
        Ok(found)
    }

    /// The models at and below `paths`, or in the whole repository without paths, that differ from the last commit.
    pub(crate) fn find_changed(&self, paths: &[PathBuf]) -> anyhow::Result<FileSearch> {
        let all = [self.repository.root().to_owned()];
        let mut found = self.find(if paths.is_empty() { &all } else { paths })?;
        // Before the first commit, all are new.
        if let Ok(head) = self.repository.commit("HEAD") {
            let changed = self.repository.changed(&head, Some(&self.tree), &|_| true)?;
            let changed: HashSet<String> = changed.into_iter().map(|file| file.path).collect();
            let is_changed = |path: &PathBuf| {
                self.repository.relative(path).is_some_and(|own| changed.contains(&own))
            };
            found.files.retain(is_changed);
        }
        if paths.is_empty() {
            found.missing.clear();
            let here = std::env::current_dir().unwrap_or_default();
            for file in &mut found.files {
                if let Ok(short) = file.strip_prefix(&here) {
                    *file = short.to_owned();
                }
            }
        }
        Ok(found)
    }

    fn is_model(&self, file: &str) -> bool {
        let front = || {
            let mut bytes = self.repository.content(&self.tree, file).ok().flatten()?;
            bytes.truncate(PROBE_WINDOW_BYTES);
            Some(bytes)
        };
        is_model_file(file.rsplit('/').next().unwrap_or(file), front)
    }
}
