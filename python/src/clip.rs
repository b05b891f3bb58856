//! Clips.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rigscope::model::{self, ClipId, KEY_STRIDE_BYTES, KeySpace, Motion};
use rigscope::{Document, Pose, PoseSpec};

use crate::arrays::lent;
use crate::pose::BonePose;

/// One clip of a model.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Clip {
    document: Arc<Document>,
    index: usize,
}

impl Clip {
    pub(crate) fn new(document: &Arc<Document>, index: usize) -> Self {
        Self { document: Arc::clone(document), index }
    }

    fn clip(&self) -> &model::Clip {
        &self.document.model.clips[self.index]
    }
}

#[pymethods]
impl Clip {
    /// Its number.
    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.clip().name
    }

    /// Where it begins on its own clock, seconds.
    #[getter]
    fn start(&self) -> f64 {
        self.clip().start_secs
    }

    /// How long it is, seconds.
    #[getter]
    fn duration(&self) -> f64 {
        self.clip().duration_secs
    }

    /// Whether the file says that it repeats.
    #[getter]
    fn is_looping(&self) -> bool {
        self.clip().is_looping
    }

    /// How its keys lie; 30 where nothing says.
    #[getter]
    fn frames_per_second(&self) -> f64 {
        self.clip().frame_secs().recip()
    }

    /// Number of keys; `None` where they are not evenly spaced.
    #[getter]
    fn num_keys(&self) -> Option<usize> {
        self.clip().uniform_keys().map(|(num, _)| num)
    }

    /// Time between keys, seconds; `None` where they are not evenly spaced.
    #[getter]
    fn interval(&self) -> Option<f64> {
        self.clip().uniform_keys().map(|(_, secs)| secs)
    }

    /// What it is made of: `"skin-matrices"`, `"local-matrices"`, `"tracks"`, `"curves"` or `"vertex-cache"`.
    #[getter]
    fn motion(&self) -> &'static str {
        match &self.clip().motion {
            Motion::Sampled(motion) if motion.space == KeySpace::Skin => "skin-matrices",
            Motion::Sampled(_) => "local-matrices",
            Motion::Tracks(_) => "tracks",
            Motion::Curves(_) => "curves",
            Motion::VertexCache(_) => "vertex-cache",
        }
    }

    /// What happens in it.
    #[getter]
    fn events(&self) -> Vec<Event> {
        self.clip().events.iter().cloned().map(Event).collect()
    }

    /// (k, b, 48) uint8: stored matrices as they lie in the file, or `None`. A view; `view(KEY)` makes
    /// numbers of them.
    #[getter]
    fn key_bytes<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(motion) = slf.get().clip().as_sampled() else { return Ok(None) };
        let (num_keys, num_bones) = (motion.keys.num_keys(), motion.keys.num_bones() as usize);
        let bytes: &[u8] = motion.keys.bytes();
        let bytes = bytes.get(..num_keys * num_bones * KEY_STRIDE_BYTES).unwrap_or_default();
        lent(slf.as_any(), bytes, [num_keys, num_bones, KEY_STRIDE_BYTES]).map(Some)
    }

    /// All bones at `time`, seconds on its own clock; the file's space.
    #[pyo3(signature = (time, *, sampling = "player"))]
    fn sample(&self, py: Python<'_>, time: f64, sampling: &str) -> PyResult<BonePose> {
        let spec = PoseSpec {
            sampling: sampling.parse().map_err(PyValueError::new_err)?,
            ..PoseSpec::at_secs(ClipId::from_index(self.index), time)
        };
        let pose = py.detach(|| Pose::at(&self.document.model, &spec));
        Ok(BonePose::new(&self.document, pose))
    }

    fn __repr__(&self) -> String {
        let clip = self.clip();
        format!(
            "<Clip {} {:?}: {} s, {}>",
            self.index,
            clip.name,
            clip.duration_secs,
            self.motion()
        )
    }
}

/// Something that happens in a clip.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Event(model::Event);

#[pymethods]
impl Event {
    /// When, seconds on the clip's clock.
    #[getter]
    fn time(&self) -> f64 {
        self.0.time_secs
    }

    /// What.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// What goes with it, as text.
    #[getter]
    fn value(&self) -> &str {
        &self.0.value
    }

    /// The bone that it belongs to, or `None`.
    #[getter]
    fn bone(&self) -> Option<u32> {
        self.0.bone.map(|bone| bone.0)
    }

    fn __repr__(&self) -> String {
        format!("<Event {:?} at {} s>", self.0.name, self.0.time_secs)
    }
}
