//! Causes of export faults.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rigscope::OpenOptions;
use rigscope::diagnose::{Cause, Context, Evidence};
use rigscope::model::Report;
use rigscope_python_macros::guarded;

use crate::document::Model;
use crate::errors::exception;
use crate::results::result;
use crate::running::detached;

/// The causes of a model's faults, most convincing first; see `rigscope.diagnose`.
///
/// :param path: the file of the model, in whose folder other clips for the same skeleton may be
#[guarded]
#[pyfunction]
#[pyo3(signature = (model, *, path = None, good = None))]
pub(crate) fn diagnose<'py>(
    py: Python<'py>,
    model: &Bound<'py, Model>,
    path: Option<PathBuf>,
    good: Option<&Bound<'py, Model>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let model = model.get().model();
    let reference = good.map(|good| good.get().model());
    let diagnosis = detached(py, || {
        let neighbours = match &path {
            Some(path) => OpenOptions::default().neighbours(path, model)?,
            None => Vec::new(),
        };
        let context = Context { reference, neighbours: &neighbours };
        rigscope::diagnose::diagnose(model, context, &Report::new())
            .map_err(|_| rigscope::Error::Cancelled)
    });
    let diagnosis = diagnosis.map_err(|error| exception(py, &error))?;
    diagnosis.causes.iter().map(|cause| of_cause(py, cause)).collect()
}

/// Visible differences from a correct version that no cause explains; see `rigscope.unexplained`.
#[guarded]
#[pyfunction]
pub(crate) fn unexplained<'py>(
    py: Python<'py>,
    model: &Bound<'py, Model>,
    good: &Bound<'py, Model>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let (model, reference) = (model.get().model(), Some(good.get().model()));
    let found = detached(py, || {
        let context = Context { reference, ..Context::default() };
        let report = Report::new();
        let diagnosis = rigscope::diagnose::diagnose(model, context, &report);
        diagnosis
            .and_then(|diagnosis| diagnosis.unexplained(&report))
            .map_err(|_| rigscope::Error::Cancelled)
    });
    let Some(found) = found.map_err(|error| exception(py, &error))? else { return Ok(None) };
    let mut pieces = Vec::new();
    for own in &found.pieces {
        let entry = PyDict::new(py);
        entry.set_item("name", own.piece.name)?;
        entry.set_item("message", own.text())?;
        entry.set_item("count", own.num)?;
        pieces.push(entry);
    }
    let fields = PyDict::new(py);
    fields.set_item("message", found.text)?;
    fields.set_item("pieces", pieces)?;
    Ok(Some(fields))
}

fn of_cause<'py>(py: Python<'py>, cause: &Cause) -> PyResult<Bound<'py, PyAny>> {
    let first = (cause.evidence, cause.values);
    let own = std::iter::once(&first).chain(&cause.also);
    let evidence: PyResult<Vec<_>> =
        own.map(|(evidence, values)| of_evidence(py, evidence, *values)).collect();
    let rivals: Vec<&str> = cause.rivals.iter().map(|rival| rival.info.name).collect();
    let fields = PyDict::new(py);
    fields.set_item("name", cause.info.name)?;
    fields.set_item("certainty", cause.certainty())?;
    fields.set_item("message", cause.statement())?;
    fields.set_item("evidence", evidence?)?;
    fields.set_item("fix", cause.info.fix)?;
    fields.set_item("explains", cause.info.explains)?;
    fields.set_item("rivals", rivals)?;
    result("Cause", &fields)
}

/// A measurement with the fault, and without it.
fn of_evidence<'py>(
    py: Python<'py>,
    evidence: &Evidence,
    [before, after]: [f64; 2],
) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("name", evidence.name)?;
    entry.set_item("meaning", evidence.meaning)?;
    entry.set_item("before", before)?;
    entry.set_item("after", after)?;
    entry.set_item("unit", evidence.unit)?;
    Ok(entry)
}
