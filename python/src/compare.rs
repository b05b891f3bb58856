//! Differences between two models.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rigscope::DiffOptions;

use crate::arrays::borrowed_array;
use crate::document::ModelOrInput;
use crate::errors::exception;
use crate::options::request_of;

/// The differences between two models.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Comparison(rigscope::Comparison);

/// One difference.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Difference(rigscope::Difference);

/// Compares two models in display space; their formats may differ.
///
/// :param tolerance: largest difference that is ignored: relative to the size of a for positions and to the duration
///     for times, in radians for directions, absolute for UVs, colours, weights and matrices
/// :param match_by: matching of vertices: ``"auto"``, ``"index"`` or ``"position"``
/// :param ignore: kinds or groups of differences to ignore, as in ``rigscope diff --help``
/// :param only: kinds or groups of differences to compare
/// :param max_moments: number of keys per clip at which all vertices are compared; at other times only a sample is
#[pyfunction]
#[pyo3(signature = (a, b, **options))]
pub(crate) fn diff(
    py: Python<'_>,
    a: ModelOrInput<'_>,
    b: ModelOrInput<'_>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Comparison> {
    let options: DiffOptions = request_of("diff", options)?;
    let (a, b) = (a.model(py)?, b.model(py)?);
    let compared = py.detach(|| rigscope::diff(&a.document().model, &b.document().model, &options));
    compared.map(Comparison).map_err(|error| exception(py, &error))
}

#[pymethods]
impl Comparison {
    /// Whether no difference exceeds the tolerance.
    #[getter]
    fn is_equal(&self) -> bool {
        self.0.is_equal()
    }

    /// All differences, largest first.
    #[getter]
    fn differences(&self) -> Vec<Difference> {
        self.0.differences.iter().cloned().map(Difference).collect()
    }

    /// Diagonal of the bounding box of a, in display units.
    #[getter]
    fn extent(&self) -> f64 {
        self.0.extent
    }

    /// The largest differences; `None` if there was nothing to compare.
    #[getter]
    fn max<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let max = &self.0.max;
        let entries = PyDict::new(py);
        entries.set_item("position", max.position)?;
        entries.set_item("skinned", max.skinned)?;
        entries.set_item("normal_deg", max.normal_deg)?;
        entries.set_item("uv", max.uv)?;
        entries.set_item("weight", max.weight)?;
        entries.set_item("key", max.key)?;
        Ok(entries)
    }

    /// (n,) float32: distance of each vertex of b, over all meshes, from its matching vertex; infinite for unmatched
    /// vertices. In display units. A view.
    #[getter]
    fn per_vertex_position<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let distances = &slf.get().0.per_vertex_position;
        borrowed_array(slf.as_any(), distances, [distances.len()])
    }

    fn __repr__(&self) -> String {
        if self.is_equal() {
            "<Comparison: equal>".to_owned()
        } else {
            format!("<Comparison: {} differences>", self.0.differences.len())
        }
    }
}

#[pymethods]
impl Difference {
    /// The kind of difference, a stable code in kebab-case.
    #[getter]
    fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// A description of both sides.
    #[getter]
    fn what(&self) -> &str {
        &self.0.what
    }

    /// The place in b of the largest or first difference, or `None`.
    #[getter]
    fn place(&self) -> Option<String> {
        self.0.place.map(|place| place.to_string())
    }

    /// The largest amount, in the unit of the kind, or `None`.
    #[getter]
    fn amount(&self) -> Option<f64> {
        self.0.amount
    }

    /// Number of elements that exceed the tolerance.
    #[getter]
    fn count(&self) -> u64 {
        self.0.count
    }

    /// Whether the difference exceeds the tolerance.
    #[getter]
    fn exceeds(&self) -> bool {
        self.0.exceeds
    }

    fn __repr__(&self) -> String {
        format!("<{}: {}>", self.code(), self.0.what)
    }
}
