//! Telling glTF from other bytes, and taking the binary container apart.

use super::ID;
use super::fault::malformed_at;
use crate::formats::odd_bytes::note_trailing;
use crate::formats::record::{Record, record};
use crate::formats::{Confidence, Cursor, Limits, ProbeInput, ReadError};
use crate::model::{Element, Place, Report, Span};

const MAGIC: [u8; 4] = *b"glTF";
/// The only version of the container whose chunks are laid out as here.
const VERSION: u32 = 2;
/// What chunks begin and end at a multiple of (section 4.4.3.1).
const CHUNK_ALIGNMENT: usize = 4;
const CHUNK_JSON: [u8; 4] = *b"JSON";
const CHUNK_BIN: [u8; 4] = *b"BIN\0";
/// Keys of which any glTF file has some, for those whose `asset` lies beyond the probe's window.
const TELLING_KEYS: [&[u8]; 6] = [
    b"\"accessors\"",
    b"\"bufferViews\"",
    b"\"primitives\"",
    b"\"meshes\"",
    b"\"nodes\"",
    b"\"scenes\"",
];
/// How sure three of them make, of 255.
const KEYS_ONLY: u8 = 80;

record! {
    /// What a file begins with.
    struct Header {
        magic: [u8; 4] = "magic";
        version: u32 = "container version";
        length: u32 = "length";
    }

    /// What a chunk begins with.
    struct ChunkHeader {
        length: u32 = "chunk length";
        kind: [u8; 4] = "chunk type";
    }
}

/// Where the parts of a file lie in it.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// The JSON text.
    pub(super) json: std::ops::Range<usize>,
    /// The bytes of buffer 0, where they lie in the file.
    pub(super) bin: Option<std::ops::Range<usize>>,
    /// Why the file is refused, though what there is of it can be looked at: it is cut off.
    pub(super) cut: Option<ReadError>,
}

/// How likely the bytes are glTF.
pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    if input.head.starts_with(&MAGIC) {
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
    let keys = TELLING_KEYS.iter();
    match keys.filter(|key| position(text, key).is_some()).count() {
        3.. => Confidence::Weak(KEYS_ONLY),
        _ => Confidence::No,
    }
}

/// Whether a key `version` has a value that is one of glTF, an old one too.
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

/// Finds the JSON text and the binary chunk.
pub(super) fn split(bytes: &[u8], limits: &Limits, report: &Report) -> Result<Parts, ReadError> {
    if !bytes.starts_with(&MAGIC) {
        report.span(Span::new(Element::Json, 0, bytes.len(), 1));
        return Ok(Parts { json: 0..bytes.len(), ..Parts::default() });
    }
    let mut cursor = Cursor::new(ID, bytes, limits);
    cursor.take(MAGIC.len(), "magic")?;
    let version = cursor.u32_le("container version")?;
    if version != VERSION {
        let what = match version {
            1 => "container version 1 is of glTF 1.0; only 2.0 is read".to_owned(),
            _ => format!("container version {version} is not {VERSION}"),
        };
        return Err(cursor.unsupported("container version", what));
    }
    let length = cursor.u32_le("length")? as usize;
    report.span(Span::new(Element::Header, 0, Header::BYTES, 1).with_fields(Header::FIELDS));
    let wrong_length = || {
        let what = format!("the length is given as {length} and is {}", bytes.len());
        cursor.malformed("length", what)
    };
    if length < Header::BYTES {
        return Err(wrong_length());
    }
    let mut cut = (length > bytes.len()).then(wrong_length);
    let length = length.min(bytes.len());
    let mut parts: Option<Parts> = None;
    while length.saturating_sub(cursor.offset()) >= ChunkHeader::BYTES {
        let at = cursor.offset();
        let ChunkHeader { length: num_bytes, kind } = cursor.record()?;
        let start = cursor.offset();
        let left = length - start;
        let header = Span::new(Element::ChunkHeader, at, ChunkHeader::BYTES, 1);
        report.span(header.with_fields(ChunkHeader::FIELDS));
        let num_bytes = num_bytes as usize;
        if num_bytes > left && cut.is_none() {
            let what = format!("chunk length {num_bytes} exceeds {left} bytes left");
            return Err(cursor.malformed_at(at as u64, 4, "chunk length", what));
        }
        cursor.take(num_bytes.min(left), "chunk")?;
        let range = start..cursor.offset();
        if kind == CHUNK_JSON && parts.is_none() {
            report.span(Span::new(Element::Json, start, range.len(), 1));
            // Half of the text is of no use.
            if num_bytes > left
                && let Some(cut) = cut.take()
            {
                return Err(cut);
            }
        }
        match (&mut parts, kind) {
            (None, CHUNK_JSON) => {
                parts = Some(Parts { json: range, ..Parts::default() });
            }
            (None, _) => {
                let place = Place::Offset(start as u64);
                return Err(malformed_at(place, "chunk type", "chunk 0 is not json"));
            }
            (Some(Parts { bin, .. }), CHUNK_BIN) if bin.is_none() => *bin = Some(range),
            // Section 4.4.3: clients must ignore chunks of unknown types.
            (Some(_), _) => {
                report.span(Span::new(Element::Extension, range.start, range.len(), 1));
            }
        }
    }
    if let (Some(parts), true) = (&mut parts, cut.is_some()) {
        parts.cut = cut;
        return Ok(std::mem::take(parts));
    }
    if let Some(cut) = cut {
        return Err(cut);
    }
    let trailing = bytes.len() - cursor.offset();
    note_trailing(cursor.offset(), trailing, "the last chunk", report);
    parts.ok_or_else(|| cursor.malformed("chunk", "there is no json chunk".to_owned()))
}

/// Packs JSON and buffer 0 into one file; nothing where its length does not fit.
pub(super) fn join(json: &[u8], bin: &[u8]) -> Option<Vec<u8>> {
    let chunks = [(CHUNK_JSON, json, b' '), (CHUNK_BIN, bin, 0)];
    // A file without buffer has no chunk for it (section 4.4.3.3).
    let chunks = chunks.into_iter().filter(|(_, chunk, _)| !chunk.is_empty());
    let padded = |chunk: &[u8]| chunk.len().next_multiple_of(CHUNK_ALIGNMENT);
    let all = chunks.clone().map(|(_, chunk, _)| ChunkHeader::BYTES + padded(chunk));
    let length = u32::try_from(Header::BYTES + all.sum::<usize>()).ok()?;
    let mut bytes = Vec::new();
    Header { magic: MAGIC, version: VERSION, length }.put(&mut bytes);
    for (kind, chunk, filler) in chunks {
        let length = u32::try_from(padded(chunk)).ok()?;
        ChunkHeader { length, kind }.put(&mut bytes);
        let end = bytes.len() + padded(chunk);
        bytes.extend_from_slice(chunk);
        bytes.resize(end, filler);
    }
    Some(bytes)
}
