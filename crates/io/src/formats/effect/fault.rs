//! Constructors for errors of this reader.

use super::ID;
use crate::formats::{Failure, ReadError};
use rigscope_core::model::Place;

fn failure(field: &'static str, place: Place, what: String) -> Box<Failure> {
    Box::new(Failure::new(ID, field, place, what))
}

/// The file violates the format.
pub(super) fn malformed(field: &'static str, place: Place, what: impl Into<String>) -> ReadError {
    ReadError::Malformed(failure(field, place, what.into()))
}

/// The file is valid, but has nothing to display.
pub(super) fn unsupported(field: &'static str, what: impl Into<String>) -> ReadError {
    ReadError::Unsupported(failure(field, Place::File, what.into()))
}

/// The file exceeds a limit.
pub(super) fn over_limit(field: &'static str, what: impl Into<String>) -> ReadError {
    ReadError::Limit(failure(field, Place::File, what.into()))
}
