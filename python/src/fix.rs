//! Fixing files.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rigscope::FixChoice;

use crate::document::ModelOrInput;
use crate::errors::exception;
use crate::note::Note;

/// The result of :func:`fix`.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Fixed {
    fixed: rigscope::Fixed,
    /// The written files, the requested one last.
    #[pyo3(get)]
    paths: Vec<PathBuf>,
}

/// Fixes findings and causes in a file. Only the affected bytes change if the format stores the values in place.
/// Each fix is proven: when the result is read again, its finding is gone and no other appears.
///
/// :param path: the file to fix
/// :param to: the file to write; its extension selects the format
/// :param rules: codes of findings to fix; by default all, except those whose fix removes, renames or reorders
///     parts of the model
/// :param causes: names of causes to undo; by default all
/// :param good: a correct version of the model, for causes that show only in comparison
/// :param save: with `False`, nothing is written
/// :param overwrite: replace existing files; inputs are never replaced
///
/// :raises ValueError: if there is no such finding or cause
/// :raises rigscope.errors.UnreadableError: if the file can't be read
/// :raises rigscope.errors.WriteError: if the format can't store the model, or a file exists already
#[pyfunction]
#[pyo3(signature = (path, to, *, rules = None, causes = None, good = None, save = true, overwrite = false))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments")]
pub(crate) fn fix(
    py: Python<'_>,
    path: PathBuf,
    to: PathBuf,
    rules: Option<Vec<String>>,
    causes: Option<Vec<String>>,
    good: Option<ModelOrInput<'_>>,
    save: bool,
    overwrite: bool,
) -> PyResult<Fixed> {
    let choice = if rules.is_none() && causes.is_none() {
        FixChoice::All
    } else {
        let (codes, causes) = (rules.unwrap_or_default(), causes.unwrap_or_default());
        FixChoice::Named { codes, causes }
    };
    let good = good.map(|good| good.model(py)).transpose()?;
    let made = py.detach(|| {
        let good = good.as_ref().map(|good| &**good.document());
        let fixed = rigscope::fix(path, to, choice, good)?;
        let paths = if save { fixed.save(overwrite)? } else { Vec::new() };
        Ok(Fixed { fixed, paths })
    });
    made.map_err(|error| exception(py, &error))
}

#[pymethods]
impl Fixed {
    /// The applied fixes: dictionaries with `name`, `is_cause`, `action` and `count`.
    #[getter]
    fn applied<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let mut list = Vec::new();
        for fix in &self.fixed.applied {
            let entry = PyDict::new(py);
            entry.set_item("name", &fix.name)?;
            entry.set_item("is_cause", fix.is_cause)?;
            entry.set_item("action", &fix.action)?;
            entry.set_item("count", fix.count)?;
            list.push(entry);
        }
        Ok(list)
    }

    /// Fixes that weren't applied, as pairs of name and reason.
    #[getter]
    fn refused(&self) -> Vec<(String, String)> {
        let refused = self.fixed.refused.iter();
        refused.map(|fix| (fix.name.clone(), fix.reason.clone())).collect()
    }

    /// Findings without a fix, most severe first.
    #[getter]
    fn unfixable(&self) -> Vec<Note> {
        self.fixed.unfixable.iter().cloned().map(Note::from).collect()
    }

    /// Whether only the affected bytes differ from the source.
    #[getter]
    fn is_patched(&self) -> bool {
        self.fixed.is_patched()
    }

    /// Number of bytes that differ from the source; `None` if the file was rewritten or nothing was fixed.
    #[getter]
    fn num_changed(&self) -> Option<u64> {
        self.fixed.num_changed()
    }

    /// Losses of a rewritten file, as phrases.
    #[getter]
    fn losses(&self) -> Vec<String> {
        self.fixed.losses()
    }

    /// The largest distance that a vertex moved, relative to the size of the model; 0 if none moved.
    #[getter]
    fn moved(&self) -> f32 {
        self.fixed.moved.map_or(0.0, |moved| moved.share)
    }

    fn __repr__(&self) -> String {
        let names: Vec<&str> = self.fixed.applied.iter().map(|fix| fix.name.as_str()).collect();
        match names.is_empty() {
            true => "<Fixed: nothing>".to_owned(),
            false => format!("<Fixed: {}>", names.join(", ")),
        }
    }
}
