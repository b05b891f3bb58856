//! A device without a window, and one model on it.

use std::thread::JoinHandle;

use super::headless::{Canvas, Drawing, Image, ImageError, Pixels};
use super::pending::finish;
use super::readback::{self, ReadbackError};
use super::{
    FrameInput, Gpu, GpuInitError, GpuTimes, Msaa, Renderer, Scene, SceneError, SceneLight, Show,
    Timer,
};
use rigscope_core::images::Refusal;
use rigscope_core::model::{Model, Report};
use rigscope_core::pose::{PoseSpec, SkinnedMesh};

/// What is needed to draw and skin one model.
pub struct Studio {
    pub(super) gpu: Gpu,
    pub(super) renderer: Renderer,
    pub(super) scene: Scene,
    canvas: Canvas,
    /// Where somebody wants to know what passes take.
    timer: Option<Timer>,
    num_drawn: u64,
}

/// Why something is not drawn or skinned.
#[derive(Debug, thiserror::Error)]
pub enum StudioError {
    /// There is no device.
    #[error(transparent)]
    NoGpu(#[from] GpuInitError),
    /// The model does not fit on it.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// There is no picture.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// Vertices did not come back.
    #[error(transparent)]
    Readback(#[from] ReadbackError),
    /// The device complained.
    #[error("the GPU reported an error, {0}")]
    Reported(String),
}

fn open() -> Result<(Gpu, Renderer), GpuInitError> {
    let gpu = Gpu::headless()?;
    let renderer = Renderer::precompiling(&gpu);
    Ok((gpu, renderer))
}

/// A device that is being opened beside other work.
pub struct PendingDevice(Option<JoinHandle<Result<(Gpu, Renderer), GpuInitError>>>);

impl PendingDevice {
    /// Begins to open a device.
    pub fn begin() -> Self {
        // Without a thread it is opened when it is needed.
        Self(std::thread::Builder::new().name("device".to_owned()).spawn(open).ok())
    }

    /// Waits for the device and uploads the model; `report` hears of what cannot be shown of it.
    ///
    /// # Errors
    /// When there is no device, or the model does not fit on it.
    pub fn upload(mut self, model: &Model, report: &Report) -> Result<Studio, StudioError> {
        let opened = self.0.take().map(JoinHandle::join);
        let (gpu, renderer) = opened.and_then(Result::ok).unwrap_or_else(open)?;
        let scene = Scene::upload(&gpu, &renderer, model, report)?;
        let canvas = Canvas::default();
        Ok(Studio { gpu, renderer, scene, canvas, timer: None, num_drawn: 0 })
    }
}

impl Drop for PendingDevice {
    fn drop(&mut self) {
        // A driver that is being loaded while the program ends may bring it down.
        if let Some(thread) = self.0.take() {
            let _ = thread.join();
        }
    }
}

impl Studio {
    /// Opens a device and uploads the model; `report` hears of what cannot be shown of it.
    ///
    /// # Errors
    /// When there is no device, or the model does not fit on it.
    pub fn new(model: &Model, report: &Report) -> Result<Self, StudioError> {
        PendingDevice::begin().upload(model, report)
    }

    /// Another model in place of the one it has; none where that does not fit.
    ///
    /// # Errors
    /// When the model does not fit on the device, or the device does not answer.
    pub fn set_model(&mut self, model: &Model, report: &Report) -> Result<(), StudioError> {
        let Self { gpu, renderer, scene, .. } = self;
        // Memory is free before more is asked for.
        for model in [&Model::default(), model] {
            *scene = Scene::upload(gpu, renderer, model, report)?;
            finish(gpu)?;
        }
        self.check_errors()
    }

    /// The device's name.
    pub fn device_name(&self) -> &str {
        &self.gpu.info.name
    }

    /// Whether pictures of `show` have bones.
    pub fn shows_bones(&self, show: &Show) -> bool {
        self.scene.shows_bones(show)
    }

    /// Lights the model by an image file.
    ///
    /// # Errors
    /// When it cannot be read, or is no light from everywhere.
    pub fn set_environment(&mut self, image: &rigscope_core::model::Image) -> Result<(), Refusal> {
        let light = SceneLight::upload(&self.gpu, &self.renderer, image)?;
        self.scene.set_light(Some(light));
        Ok(())
    }

    /// One picture.
    ///
    /// # Errors
    /// When it cannot be drawn, or the device complained.
    pub fn image(
        &mut self,
        size_px: [u32; 2],
        input: &FrameInput<'_>,
    ) -> Result<Image, StudioError> {
        let drawing = self.draw(size_px, input)?;
        Ok(self.read(drawing)?.image()?)
    }

    /// Starts drawing a picture. Others may be started before it is read.
    ///
    /// # Errors
    /// When it cannot be drawn.
    pub fn draw(
        &mut self,
        size_px: [u32; 2],
        input: &FrameInput<'_>,
    ) -> Result<Drawing, StudioError> {
        let msaa = match self.gpu.caps.msaa4 {
            true => Msaa::X4,
            false => Msaa::Off,
        };
        let Self { gpu, renderer, scene, canvas, timer, num_drawn } = self;
        *num_drawn += 1;
        let timer = timer.as_mut().map(|timer| (timer, *num_drawn));
        Ok(canvas.draw(gpu, renderer, scene, (size_px, msaa), input, timer)?)
    }

    /// Waits for a picture.
    ///
    /// # Errors
    /// When the device does not answer, or complained.
    pub fn read(&self, drawing: Drawing) -> Result<Pixels, StudioError> {
        let pixels = drawing.wait()?;
        self.check_errors()?;
        Ok(pixels)
    }

    /// Measures from now on what passes take, where the device can; whether it can.
    pub fn measure_passes(&mut self) -> bool {
        self.timer = Timer::new(&self.gpu);
        self.timer.is_some()
    }

    /// What the GPU took for pictures that have been read since the last call.
    pub fn gpu_times(&mut self) -> Vec<GpuTimes> {
        self.timer.as_mut().map(Timer::read).unwrap_or_default()
    }

    /// The vertices in `spec`, file space.
    ///
    /// # Errors
    /// When the device does not answer, or complained.
    pub fn skin(&mut self, spec: &PoseSpec) -> Result<Vec<SkinnedMesh>, StudioError> {
        let skinned = readback::skinned(&self.gpu, &self.renderer, &mut self.scene, spec)?;
        self.check_errors()?;
        Ok(skinned)
    }

    /// What the device complained of may have spoilt the result, so there is none.
    pub(super) fn check_errors(&self) -> Result<(), StudioError> {
        match self.gpu.errors().messages().into_iter().next() {
            Some(message) => Err(StudioError::Reported(message)),
            None => Ok(()),
        }
    }
}
