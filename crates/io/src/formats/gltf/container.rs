//! Recognizes glTF files, and splits and joins the binary container.

use super::ID;
use super::fault::{malformed_at, unsupported_version};
use crate::formats::record::{Record, record};
use crate::formats::unknown_bytes::report_trailing;
use crate::formats::{Confidence, Content, Cursor, Limits, ProbeInput, ReadError};
use rigscope_core::model::numbers::grouped;
use rigscope_core::model::{Element, Place, Report, Span};

const MAGIC: [u8; 4] = *b"glTF";
/// The only supported version of the container.
const VERSION: u32 = 2;
/// Alignment of chunks (section 4.4.3.1).
const CHUNK_ALIGNMENT: usize = 4;
const CHUNK_JSON: [u8; 4] = *b"JSON";
const CHUNK_BIN: [u8; 4] = *b"BIN\0";
/// Keys found in most glTF files, for files whose `asset` is beyond the probe's window.
const TYPICAL_KEYS: [&[u8]; 6] = [
    b"\"accessors\"",
    b"\"bufferViews\"",
    b"\"primitives\"",
    b"\"meshes\"",
    b"\"nodes\"",
    b"\"scenes\"",
];
/// Confidence of three matching keys, of 255.
const KEYS_CONFIDENCE: u8 = 80;

record! {
    /// Header of a file.
    struct GlbHeader {
        magic: [u8; 4] = "magic";
        version: u32 = "container version";
        length: u32 = "length";
    }

    /// Header of a chunk.
    struct ChunkHeader {
        length: u32 = "chunk length";
        kind: [u8; 4] = "chunk type";
    }
}

/// Ranges of the file that contain its parts.
#[derive(Debug, Default)]
pub(super) struct ContainerParts {
    pub(super) json: std::ops::Range<usize>,
    /// Buffer 0, if it is in the file.
    pub(super) bin: Option<std::ops::Range<usize>>,
    /// Error for a truncated file; the parts that exist can still be inspected.
    pub(super) truncation: Option<ReadError>,
}

/// Whether the file is a binary container rather than text.
pub(super) fn is_binary(front: &[u8]) -> bool {
    front.starts_with(&MAGIC)
}

pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    if is_binary(input.head) {
        return Confidence::Strong;
    }
    let head = input.text();
    let text = head.bytes.trim_ascii_start();
    if !text.starts_with(b"{") {
        return Confidence::No;
    }
    if position(text, b"\"asset\"").is_some() && has_version(text) {
        return Confidence::Strong;
    }
    let keys = TYPICAL_KEYS.iter();
    match keys.filter(|key| position(text, key).is_some()).count() {
        3.. => Confidence::Weak(KEYS_CONFIDENCE),
        _ => Confidence::No,
    }
}

/// Whether a key `version` has a glTF version as its value, including old versions.
fn has_version(mut text: &[u8]) -> bool {
    const KEY: &[u8] = b"\"version\"";
    while let Some(at) = position(text, KEY) {
        text = text.get(at + KEY.len()..).unwrap_or_default();
        let value = text.trim_ascii_start().strip_prefix(b":");
        let value = value.map(<[u8]>::trim_ascii_start).unwrap_or_default();
        if [b"\"2.", b"\"1.", b"\"0."].iter().any(|known| value.starts_with(*known)) {
            return true;
        }
    }
    false
}

fn position(text: &[u8], key: &[u8]) -> Option<usize> {
    text.windows(key.len()).position(|window| window == key)
}

