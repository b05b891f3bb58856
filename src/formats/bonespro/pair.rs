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
use crate::formats::{PROBE_WINDOW_BYTES, ReadError, ReadOptions, Source};
use crate::model::Report;

/// At most so many files of the folder are looked into …
const MAX_FILES: usize = 256;
/// … and so many bytes of them.
const MAX_BYTES: usize = 64 << 20;

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

/// An animation that was found.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) animation: Animation,
    pub(super) is_given: bool,
    /// Another reader has put it on the model already.
    pub(super) is_taken: bool,
}

impl<'a> Beside<'a> {
    /// Looks at the front of every file given, and of the text files in the same folder.
    pub(super) fn new(source: &'a Source, options: &'a ReadOptions, report: &'a Report) -> Self {
        let mut files: Vec<File> = Vec::new();
        // A folder given along may hold the file itself.
        let others = source
            .companions
            .iter()
            .filter(|other| other.bytes != source.bytes);
        for companion in others {
            files.extend(File::of(&companion.name, &companion.bytes, true));
        }
        let (mut num_files, mut num_bytes) = (0, 0);
        for folder in &source.folders {
            let mut paths: Vec<&String> = folder.paths().iter().collect();
            paths.sort();
            for path in paths {
                let is_known = path.eq_ignore_ascii_case(&source.name)
                    || files.iter().any(|file| file.name == *path);
                let is_text = path.to_ascii_lowercase().ends_with(".txt");
                if path.contains('/') || !is_text || is_known {
                    continue;
                }
                if num_files >= MAX_FILES || num_bytes >= MAX_BYTES {
                    break;
                }
                num_files += 1;
                if let Ok(bytes) = folder.read(path) {
                    num_bytes += bytes.len();
                    files.extend(File::of(path, &Arc::new(bytes), false));
                }
            }
        }
        Self {
            source,
            options,
            report,
            files,
        }
    }

    /// The structure of so many bones and vertices, and its file: the one given, else the one
    /// whose name begins most like this one's.
    pub(super) fn structure(
        &self,
        num_bones: usize,
        num_vertices: usize,
    ) -> Result<Option<(String, Structure)>, ReadError> {
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
                return Ok(Some((file.name.clone(), structure)));
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
    fn of(name: &str, bytes: &Arc<Vec<u8>>, is_given: bool) -> Option<Self> {
        let front = bytes.get(..PROBE_WINDOW_BYTES).unwrap_or(bytes);
        Some(Self {
            name: name.to_owned(),
            bytes: Arc::clone(bytes),
            is_given,
            head: sniff::head(front)?,
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

/// A file's name without extension.
pub(super) fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Number of characters with which both begin.
pub(super) fn common_prefix(a: &str, b: &str) -> usize {
    let pairs = a.bytes().zip(b.bytes());
    pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}
