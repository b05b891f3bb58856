//! Clips and their events.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use rigscope::PoseSpec;
use rigscope::model::{self, ClipId, KEY_STRIDE_BYTES, KeySpace, Motion};
use rigscope_python_macros::guarded;

use crate::arrays::borrowed_array;
use crate::document::Model;
use crate::pose::BonePose;
use crate::pose_args::warn_if_clamped;
use crate::results::reduced;
use crate::to_arrays::{matrices_of, morph_tracks_of, tracks_of};
use crate::typed_args::{SamplingName, Time};

/// One clip of a model.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Clip {
    model: Model,
    index: usize,
}

impl Clip {
    pub(crate) fn new(model: &Model, index: usize) -> Self {
        Self { model: model.clone(), index }
    }

    fn clip(&self) -> &model::Clip {
        &self.model.model().clips[ClipId::from_index(self.index)]
    }
}

#[guarded]
#[pymethods]
impl Clip {
    /// The index of the clip.
    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    /// The name of the clip.
    #[getter]
    fn name(&self) -> &str {
        &self.clip().name
    }

    /// Start time in seconds, on the time axis of the clip.
    #[getter]
    fn start(&self) -> f64 {
        self.clip().start_secs
    }

    /// Duration in seconds.
    #[getter]
    fn duration(&self) -> f64 {
        self.clip().duration_secs
    }

    /// Whether the file marks the clip as looping.
    #[getter]
    fn is_looping(&self) -> bool {
        self.clip().is_looping
    }

    /// Frame rate of the keys; 30 if unknown.
    #[getter]
    fn frames_per_second(&self) -> f64 {
        self.clip().frame_secs().recip()
    }

    /// Number of keys; `None` if they aren't evenly spaced.
    #[getter]
    fn num_keys(&self) -> Option<usize> {
        self.clip().uniform_keys().map(|(num, _)| num)
    }

    /// Time between keys in seconds; `None` if they aren't evenly spaced.
    #[getter]
    fn interval(&self) -> Option<f64> {
        self.clip().uniform_keys().map(|(_, secs)| secs)
    }

    /// The kind of data: `"skin-matrices"`, `"local-matrices"`, `"tracks"`, `"curves"` or `"vertex-cache"`.
    #[getter]
    fn motion(&self) -> &'static str {
        match &self.clip().motion {
            Motion::Sampled(motion) if motion.space == KeySpace::Skin => "skin-matrices",
            Motion::Sampled(_) => "local-matrices",
            Motion::Tracks(_) => "tracks",
            Motion::Curves(_) => "curves",
            Motion::VertexAnimation(_) => "vertex-cache",
        }
    }

    /// Events in the clip.
    #[getter]
    fn events(&self) -> Vec<Event> {
        let event = |event| Event { model: self.model.clone(), clip: self.index, event };
        (0..self.clip().events.len()).map(event).collect()
    }

    /// (k, b, 48) uint8: the matrices as stored in the file, or `None`. A view; `view(KEY)` gives access to the
    /// numbers.
    #[getter]
    fn key_bytes<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(motion) = slf.get().clip().as_sampled() else { return Ok(None) };
        let (num_keys, num_bones) = (motion.keys.num_keys(), motion.keys.num_bones() as usize);
        let bytes: &[u8] = motion.keys.bytes();
        let bytes = bytes.get(..num_keys * num_bones * KEY_STRIDE_BYTES).unwrap_or_default();
        borrowed_array(slf.as_any(), bytes, [num_keys, num_bones, KEY_STRIDE_BYTES]).map(Some)
    }

    /// Keys of single bones, as dictionaries of `tracks` in `rigscope.build`: one per animated property, with times,
    /// values, interpolation and tangents as stored. Curves of FBX files are sampled at the frames of the clip. Empty for
    /// clips that store matrices.
    #[getter]
    fn tracks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        tracks_of(py, self.model.model(), self.index)
    }

    /// Weights of morph targets, as dictionaries of `morph_tracks` in `rigscope.build`.
    #[getter]
    fn morph_tracks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        morph_tracks_of(py, self.model.model(), self.index)
    }

    /// (k, b, 4, 4) float32: the stored matrices of all bones at each key, or `None` for clips with tracks; `motion` is
    /// their meaning. A copy.
    #[getter]
    fn matrices<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.clip().as_sampled().map(|motion| matrices_of(py, motion)).transpose()
    }

    /// All bones at `time`, in seconds on the time axis of the clip; in file space.
    #[pyo3(
        signature = (time, *, sampling = SamplingName("player".into())),
        text_signature = "($self, time, *, sampling=\"player\")"
    )]
    fn sample(&self, py: Python<'_>, time: Time, sampling: SamplingName) -> PyResult<BonePose> {
        let spec = PoseSpec {
            sampling: sampling.0.parse().map_err(PyValueError::new_err)?,
            ..PoseSpec::at_secs(ClipId::from_index(self.index), time.0)
        };
        warn_if_clamped(py, &spec, self.model.model())?;
        Ok(BonePose::at(py, &self.model, spec, sampling.0))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduced(py, &self.model, ("clips", self.index))
    }

    fn __repr__(&self) -> PyResult<String> {
        let clip = self.clip();
        let motion = self.motion()?;
        Ok(format!("<Clip {} {:?}: {} s, {motion}>", self.index, clip.name, clip.duration_secs))
    }
}

/// An event in a clip.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Event {
    model: Model,
    clip: usize,
    event: usize,
}

impl Event {
    fn event(&self) -> &model::Event {
        &self.model.model().clips[ClipId::from_index(self.clip)].events[self.event]
    }
}

#[guarded]
#[pymethods]
impl Event {
    /// Time in seconds, on the time axis of the clip.
    #[getter]
    fn time(&self) -> f64 {
        self.event().time_secs
    }

    /// The name of the event.
    #[getter]
    fn name(&self) -> &str {
        &self.event().name
    }

    /// The value of the event, as text.
    #[getter]
    fn value(&self) -> &str {
        &self.event().value
    }

    /// The bone that the event belongs to, or `None`.
    #[getter]
    fn bone(&self) -> Option<u32> {
        self.event().bone.map(|bone| bone.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduced(py, &self.model, ("clips", self.clip, "events", self.event))
    }

    fn __repr__(&self) -> String {
        format!("<Event {:?} at {} s>", self.event().name, self.event().time_secs)
    }
}
