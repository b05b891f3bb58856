//! Parses the text. Errors have the path of the value, such as `meshes[0].positions[12]`, and its line and column.

use memchr::memchr_iter;

use super::ID;
use super::schema::{ClipText, MaterialText, MeshText, ModelText};
use crate::formats::{Budget, Failure, Limits, ReadError, text};
use rigscope_core::model::value_names::{Names, value_of};
use rigscope_core::model::{Place, as_u32};

/// Upper bound on the memory of one JSON object, such as a mesh without vertices.
const OBJECT_BYTES: usize = 1024;
const _: () = assert!(
    size_of::<MeshText>() <= OBJECT_BYTES
        && size_of::<ClipText>() <= OBJECT_BYTES
        && size_of::<MaterialText>() <= OBJECT_BYTES
);
const SCHEMA: &str = "rigscope.model/1";

/// A violation of the format.
pub(super) fn malformed(field: &'static str, what: impl Into<String>) -> ReadError {
    ReadError::Malformed(Box::new(Failure::new(ID, field, Place::File, what.into())))
}

/// The value with that name, if there is one; `path` is the key.
pub(super) fn named<T: Copy>(
    field: &'static str,
    path: &str,
    name: Option<&str>,
    names: &Names<T>,
) -> Result<Option<T>, ReadError> {
    let Some(name) = name else { return Ok(None) };
    let found = value_of(names, name).ok_or_else(|| {
        let known: Vec<_> = names.iter().map(|(name, _)| *name).collect();
        malformed(field, format!("{path}: {name:?} isn't one of {}", known.join(", ")))
    });
    found.map(Some)
}

pub(super) fn parse(bytes: &[u8], limits: &Limits) -> Result<ModelText, ReadError> {
    let text = text::plain(bytes);
    let text = std::str::from_utf8(&text).map_err(|error| {
        let place = text::line_and_column(&text, error.valid_up_to());
        let what = "the text isn't valid UTF-8".to_owned();
        ReadError::Malformed(Box::new(Failure::new(ID, "text", place, what)))
    })?;
    // Numbers need less memory than their text, but objects need more.
    let num_objects = memchr_iter(b'{', text.as_bytes()).count();
    Budget::of_file(limits, text.len()).take::<[u8; OBJECT_BYTES]>(num_objects).map_err(|_| {
        let what = format!("{num_objects} objects are too many for a text of {} bytes", text.len());
        ReadError::Limit(Box::new(Failure::new(ID, "text", Place::File, what)))
    })?;
    let parsed: ModelText = serde_json::from_str(text).map_err(|error| fault(&error, text))?;
    if parsed.schema != SCHEMA {
        let what = format!("{:?} is not supported, only {SCHEMA:?}", parsed.schema);
        return Err(ReadError::Unsupported(Box::new(Failure::new(
            ID,
            "schema",
            Place::File,
            what,
        ))));
    }
    Ok(parsed)
}

/// The error with the path of the value.
fn fault(error: &serde_json::Error, text: &str) -> ReadError {
    let place = match error.line() {
        0 => Place::File,
        line => Place::Line { line: as_u32(line), column: Some(as_u32(error.column())) },
    };
    let message = error.to_string();
    // The place already contains the line.
    let mut what = message.rsplit_once(" at line ").map_or(&*message, |parts| parts.0).to_owned();
    let before = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len);
    // Columns count from 1; 0 is the end of the line before.
    let offset = (before.sum::<usize>() + error.column()).saturating_sub(1);
    let path = text::json_path(text, offset);
    if !path.is_empty() {
        what = format!("{path}: {what}");
    }
    ReadError::Malformed(Box::new(Failure::new(ID, "text", place, what)))
}
