//! The input of a reader: the bytes and name of a file, and the related files that it may use.
//!
//! Not for: file access. The shell implements [`Folder`]; tests implement it in memory.
//!
//! Invariant: only files inside the folders are read, however a path is spelled. Absolute paths, `..`, drives
//! and network names are only searched for by their last part.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::content::Content;
use super::error::ReadError;
use super::file_names::{below, extension_of, last_part};
use super::filtered_folder::{FilteredFolder, is_hidden};
use super::folder::{Folder, PathQuery};
use rigscope_core::model::{Cancelled, Report};

/// A related file that was supplied with the one to read: a skeleton, animation or texture.
#[derive(Clone, Debug)]
pub struct RelatedFile {
    /// File name without folder.
    pub name: String,
    pub bytes: Arc<Vec<u8>>,
}

impl RelatedFile {
    pub fn new(name: impl Into<String>, bytes: impl Into<Arc<Vec<u8>>>) -> Self {
        Self { name: name.into(), bytes: bytes.into() }
    }
}

/// Why a file that is referred to can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Absence {
    /// No file has that name.
    #[error("was not found")]
    NotFound,
    /// The file exists but can't be read, for this reason.
    #[error("can't be read: {0}")]
    Unreadable(String),
}

/// A part of a related file.
pub struct RelatedFilePart {
    /// As [`RelatedFile::name`].
    pub name: String,
    /// The requested bytes, or more.
    pub bytes: Arc<Vec<u8>>,
    /// Offset of `bytes` in the file.
    pub first: u64,
    /// Size of the whole file in bytes.
    pub file_bytes: u64,
}

/// The file to read and its surroundings. Readers do no I/O themselves.
#[derive(Clone)]
pub struct Source {
    /// File name without folder.
    pub name: String,
    /// Its bytes; the model keeps views of them.
    pub content: Content,
    /// Files supplied by the user.
    pub related_files: Vec<RelatedFile>,
    /// Folders to search: the folder of the file, then those supplied by the user.
    pub folders: Vec<Arc<dyn Folder>>,
    /// Names of related files and paths in folders that readers have used, shared by clones.
    used: Arc<Mutex<BTreeSet<String>>>,
    /// Files that the user excluded.
    hidden: Arc<[String]>,
    /// The parent of the file's folder, if it may be an effect's folder.
    effect: Option<Arc<dyn Folder>>,
}

/// Location of a related file.
enum FileLocation<'a> {
    Given(&'a RelatedFile),
    Below { folder: &'a dyn Folder, path: &'a String },
}

impl Source {
    pub fn new(name: impl Into<String>, content: impl Into<Content>) -> Self {
        Self {
            name: name.into(),
            content: content.into(),
            related_files: Vec::new(),
            folders: Vec::new(),
            used: Arc::default(),
            hidden: Arc::default(),
            effect: None,
        }
    }

    /// Adds files supplied by the user.
    #[must_use]
    pub fn with_related_files(mut self, related_files: Vec<RelatedFile>) -> Self {
        self.related_files = related_files;
        self
    }

    /// Replaces the folders to search.
    #[must_use]
    pub fn with_folders(mut self, folders: Vec<Arc<dyn Folder>>) -> Self {
        self.folders = folders;
        self
    }

    /// Sets the folder of the effect that may contain the file.
    #[must_use]
    pub fn with_effect(mut self, folder: Arc<dyn Folder>) -> Self {
        self.effect = Some(folder);
        self
    }

    /// The folder of the effect that may contain the file, and this source with that folder added to the
    /// search.
    pub fn in_effect(&self) -> Option<(Arc<dyn Folder>, Self)> {
        let folder = self.effect.as_ref()?;
        let mut inside = self.clone();
        inside.add_folder(Arc::clone(folder));
        // Taken from the list, where excluded files are hidden.
        let folder = inside.folders.last().map(Arc::clone)?;
        Some((folder, inside))
    }

    /// Excludes files by their path below a folder or by their file name.
    #[must_use]
    pub fn without(mut self, hidden: &[String]) -> Self {
        if hidden.is_empty() {
            return self;
        }
        self.hidden = self.hidden.iter().chain(hidden).cloned().collect();
        self.related_files.retain(|c| !is_hidden(&c.name, &self.hidden));
        let folders = std::mem::take(&mut self.folders);
        folders.into_iter().for_each(|folder| self.add_folder(folder));
        self
    }

