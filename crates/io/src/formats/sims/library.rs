//! The files that a Sims file may use: supplied files, files in its folder, and entries of archives among
//! them.
//!
//! Supplied archives are opened at once, archives in the folder only if a file isn't found elsewhere.
//! Examining a file doesn't mark it as used, so that a supplied file of skills is still used for its skills.

use std::sync::Arc;

use super::far::{Archive, MAGIC};
use crate::formats::{Folder, Limits, ReadError, ReadOptions, RelatedFile, Source};
use rigscope_core::model::{self, ByteView, FindingKind, Report};

/// Maximum number of archives in the folder that are opened …
const MAX_ARCHIVES_BESIDE: usize = 16;
/// … and of their total size in bytes.
const MAX_ARCHIVE_BYTES_BESIDE: usize = 512 << 20;

/// Limit on the total size of files found by name. Entries of an archive may overlap, so a small archive can
/// contain very many large files.
const MAX_FOUND_BYTES: usize = 256 << 20;

pub(super) struct Library {
    /// Its folders include the archives.
    source: Source,
    archives: Vec<Arc<Archive>>,
    limits: Limits,
    has_opened_folder_archives: bool,
    left_bytes: usize,
}

/// Location of a file.
#[derive(Clone, Copy, Debug)]
enum Place {
    Given(usize),
    Below { folder: usize, path: usize },
}

/// A file that can be examined, with its path.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    place: Place,
    pub(super) path: String,
}

impl Candidate {
    /// Whether the user supplied it.
    pub(super) fn is_given(&self) -> bool {
        matches!(self.place, Place::Given(_))
    }
}

impl Library {
    /// The files around `source`.
    pub(super) fn new(source: &Source, options: &ReadOptions, report: &Report) -> Self {
        let mut library = Self {
            source: source.clone(),
            archives: Vec::new(),
            limits: options.limits,
            has_opened_folder_archives: false,
            left_bytes: MAX_FOUND_BYTES,
        };
        for related_file in &source.related_files {
            if related_file.bytes.starts_with(MAGIC) {
                library.open_archive(&related_file.name, Arc::clone(&related_file.bytes), report);
            }
        }
        library
    }

    /// Adds an open archive.
    pub(super) fn add_archive(&mut self, archive: Arc<Archive>) {
        let folder: Arc<dyn Folder> = Arc::clone(&archive) as Arc<dyn Folder>;
        self.source.add_folder(folder);
        self.archives.push(archive);
    }

    /// An unreadable archive is skipped; opening it directly reports the reason.
    fn open_archive(&mut self, name: &str, bytes: Arc<Vec<u8>>, report: &Report) {
        if let Ok(archive) = Archive::open(name, bytes, &self.limits, &report.quiet()) {
            self.add_archive(Arc::new(archive));
        }
    }

    /// Opens the archives in the folders; returns whether new ones were opened.
    pub(super) fn open_folder_archives(&mut self, report: &Report) -> Result<bool, ReadError> {
        if std::mem::replace(&mut self.has_opened_folder_archives, true) {
            return Ok(false);
        }
        let before = self.archives.len();
        let mut left_bytes = MAX_ARCHIVE_BYTES_BESIDE;
        let is_archive = |path: &str| has_extension(path, "far");
        for candidate in self.candidates(is_archive) {
            report.progress("looking into archives", 0.1)?;
            if candidate.is_given() || self.archives.len() >= before + MAX_ARCHIVES_BESIDE {
                continue;
            }
            if left_bytes == 0 {
                break;
            }
            let Some(bytes) = self.peek(&candidate) else { continue };
            left_bytes = left_bytes.saturating_sub(bytes.len());
            if left_bytes > 0 && bytes.starts_with(MAGIC) {
                self.open_archive(&candidate.path, bytes, report);
            }
        }
        Ok(self.archives.len() > before)
    }

    /// The first existing file of those names; `None` after too many bytes have been read.
    pub(super) fn find(
        &mut self,
        names: &[String],
        report: &Report,
    ) -> Result<Option<RelatedFile>, ReadError> {
        if self.left_bytes == 0 {
            report.add_many(FindingKind::Dropped, model::Place::File, 1, || {
                let mib = MAX_FOUND_BYTES >> 20;
                format!("files are left out, because those referred to have more than {mib} MiB")
            });
            return Ok(None);
        }
        let find = |source: &Source| names.iter().find_map(|name| source.find(name));
        let mut found = find(&self.source);
        if found.is_none() && self.open_folder_archives(report)? {
            found = find(&self.source);
        }
        let num_bytes = found.as_ref().map_or(0, |file| file.bytes.len());
        self.left_bytes = self.left_bytes.saturating_sub(num_bytes);
        Ok(found)
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.source.names()
    }

    /// All files whose path is wanted: supplied ones, then shallow paths first, by name.
    pub(super) fn candidates(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<Candidate> {
        let mut given = Vec::new();
        for (at, related_file) in self.source.related_files.iter().enumerate() {
            given.push(Candidate { place: Place::Given(at), path: related_file.name.clone() });
        }
        let mut below = Vec::new();
        for (folder, files) in self.source.folders.iter().enumerate() {
            for (path, name) in files.paths().iter().enumerate() {
                if is_wanted(name) {
                    below.push(Candidate {
                        place: Place::Below { folder, path },
                        path: name.clone(),
                    });
                }
            }
        }
        given.retain(|candidate| is_wanted(&candidate.path));
        below.sort_by_cached_key(|c| (c.path.matches('/').count(), c.path.clone()));
        given.append(&mut below);
        given
    }

    /// A file's bytes, without marking it as used.
    pub(super) fn peek(&self, candidate: &Candidate) -> Option<Arc<Vec<u8>>> {
        match candidate.place {
            Place::Given(at) => {
                let related_file = self.source.related_files.get(at)?;
                Some(Arc::clone(&related_file.bytes))
            }
            Place::Below { folder, path } => {
                let folder = self.source.folders.get(folder)?;
                let path = folder.paths().get(path)?;
                Some(Arc::new(folder.read(path).ok()?))
            }
        }
    }

    /// Marks a file as used.
    pub(super) fn mark_used(&self, path: &str) {
        self.source.mark_used(path);
    }

    /// A file in an archive, without copying it.
    pub(super) fn in_archive(&self, path: &str) -> Option<ByteView> {
        let view = self.archives.iter().find_map(|a| a.view(path))?;
        self.mark_used(path);
        Some(view)
    }

    /// Marks the archives of used files as used.
    pub(super) fn mark_archives(&self) {
        let used = self.source.used();
        for archive in &self.archives {
            if used.iter().any(|path| archive.bytes(path).is_some()) {
                self.source.mark_used(&archive.name);
            }
        }
    }
}

/// Whether a path ends in `.extension`, ignoring case.
pub(super) fn has_extension(path: &str, extension: &str) -> bool {
    let own = path.rsplit_once('.').unwrap_or_default().1;
    own.eq_ignore_ascii_case(extension)
}
