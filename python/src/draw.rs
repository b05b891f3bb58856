//! Rendering without a window.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rigscope::{RenderOptions, RenderedImage};
use rigscope_python_macros::guarded;

use crate::arrays::owned_array;
use crate::compare::compared;
use crate::document::Model;
use crate::errors::exception;
use crate::pose_args::{ClipArg, single_spec};
use crate::running::detached;
use crate::typed_args::{Key, Time};

/// A PNG file of the model as it is shown initially, framed to fit.
#[guarded]
#[pyfunction]
#[pyo3(name = "_thumbnail")]
pub(crate) fn thumbnail<'py>(
    py: Python<'py>,
    model: &Bound<'py, Model>,
    size: (u32, u32),
) -> PyResult<Bound<'py, PyBytes>> {
    let mut options = RenderOptions::default();
    options.size_px = size.into();
    options.is_transparent = true;
    let png = drawn(py, model.get().model(), &options)?.png();
    png.map(|png| PyBytes::new(py, &png)).map_err(|error| exception(py, &error))
}

/// A PNG file of the second of two models, coloured by the deviation of its vertices.
#[guarded]
#[pyfunction]
#[pyo3(name = "_heat_map", signature = (a, b, size, **options))]
pub(crate) fn heat_map<'py>(
    py: Python<'py>,
    a: &Bound<'py, Model>,
    b: &Bound<'py, Model>,
    size: (u32, u32),
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let comparison = compared(py, a, b, options)?;
    let model = b.get().model();
    let png = shown(py, || rigscope::render_heat_map(model, &comparison, size.into()))?.png();
    png.map(|png| PyBytes::new(py, &png)).map_err(|error| exception(py, &error))
}

/// Renders a model, framed to fit, as an array of (height, width, 4) bytes.
#[guarded]
#[pyfunction]
#[pyo3(signature = (
    source, *, size = (1280, 800), clip = None, time = None, key = None, sampling = "player",
    normals = "runtime", runtime = None, angles = None, show = None, transparent = false,
))]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn render<'py>(
    py: Python<'py>,
    source: &Bound<'py, Model>,
    size: (u32, u32),
    clip: Option<ClipArg>,
    time: Option<f64>,
    key: Option<u32>,
    sampling: &str,
    normals: &str,
    runtime: Option<&str>,
    angles: Option<(f32, f32)>,
    show: Option<String>,
    transparent: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let model = source.get();
    let played = model.played(py, runtime)?;
    let model = played.as_deref().unwrap_or(model.model());
    let mut options = RenderOptions::default();
    options.pose = single_spec(py, model, clip, time.map(Time), key.map(Key), sampling, normals)?;
    options.size_px = size.into();
    options.angles_deg = angles.map(Into::into);
    options.show = show;
    options.is_transparent = transparent;
    let image = drawn(py, model, &options)?;
    let [width, height] = image.size_px();
    owned_array(py, image.into_rgba8(), [height as usize, width as usize, 4])
}

fn drawn(
    py: Python<'_>,
    model: &rigscope::Model,
    options: &RenderOptions,
) -> PyResult<RenderedImage> {
    shown(py, || rigscope::render(model, options))
}

fn shown(
    py: Python<'_>,
    draw: impl FnOnce() -> Result<RenderedImage, rigscope::Error> + Send,
) -> PyResult<RenderedImage> {
    let runtime_dir = RuntimeDir::set(py)?;
    let image = detached(py, draw);
    runtime_dir.restore()?;
    image.map_err(|error| exception(py, &error))
}

/// `XDG_RUNTIME_DIR` while a device is opened: Mesa's Vulkan layer asks a Wayland compositor which GPU it uses, and
/// libwayland prints an error to stderr if the variable isn't set, though only an image is drawn.
struct RuntimeDir<'py> {
    variables: Bound<'py, PyAny>,
    /// The previous value, if it was changed: a string or None.
    before: Option<Bound<'py, PyAny>>,
}

const VARIABLE: &str = "XDG_RUNTIME_DIR";

impl<'py> RuntimeDir<'py> {
    /// Sets the variable to the directory that systemd would have set, unless there is an absolute path in it or in
    /// `WAYLAND_DISPLAY`.
    fn set(py: Python<'py>) -> PyResult<Self> {
        let os = py.import("os")?;
        let variables = os.getattr("environ")?;
        let path = os.getattr("path")?;
        let is_absolute = |name: &str| -> PyResult<bool> {
            let value = variables.call_method1("get", (name, ""))?;
            path.call_method1("isabs", (value,))?.extract()
        };
        if !cfg!(target_os = "linux") || is_absolute(VARIABLE)? || is_absolute("WAYLAND_DISPLAY")? {
            return Ok(Self { variables, before: None });
        }
        let before = variables.call_method1("get", (VARIABLE,))?;
        let user: u32 = os.call_method0("getuid")?.extract()?;
        variables.set_item(VARIABLE, format!("/run/user/{user}"))?;
        Ok(Self { variables, before: Some(before) })
    }

    fn restore(self) -> PyResult<()> {
        match self.before {
            None => Ok(()),
            // Another rendering thread may already have removed it.
            Some(before) if before.is_none() => {
                self.variables.call_method1("pop", (VARIABLE, before)).map(drop)
            }
            Some(before) => self.variables.set_item(VARIABLE, before),
        }
    }
}
