//! Differences between two models.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rigscope::{DiffOptions, Document};
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
    let options: DiffOptions = request_of("diff", options)?;
    let models = (a.get().model(), b.get().model());
    let compared = detached(py, || rigscope::diff(models.0, models.1, &options));
    let compared = compared.map_err(|error| exception(py, &error))?;
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
    let distances = compared.per_vertex_position.clone();
    let num = distances.len();
    fields.set_item("per_vertex_position", owned_array(py, distances, [num])?)?;
    fields.set_item("models", (a, b))?;
    fields.set_item("heat_map", HeatMap { comparison: compared, b: b.get().clone() })?;
    result("Comparison", &fields)
}

/// The distances of a comparison, for drawing them.
#[pyclass(frozen, module = "rigscope._rigscope")]
pub(crate) struct HeatMap {
    comparison: rigscope::Comparison,
    b: Model,
}

#[guarded]
#[pymethods]
impl HeatMap {
    /// The second model with the distances of its vertices as colours, from blue (0) to red (the largest).
    fn model(&self, py: Python<'_>) -> Model {
        let heat = detached(py, || self.comparison.heat_model(self.b.model()));
        Model::new(Document::of_model(heat))
    }
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
