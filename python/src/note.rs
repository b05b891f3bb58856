//! What is found in files and models.

use pyo3::prelude::*;

use crate::errors::offset;
use rigscope::model;

/// One finding.
#[pyclass(frozen, module = "rigscope")]
#[derive(Clone)]
pub(crate) struct Note(model::Note);

impl From<model::Note> for Note {
    fn from(note: model::Note) -> Self {
        Self(note)
    }
}

#[pymethods]
impl Note {
    /// What kind it is: kebab-case, and stays.
    #[getter]
    fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// `"info"`, `"warning"` or `"error"`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.severity().as_str()
    }

    /// What it is about: `"file"`, `"skin"`, `"mesh"`, `"animation"` or `"collision"`.
    #[getter]
    fn group(&self) -> &'static str {
        self.0.kind.info().group.as_str()
    }

    /// What exactly, at the first place.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    /// The first place, in words.
    #[getter]
    fn place(&self) -> String {
        self.0.place.to_string()
    }

    /// The same in bytes, where it is a place in the file.
    #[getter]
    fn offset(&self) -> Option<u64> {
        offset(self.0.place)
    }

    /// In how many places.
    #[getter]
    fn count(&self) -> u64 {
        self.0.count
    }

    /// What its kind means.
    #[getter]
    fn meaning(&self) -> &'static str {
        self.0.kind.info().meaning
    }

    /// What whoever made the file can do about it.
    #[getter]
    fn mend(&self) -> &'static str {
        self.0.kind.info().mend
    }

    fn __repr__(&self) -> String {
        let (severity, code) = (self.severity(), self.code());
        format!("<{severity} {code}: {} at {}>", self.0.message, self.0.place)
    }
}
