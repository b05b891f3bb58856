//! What differs between two models.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rigscope::DiffOptions;

use crate::arrays::lent;
use crate::document::ModelOrInput;
use crate::errors::raised;

/// What differs between two models.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Comparison(rigscope::Comparison);

/// One difference.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Difference(rigscope::Difference);

/// Compares two models, of whatever formats, in display space.
///
/// :param tolerance: what a number may differ by: a part of a's extent for positions, radians for
///     directions, a part of the duration for times, absolute for UVs, colours, weights and matrices
#[pyfunction]
#[pyo3(signature = (a, b, *, tolerance = 0.0))]
pub(crate) fn diff(
    py: Python<'_>,
    a: ModelOrInput<'_>,
    b: ModelOrInput<'_>,
    tolerance: f64,
) -> PyResult<Comparison> {
    let (a, b) = (a.model(py)?, b.model(py)?);
    let mut options = DiffOptions::default();
    options.tolerance = tolerance;
    let compared = py.detach(|| rigscope::diff(&a.document().model, &b.document().model, &options));
    compared.map(Comparison).map_err(|error| raised(py, &error))
}

#[pymethods]
impl Comparison {
    /// Whether nothing differs by more than is tolerated.
    #[getter]
    fn is_equal(&self) -> bool {
        self.0.is_equal()
    }

    /// What differs, worst first.
    #[getter]
    fn differences(&self) -> Vec<Difference> {
        self.0.differences.iter().cloned().map(Difference).collect()
    }

    /// Length of the diagonal of a's box, display units.
    #[getter]
    fn extent(&self) -> f64 {
        self.0.extent
    }

    /// The largest differences; `None` where there was nothing to compare.
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

    /// (n,) float32: how far each vertex of b, through all meshes, is from its partner; infinite for those
    /// without. Display units. A view.
    #[getter]
    fn per_vertex_position<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let distances = &slf.get().0.per_vertex_position;
        lent(slf.as_any(), distances, [distances.len()])
    }

    fn __repr__(&self) -> String {
        match self.is_equal() {
            true => "<Comparison: equal>".to_owned(),
            false => format!("<Comparison: {} differences>", self.0.differences.len()),
        }
    }
}

#[pymethods]
impl Difference {
    /// What kind it is: kebab-case, and stays.
    #[getter]
    fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// Both sides in words.
    #[getter]
    fn what(&self) -> &str {
        &self.0.what
    }

    /// Where the worst or the first is in b, or `None`.
    #[getter]
    fn place(&self) -> Option<String> {
        self.0.place.map(|place| place.to_string())
    }

    /// By how much at most, in the unit of the kind, or `None`.
    #[getter]
    fn amount(&self) -> Option<f64> {
        self.0.amount
    }

    /// How many things differ by more than is tolerated.
    #[getter]
    fn count(&self) -> u64 {
        self.0.count
    }

    /// Whether it is more than is tolerated.
    #[getter]
    fn exceeds(&self) -> bool {
        self.0.exceeds
    }

    fn __repr__(&self) -> String {
        format!("<{}: {}>", self.code(), self.0.what)
    }
}
