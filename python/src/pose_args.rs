//! Selecting a pose: clip, time or key, and sampling between keys.

use std::ffi::CString;

use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use rigscope::model::ClipId;
use rigscope::{Model, Moment, PoseSpec};

use crate::typed_args::{Key, OneOrMany, Time, type_name};

/// A clip by number or name.
pub(crate) enum ClipArg {
    Number(i64),
    Name(String),
}

impl<'py> FromPyObject<'_, 'py> for ClipArg {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = value.extract() {
            return Ok(Self::Name(name));
        }
        // A bool is a number in Python, but certainly not a clip.
        let number = if value.is_instance_of::<PyBool>() { None } else { value.extract().ok() };
        number.map(Self::Number).ok_or_else(|| {
            let kind = type_name(value);
            PyTypeError::new_err(format!("clip must be the name or number of a clip, not {kind}"))
        })
    }
}

/// Arguments of functions that take a pose.
pub(crate) struct PoseArgs<'a> {
    pub(crate) clip: Option<ClipArg>,
    pub(crate) time: Option<OneOrMany<Time>>,
    pub(crate) key: Option<OneOrMany<Key>>,
    pub(crate) sampling: &'a str,
    pub(crate) normals: &'a str,
}

impl PoseArgs<'_> {
    /// The poses of `model`. Warns about a time or key that the clip doesn't have.
    pub(crate) fn specs(self, py: Python<'_>, model: &Model) -> PyResult<OneOrMany<PoseSpec>> {
        let moments = match (self.time, self.key) {
            (None, None) => OneOrMany::One(Moment::Default),
            (Some(time), None) => time.map(|time| Moment::TimeSecs(time.0)),
            (None, Some(key)) => key.map(|key| Moment::Key(key.0)),
            (Some(_), Some(_)) => {
                return Err(PyValueError::new_err("time and key can't be combined"));
            }
        };
        let spec = PoseSpec {
            clip: self.clip.as_ref().map(|clip| clip_id(model, clip)).transpose()?,
            sampling: self.sampling.parse().map_err(PyValueError::new_err)?,
            normals: self.normals.parse().map_err(PyValueError::new_err)?,
            ..PoseSpec::default()
        };
        let specs = moments.map(|moment| PoseSpec { moment, ..spec });
        // One warning for all.
        let clamped = match &specs {
            OneOrMany::One(spec) => Some(spec),
            OneOrMany::Many(specs) => specs.iter().find(|spec| spec.clamping(model).is_some()),
        };
        if let Some(spec) = clamped {
            warn_if_clamped(py, spec, model)?;
        }
        Ok(specs)
    }
}

/// The pose of `model` at one time or key.
pub(crate) fn single_spec(
    py: Python<'_>,
    model: &Model,
    clip: Option<ClipArg>,
    time: Option<Time>,
    key: Option<Key>,
    sampling: &str,
    normals: &str,
) -> PyResult<PoseSpec> {
    let (time, key) = (time.map(OneOrMany::One), key.map(OneOrMany::One));
    match (PoseArgs { clip, time, key, sampling, normals }).specs(py, model)? {
        OneOrMany::One(spec) => Ok(spec),
        OneOrMany::Many(_) => Err(PyValueError::new_err("a single time or key is expected")),
    }
}

/// The arguments of `Model.sample` that describe the moment of a pose: clip, time and key.
pub(crate) fn moment_args(spec: &PoseSpec) -> (Option<usize>, Option<f64>, Option<u32>) {
    let (time, key) = match spec.moment {
        Moment::TimeSecs(time) => (Some(time), None),
        Moment::Key(key) => (None, Some(key)),
        _ => (None, None),
    };
    (spec.clip.map(|clip| clip.index()), time, key)
}

/// Warns about a time or key that the clip doesn't have.
pub(crate) fn warn_if_clamped(py: Python<'_>, spec: &PoseSpec, model: &Model) -> PyResult<()> {
    let Some(text) = spec.clamping(model) else { return Ok(()) };
    let text = CString::new(text.replace('\0', ""))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}

/// Finds a clip. A number out of range is an `IndexError`, an unknown name a `KeyError`.
pub(crate) fn clip_id(model: &Model, clip: &ClipArg) -> PyResult<ClipId> {
    let num = model.clips.len();
    match clip {
        ClipArg::Number(number) => {
            let index = usize::try_from(*number).ok().filter(|index| *index < num);
            index.map(ClipId::from_index).ok_or_else(|| {
                let has = match num {
                    0 => "the model has no clips".to_owned(),
                    1 => "the model has 1 clip, number 0".to_owned(),
                    num => format!("the model has {num} clips, numbered from 0"),
                };
                PyIndexError::new_err(format!("there is no clip {number}; {has}"))
            })
        }
        ClipArg::Name(name) => model.find_clip(name).ok_or_else(|| {
            let names: Vec<_> = model.clips.iter().map(|clip| clip.name.as_str()).collect();
            let has = match names[..] {
                [] => "the model has no clips".to_owned(),
                _ => format!("the clips are {}", names.join(", ")),
            };
            PyKeyError::new_err(format!("there is no clip {name:?}; {has}"))
        }),
    }
}
