//! Other formats.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rigscope::{ConvertOptions, Errors};

use crate::document::ModelOrInput;
use crate::errors::{none_of, raised};
use crate::note::Note;

/// What a conversion made.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Conversion(rigscope::Conversion);

/// Makes another format of a model: the one that the extension of `to` names. What was made is read back
/// and compared with its source: `losses` and `errors` of the result say what is left.
///
/// :param source: a model, a path, bytes, or a pair of name and bytes
/// :param save: with `False` nothing is written before `Conversion.save()`
/// :param overwrite: files that are there may be replaced; what was read never is
/// :param check: with `False` what was made is neither read back nor compared
/// :param clip: only this clip, by name or number
/// :param rate: keys a second; all clips are sampled so
/// :param scale: how much larger
/// :param merge: all meshes as one
/// :param weld: equal vertices as one
/// :param limit_influences: so many influences on a vertex at most
/// :param flip_v: v up where it was down, for engines that read it so
/// :param part: id of the part that is written alone, for formats of several files
/// :param hierarchy: bones are written with their parents, where the format leaves the choice (BSM2)
/// :param make_hulls: hulls are made where the model has none and the format holds them
/// :param make_occluder: the same for an occluder
/// :param textures: `"copy"`, `"reference"` or `"none"`
///
/// :raises rigscope.errors.WriteError: where the format cannot hold the model, or a file is in the way
#[pyfunction]
#[pyo3(signature = (
    source, to, *, save = true, overwrite = false, check = true, clip = None, rate = None, scale = None,
    merge = false, weld = false, limit_influences = None, flip_v = false, part = None, hierarchy = false,
    make_hulls = false, make_occluder = false, textures = "copy",
))]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn convert(
    py: Python<'_>,
    source: ModelOrInput<'_>,
    to: PathBuf,
    save: bool,
    overwrite: bool,
    check: bool,
    clip: Option<String>,
    rate: Option<f64>,
    scale: Option<f32>,
    merge: bool,
    weld: bool,
    limit_influences: Option<usize>,
    flip_v: bool,
    part: Option<String>,
    hierarchy: bool,
    make_hulls: bool,
    make_occluder: bool,
    textures: &str,
) -> PyResult<Conversion> {
    let mut options = ConvertOptions::default();
    options.clip = clip;
    options.rate = rate;
    options.scale = scale;
    options.merge = merge;
    options.weld = weld;
    options.limit_influences = limit_influences;
    options.flip_v = flip_v;
    options.part = part;
    options.hierarchy = hierarchy;
    options.make_hulls = make_hulls;
    options.make_occluder = make_occluder;
    options.unchecked = !check;
    options.overwrite = overwrite;
    match textures {
        "copy" => {}
        "reference" => options.keep_images = true,
        "none" => options.drop_images = true,
        other => return Err(none_of("textures", other, &["copy", "reference", "none"])),
    }
    let model = source.model(py)?;
    let made = py.detach(|| {
        let conversion = rigscope::convert(model.document(), to, &options)?;
        if save {
            conversion.save()?;
        }
        Ok(conversion)
    });
    made.map(Conversion).map_err(|error| raised(py, &error))
}

#[pymethods]
impl Conversion {
    /// What the files hold less of, in words.
    #[getter]
    fn losses(&self) -> Vec<String> {
        self.0.losses.iter().map(ToString::to_string).collect()
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

    /// What the writer noted, worst first.
    #[getter]
    fn notes(&self) -> Vec<Note> {
        self.0.notes.iter().cloned().map(Note::from).collect()
    }

    /// Where each file goes, the one that was asked for last.
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
        py.detach(|| self.0.save()).map_err(|error| raised(py, &error))
    }

    fn __repr__(&self) -> String {
        let num_bytes: usize = self.0.files().map(|(_, bytes)| bytes.len()).sum();
        let last = self.0.files().last().map(|(path, _)| path).unwrap_or_default();
        format!("<Conversion to {:?}: {num_bytes} bytes, {} losses>", last, self.0.losses.len())
    }
}
