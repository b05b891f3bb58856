//! Locates the bytes of buffers: in the file, in a `data:` URI or in a separate file.
//!
//! Files on disk are read lazily, and only the requested ranges.

use std::collections::HashMap;
use std::ops::Range;

use gltf_json::Root;

use super::container::ContainerParts;
use super::fault::{malformed, nth, over_limit, unsupported};
use super::meshopt::Compressed;
use super::uri;
use crate::formats::{Content, ReadError, Source};
use rigscope_core::model::{
    ByteView, FindingKind, Place, RelatedBytes, RelatedFileRole, RelatedFileUse, Report,
};

/// Why a buffer can't be read.
enum BufferError {
    /// Its file wasn't found or can't be read.
    NotFound(String),
    /// Its description in the JSON is wrong.
    Broken(String),
}

#[derive(Clone)]
struct BufferBytes {
    owner: Content,
    range: Range<u64>,
    /// Offset in the buffer at which `range` starts; only the used part of a separate file is read.
    first: u64,
    /// Length of the whole buffer.
    len: u64,
    /// The number of `owner` in spans ([`rigscope_core::model::Span::file`]); `None` for bytes that no file contains.
    file: Option<u16>,
    /// Whether the bytes exist only in memory: decoded from a `data:` URI.
    is_decoded: bool,
}

/// A range of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilePlace {
    /// As in [`rigscope_core::model::Span::file`].
    pub(super) file: u16,
    pub(super) start: usize,
    pub(super) len: usize,
}

/// A byte range that is read on demand.
#[derive(Clone)]
pub(super) struct LazyBytes {
    owner: Content,
    range: Range<u64>,
}

impl LazyBytes {
    /// From bytes already in memory.
    pub(super) fn of(bytes: &ByteView) -> Self {
        let start = bytes.offset() as u64;
        let range = start..start + bytes.len() as u64;
        Self { owner: bytes.owner().into(), range }
    }

    pub(super) fn len(&self) -> usize {
        usize::try_from(self.range.end - self.range.start).unwrap_or(usize::MAX)
    }

    /// Reads `range`, relative to the start.
    pub(super) fn part(&self, range: Range<usize>) -> Result<ByteView, ReadError> {
        let Range { start, end } = range;
        let [start, end] = [start, end].map(|at| self.range.start.saturating_add(at as u64));
        self.owner.part(start..end.min(self.range.end)).map_err(ReadError::Io)
    }

    /// Fills `bytes`, starting at `start`.
    pub(super) fn read_at(&self, start: usize, bytes: &mut [u8]) -> Result<(), ReadError> {
        let start = self.range.start.saturating_add(start as u64);
        self.owner.read_at(start, bytes).map_err(ReadError::Io)
    }
}

/// All buffers. A missing buffer is only reported when it is used, since files contain buffers that
/// are never read (the fallback of `EXT_meshopt_compression`).
pub(super) struct Buffers {
    list: Vec<Result<BufferBytes, BufferError>>,
    /// The names of separate files and of decoded buffers, in the order of their numbers in spans.
    names: Vec<String>,
    /// Bytes read from separate files.
    pub(super) num_related_file_bytes: u64,
}

impl Buffers {
    /// Finds all buffers. Takes their URIs out of `root`, since they can be large.
    pub(super) fn load(
        root: &mut Root,
        source: &Source,
        parts: &ContainerParts,
        max_bytes: u64,
        report: &Report,
    ) -> Result<Self, ReadError> {
        let mut files = BufferFiles {
            source,
            used: used_of_files(root, source),
            known: HashMap::new(),
            num_bytes: 0,
            max_bytes,
            names: Vec::new(),
        };
        let mut list = Vec::new();
        for (index, buffer) in root.buffers.iter_mut().enumerate() {
            report.progress("reading buffers", 0.1)?;
            let bytes = match buffer.uri.take() {
                None => in_file(index, source, parts),
                Some(text) if uri::is_data(&text) => match uri::decode_data(&text) {
                    Ok(bytes) => {
                        let file = files.add_name(format!("buffer {index} (decoded)"));
                        Ok(BufferBytes { file, is_decoded: true, ..BufferBytes::whole(bytes) })
                    }
                    Err(what) => Err(BufferError::Broken(format!("buffer {index}: {what}"))),
                },
                Some(text) => files.bytes(&text, index, report)?,
            };
            let len = match (&bytes, &parts.truncation) {
                // Keep the part of the chunk that exists, for inspection of the bytes.
                (Ok(bytes), Some(_)) => buffer.byte_length.0.min(bytes.len),
                _ => buffer.byte_length.0,
            };
            list.push(bytes.and_then(|bytes| cut_to(bytes, index, len)));
        }
        Ok(Self { list, names: files.names, num_related_file_bytes: files.num_bytes })
    }

