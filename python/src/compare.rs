//! Differences between two models.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rigscope::DiffOptions;
use rigscope_python_macros::guarded;

use crate::arrays::owned_array;
use crate::document::Model;
use crate::errors::exception;
use crate::options::request_of;
use crate::results::result;
use crate::running::detached;

/// Compares two models in display space; their formats may differ.
///
/// :param options: see `rigscope.diff`
#[guarded]
#[pyfunction]
#[pyo3(signature = (a, b, **options))]
pub(crate) fn diff<'py>(
    py: Python<'py>,
    a: &Bound<'py, Model>,
    b: &Bound<'py, Model>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let compared = compared(py, a, b, options)?;
    let max = PyDict::new(py);
    max.set_item("position", compared.max.position)?;
    max.set_item("skinned", compared.max.skinned)?;
    max.set_item("normal_deg", compared.max.normal_deg)?;
    max.set_item("uv", compared.max.uv)?;
    max.set_item("weight", compared.max.weight)?;
    max.set_item("key", compared.max.key)?;
    let fields = PyDict::new(py);
    fields.set_item("is_equal", compared.is_equal())?;
    let differences: PyResult<Vec<_>> =
        compared.differences.iter().map(|difference| of_difference(py, difference)).collect();
    fields.set_item("differences", differences?)?;
    fields.set_item("extent", compared.extent)?;
    fields.set_item("max", max)?;
    let num = compared.per_vertex_position.len();
    let distances = owned_array(py, compared.per_vertex_position, [num])?;
    fields.set_item("per_vertex_position", distances)?;
    fields.set_item("origins", (a.get().origin(py), b.get().origin(py)))?;
    fields.set_item("options", options)?;
    result("Comparison", &fields)
}

pub(crate) fn compared(
    py: Python<'_>,
    a: &Bound<'_, Model>,
    b: &Bound<'_, Model>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<rigscope::Comparison> {
    let options: DiffOptions = request_of("diff", options)?;
    let (a, b) = (a.get().model(), b.get().model());
    let compared = detached(py, || rigscope::diff(a, b, &options));
    compared.map_err(|error| exception(py, &error))
}

fn of_difference<'py>(
    py: Python<'py>,
    difference: &rigscope::Difference,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("code", difference.kind.code())?;
    fields.set_item("what", &difference.what)?;
    fields.set_item("place", difference.place.map(|place| place.to_string()))?;
    fields.set_item("amount", difference.amount)?;
    fields.set_item("count", difference.count)?;
    fields.set_item("exceeds", difference.exceeds)?;
    result("Difference", &fields)
}