    /// Adds a folder to search after all others.
    pub fn add_folder(&mut self, folder: Arc<dyn Folder>) {
        self.folders.push(if self.hidden.is_empty() {
            folder
        } else {
            Arc::new(FilteredFolder::new(folder, Arc::clone(&self.hidden)))
        });
    }

    /// Another file in the same place, with the same related files.
    pub fn of_file(&self, name: &str, content: impl Into<Content>) -> Self {
        Self { name: name.to_owned(), content: content.into(), ..self.clone() }
    }

    /// All of its bytes.
    ///
    /// # Errors
    /// If they are on disk and can't be read.
    pub fn whole(&self) -> Result<Arc<Vec<u8>>, ReadError> {
        self.content.whole().map_err(ReadError::Io)
    }

    /// The source for one of the related files, with the other related files and the folders.
    pub fn of_related_file(&self, number: usize) -> Option<Self> {
        let mut related_files = self.related_files.clone();
        if number >= related_files.len() {
            return None;
        }
        let main = related_files.remove(number);
        Some(Self {
            name: main.name,
            content: main.bytes.into(),
            related_files,
            folders: self.folders.clone(),
            used: Arc::clone(&self.used),
            hidden: Arc::clone(&self.hidden),
            effect: None,
        })
    }

    /// The extension in lower case, without dot; empty without one.
    pub fn extension(&self) -> String {
        extension_of(&self.name)
    }

    /// The file that `path`, as spelled in another file, refers to. Searches the related files, then the folders
    /// by the whole path, then by the file name, shallow paths first. Case is ignored. `None` if there is no
    /// such file or it can't be read.
    pub fn find(&self, path: &str) -> Option<RelatedFile> {
        self.look_up(path).ok()
    }

    /// Like [`Self::find`], with the reason for a failure.
    ///
    /// # Errors
    /// [`Absence`].
    pub fn look_up(&self, path: &str) -> Result<RelatedFile, Absence> {
        self.look_up_by(path, |folder, path| folder.read(path))
    }

    /// Like [`Self::look_up`], for a file whose kind never needs more than `limit_bytes`.
    ///
    /// # Errors
    /// [`Absence`], also for a larger file.
    pub fn look_up_within(&self, path: &str, limit_bytes: u64) -> Result<RelatedFile, Absence> {
        self.look_up_by(path, |folder, path| folder.read_within(path, limit_bytes))
    }

    fn look_up_by(
        &self,
        path: &str,
        read: impl FnOnce(&dyn Folder, &str) -> std::io::Result<Vec<u8>>,
    ) -> Result<RelatedFile, Absence> {
        let related_file = match self.locate(path).ok_or(Absence::NotFound)? {
            FileLocation::Given(related_file) => related_file.clone(),
            FileLocation::Below { folder, path } => {
                let bytes = read(folder, path).map_err(unreadable)?;
                RelatedFile { bytes: Arc::new(bytes), name: path.clone() }
            }
        };
        self.mark_used(&related_file.name);
        Ok(related_file)
    }

    /// At least the bytes of `range` of the file that `path` refers to, as far as it extends.
    ///
    /// # Errors
    /// [`Absence`].
    pub fn look_up_range(&self, path: &str, range: Range<u64>) -> Result<RelatedFilePart, Absence> {
        let part = match self.locate(path).ok_or(Absence::NotFound)? {
            FileLocation::Given(related_file) => {
                let RelatedFile { name, bytes } = related_file.clone();
                RelatedFilePart { name, first: 0, file_bytes: bytes.len() as u64, bytes }
            }
            FileLocation::Below { folder, path } => {
                let first = range.start;
                let (bytes, file_bytes) = folder.read_range(path, range).map_err(unreadable)?;
                RelatedFilePart { name: path.clone(), bytes: Arc::new(bytes), first, file_bytes }
            }
        };
        self.mark_used(&part.name);
        Ok(part)
    }

    /// The canonical name of the file that [`Self::find`] would read. Marks it as used.
    pub fn name_of(&self, path: &str) -> Option<String> {
        let name = match self.locate(path)? {
            FileLocation::Given(related_file) => related_file.name.clone(),
            FileLocation::Below { path, .. } => path.clone(),
        };
        self.mark_used(&name);
        Some(name)
    }

