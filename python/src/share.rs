//! The page of the viewer with a model in it, for notebooks.

use std::path::PathBuf;

use crate::running::detached;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use rigscope::share::{SharedFile, has_viewer, shared_page};
use rigscope_python_macros::guarded;

/// The page, as `rigscope share` writes it.
///
/// :param viewer: the folder of the viewer
/// :param files: name, bytes, and whether the user named the file; the first is the file to open
/// :param words: names and values of the address
#[guarded]
#[pyfunction]
#[pyo3(name = "_shared_page")]
pub(crate) fn page(
    py: Python<'_>,
    viewer: PathBuf,
    files: Vec<(String, PyBackedBytes, bool)>,
    words: Vec<(String, String)>,
) -> PyResult<String> {
    detached(py, || {
        let shared = files.into_iter().enumerate().map(|(number, (name, bytes, is_named))| {
            if number == 0 {
                SharedFile::main(name, &bytes)
            } else {
                SharedFile::related(name, &bytes, is_named)
            }
        });
        let shared: Vec<_> = shared
            .collect::<Result<_, _>>()
            .map_err(|error| PyOSError::new_err(error.to_string()))?;
        let page = shared_page(&viewer, &shared, &words, None);
        page.map_err(|error| PyValueError::new_err(error.to_string()))
    })
}

/// Whether the folder contains a viewer.
#[guarded]
#[pyfunction]
#[pyo3(name = "_has_viewer")]
pub(crate) fn is_viewer(folder: PathBuf) -> bool {
    has_viewer(&folder)
}
