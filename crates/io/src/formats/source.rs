//! What a reader is given: a file's bytes, its name, and the files beside it that it may ask for.
//!
//! Not for: reading disks. The shell implements [`Folder`]; tests do so in memory.
//!
//! Invariant: nothing outside the folders is ever asked for, however a path is spelled: absolute
//! paths, `..`, drives and network names are only searched for by their last part.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::content::Content;
use super::error::ReadError;
use super::file_names::{below, last_part};
use super::folder::Folder;
use super::hiding::{Hiding, is_hidden};
use rigscope_core::model::{Cancelled, Report};

/// A file handed along with the one to read: skeleton, animation, texture.
#[derive(Clone, Debug)]
pub struct Companion {
    /// File name without folder.
    pub name: String,
    /// Its bytes.
    pub bytes: Arc<Vec<u8>>,
}

impl Companion {
    /// A file of this name, without folder, and content.
    pub fn new(name: impl Into<String>, bytes: impl Into<Arc<Vec<u8>>>) -> Self {
        Self { name: name.into(), bytes: bytes.into() }
    }
}

/// Why a file that another one names cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Absence {
    /// There is none of that name.
    #[error("was not found")]
    NotFound,
    /// It is there; why it cannot be read.
    #[error("cannot be read: it {0}")]
    Unreadable(String),
}

/// A part of a companion.
pub struct CompanionPart {
    /// As [`Companion::name`].
    pub name: String,
    /// What was read.
    pub bytes: Arc<Vec<u8>>,
    /// Where in the file they begin.
    pub first: u64,
    /// Bytes of the whole file.
    pub file_bytes: u64,
}

/// The bytes to read. Readers do no I/O of their own.
#[derive(Clone)]
pub struct Source {
    /// File name without folder.
    pub name: String,
    /// Its bytes; views of them are kept in the model.
    pub content: Content,
    /// Files that the user gave along.
    pub companions: Vec<Companion>,
    /// Where to look for files that this one names: its own folder, then those given by the user.
    pub folders: Vec<Arc<dyn Folder>>,
    /// Names of companions and paths below folders that a reader has taken, shared by clones.
    used: Arc<Mutex<BTreeSet<String>>>,
    /// Files that the user does not want.
    hidden: Arc<[String]>,
    /// The folder above the file's own, where that may be an effect's.
    effect: Option<Arc<dyn Folder>>,
}

/// Where a file that a reader asks for is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Where {
    Given(usize),
    Below { folder: usize, path: usize },
}

impl Source {
    /// A file without companions.
    pub fn new(name: impl Into<String>, content: impl Into<Content>) -> Self {
        Self {
            name: name.into(),
            content: content.into(),
            companions: Vec::new(),
            folders: Vec::new(),
            used: Arc::default(),
            hidden: Arc::default(),
            effect: None,
        }
    }

    /// The same file with files that the user gave along.
    #[must_use]
    pub fn with_companions(mut self, companions: Vec<Companion>) -> Self {
        self.companions = companions;
        self
    }

    /// The same file with places to look for others.
    #[must_use]
    pub fn with_folders(mut self, folders: Vec<Arc<dyn Folder>>) -> Self {
        self.folders = folders;
        self
    }

    /// The same file below the folder of what may be an effect.
    #[must_use]
    pub fn with_effect(mut self, folder: Arc<dyn Folder>) -> Self {
        self.effect = Some(folder);
        self
    }

    /// The folder of what may be an effect around the file, and the same file with that folder as one
    /// more place to look for others.
    pub fn in_effect(&self) -> Option<(Arc<dyn Folder>, Self)> {
        let folder = self.effect.as_ref()?;
        let mut inside = self.clone();
        inside.add_folder(Arc::clone(folder));
        // The last is the one just added, which hides what is not wanted.
        let folder = inside.folders.last().map(Arc::clone)?;
        Some((folder, inside))
    }

    /// The same file without those around it that are named so: by their path below a folder, or by
    /// their name alone.
    #[must_use]
    pub fn without(mut self, hidden: &[String]) -> Self {
        if hidden.is_empty() {
            return self;
        }
        self.hidden = self.hidden.iter().chain(hidden).cloned().collect();
        self.companions.retain(|c| !is_hidden(&c.name, &self.hidden));
        let folders = std::mem::take(&mut self.folders);
        folders.into_iter().for_each(|folder| self.add_folder(folder));
        self
    }

