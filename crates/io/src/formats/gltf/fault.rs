//! Errors of this reader. Most are about JSON objects, which have a name and not an offset.

use super::ID;
use crate::formats::{Failure, ReadError};
use rigscope_core::model::Place;

fn failure(field: &'static str, place: Place, what: String) -> Box<Failure> {
    Box::new(Failure { format: ID, field, place, bytes: None, what })
}

/// The file breaks the format.
pub(super) fn malformed(field: &'static str, what: impl Into<String>) -> ReadError {
    ReadError::Malformed(failure(field, Place::File, what.into()))
}

/// The file breaks the format at a known place.
pub(super) fn malformed_at(
    place: Place,
    field: &'static str,
    what: impl Into<String>,
) -> ReadError {
    ReadError::Malformed(failure(field, place, what.into()))
}

/// The file is right, but cannot be read here.
pub(super) fn unsupported(field: &'static str, what: impl Into<String>) -> ReadError {
    ReadError::Unsupported(failure(field, Place::File, what.into()))
}

/// The file asks for too much.
pub(super) fn over_limit(field: &'static str, what: impl Into<String>) -> ReadError {
    ReadError::Limit(failure(field, Place::File, what.into()))
}

/// Puts the name of the part that is read before the text of an error about its accessor:
/// `mesh 0, JOINTS: …`. Buffers and views are named by their own numbers.
pub(super) fn within(part: impl std::fmt::Display) -> impl FnOnce(ReadError) -> ReadError {
    const OF_ACCESSORS: [&str; 3] = ["accessors", "attributes", "sparse"];
    move |error| match error {
        ReadError::Malformed(failure) if OF_ACCESSORS.contains(&failure.field) => {
            let what = format!("{part}: {}", failure.what);
            ReadError::Malformed(Box::new(Failure { what, ..*failure }))
        }
        other => other,
    }
}

/// Object `index` of a list, if it exists.
pub(super) fn nth<'a, T>(
    list: &'a [T],
    index: usize,
    field: &'static str,
) -> Result<&'a T, ReadError> {
    list.get(index)
        .ok_or_else(|| malformed(field, format!("{field} {index} exceeds {}", list.len())))
}
