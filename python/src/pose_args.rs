//! Selecting a pose: clip, time or key, and sampling between keys.

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use rigscope::model::ClipId;
use rigscope::{Model, Moment, PoseSpec};

/// A clip by number or name.
#[derive(FromPyObject)]
pub(crate) enum ClipArg {
    Number(usize),
    Name(String),
}

/// Arguments of functions that take a pose.
pub(crate) struct PoseArgs<'a> {
    pub(crate) clip: Option<ClipArg>,
    pub(crate) time: Option<f64>,
    pub(crate) key: Option<u32>,
    pub(crate) sampling: &'a str,
    pub(crate) normals: &'a str,
}

impl PoseArgs<'_> {
    pub(crate) fn spec(&self, model: &Model) -> PyResult<PoseSpec> {
        let moment = match (self.time, self.key) {
            (None, None) => Moment::Default,
            (Some(time), None) => Moment::TimeSecs(time),
            (None, Some(key)) => Moment::Key(key),
            (Some(_), Some(_)) => {
                return Err(PyValueError::new_err("time and key can't be combined"));
            }
        };
        Ok(PoseSpec {
            clip: self.clip.as_ref().map(|clip| clip_id(model, clip)).transpose()?,
            moment,
            sampling: self.sampling.parse().map_err(PyValueError::new_err)?,
            normals: self.normals.parse().map_err(PyValueError::new_err)?,
            ..PoseSpec::default()
        })
    }
}

/// Finds a clip.
pub(crate) fn clip_id(model: &Model, clip: &ClipArg) -> PyResult<ClipId> {
    let found = match clip {
        ClipArg::Number(number) => {
            (*number < model.clips.len()).then(|| ClipId::from_index(*number))
        }
        ClipArg::Name(name) => model.find_clip(name),
    };
    found.ok_or_else(|| {
        let missing = match clip {
            ClipArg::Number(number) => number.to_string(),
            ClipArg::Name(name) => name.clone(),
        };
        let names: Vec<_> = model.clips.iter().map(|clip| clip.name.as_str()).collect();
        PyKeyError::new_err(format!("no clip {missing:?}; the clips are {names:?}"))
    })
}
