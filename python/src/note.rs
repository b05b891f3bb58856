//! Findings.

use pyo3::prelude::*;

use crate::errors::offset;
use rigscope::model;

/// A finding.
#[pyclass(frozen, module = "rigscope")]
#[derive(Clone)]
pub(crate) struct Note(model::Finding);

impl From<model::Finding> for Note {
    fn from(note: model::Finding) -> Self {
        Self(note)
    }
}

#[pymethods]
impl Note {
    /// The kind of finding, a stable code in kebab-case.
    #[getter]
    fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// `"info"`, `"warning"` or `"error"`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.severity().as_str()
    }

    /// The group of findings: `"file"`, `"skin"`, `"mesh"`, `"animation"` or `"collision"`.
    #[getter]
    fn group(&self) -> &'static str {
        self.0.kind.info().group.as_str()
    }

    /// Details of the first occurrence.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    /// The place of the first occurrence, as text.
    #[getter]
    fn place(&self) -> String {
        self.0.place.to_string()
    }

    /// The byte offset of the place, if it is an offset in the file.
    #[getter]
    fn offset(&self) -> Option<u64> {
        offset(self.0.place)
    }

    /// Number of occurrences.
    #[getter]
    fn count(&self) -> u64 {
        self.0.count
    }

    /// The meaning of this kind of finding.
    #[getter]
    fn meaning(&self) -> &'static str {
        self.0.kind.info().meaning
    }

    /// The effect on the image or on runtimes.
    #[getter]
    fn effect(&self) -> &'static str {
        self.0.kind.info().effect
    }

    /// How to fix the file.
    #[getter]
    fn fix(&self) -> &'static str {
        self.0.kind.info().fix
    }

    /// The former name of :attr:`fix`.
    #[getter]
    fn mend(&self) -> &'static str {
        self.0.kind.info().fix
    }

    fn __repr__(&self) -> String {
        let (severity, code) = (self.severity(), self.code());
        format!("<{severity} {code}: {} at {}>", self.0.message, self.0.place)
    }
}