    /// One more place to look for files, after all others.
    pub fn add_folder(&mut self, folder: Arc<dyn Folder>) {
        self.folders.push(match self.hidden.is_empty() {
            true => folder,
            false => Arc::new(Hiding::new(folder, Arc::clone(&self.hidden))),
        });
    }

    /// Another file in the same place, with the same files along.
    pub fn of_file(&self, name: &str, content: impl Into<Content>) -> Self {
        Self { name: name.to_owned(), content: content.into(), ..self.clone() }
    }

    /// All of its bytes.
    ///
    /// # Errors
    /// When they are on a disk and cannot be read.
    pub fn whole(&self) -> Result<Arc<Vec<u8>>, ReadError> {
        self.content.whole().map_err(ReadError::Io)
    }

    /// One of the companions as the file to read; the others, and the folders, go along.
    pub fn of_companion(&self, number: usize) -> Option<Self> {
        let mut companions = self.companions.clone();
        if number >= companions.len() {
            return None;
        }
        let main = companions.remove(number);
        Some(Self {
            name: main.name,
            content: main.bytes.into(),
            companions,
            folders: self.folders.clone(),
            used: Arc::clone(&self.used),
            hidden: Arc::clone(&self.hidden),
            effect: None,
        })
    }

    /// The extension in lower case, without dot; empty where there is none.
    pub fn extension(&self) -> String {
        let (_, extension) = self.name.rsplit_once('.').unwrap_or_default();
        extension.to_ascii_lowercase()
    }

    /// The file that `path` means, as another file spells it: among those given, then below the
    /// folders by its whole path, then by its last part, where those highest up come first.
    /// Upper and lower case are the same. `None` where there is none or it cannot be read.
    pub fn find(&self, path: &str) -> Option<Companion> {
        self.look_up(path).ok()
    }

    /// The same, or why there is none.
    ///
    /// # Errors
    /// [`Absence`].
    pub fn look_up(&self, path: &str) -> Result<Companion, Absence> {
        let companion = match self.locate(path).ok_or(Absence::NotFound)? {
            Where::Given(at) => self.given(at)?.clone(),
            Where::Below { folder, path } => {
                let (folder, path) = self.below(folder, path)?;
                Companion {
                    bytes: Arc::new(folder.read(path).map_err(unreadable)?),
                    name: path.clone(),
                }
            }
        };
        self.mark_used(&companion.name);
        Ok(companion)
    }

    /// At least the bytes of `range` of the file that `path` means, as far as it goes.
    ///
    /// # Errors
    /// [`Absence`].
    pub fn look_up_range(&self, path: &str, range: Range<u64>) -> Result<CompanionPart, Absence> {
        let part = match self.locate(path).ok_or(Absence::NotFound)? {
            Where::Given(at) => {
                let Companion { name, bytes } = self.given(at)?.clone();
                CompanionPart { name, first: 0, file_bytes: bytes.len() as u64, bytes }
            }
            Where::Below { folder, path } => {
                let (folder, path) = self.below(folder, path)?;
                let first = range.start;
                let (bytes, file_bytes) = folder.read_range(path, range).map_err(unreadable)?;
                CompanionPart { name: path.clone(), bytes: Arc::new(bytes), first, file_bytes }
            }
        };
        self.mark_used(&part.name);
        Ok(part)
    }

    /// The name of the file that [`Self::find`] would read, one for all spellings, which counts as
    /// used.
    pub fn name_of(&self, path: &str) -> Option<String> {
        let name = match self.locate(path)? {
            Where::Given(at) => self.companions.get(at)?.name.clone(),
            Where::Below { folder, path } => self.folders.get(folder)?.paths().get(path)?.clone(),
        };
        self.mark_used(&name);
        Some(name)
    }

    /// Names of all files there are: those given, then the paths below the folders, those highest
    /// up first and otherwise by name. Each can be given to [`Self::find`].
    pub fn names(&self) -> Vec<String> {
        let given = self.companions.iter().map(|c| c.name.clone());
        let mut below: Vec<&String> = self.folders.iter().flat_map(|f| f.paths()).collect();
        below.sort_by_key(|path| (depth(path), *path));
        given.chain(below.into_iter().cloned()).collect()
    }

