//! Where the bytes of buffers are: in the file, in a URI, or in a file beside it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use gltf_json::Root;

use super::container::Parts;
use super::fault::{malformed, nth, over_limit, unsupported};
use super::uri;
use crate::formats::{ReadError, Source};
use crate::model::{ByteView, CompanionFile, CompanionRole, NoteKind, Place, Report};

/// Why a buffer cannot be read.
enum Absence {
    /// Its file was not found.
    NotFound(String),
    /// The JSON is wrong about it.
    Broken(String),
}

struct Bytes {
    owner: Arc<Vec<u8>>,
    range: Range<usize>,
}

/// All buffers. One that cannot be had is told only when something lies in it, since files name
/// buffers that are never read (`EXT_meshopt_compression`'s fallback).
pub(super) struct Buffers {
    list: Vec<Result<Bytes, Absence>>,
    /// Bytes read from files beside this one.
    pub(super) num_bytes_beside: u64,
}

impl Buffers {
    /// Finds all buffers. Takes their URIs out of `root`, which can be large.
    pub(super) fn load(
        root: &mut Root,
        source: &Source,
        parts: &Parts,
        max_bytes: u64,
        report: &Report,
    ) -> Result<Self, ReadError> {
        let mut files = Files {
            source,
            by_uri: HashMap::new(),
            by_name: HashMap::new(),
            num_bytes: 0,
            max_bytes,
        };
        let mut list = Vec::new();
        for (index, buffer) in root.buffers.iter_mut().enumerate() {
            report.progress("reading buffers", 0.1)?;
            let bytes = match buffer.uri.take() {
                None => in_file(index, source, parts),
                Some(text) if uri::is_data(&text) => uri::decode_data(&text)
                    .map(whole)
                    .map_err(|what| Absence::Broken(format!("buffer {index}: {what}"))),
                Some(text) => files.bytes(&text, index, report)?,
            };
            let len = match (&bytes, &parts.cut) {
                // What there is of the chunk is read for who looks at the bytes.
                (Ok(bytes), Some(_)) => buffer.byte_length.0.min(bytes.range.len() as u64),
                _ => buffer.byte_length.0,
            };
            list.push(bytes.and_then(|bytes| cut_to(bytes, index, len)));
        }
        Ok(Self {
            list,
            num_bytes_beside: files.num_bytes,
        })
    }

    /// Where in `file` lie `len` bytes of buffer `index` from `offset` on, if they do.
    pub(super) fn place_in(
        &self,
        file: &Arc<Vec<u8>>,
        index: usize,
        offset: u64,
        len: u64,
    ) -> Option<Range<usize>> {
        let bytes = self.list.get(index)?.as_ref().ok()?;
        let is_in_file = Arc::ptr_eq(&bytes.owner, file);
        sub_range(&bytes.range, offset, len).filter(|_| is_in_file)
    }

    /// `len` bytes of buffer `index` from `offset` on.
    pub(super) fn view(&self, index: usize, offset: u64, len: u64) -> Result<ByteView, ReadError> {
        let bytes = match nth(&self.list, index, "buffer")? {
            Ok(bytes) => bytes,
            Err(Absence::NotFound(what)) => return Err(unsupported("buffers", what)),
            Err(Absence::Broken(what)) => return Err(malformed("buffers", what)),
        };
        let range = sub_range(&bytes.range, offset, len);
        range
            .and_then(|range| ByteView::new(Arc::clone(&bytes.owner), range))
            .ok_or_else(|| {
                let num = bytes.range.len();
                let what =
                    format!("{len} bytes at {offset} exceed the {num} bytes of buffer {index}");
                malformed("bufferViews", what)
            })
    }
}

/// The part of `range` that begins `offset` after its start and has `len` bytes.
fn sub_range(range: &Range<usize>, offset: u64, len: u64) -> Option<Range<usize>> {
    let start = range.start.checked_add(usize::try_from(offset).ok()?)?;
    let end = start.checked_add(usize::try_from(len).ok()?)?;
    (end <= range.end).then_some(start..end)
}

fn whole(bytes: Vec<u8>) -> Bytes {
    Bytes {
        range: 0..bytes.len(),
        owner: Arc::new(bytes),
    }
}

/// Buffer 0 of a binary container has no URI (section 4.4.3.3).
fn in_file(index: usize, source: &Source, parts: &Parts) -> Result<Bytes, Absence> {
    match (&parts.bin, index) {
        (Some(range), 0) => Ok(Bytes {
            owner: Arc::clone(&source.bytes),
            range: range.clone(),
        }),
        _ => Err(Absence::Broken(format!("buffer {index} has no bytes"))),
    }
}

/// The buffer without what follows its own length, as a chunk's padding does.
fn cut_to(bytes: Bytes, index: usize, byte_length: u64) -> Result<Bytes, Absence> {
    let num = bytes.range.len();
    match sub_range(&bytes.range, 0, byte_length) {
        Some(range) => Ok(Bytes { range, ..bytes }),
        None => Err(Absence::Broken(format!(
            "buffer {index} has {num} of {byte_length} bytes"
        ))),
    }
}

/// Files beside this one, each read once however often and variously it is named.
struct Files<'a> {
    source: &'a Source,
    by_uri: HashMap<String, Arc<Vec<u8>>>,
    by_name: HashMap<String, Arc<Vec<u8>>>,
    num_bytes: u64,
    max_bytes: u64,
}

impl Files<'_> {
    fn bytes(
        &mut self,
        text: &str,
        index: usize,
        report: &Report,
    ) -> Result<Result<Bytes, Absence>, ReadError> {
        if let Some(owner) = self.by_uri.get(text) {
            return Ok(Ok(shared(owner)));
        }
        let path = uri::decode_path(text);
        let Some(file) = self.source.find(&path) else {
            let what = format!("buffer {index} lies in {path:?}, which was not found");
            report.note(NoteKind::MissingCompanion, Place::File, what.as_str());
            let named = format!("named by buffer {index}");
            report.companion(CompanionFile::missing(&path, CompanionRole::Buffer, &named));
            return Ok(Err(Absence::NotFound(what)));
        };
        let why = format!("named by buffer {index}");
        report.companion(CompanionFile::taken(&file.name, CompanionRole::Buffer, why));
        let owner = match self.by_name.get(&file.name) {
            Some(known) => Arc::clone(known),
            None => {
                self.num_bytes = self.num_bytes.saturating_add(file.bytes.len() as u64);
                if self.num_bytes > self.max_bytes {
                    return Err(over_limit("buffers", "the buffers are larger than allowed"));
                }
                self.by_name.insert(file.name, Arc::clone(&file.bytes));
                file.bytes
            }
        };
        self.by_uri.insert(text.to_owned(), Arc::clone(&owner));
        Ok(Ok(shared(&owner)))
    }
}

fn shared(owner: &Arc<Vec<u8>>) -> Bytes {
    Bytes {
        owner: Arc::clone(owner),
        range: 0..owner.len(),
    }
}
