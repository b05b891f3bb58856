//! Other formats.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rigscope::{Check, ConvertOptions, Errors};

use crate::document::ModelOrInput;
use crate::errors::exception;
use crate::note::Note;
use crate::options::request_of;

/// The result of a conversion.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Conversion(rigscope::Conversion);

/// Converts a model to the format that the extension of `to` names. The result is read back and compared with
/// its source, which fills `losses` and `errors`.
///
/// :param source: a model, a path, bytes, or a pair of name and bytes
/// :param save: with `False`, nothing is written before `Conversion.save()`
/// :param overwrite: replace existing files; inputs never are
/// :param check: with `False`, the result is neither read back nor compared
/// :param options: those of `rigscope convert --help`, with underscores for hyphens, `make_hulls` for `--hull`
///     and `make_occluder` for `--occluder`
///
/// :raises rigscope.errors.WriteError: if the format can't store the model, or a file is in the way
/// :raises TypeError: for an unknown option or a value of another type
/// :raises ValueError: for a value out of range
#[pyfunction]
#[pyo3(signature = (source, to, *, save = true, overwrite = false, check = true, **options))]
pub(crate) fn convert(
    py: Python<'_>,
    source: ModelOrInput<'_>,
    to: PathBuf,
    save: bool,
    overwrite: bool,
    check: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Conversion> {
    let mut options: ConvertOptions = request_of("convert", options)?;
    options.overwrite = overwrite;
    if !check {
        options.check = Check::None;
    }
    let model = source.model(py)?;
    let made = py.detach(|| {
        let conversion = rigscope::convert(model.document(), to, &options)?;
        if save {
            conversion.save()?;
        }
        Ok(conversion)
    });
    made.map(Conversion).map_err(|error| exception(py, &error))
}

#[pymethods]
impl Conversion {
    /// The losses of the conversion, as phrases: data that the format can't store, and data that was dropped when the
    /// source was read.
    #[getter]
    fn losses(&self) -> Vec<String> {
        self.0.losses.iter().map(ToString::to_string).collect()
    }

    /// The bones and nodes that were added because the format needs them, as phrases.
    #[getter]
    fn added(&self) -> Vec<String> {
        self.0.added.iter().map(|note| note.message.clone()).collect()
    }

    /// How far numbers moved: `position`, `skinned`, `skinned_at_keys` and `extent` in display units, the parts
    /// `of_extent` and `of_extent_at_keys`, `normal_deg`, `uv`, `weight`; `None` where it was not measured.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(errors) = &self.0.errors else { return Ok(None) };
        let Errors { position, skinned, at_keys, normal_deg, uv, weight, .. } = *errors;
        let entries = PyDict::new(py);
        entries.set_item("position", position)?;
        entries.set_item("skinned", skinned)?;
        entries.set_item("skinned_at_keys", at_keys)?;
        entries.set_item("of_extent", errors.of_extent)?;
        entries.set_item("of_extent_at_keys", errors.of_extent_at_keys)?;
        entries.set_item("extent", errors.extent)?;
        entries.set_item("normal_deg", normal_deg)?;
        entries.set_item("uv", uv)?;
        entries.set_item("weight", weight)?;
        entries.set_item("num_unmatched", errors.num_unmatched)?;
        Ok(Some(entries))
    }

    /// The errors as one line for people.
    #[getter]
    fn summary(&self) -> Option<String> {
        self.0.errors.as_ref().map(ToString::to_string)
    }

    /// The writer's findings, worst first.
    #[getter]
    fn notes(&self) -> Vec<Note> {
        self.0.notes.iter().cloned().map(Note::from).collect()
    }

    /// The output paths; the requested file is the last one.
    #[getter]
    fn paths(&self) -> Vec<PathBuf> {
        self.0.files().map(|(path, _)| path).collect()
    }

    /// Where each file goes, and its bytes.
    #[getter]
    fn files<'py>(&self, py: Python<'py>) -> Vec<(PathBuf, Bound<'py, PyBytes>)> {
        self.0.files().map(|(path, bytes)| (path, PyBytes::new(py, bytes))).collect()
    }

    /// Writes all files, each whole or not at all, and gives their paths.
    fn save(&self, py: Python<'_>) -> PyResult<Vec<PathBuf>> {
        py.detach(|| self.0.save()).map_err(|error| exception(py, &error))
    }

    fn __repr__(&self) -> String {
        let num_bytes: usize = self.0.files().map(|(_, bytes)| bytes.len()).sum();
        let last = self.0.files().last().map(|(path, _)| path).unwrap_or_default();
        format!("<Conversion to {:?}: {num_bytes} bytes, {} losses>", last, self.0.losses.len())
    }
}
