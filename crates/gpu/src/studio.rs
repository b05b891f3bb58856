//! A device without a window, and one model on it.

use std::thread::JoinHandle;

use super::headless::{Canvas, Drawing, Image, ImageError, Pixels};
use super::pending::finish;
use super::readback::{self, ReadbackError};
use super::{
    FrameInput, Gpu, GpuInitError, GpuTimes, Msaa, Renderer, Scene, SceneError, SceneLight, Timer,
};
use rigscope_core::images::Refusal;
use rigscope_core::model::{Model, Report};
use rigscope_core::pose::{PoseSpec, SkinnedMesh};

/// Everything needed to render and skin one model.
pub struct Studio {
    pub(super) gpu: Gpu,
    pub(super) renderer: Renderer,
    pub(super) scene: Scene,
    canvas: Canvas,
    /// Set if passes are timed.
    timer: Option<Timer>,
    num_drawn: u64,
}

/// Why rendering or skinning failed.
#[derive(Debug, thiserror::Error)]
pub enum StudioError {
    /// There is no device.
    #[error(transparent)]
    NoGpu(#[from] GpuInitError),
    /// The model doesn't fit on the device.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// Rendering failed.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// Reading back vertices failed.
    #[error(transparent)]
    Readback(#[from] ReadbackError),
    /// The device reported an error.
    #[error("the GPU reported an error: {0}")]
    Reported(String),
}

fn open() -> Result<(Gpu, Renderer), GpuInitError> {
    let gpu = Gpu::headless()?;
    let renderer = Renderer::precompiling(&gpu);
    Ok((gpu, renderer))
}

/// A device that is being opened in the background.
pub struct PendingDevice(Option<JoinHandle<Result<(Gpu, Renderer), GpuInitError>>>);

impl PendingDevice {
    /// Starts opening a device.
    pub fn begin() -> Self {
        // If no thread can be started, the device is opened in `upload`.
        Self(std::thread::Builder::new().name("device".to_owned()).spawn(open).ok())
    }

    /// Waits for the device and uploads the model. `report` gets findings about parts that can't be shown.
    ///
    /// # Errors
    /// If there is no device, or the model doesn't fit on it.
    pub fn upload(mut self, model: &Model, report: &Report) -> Result<Studio, StudioError> {
        let opened = self.0.take().map(JoinHandle::join);
        let (gpu, renderer) = opened.and_then(Result::ok).unwrap_or_else(open)?;
        let scene = Scene::upload(&gpu, &renderer, model, report)?;
        let canvas = Canvas::new(if gpu.caps.msaa4 { Msaa::X4 } else { Msaa::Off });
        Ok(Studio { gpu, renderer, scene, canvas, timer: None, num_drawn: 0 })
    }
}

impl Drop for PendingDevice {
    fn drop(&mut self) {
        // Exiting while a driver is loading can crash.
        if let Some(thread) = self.0.take() {
            let _ = thread.join();
        }
    }
}

impl Studio {
    /// Opens a device and uploads the model. `report` gets findings about parts that can't be shown.
    ///
    /// # Errors
    /// If there is no device, or the model doesn't fit on it.
    pub fn new(model: &Model, report: &Report) -> Result<Self, StudioError> {
        PendingDevice::begin().upload(model, report)
    }

    /// Replaces the model. If the new one doesn't fit, the scene is empty.
    ///
    /// # Errors
    /// If the model doesn't fit on the device, or the device doesn't answer.
    pub fn set_model(&mut self, model: &Model, report: &Report) -> Result<(), StudioError> {
        let Self { gpu, renderer, scene, .. } = self;
        // Frees memory before allocating more.
        for model in [&Model::default(), model] {
            *scene = Scene::upload(gpu, renderer, model, report)?;
            finish(gpu)?;
        }
        self.check_errors()
    }

    pub fn device_name(&self) -> &str {
        &self.gpu.info.name
    }

    /// Sets the environment to an image file.
    ///
    /// # Errors
    /// If it can't be read, or is neither a cube map nor equirectangular.
    pub fn set_environment(&mut self, image: &rigscope_core::model::Image) -> Result<(), Refusal> {
        let light = SceneLight::upload(&self.gpu, &self.renderer, image)?;
        self.scene.set_light(Some(light));
        Ok(())
    }

    /// Renders an image.
    ///
    /// # Errors
    /// If rendering fails or the device reports an error.
    pub fn image(
        &mut self,
        size_px: [u32; 2],
        input: &FrameInput<'_>,
    ) -> Result<Image, StudioError> {
        let drawing = self.draw(size_px, input)?;
        Ok(self.read(drawing)?.image()?)
    }

    /// Starts rendering an image. Others may be started before it is read.
    ///
    /// # Errors
    /// If the size isn't supported.
    pub fn draw(
        &mut self,
        size_px: [u32; 2],
        input: &FrameInput<'_>,
    ) -> Result<Drawing, StudioError> {
        let Self { gpu, renderer, scene, canvas, timer, num_drawn } = self;
        *num_drawn += 1;
        let timer = timer.as_mut().map(|timer| (timer, *num_drawn));
        Ok(canvas.draw(gpu, renderer, scene, size_px, input, timer)?)
    }

    /// Waits for an image.
    ///
    /// # Errors
    /// If the device doesn't answer or reports an error.
    pub fn read(&self, drawing: Drawing) -> Result<Pixels, StudioError> {
        let pixels = drawing.wait()?;
        self.check_errors()?;
        Ok(pixels)
    }

    /// Enables timing of passes, if the device supports it. Returns whether it does.
    pub fn measure_passes(&mut self) -> bool {
        self.timer = Timer::new(&self.gpu);
        self.timer.is_some()
    }

    /// GPU times of the images that have been read since the last call.
    pub fn gpu_times(&mut self) -> Vec<GpuTimes> {
        self.timer.as_mut().map(Timer::read).unwrap_or_default()
    }

    /// The vertices in the pose `spec`, in file space.
    ///
    /// # Errors
    /// If the device doesn't answer or reports an error.
    pub fn skin(&mut self, spec: &PoseSpec) -> Result<Vec<SkinnedMesh>, StudioError> {
        let skinned = readback::skinned(&self.gpu, &self.renderer, &mut self.scene, spec)?;
        self.check_errors()?;
        Ok(skinned)
    }

    /// Returns errors that the device has reported, since they may have corrupted the result.
    pub(super) fn check_errors(&self) -> Result<(), StudioError> {
        match self.gpu.errors().messages().into_iter().next() {
            Some(message) => Err(StudioError::Reported(message)),
            None => Ok(()),
        }
    }
}
