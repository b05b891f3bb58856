//! Converts errors of the library to the exceptions in `rigscope.errors`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rigscope::Error;
use rigscope::model::Place;
use rigscope::model::output_text::{OutputTarget, text_for};

/// The exception for `error`, with its code, file and place.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    made(py, error).unwrap_or_else(|failed| failed)
}

fn made(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let kinds = py.import("rigscope.errors")?.getattr("BY_CODE")?;
    let kind = kinds.get_item(error.code())?;
    let details = PyDict::new(py);
    details.set_item("code", error.code())?;
    details.set_item("path", error.path().map(|path| path.to_string_lossy().into_owned()))?;
    details.set_item("place", error.place().map(|place| place.to_string()))?;
    details.set_item("offset", error.place().and_then(offset))?;
    // Python prints it to a terminal or a log.
    let message = in_python(py, &error.to_string())?;
    let message = text_for(OutputTarget::Line, &message);
    let value = kind.call((&*message,), Some(&details))?;
    Ok(PyErr::from_value(value))
}

/// A message that names commands and options, with functions and keywords of the package in their place.
pub(crate) fn in_python(py: Python<'_>, message: &str) -> PyResult<String> {
    if !message.contains("--") && !message.contains("`rigscope ") {
        return Ok(message.to_owned());
    }
    py.import("rigscope.phrasing")?.getattr("in_python")?.call1((message,))?.extract()
}

/// The byte offset of a place, if it has one.
pub(crate) fn offset(place: Place) -> Option<u64> {
    match place {
        Place::Offset(offset) => Some(offset),
        _ => None,
    }
}

/// The exception for an argument that isn't one of `allowed`.
pub(crate) fn unknown_value(what: &str, given: &str, allowed: &[&str]) -> PyErr {
    PyValueError::new_err(format!("{what} is {given:?}, not one of {}", allowed.join(", ")))
}
