//! Opening files, and the formats that can be opened.

use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;
use rigscope::OpenOptions;
use rigscope_python_macros::guarded;

use crate::document::Model;
use crate::errors::exception;
use crate::options::request_of;
use crate::running::detached;
use crate::typed_args::type_name;

/// A path, bytes, or bytes with a file name.
pub(crate) enum Input {
    Named(String, PyBackedBytes),
    Bytes(PyBackedBytes),
    Path(PathBuf),
}

impl<'py> FromPyObject<'_, 'py> for Input {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok((name, bytes)) = value.extract() {
            return Ok(Self::Named(name, bytes));
        }
        // Before paths, which may be bytes in Python too.
        if let Ok(bytes) = value.extract() {
            return Ok(Self::Bytes(bytes));
        }
        value.extract().map(Self::Path).map_err(|_| {
            let kind = type_name(value);
            let message =
                format!("a file must be a path, bytes, or a pair of name and bytes, not {kind}");
            PyTypeError::new_err(message)
        })
    }
}

fn open_input(py: Python<'_>, input: Input, options: OpenOptions) -> PyResult<Model> {
    let opened = detached(py, || match input {
        Input::Path(path) => options.open(path),
        Input::Named(name, bytes) => options.open_bytes(&name, bytes.to_vec()),
        Input::Bytes(bytes) => options.open_bytes("", bytes.to_vec()),
    });
    opened.map(Model::new).map_err(|error| exception(py, &error))
}

/// Opens a file of any readable format with its related files: buffers, textures, skeletons.
///
/// :param source: a path; bytes; or a pair of name and bytes, where the name helps to detect the format
/// :param companions: additional related files and folders: paths, or pairs of name and bytes
/// :param options: `without`, `no_effect`, `fps`, `up`, `bones_by_order` and `format`, as in `rigscope info --help`;
///     `without` is a list
///
/// :raises rigscope.errors.Error: if the file cannot be read or parsed; `offset` is the position of the error
/// :raises TypeError: for an unknown option or a value of another type
/// :raises ValueError: for a value out of range
/// :param origin: a function and its arguments, which pickle stores
#[guarded]
#[pyfunction]
#[pyo3(signature = (source, *, companions = Vec::new(), origin = None, **options))]
pub(crate) fn open(
    py: Python<'_>,
    source: Input,
    companions: Vec<Input>,
    origin: Option<Py<PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Model> {
    let model = open_input(py, source, open_options("open", companions, options)?)?;
    Ok(model.with_origin(origin))
}

/// The options that the keywords of `function` describe.
pub(crate) fn open_options(
    function: &str,
    companions: Vec<Input>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<OpenOptions> {
    let mut options: OpenOptions = request_of(function, keywords)?;
    for related_file in companions {
        match related_file {
            Input::Path(path) => options.with.push(path),
            Input::Named(name, bytes) => options.with_bytes.push((name, bytes.to_vec())),
            Input::Bytes(_) => {
                let message = "a companion in memory must be a pair of name and bytes";
                return Err(PyTypeError::new_err(message));
            }
        }
    }
    Ok(options)
}

/// All formats, as dictionaries with `id`, `name`, `extensions`, `can_read`, `can_write` and `parts`.
#[guarded]
#[pyfunction]
pub(crate) fn formats(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let formats = rigscope::formats().map(|info| {
        let format = PyDict::new(py);
        format.set_item("id", info.id)?;
        format.set_item("name", info.name)?;
        format.set_item("extensions", info.extensions)?;
        format.set_item("can_read", info.can_read)?;
        format.set_item("can_write", info.can_write)?;
        let parts: Vec<_> = info.parts.iter().map(|part| part.id).collect();
        format.set_item("parts", parts)?;
        Ok(format)
    });
    formats.collect()
}
