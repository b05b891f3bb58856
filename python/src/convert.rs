//! Other formats.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use rigscope::{Check, ConversionDeviation, ConvertOptions};
use rigscope_python_macros::guarded;

use crate::document::Model;
use crate::errors::exception;
use crate::options::request_of;
use crate::results::{findings, result};
use crate::running::detached;

/// Converts a model to the format that the extension of `to` names; writes nothing.
///
/// :param check: with `False`, the result is neither read back nor compared
/// :param options: see `rigscope.convert`
#[guarded]
#[pyfunction]
#[pyo3(signature = (model, to, *, overwrite = false, check = true, **options))]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    model: &Bound<'py, Model>,
    to: PathBuf,
    overwrite: bool,
    check: bool,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut options: ConvertOptions = request_of("convert", options)?;
    options.overwrite = overwrite;
    if !check {
        options.check = Check::None;
    }
    let document = model.get().document();
    let converted = detached(py, || rigscope::convert(document, to, &options));
    let converted = converted.map_err(|error| exception(py, &error))?;
    let fields = PyDict::new(py);
    let losses: Vec<String> = converted.losses.iter().map(ToString::to_string).collect();
    fields.set_item("losses", losses)?;
    let added: Vec<&str> = converted.added.iter().map(|finding| finding.message.as_str()).collect();
    fields.set_item("added", added)?;
    fields.set_item("errors", errors(py, converted.errors.as_ref())?)?;
    fields.set_item("summary", converted.errors.as_ref().map(ToString::to_string))?;
    fields.set_item("notes", findings(py, &converted.findings)?)?;
    let files: Vec<_> =
        converted.files().map(|(path, bytes)| (path, PyBytes::new(py, bytes))).collect();
    fields.set_item("files", files)?;
    fields.set_item("overwrite", overwrite)?;
    fields.set_item("inputs", converted.input_paths())?;
    fields.set_item("origin", model.get().origin(py))?;
    result("Conversion", &fields)
}

/// Deviations by name.
fn errors<'py>(
    py: Python<'py>,
    errors: Option<&ConversionDeviation>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(errors) = errors else { return Ok(None) };
    let ConversionDeviation { position, skinned, at_keys, normal_deg, uv, weight, .. } = *errors;
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

/// Writes files, each whole or not at all; none of them replaces one of `inputs`.
#[guarded]
#[pyfunction]
#[pyo3(name = "_save")]
pub(crate) fn save(
    py: Python<'_>,
    files: Vec<(PathBuf, PyBackedBytes)>,
    overwrite: bool,
    inputs: Vec<PathBuf>,
) -> PyResult<()> {
    let files: Vec<(PathBuf, &[u8])> =
        files.iter().map(|(path, bytes)| (path.clone(), &**bytes)).collect();
    let saved = detached(py, || rigscope::Conversion::save_files(&files, overwrite, &inputs));
    saved.map_err(|error| exception(py, &error))
}
