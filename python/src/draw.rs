//! Pictures without a window.

use pyo3::prelude::*;
use rigscope::PictureOptions;

use crate::arrays::given;
use crate::document::ModelOrInput;
use crate::errors::raised;
use crate::moment::{ClipArg, MomentArgs};

/// Draws a model, framed, as an array of (height, width, 4) bytes.
#[pyfunction]
#[pyo3(signature = (
    source, *, size = (1280, 800), clip = None, time = None, key = None, sampling = "player",
    normals = "runtime", angles = None, show = None, transparent = false,
))]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn render<'py>(
    py: Python<'py>,
    source: ModelOrInput<'py>,
    size: (u32, u32),
    clip: Option<ClipArg>,
    time: Option<f64>,
    key: Option<u32>,
    sampling: &str,
    normals: &str,
    angles: Option<(f32, f32)>,
    show: Option<String>,
    transparent: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let model = source.model(py)?;
    let model = &model.document().model;
    let mut options = PictureOptions::default();
    options.pose = MomentArgs { clip, time, key, sampling, normals }.spec(model)?;
    options.size_px = size.into();
    options.angles_deg = angles.map(Into::into);
    options.show = show;
    options.is_transparent = transparent;
    let picture = py.detach(|| rigscope::picture(model, &options));
    let picture = picture.map_err(|error| raised(py, &error))?;
    let [width, height] = picture.size_px();
    given(py, picture.into_rgba8(), [height as usize, width as usize, 4])
}
