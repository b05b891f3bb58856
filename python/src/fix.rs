//! Fixing files.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rigscope::FixChoice;
use rigscope_python_macros::guarded;

use crate::document::Model;
use crate::errors::exception;
use crate::results::{findings, result};
use crate::running::detached;

/// Fixes findings and causes in a file; see `rigscope.fix`. Writes nothing.
#[guarded]
#[pyfunction]
#[pyo3(signature = (path, to, *, rules = None, causes = None, from_good = None, good = None, overwrite = false))]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn fix<'py>(
    py: Python<'py>,
    path: PathBuf,
    to: PathBuf,
    rules: Option<Vec<String>>,
    causes: Option<Vec<String>>,
    from_good: Option<Vec<String>>,
    good: Option<&Bound<'py, Model>>,
    overwrite: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let choice = if rules.is_none() && causes.is_none() && from_good.is_none() {
        FixChoice::All
    } else {
        let [codes, causes, pieces] = [rules, causes, from_good].map(Option::unwrap_or_default);
        FixChoice::Named { codes, causes, pieces }
    };
    let good = good.map(|good| good.get().document());
    let fixed = detached(py, || rigscope::fix(path, to, choice, good));
    let fixed = fixed.map_err(|error| exception(py, &error))?;
    let mut applied = Vec::new();
    for fix in &fixed.applied {
        let entry = PyDict::new(py);
        entry.set_item("name", &fix.name)?;
        entry.set_item("kind", fix.kind.as_str())?;
        entry.set_item("is_cause", fix.kind.as_str() == "cause")?;
        entry.set_item("action", &fix.action)?;
        entry.set_item("count", fix.count)?;
        applied.push(entry);
    }
    let refused: Vec<_> = fixed.refused.iter().map(|fix| (&fix.name, &fix.reason)).collect();
    let mut offered = Vec::new();
    for fix in &fixed.offered {
        let entry = PyDict::new(py);
        entry.set_item("name", &fix.name)?;
        entry.set_item("kind", fix.kind.as_str())?;
        entry.set_item("is_cause", fix.kind.as_str() == "cause")?;
        entry.set_item("action", &fix.action)?;
        entry.set_item("count", fix.count)?;
        entry.set_item("is_guess", fix.is_guess)?;
        offered.push(entry);
    }
    let files: Vec<_> =
        fixed.files().map(|(path, bytes)| (path, PyBytes::new(py, bytes))).collect();
    let fields = PyDict::new(py);
    fields.set_item("applied", applied)?;
    fields.set_item("refused", refused)?;
    fields.set_item("offered", offered)?;
    fields.set_item("unfixable", findings(py, &fixed.unfixable)?)?;
    fields.set_item("is_patched", fixed.is_patched())?;
    fields.set_item("num_changed", fixed.num_changed())?;
    fields.set_item("losses", fixed.losses())?;
    fields
        .set_item("moved", fixed.moved.and_then(|moved| moved.of_extent()).unwrap_or_default())?;
    fields.set_item("files", files)?;
    fields.set_item("overwrite", overwrite)?;
    fields.set_item("inputs", fixed.input_paths())?;
    result("Fixed", &fields)
}