    /// Adds a buffer that isn't in the file; returns its index.
    pub(super) fn add(&mut self, bytes: Vec<u8>) -> usize {
        self.list.push(Ok(BufferBytes::whole(bytes)));
        self.list.len() - 1
    }

    /// The place of `len` bytes of buffer `index` from `offset` on, if a file contains them.
    pub(super) fn place(&self, index: usize, offset: u64, len: u64) -> Option<FilePlace> {
        let bytes = self.list.get(index)?.as_ref().ok()?;
        let range = bytes.part(offset, len)?;
        // Only the used part of a separate file was read.
        let start = usize::try_from(range.start.checked_add(bytes.first)?).ok()?;
        let len = usize::try_from(len).ok()?;
        Some(FilePlace { file: bytes.file?, start, len })
    }

    /// The bytes in addition to the main file, with the spans that were reported; the last step of reading.
    pub(super) fn related(&self, keeps_bytes: bool, report: &Report) -> Vec<RelatedBytes> {
        let related = |(number, name): (u16, &String)| {
            let mut decoded = self.list.iter().flatten().filter(|buffer| buffer.is_decoded);
            let decoded = decoded.find(|buffer| buffer.file == Some(number));
            RelatedBytes {
                name: name.clone(),
                bytes: decoded.filter(|_| keeps_bytes).and_then(|buffer| buffer.owner.whole().ok()),
                provenance: report.take_provenance_of(number),
            }
        };
        (1..).zip(&self.names).map(related).collect()
    }

    /// `len` bytes of buffer `index` from `offset` on.
    pub(super) fn view(&self, index: usize, offset: u64, len: u64) -> Result<LazyBytes, ReadError> {
        let bytes = match nth(&self.list, index, "buffer")? {
            Ok(bytes) => bytes,
            Err(BufferError::NotFound(what)) => return Err(unsupported("buffers", what)),
            Err(BufferError::Broken(what)) => return Err(malformed("buffers", what)),
        };
        let range = bytes.part(offset, len);
        range.map(|range| LazyBytes { owner: bytes.owner.clone(), range }).ok_or_else(|| {
            let num = bytes.len;
            let what = format!("{len} bytes at {offset} exceed the {num} bytes of buffer {index}");
            malformed("bufferViews", what)
        })
    }
}

/// The range of each buffer that views use, from the first byte to the last. Bytes past a buffer's
/// end are reported when the view is read.
fn used_ranges(root: &Root) -> Vec<Range<u64>> {
    let mut used: Vec<Option<Range<u64>>> = vec![None; root.buffers.len()];
    let mut add = |buffer: usize, offset: u64, len: u64| {
        let Some(slot) = used.get_mut(buffer).filter(|_| len > 0) else { return };
        let known = slot.clone().unwrap_or(offset..offset);
        let end = offset.saturating_add(len);
        *slot = Some(known.start.min(offset)..known.end.max(end));
    };
    for view in &root.buffer_views {
        let offset = view.byte_offset.map_or(0, |offset| offset.0);
        add(view.buffer.value(), offset, view.byte_length.0);
        if let Ok(Some(packed)) = Compressed::of(view) {
            add(packed.buffer, packed.offset, packed.len);
        }
    }
    let all = root.buffers.iter().zip(used);
    all.map(|(buffer, used)| {
        let len = buffer.byte_length.0;
        let used = used.unwrap_or_default();
        used.start.min(len)..used.end.min(len)
    })
    .collect()
}

/// The range of each separate file that its buffers use, from the first byte to the last, so that
/// each file is read once even if several buffers name it in different ways.
fn used_of_files(root: &Root, source: &Source) -> HashMap<String, Range<u64>> {
    let mut files: HashMap<String, Range<u64>> = HashMap::new();
    for (buffer, used) in root.buffers.iter().zip(used_ranges(root)) {
        let uri = buffer.uri.as_deref().filter(|text| !uri::is_data(text));
        let path = uri.map(uri::decode_path);
        let Some(name) = path.as_deref().and_then(|path| source.name_of(path)) else { continue };
        match files.get_mut(&name) {
            Some(known) if known.is_empty() => *known = used,
            Some(known) if !used.is_empty() => {
                *known = known.start.min(used.start)..known.end.max(used.end);
            }
            Some(_) => {}
            None => drop(files.insert(name, used)),
        }
    }
    files
}

