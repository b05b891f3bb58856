//! Catalog rows as JSON. `rigscope.catalog` converts them to dictionaries, and `rigscope.farm` to columns.

use std::io;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rigscope::OpenOptions;
use rigscope_python_macros::guarded;

use crate::errors::exception;
use crate::opening::{Input, open_options};
use crate::running::detached;

/// The row of `rigscope catalog` for one file, as JSON; see `rigscope.catalog_row`.
#[guarded]
#[pyfunction]
#[pyo3(signature = (source, *, around = None, companions = Vec::new(), **options))]
pub(crate) fn catalog_row(
    py: Python<'_>,
    source: Input,
    around: Option<Py<PyAny>>,
    companions: Vec<Input>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let options = open_options("catalog_row", companions, options)?;
    let row = match (source, around) {
        (Input::Path(path), None) => detached(py, || options.catalog_row(path)),
        (Input::Path(_), Some(_)) => {
            let message = "`around` is only for bytes; a path has its own folder";
            return Err(PyTypeError::new_err(message));
        }
        (Input::Named(name, bytes), around) => {
            detached(py, || row_of_bytes(&options, &name, bytes.to_vec(), around))
        }
        (Input::Bytes(bytes), around) => {
            detached(py, || row_of_bytes(&options, "", bytes.to_vec(), around))
        }
    };
    row.map_err(|error| exception(py, &error))
}

fn row_of_bytes(
    options: &OpenOptions,
    name: &str,
    bytes: Vec<u8>,
    around: Option<Py<PyAny>>,
) -> Result<String, rigscope::Error> {
    let Some(around) = around else {
        let nowhere = || io::Error::from(io::ErrorKind::NotFound);
        return options.catalog_row_of_bytes(
            name,
            bytes,
            move |_| Err(nowhere()),
            move |_| Err(nowhere()),
        );
    };
    let beside = Python::attach(|py| around.clone_ref(py));
    // A Python exception becomes the error of the file that could not be read.
    let list = move |folder: &str| {
        Python::attach(|py| around.call_method1(py, "list", (folder,))?.extract(py))
            .map_err(|error: PyErr| io::Error::other(error.to_string()))
    };
    let read = move |path: &str| {
        Python::attach(|py| beside.call_method1(py, "read", (path,))?.extract(py))
            .map_err(|error: PyErr| io::Error::other(error.to_string()))
    };
    options.catalog_row_of_bytes(name, bytes, list, read)
}

/// The columns of the rows, as JSON: names and kinds, which are `"boolean"`, `"int"`, `"single"`,
/// `"double"`, `"text"`, `{"list": kind}` or `{"struct": columns}`.
#[guarded]
#[pyfunction]
pub(crate) fn catalog_columns() -> String {
    OpenOptions::catalog_columns()
}

/// Whether a folder search includes a file with this name, because its extension belongs to a readable format. If the
/// extension is ambiguous, `front()` must return the first 16 KiB, or `None`.
#[guarded]
#[pyfunction]
pub(crate) fn may_open(name: &str, front: Py<PyAny>) -> PyResult<bool> {
    let mut failed = None;
    let may = OpenOptions::may_open(name, || {
        let front = Python::attach(|py| front.call0(py)?.extract::<Option<Vec<u8>>>(py));
        front.unwrap_or_else(|error: PyErr| {
            failed = Some(error);
            None
        })
    });
    failed.map_or(Ok(may), Err)
}