    /// Names of all files: related files, then paths in folders, shallow ones first and then by name.
    /// [`Self::find`] accepts each of them.
    pub fn names(&self) -> Vec<String> {
        let given = self.related_files.iter().map(|c| c.name.clone());
        let mut below: Vec<&String> = self.folders.iter().flat_map(|f| f.paths()).collect();
        below.sort_by_key(|path| (depth(path), *path));
        given.chain(below.into_iter().cloned()).collect()
    }

    /// Whether a reader has used the related file of that name.
    pub fn is_used(&self, name: &str) -> bool {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.contains(name)
    }

    /// Marks the related file of that name as used.
    pub fn mark_used(&self, name: &str) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.insert(name.to_owned());
    }

    /// The names of all files used so far.
    pub fn used(&self) -> Vec<String> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.iter().cloned().collect()
    }

    fn locate(&self, path: &str) -> Option<FileLocation<'_>> {
        let name = last_part(path).trim();
        if name.is_empty() {
            return None;
        }
        let mut given = self.related_files.iter();
        if let Some(related_file) = given.find(|c| c.name.eq_ignore_ascii_case(name)) {
            return Some(FileLocation::Given(related_file));
        }
        let inner = below(path);
        let query = PathQuery::ReferredToBy(path.to_owned());
        let mut best = None;
        for (number, folder) in self.folders.iter().enumerate() {
            for path in folder.select(&query) {
                let is_exact =
                    inner.as_deref().is_some_and(|inner| inner.eq_ignore_ascii_case(path));
                let rank = (!is_exact, number, depth(path));
                if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                    best = Some((rank, FileLocation::Below { folder: &**folder, path }));
                }
            }
        }
        best.map(|(_, found)| found)
    }
}

fn unreadable(error: std::io::Error) -> Absence {
    Absence::Unreadable(error.to_string())
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({} of {} bytes)", self.name, self.content.len())
    }
}

/// Maximum number of files in the folders whose contents are examined …
const MAX_CANDIDATES: usize = 256;
/// … and the maximum of their total size in bytes.
const MAX_CANDIDATE_BYTES: usize = 64 << 20;

/// A file that may belong to the one being read, which only its contents can show.
pub struct RelatedFileCandidate {
    /// Name of the related file, or path in its folder.
    pub name: String,
    pub bytes: Arc<Vec<u8>>,
    /// Whether the user supplied it.
    pub is_given: bool,
}

impl Source {
    /// All related files, then the files directly in the folders with `extension`, by name; without the file
    /// itself. They aren't marked as used.
    ///
    /// # Errors
    /// If cancelled.
    pub fn related_file_candidates(
        &self,
        extension: &str,
        report: &Report,
    ) -> Result<Vec<RelatedFileCandidate>, Cancelled> {
        // A supplied folder may contain the file itself.
        let others = self.related_files.iter().filter(|c| !self.content.equals(&c.bytes));
        let mut files: Vec<RelatedFileCandidate> = others
            .map(|related_file| RelatedFileCandidate {
                name: related_file.name.clone(),
                bytes: Arc::clone(&related_file.bytes),
                is_given: true,
            })
            .collect();
        let mut known: BTreeSet<String> = files.iter().map(|file| file.name.clone()).collect();
        let (mut num_files, mut num_bytes) = (0, 0);
        for folder in &self.folders {
            let mut paths = folder.select(&PathQuery::Extension(extension.to_owned()));
            paths.retain(|path| !path.eq_ignore_ascii_case(&self.name));
            paths.sort();
            for path in paths {
                if num_files >= MAX_CANDIDATES || num_bytes >= MAX_CANDIDATE_BYTES {
                    break;
                }
                if !known.insert(path.clone()) {
                    continue;
                }
                report.progress("looking for related files", 0.3)?;
                num_files += 1;
                if let Ok(bytes) = folder.read(path) {
                    num_bytes += bytes.len();
                    files.push(RelatedFileCandidate {
                        name: path.clone(),
                        bytes: Arc::new(bytes),
                        is_given: false,
                    });
                }
            }
        }
        Ok(files)
    }
}

/// A name or path without its extension.
#[must_use]
pub fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Length in bytes of the common prefix, ignoring case.
#[must_use]
pub fn common_prefix(a: &str, b: &str) -> usize {
    let pairs = a.bytes().zip(b.bytes());
    pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}

fn depth(path: &str) -> usize {
    path.matches('/').count()
}

#[cfg(test)]
pub(super) mod tests;
