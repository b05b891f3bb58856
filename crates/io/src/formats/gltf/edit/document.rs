//! Converts files with JSON and at most one buffer to a single binary file, and back.

use std::ops::Range;

use serde_json::{Value, json};

use super::json_text::{JsonText, place};
use crate::formats::editor::{Edit, EditPlace, Edited, NamedFiles};
use crate::formats::gltf::{container, uri};
use crate::formats::{Limits, Source, text};
use rigscope_core::model::Report;

/// The parts of a binary file.
pub(super) struct Parts<'a> {
    pub(super) json: JsonText,
    /// Whether invalid UTF-8 in the text was replaced.
    is_lossy: bool,
    /// The binary chunk before and after changes to arrays.
    pub(super) old_bin: &'a [u8],
    pub(super) new_bin: &'a [u8],
    /// The offset of the chunk in the file.
    pub(super) bin_start: usize,
    /// Range of the JSON text in the file.
    json_range: Range<usize>,
}

fn split(bytes: &[u8]) -> Option<(Range<usize>, Option<Range<usize>>)> {
    let content = bytes.to_vec().into();
    let parts = container::split(&content, &Limits::default(), &Report::new()).ok()?;
    parts.truncation.is_none().then_some((parts.json, parts.bin))
}

fn json_of(bytes: &[u8]) -> Option<(JsonText, bool)> {
    let plain = text::plain(bytes);
    let plain = plain.trim_ascii_end();
    let end = plain.iter().rposition(|byte| *byte != 0).map_or(0, |at| at + 1);
    let plain = plain.get(..end)?;
    let is_lossy = std::str::from_utf8(plain).is_err();
    Some((JsonText::new(String::from_utf8_lossy(plain).into_owned())?, is_lossy))
}

impl<'a> Parts<'a> {
    pub(super) fn of(original: &'a [u8], patched: &'a [u8]) -> Option<Self> {
        let (json_range, bin) = split(original)?;
        let (json, is_lossy) = json_of(original.get(json_range.clone())?)?;
        let bin = bin.unwrap_or(0..0);
        let old_bin = original.get(bin.clone()).unwrap_or_default();
        let bin_start = bin.start;
        let new_bin = patched.get(bin).unwrap_or_default();
        Some(Self { json, is_lossy, old_bin, new_bin, bin_start, json_range })
    }

    /// The changed file. Without changes in the JSON, its text stays as it is.
    pub(super) fn into_bytes(self, edit: &Edit<'_>) -> Option<Edited> {
        let patched = &edit.patched;
        let fixes_text = self.is_lossy && edit.fixes("name-not-utf8");
        if !self.json.is_changed() && !fixes_text {
            return Some(Edited::in_place(patched.clone()));
        }
        let Range { start, end } = self.json_range;
        let num_outside = self.json.num_changed() as u64;
        let bytes = with_json(patched, start..end, self.json.finish().into_bytes())?;
        Some(Edited { bytes, num_outside })
    }
}

/// The file with another JSON text and adjusted lengths; all other chunks stay the same.
fn with_json(file: &[u8], range: Range<usize>, mut text: Vec<u8>) -> Option<Vec<u8>> {
    const ALIGNMENT: usize = 4;
    const LENGTH_AT: usize = 8;
    const CHUNK_HEADER_BYTES: usize = 8;
    text.resize(text.len().next_multiple_of(ALIGNMENT), b' ');
    let head = file.get(..range.start.checked_sub(CHUNK_HEADER_BYTES)?)?;
    let kind = file.get(range.start - 4..range.start)?;
    let mut out = head.to_vec();
    out.extend(u32::try_from(text.len()).ok()?.to_le_bytes());
    out.extend(kind);
    out.extend(text);
    out.extend(file.get(range.end..)?);
    let stated = u32::from_le_bytes(*file.get(LENGTH_AT..)?.first_chunk()?) as usize;
    let length = stated.checked_add(out.len())?.checked_sub(file.len())?;
    out.get_mut(LENGTH_AT..LENGTH_AT + 4)?
        .copy_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
    Some(out)
}