    /// Whether a reader took the companion of that name.
    pub fn is_used(&self, name: &str) -> bool {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.contains(name)
    }

    /// Remembers that the companion of that name is of use.
    pub fn mark_used(&self, name: &str) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.insert(name.to_owned());
    }

    /// What readers have taken so far.
    pub fn used(&self) -> Vec<String> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.iter().cloned().collect()
    }

    fn locate(&self, path: &str) -> Option<Where> {
        let name = last_part(path).trim();
        if name.is_empty() {
            return None;
        }
        let mut given = self.companions.iter();
        if let Some(at) = given.position(|c| c.name.eq_ignore_ascii_case(name)) {
            return Some(Where::Given(at));
        }
        let inner = below(path);
        let mut best = None;
        for (folder, files) in self.folders.iter().enumerate() {
            for (at, file) in files.paths().iter().enumerate() {
                let is_exact =
                    inner.as_deref().is_some_and(|inner| inner.eq_ignore_ascii_case(file));
                if is_exact || last_part(file).eq_ignore_ascii_case(name) {
                    let rank = (!is_exact, folder, depth(file));
                    let found = Where::Below { folder, path: at };
                    if best.is_none_or(|(known, _)| rank < known) {
                        best = Some((rank, found));
                    }
                }
            }
        }
        best.map(|(_, found)| found)
    }

    fn given(&self, at: usize) -> Result<&Companion, Absence> {
        self.companions.get(at).ok_or(Absence::NotFound)
    }

    fn below(&self, folder: usize, path: usize) -> Result<(&dyn Folder, &String), Absence> {
        let folder = self.folders.get(folder).ok_or(Absence::NotFound)?;
        let path = folder.paths().get(path).ok_or(Absence::NotFound)?;
        Ok((&**folder, path))
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

/// At most so many files of the folders are looked into …
const MAX_FILES_BESIDE: usize = 256;
/// … and so many bytes of them.
const MAX_BYTES_BESIDE: usize = 64 << 20;

/// A file that may go with the one being read: nothing but what it holds can tell.
pub struct Beside {
    /// Name of the companion, or path below its folder.
    pub name: String,
    /// Its bytes.
    pub bytes: Arc<Vec<u8>>,
    /// Whether the user gave it along.
    pub is_given: bool,
}

impl Source {
    /// All files given along, and those of the same folder with `extension`, by name; but never the
    /// file itself. None of them counts as used.
    ///
    /// # Errors
    /// When cancelled.
    pub fn beside(&self, extension: &str, report: &Report) -> Result<Vec<Beside>, Cancelled> {
        // A folder given along may hold the file itself.
        let others = self.companions.iter().filter(|c| !self.content.equals(&c.bytes));
        let mut files: Vec<Beside> = others
            .map(|companion| Beside {
                name: companion.name.clone(),
                bytes: Arc::clone(&companion.bytes),
                is_given: true,
            })
            .collect();
        let mut known: BTreeSet<String> = files.iter().map(|file| file.name.clone()).collect();
        let (mut num_files, mut num_bytes) = (0, 0);
        for folder in &self.folders {
            let is_wanted = |path: &&String| {
                let own = path.rsplit_once('.').unwrap_or_default().1;
                !path.contains('/')
                    && own.eq_ignore_ascii_case(extension)
                    && !path.eq_ignore_ascii_case(&self.name)
            };
            let mut paths: Vec<&String> = folder.paths().iter().filter(is_wanted).collect();
            paths.sort();
            for path in paths {
                if num_files >= MAX_FILES_BESIDE || num_bytes >= MAX_BYTES_BESIDE {
                    break;
                }
                if !known.insert(path.clone()) {
                    continue;
                }
                report.progress("looking beside the file", 0.3)?;
                num_files += 1;
                if let Ok(bytes) = folder.read(path) {
                    num_bytes += bytes.len();
                    files.push(Beside {
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

/// A file's name without its extension; folders stay.
#[must_use]
pub fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Number of bytes with which both names begin, in any case.
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