impl BufferBytes {
    fn whole(bytes: Vec<u8>) -> Self {
        let len = bytes.len() as u64;
        Self { len, owner: bytes.into(), range: 0..len, first: 0, file: None, is_decoded: false }
    }

    /// Range in `owner` of `len` bytes from `offset` of the buffer on.
    fn part(&self, offset: u64, len: u64) -> Option<Range<u64>> {
        let is_inside = offset.checked_add(len).is_some_and(|end| end <= self.len);
        // Empty ranges are valid at any offset, even outside the part that was read.
        let offset = match len {
            0 => 0,
            _ => offset.checked_sub(self.first)?,
        };
        let start = self.range.start.checked_add(offset)?;
        let end = start.checked_add(len)?;
        (is_inside && end <= self.range.end).then_some(start..end)
    }
}

/// Buffer 0 of a binary container has no URI (section 4.4.3.3).
fn in_file(
    index: usize,
    source: &Source,
    parts: &ContainerParts,
) -> Result<BufferBytes, BufferError> {
    match (&parts.bin, index) {
        (Some(range), 0) => {
            let range = range.start as u64..range.end as u64;
            let (owner, len) = (source.content.clone(), range.end - range.start);
            Ok(BufferBytes { owner, range, first: 0, len, file: Some(0), is_decoded: false })
        }
        _ => Err(BufferError::Broken(format!("buffer {index} has no bytes"))),
    }
}

/// Cuts the buffer to its stated length, dropping the padding of a chunk.
fn cut_to(bytes: BufferBytes, index: usize, byte_length: u64) -> Result<BufferBytes, BufferError> {
    let num = bytes.len;
    if byte_length <= num {
        Ok(BufferBytes { len: byte_length, ..bytes })
    } else {
        Err(BufferError::Broken(format!("buffer {index} has {num} of {byte_length} bytes")))
    }
}

/// Separate buffer files.
struct BufferFiles<'a> {
    source: &'a Source,
    /// Used range of each file, by name.
    used: HashMap<String, Range<u64>>,
    known: HashMap<String, BufferBytes>,
    num_bytes: u64,
    max_bytes: u64,
    names: Vec<String>,
}

impl BufferFiles<'_> {
    /// The number of another file in spans; `None` if there are too many.
    fn add_name(&mut self, name: String) -> Option<u16> {
        self.names.push(name);
        u16::try_from(self.names.len()).ok()
    }

    fn bytes(
        &mut self,
        text: &str,
        index: usize,
        report: &Report,
    ) -> Result<Result<BufferBytes, BufferError>, ReadError> {
        let path = uri::decode_path(text);
        let name = self.source.name_of(&path).unwrap_or_default();
        if let Some(known) = self.known.get(&name) {
            return Ok(Ok(known.clone()));
        }
        let used = self.used.get(&name).cloned().unwrap_or_default();
        let part = match self.source.look_up_range(&path, used) {
            Ok(part) => part,
            Err(absence) => {
                // A model from memory or standard input.
                let has_folder = !self.source.folders.is_empty();
                let advice = if has_folder { "" } else { "; add it as a related file (--with)" };
                let what = format!("buffer {index} is in {path:?}, which {absence}{advice}");
                report.add(FindingKind::MissingRelatedFile, Place::File, what.as_str());
                let named = format!("used by buffer {index}");
                report.related_file(RelatedFileUse::missing(
                    &path,
                    RelatedFileRole::Buffer,
                    &named,
                ));
                return Ok(Err(BufferError::NotFound(what)));
            }
        };
        let why = format!("used by buffer {index}");
        report.related_file(RelatedFileUse::used(&part.name, RelatedFileRole::Buffer, why));
        self.num_bytes = self.num_bytes.saturating_add(part.bytes.len() as u64);
        if self.num_bytes > self.max_bytes {
            return Err(over_limit("buffers", "the buffers are larger than allowed"));
        }
        let bytes = BufferBytes {
            range: 0..part.bytes.len() as u64,
            owner: part.bytes.into(),
            first: part.first,
            len: part.file_bytes,
            file: self.add_name(part.name.clone()),
            is_decoded: false,
        };
        self.known.insert(part.name, bytes.clone());
        Ok(Ok(bytes))
    }
}
