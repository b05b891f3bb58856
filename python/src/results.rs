//! Results of the library as the dataclasses of `rigscope.results`.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rigscope::model::Finding;

use crate::errors::{in_python, offset};

/// An object of a class in `rigscope.results`.
pub(crate) fn result<'py>(class: &str, fields: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
    let module = fields.py().import("rigscope.results")?;
    module.getattr(class)?.call((), Some(fields))
}

/// Findings as objects.
pub(crate) fn findings<'py>(
    py: Python<'py>,
    findings: &[Finding],
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    findings.iter().map(|finding| finding_of(py, finding)).collect()
}

fn finding_of<'py>(py: Python<'py>, finding: &Finding) -> PyResult<Bound<'py, PyAny>> {
    let info = finding.kind.info();
    let fields = PyDict::new(py);
    fields.set_item("code", finding.kind.code())?;
    fields.set_item("severity", finding.severity().as_str())?;
    fields.set_item("group", info.group.as_str())?;
    fields.set_item("message", in_python(py, &finding.message)?)?;
    fields.set_item("place", finding.place.to_string())?;
    fields.set_item("offset", offset(finding.place))?;
    fields.set_item("count", finding.count)?;
    fields.set_item("meaning", info.meaning)?;
    fields.set_item("effect", in_python(py, info.consequence)?)?;
    fields.set_item("fix", in_python(py, info.fix)?)?;
    result("Note", &fields)
}

/// A list whose items can also be looked up by name, as `rigscope.parts.Parts`.
pub(crate) fn parts<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    items: Vec<T>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("rigscope.parts")?.getattr("Parts")?.call1((items,))
}

/// The state of a part of a model for pickle: the model, and the names and numbers that lead to the part.
pub(crate) fn reduced<'py>(
    py: Python<'py>,
    model: &crate::document::Model,
    path: impl IntoPyObject<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let part = py.import("rigscope.opening")?.getattr("part")?;
    let state = (part, (model.clone(), path));
    Ok(state.into_pyobject(py)?.into_any())
}
