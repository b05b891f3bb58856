//! Errors of this reader. Most concern JSON objects, which have a name rather than an offset.

use super::ID;
use crate::formats::{Failure, ReadError};
use rigscope_core::model::Place;

fn failure(field: &'static str, place: Place, what: String) -> Box<Failure> {
    Box::new(Failure::new(ID, field, place, what))
}

/// The file violates the format.
pub(super) fn malformed(field: &'static str, what: impl Into<String>) -> ReadError {
    ReadError::Malformed(failure(field, Place::File, what.into()))
}

/// The file violates the format at a known place.
pub(super) fn malformed_at(
    place: Place,
    field: &'static str,
    what: impl Into<String>,
) -> ReadError {
    ReadError::Malformed(failure(field, place, what.into()))
}

/// The file is valid, but uses something unsupported.
pub(super) fn unsupported(field: &'static str, what: impl Into<String>) -> ReadError {
    ReadError::Unsupported(failure(field, Place::File, what.into()))
}

/// The file has a version of glTF that can't be read.
pub(super) fn unsupported_version(field: &'static str, version: &str) -> ReadError {
    let what = if version.starts_with(['0', '1']) {
        format!(
            "glTF {version} files can't be read, only 2.0; convert them: npx gltf-pipeline -i IN.gltf \
             -o OUT.glb"
        )
    } else {
        format!("glTF {version:?} is not supported, only 2.0")
    };
    unsupported(field, what)
}

/// The file exceeds a limit.
pub(super) fn over_limit(field: &'static str, what: impl Into<String>) -> ReadError {
    ReadError::Limit(failure(field, Place::File, what.into()))
}

/// Prefixes errors about an accessor with the part being read: `mesh 0, JOINTS: …`. Errors about
/// buffers and views already contain their own number.
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

pub(super) fn nth<'a, T>(
    list: &'a [T],
    index: usize,
    field: &'static str,
) -> Result<&'a T, ReadError> {
    list.get(index)
        .ok_or_else(|| malformed(field, format!("{field} {index} exceeds {}", list.len())))
}
