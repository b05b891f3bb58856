//! Structure and animation files that go together: those with as many bones and vertices.
//!
//! Not for: files of other formats; see `borrow`.

use std::cmp::Reverse;
use std::sync::Arc;

use super::animation::{self, Animation};
use super::grammar::without_comments;
use super::sniff::{self, Head};
use super::structure::{self, Structure};
use crate::formats::text::decode;
use crate::formats::{self, PROBE_WINDOW_BYTES, ReadError, ReadOptions, Source, common_prefix};
use crate::model::Report;

/// A file beside the one being read.
struct File {
    name: String,
    bytes: Arc<Vec<u8>>,
    is_given: bool,
    head: Head,
}

/// The exports beside the one being read.
pub(super) struct Beside<'a> {
    source: &'a Source,
    options: &'a ReadOptions,
    report: &'a Report,
    files: Vec<File>,
}

/// A structure that was found.
pub(super) struct FoundStructure {
    pub(super) name: String,
    pub(super) structure: Structure,
    pub(super) bytes: Arc<Vec<u8>>,
}

/// An animation that was found.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) animation: Animation,
    pub(super) bytes: Arc<Vec<u8>>,
    pub(super) is_given: bool,
    /// Another reader has put it on the model already.
    pub(super) is_taken: bool,
}

impl<'a> Beside<'a> {
    /// Looks at the front of every file given, and of the text files in the same folder.
    ///
    /// # Errors
    /// When cancelled.
    pub(super) fn new(
        source: &'a Source,
        options: &'a ReadOptions,
        report: &'a Report,
    ) -> Result<Self, ReadError> {
        let files = source.beside("txt", report)?;
        let files = files.into_iter().filter_map(File::of).collect();
        Ok(Self {
            source,
            options,
            report,
            files,
        })
    }

    /// The structure of so many bones and vertices, and its file: the one given, else the one
    /// whose name begins most like this one's.
    pub(super) fn structure(
        &self,
        num_bones: usize,
        num_vertices: usize,
    ) -> Result<Option<FoundStructure>, ReadError> {
        let wanted = |file: &&File| match file.head {
            Head::Structure {
                num_bones: b,
                num_vertices: v,
            } => usize::try_from(b) == Ok(num_bones) && usize::try_from(v) == Ok(num_vertices),
            Head::Animation { .. } => false,
        };
        let mut fitting: Vec<&File> = self.files.iter().filter(wanted).collect();
        fitting.sort_by_key(|file| {
            (
                !file.is_given,
                Reverse(common_prefix(&file.name, &self.source.name)),
            )
        });
        for file in fitting {
            let text = decode(&file.bytes);
            let text = without_comments(&text);
            let read = structure::read(&text, &self.options.limits, &self.report.quiet());
            if let Some(structure) = unless_cancelled(read)? {
                self.source.mark_used(&file.name);
                return Ok(Some(FoundStructure {
                    name: file.name.clone(),
                    structure,
                    bytes: Arc::clone(&file.bytes),
                }));
            }
        }
        Ok(None)
    }

    /// All animations of so many bones and vertices.
    pub(super) fn animations(
        &self,
        num_bones: usize,
        num_vertices: usize,
    ) -> Result<Vec<Found>, ReadError> {
        let mut found = Vec::new();
        for file in &self.files {
            let fits = match file.head {
                Head::Animation {
                    num_bones: b,
                    num_vertices: v,
                } => usize::try_from(b) == Ok(num_bones) && usize::try_from(v) == Ok(num_vertices),
                Head::Structure { .. } => false,
            };
            if !fits {
                continue;
            }
            let text = decode(&file.bytes);
            let text = without_comments(&text);
            let read = animation::read(&text, &self.options.limits, &self.report.quiet());
            if let Some(animation) = unless_cancelled(read)? {
                found.push(Found {
                    name: file.name.clone(),
                    animation,
                    bytes: Arc::clone(&file.bytes),
                    is_given: file.is_given,
                    is_taken: file.is_given && self.source.is_used(&file.name),
                });
            }
        }
        Ok(found)
    }
}

impl File {
    /// The file, if it is an export.
    fn of(file: formats::Beside) -> Option<Self> {
        let front = file.bytes.get(..PROBE_WINDOW_BYTES).unwrap_or(&file.bytes);
        Some(Self {
            head: sniff::head(front)?,
            name: file.name,
            bytes: file.bytes,
            is_given: file.is_given,
        })
    }
}

/// What was read; nothing where it cannot be, which is told when that file is opened.
fn unless_cancelled<T>(read: Result<T, ReadError>) -> Result<Option<T>, ReadError> {
    match read {
        Err(ReadError::Cancelled) => Err(ReadError::Cancelled),
        other => Ok(other.ok()),
    }
}