/// The file as a binary one. JSON with a separate or inline buffer becomes a binary file with that buffer.
pub(super) fn joined(source: &Source) -> Option<Vec<u8>> {
    let bytes = source.content.whole().ok()?;
    if container::is_binary(&bytes) {
        return Some(bytes.to_vec());
    }
    let (mut json, _) = json_of(&bytes)?;
    if json.len(place!("buffers")) != 1 {
        return None;
    }
    let uri = json.get(place!("buffers", 0, "uri"))?;
    let uri = uri.as_str()?;
    let buffer = if uri::is_data(uri) {
        uri::decode_data(uri).ok()?
    } else {
        source.find(&uri::decode_path(uri))?.bytes.to_vec()
    };
    // The value is replaced rather than removed, so that `files` can write the new one in its place.
    json.set(place!("buffers", 0, "uri"), &Value::Null)?;
    container::join(json.finish().as_bytes(), &buffer)
}

/// The files to write for a joined one: the same number of files as the source has.
pub(super) fn files(joined: Vec<u8>, source: &Source, place: &EditPlace<'_>) -> Option<NamedFiles> {
    let bytes = source.content.whole().ok()?;
    let stem = place.stem;
    let (json_range, bin) = split(&joined)?;
    let (mut json, _) = json_of(joined.get(json_range)?)?;
    if !place.is_in_same_folder && has_image_files(&json) {
        return None;
    }
    if container::is_binary(&bytes) {
        return Some(vec![(format!("{stem}.glb"), joined)]);
    }
    let (old, _) = json_of(&bytes)?;
    let old_uri = old.get(place!("buffers", 0, "uri"))?;
    let old_uri = old_uri.as_str()?;
    // The chunk may be padded.
    let num_bytes = json.index(place!("buffers", 0, "byteLength"))?;
    let bin = joined.get(bin?)?;
    let bin = bin.get(..num_bytes.min(bin.len()))?;
    let is_inline = uri::is_data(old_uri);
    let old_buffer = if is_inline {
        uri::decode_data(old_uri).ok()
    } else {
        source.find(&uri::decode_path(old_uri)).map(|file| file.bytes.to_vec())
    };
    let is_same_buffer = old_buffer.is_some_and(|old| old.get(..bin.len()) == Some(bin));
    if is_same_buffer && (is_inline || place.is_in_same_folder) {
        json.set(place!("buffers", 0, "uri"), &Value::from(old_uri))?;
        return Some(vec![(format!("{stem}.gltf"), json.finish().into_bytes())]);
    }
    let bin_name = format!("{stem}.bin");
    let uri =
        if is_inline { uri::encode_data_like(old_uri, bin) } else { uri::encode_path(&bin_name) };
    json.set(place!("buffers", 0, "uri"), &Value::from(uri))?;
    let main = (format!("{stem}.gltf"), json.finish().into_bytes());
    let separate = (!is_inline).then(|| (bin_name, bin.to_vec()));
    Some(std::iter::once(main).chain(separate).collect())
}

/// Whether any image is a separate file.
fn has_image_files(json: &JsonText) -> bool {
    (0..json.len(place!("images"))).any(|image| {
        let uri = json.get(place!("images", image, "uri"));
        uri.as_ref().and_then(Value::as_str).is_some_and(|uri| !uri::is_data(uri))
    })
}

/// A JSON list of numbers; whole numbers are written without a fraction.
pub(super) fn numbers(values: impl IntoIterator<Item = f64>) -> Value {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the shortest text of a single-precision number"
    )]
    let number = |value: f64| {
        let single = value as f32;
        // The shortest decimal that reads as the same single-precision number.
        let exact: f64 = single.to_string().parse().unwrap_or(value);
        json!(if f64::from(single) == value { exact } else { value })
    };
    Value::Array(values.into_iter().map(number).collect())
}