/// Finds the JSON text and the binary chunk; reads only the chunk headers.
pub(super) fn split(
    file: &Content,
    limits: &Limits,
    report: &Report,
) -> Result<ContainerParts, ReadError> {
    let file_bytes = usize::try_from(file.len()).unwrap_or(usize::MAX);
    if !is_binary(file.front()) {
        report.span(Span::new(Element::Json, 0, file_bytes, 1));
        return Ok(ContainerParts { json: 0..file_bytes, ..ContainerParts::default() });
    }
    let mut cursor = Cursor::new(ID, file.front(), limits);
    cursor.take(MAGIC.len(), "magic")?;
    let version = cursor.u32_le("container version")?;
    if version != VERSION {
        if version == 1 {
            return Err(unsupported_version("container version", "1.0"));
        }
        let what = format!("container version {version} is not supported, only {VERSION}");
        return Err(cursor.unsupported("container version", what));
    }
    let length = cursor.u32_le("length")? as usize;
    report.span(Span::new(Element::Header, 0, GlbHeader::BYTES, 1).with_fields(GlbHeader::FIELDS));
    let too_short = || {
        let what = format!("the stated length is {length} bytes, less than a header");
        cursor.malformed("length", what)
    };
    let truncated = || {
        let (part, whole) = (grouped(file_bytes as u64), grouped(length as u64));
        cursor.malformed("length", format!("{part} of {whole} bytes")).truncated()
    };
    if length < GlbHeader::BYTES {
        return Err(too_short());
    }
    let mut cut = (length > file_bytes).then(truncated);
    let length = length.min(file_bytes);
    let mut parts: Option<ContainerParts> = None;
    let mut end = cursor.offset();
    while length.saturating_sub(end) >= ChunkHeader::BYTES {
        let at = end;
        let start = at + ChunkHeader::BYTES;
        let header = file.part(at as u64..start as u64).map_err(ReadError::Io)?;
        let ChunkHeader { length: num_bytes, kind } = ChunkHeader::from_bytes(&header);
        let left = length - start;
        let header = Span::new(Element::ChunkHeader, at, ChunkHeader::BYTES, 1);
        report.span(header.with_fields(ChunkHeader::FIELDS));
        let num_bytes = num_bytes as usize;
        if num_bytes > left && cut.is_none() {
            let what = format!("chunk length {num_bytes} exceeds {left} bytes left");
            return Err(cursor.malformed_at(at as u64, 4, "chunk length", what));
        }
        end = start + num_bytes.min(left);
        let range = start..end;
        if kind == CHUNK_JSON && parts.is_none() {
            report.span(Span::new(Element::Json, start, range.len(), 1));
            // Truncated JSON is useless.
            if num_bytes > left
                && let Some(cut) = cut.take()
            {
                return Err(cut);
            }
        }
        match (&mut parts, kind) {
            (None, CHUNK_JSON) => {
                parts = Some(ContainerParts { json: range, ..ContainerParts::default() });
            }
            (None, _) => {
                let place = Place::Offset(start as u64);
                return Err(malformed_at(place, "chunk type", "chunk 0 is not json"));
            }
            (Some(ContainerParts { bin, .. }), CHUNK_BIN) if bin.is_none() => *bin = Some(range),
            // Section 4.4.3: clients must ignore chunks of unknown types.
            (Some(_), _) => {
                report.span(Span::new(Element::Extension, range.start, range.len(), 1));
            }
        }
    }
    if let (Some(parts), true) = (&mut parts, cut.is_some()) {
        parts.truncation = cut;
        return Ok(std::mem::take(parts));
    }
    if let Some(cut) = cut {
        return Err(cut);
    }
    report_trailing(end, file_bytes - end, "the last chunk", report);
    let place = Place::Offset(end as u64);
    parts.ok_or_else(|| malformed_at(place, "chunk", "there is no json chunk"))
}

/// Packs JSON and buffer 0 into one file; `None` if its length doesn't fit 32 bits.
pub(super) fn join(json: &[u8], bin: &[u8]) -> Option<Vec<u8>> {
    let chunks = [(CHUNK_JSON, json, b' '), (CHUNK_BIN, bin, 0)];
    // A file without a buffer has no chunk for it (section 4.4.3.3).
    let chunks = chunks.into_iter().filter(|(_, chunk, _)| !chunk.is_empty());
    let padded = |chunk: &[u8]| chunk.len().next_multiple_of(CHUNK_ALIGNMENT);
    let all = chunks.clone().map(|(_, chunk, _)| ChunkHeader::BYTES + padded(chunk));
    let length = u32::try_from(GlbHeader::BYTES + all.sum::<usize>()).ok()?;
    let mut bytes = Vec::new();
    GlbHeader { magic: MAGIC, version: VERSION, length }.put(&mut bytes);
    for (kind, chunk, filler) in chunks {
        let length = u32::try_from(padded(chunk)).ok()?;
        ChunkHeader { length, kind }.put(&mut bytes);
        let end = bytes.len() + padded(chunk);
        bytes.extend_from_slice(chunk);
        bytes.resize(end, filler);
    }
    Some(bytes)
}
