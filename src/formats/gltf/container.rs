//! Telling glTF from other bytes, and taking the binary container apart.

use super::fault::malformed_at;
use super::{ID, fault};
use crate::formats::{Confidence, Cursor, Limits, ProbeInput, ReadError};
use crate::model::{NoteKind, Place, Report};

const MAGIC: &[u8] = b"glTF";
/// The only version of the container whose chunks are laid out as here.
const VERSION: u32 = 2;
/// Magic, version and length.
const HEADER_BYTES: usize = 12;
/// Length and type.
const CHUNK_HEADER_BYTES: usize = 8;
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

/// Where the parts of a file lie in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    /// The JSON text.
    pub(super) json: std::ops::Range<usize>,
    /// The bytes of buffer 0, where they lie in the file.
    pub(super) bin: Option<std::ops::Range<usize>>,
}

/// How likely the bytes are glTF.
pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    if input.head.starts_with(MAGIC) {
        return Confidence::Strong;
    }
    let text = without_mark(input.head).trim_ascii_start();
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

/// Whether a key `version` has a value that begins with `2.`.
fn has_version(mut text: &[u8]) -> bool {
    const KEY: &[u8] = b"\"version\"";
    while let Some(at) = position(text, KEY) {
        text = text.get(at + KEY.len()..).unwrap_or_default();
        let value = text.trim_ascii_start().strip_prefix(b":");
        if value.is_some_and(|value| value.trim_ascii_start().starts_with(b"\"2.")) {
            return true;
        }
    }
    false
}

fn position(text: &[u8], key: &[u8]) -> Option<usize> {
    text.windows(key.len()).position(|window| window == key)
}

fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Finds the JSON text and the binary chunk.
pub(super) fn split(bytes: &[u8], limits: &Limits, report: &Report) -> Result<Parts, ReadError> {
    if !bytes.starts_with(MAGIC) {
        let start = bytes.len() - without_mark(bytes).len();
        return Ok(Parts {
            json: start..bytes.len(),
            bin: None,
        });
    }
    let mut cursor = Cursor::new(ID, bytes, limits);
    cursor.take(MAGIC.len(), "magic")?;
    let version = cursor.u32_le("container version")?;
    if version != VERSION {
        let what = format!("container version {version} is not {VERSION}");
        return Err(fault::unsupported("container version", what));
    }
    let length = cursor.u32_le("length")? as usize;
    if length < HEADER_BYTES || length > bytes.len() {
        let what = format!("the length is given as {length} and is {}", bytes.len());
        return Err(cursor.malformed("length", what));
    }
    let mut parts = None;
    while length.saturating_sub(cursor.offset()) >= CHUNK_HEADER_BYTES {
        let num_bytes = cursor.u32_le("chunk length")?;
        let kind: [u8; 4] = cursor.array("chunk type")?;
        let start = cursor.offset();
        let left = length - start;
        if num_bytes as usize > left {
            let what = format!("chunk length {num_bytes} exceeds {left} bytes left");
            return Err(cursor.malformed("chunk length", what));
        }
        cursor.take(num_bytes as usize, "chunk")?;
        let range = start..cursor.offset();
        match (&mut parts, kind) {
            (None, CHUNK_JSON) => {
                parts = Some(Parts {
                    json: range,
                    bin: None,
                });
            }
            (None, _) => {
                let place = Place::Offset(start as u64);
                return Err(malformed_at(place, "chunk type", "chunk 0 is not json"));
            }
            (Some(Parts { bin, .. }), CHUNK_BIN) if bin.is_none() => *bin = Some(range),
            // Section 4.4.3: clients must ignore chunks of unknown types.
            (Some(_), _) => {}
        }
    }
    let trailing = bytes.len() - cursor.offset();
    let place = Place::Offset(cursor.offset() as u64);
    report.note_many(
        NoteKind::TrailingBytes,
        place,
        u64::from(trailing > 0),
        || format!("{trailing} bytes follow the last chunk"),
    );
    parts.ok_or_else(|| cursor.malformed("chunk", "there is no json chunk".to_owned()))
}

/// Packs JSON and buffer 0 into one file; nothing where its length does not fit.
pub(super) fn join(json: &[u8], bin: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    let chunks = [(CHUNK_JSON, json, b' '), (CHUNK_BIN, bin, 0)];
    // A file without buffer has no chunk for it (section 4.4.3.3).
    let chunks = chunks.into_iter().filter(|(_, chunk, _)| !chunk.is_empty());
    let padded = |chunk: &[u8]| chunk.len().next_multiple_of(CHUNK_ALIGNMENT);
    let all = chunks
        .clone()
        .map(|(_, chunk, _)| CHUNK_HEADER_BYTES + padded(chunk));
    let length = HEADER_BYTES + all.sum::<usize>();
    bytes.extend_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
    for (kind, chunk, filler) in chunks {
        let end = bytes.len() + CHUNK_HEADER_BYTES + padded(chunk);
        bytes.extend_from_slice(&u32::try_from(padded(chunk)).ok()?.to_le_bytes());
        bytes.extend_from_slice(&kind);
        bytes.extend_from_slice(chunk);
        bytes.resize(end, filler);
    }
    Some(bytes)
}
