//! A device, and one model on it.

use std::path::Path;

use super::exit::{NoGpu, at_path};
use crate::gpu::{FrameInput, Gpu, Msaa, Renderer, Scene, Show, headless, readback};
use crate::model::{Model, Report};
use crate::pose::{PoseSpec, SkinnedMesh};

/// What is needed to draw and skin one model.
pub(super) struct Graphics {
    gpu: Gpu,
    renderer: Renderer,
    scene: Scene,
}

impl Graphics {
    /// Opens a device and uploads the model, which was read from `path`; `report` hears of what
    /// cannot be shown of it.
    pub(super) fn new(model: &Model, path: &Path, report: &Report) -> anyhow::Result<Self> {
        let gpu = Gpu::headless().map_err(|error| NoGpu(error.to_string()))?;
        tracing::debug!(adapter = gpu.info.name, "drawing");
        let renderer = Renderer::new(&gpu);
        let scene =
            Scene::upload(&gpu, &renderer, model, report).map_err(|error| at_path(error, path))?;
        Ok(Self {
            gpu,
            renderer,
            scene,
        })
    }

    /// Whether pictures of `show` have bones.
    pub(super) fn shows_bones(&self, show: &Show) -> bool {
        self.scene.shows_bones(show)
    }

    /// One picture.
    pub(super) fn image(
        &mut self,
        size_px: [u32; 2],
        input: &FrameInput<'_>,
    ) -> anyhow::Result<headless::Image> {
        let msaa = match self.gpu.caps.msaa4 {
            true => Msaa::X4,
            false => Msaa::Off,
        };
        let Self {
            gpu,
            renderer,
            scene,
        } = self;
        let image = headless::render_image(gpu, renderer, scene, size_px, msaa, input)?;
        self.check_errors()?;
        Ok(image)
    }

    /// A PNG file of one picture.
    pub(super) fn png(
        &mut self,
        size_px: [u32; 2],
        input: &FrameInput<'_>,
    ) -> anyhow::Result<Vec<u8>> {
        Ok(headless::write_png(&self.image(size_px, input)?)?)
    }

    /// The vertices in `spec`, file space.
    pub(super) fn skin(&mut self, spec: &PoseSpec) -> anyhow::Result<Vec<SkinnedMesh>> {
        let skinned = readback::skinned(&self.gpu, &self.renderer, &mut self.scene, spec)?;
        self.check_errors()?;
        Ok(skinned)
    }

    /// What the device complained of may have spoilt the result, so there is none.
    fn check_errors(&self) -> anyhow::Result<()> {
        match self.gpu.errors().messages().first() {
            Some(message) => Err(anyhow::anyhow!("the GPU reported an error, {message}")),
            None => Ok(()),
        }
    }
}

/// The vertices of a model in `spec`, computed on the GPU, file space.
pub(super) fn skin(
    model: &Model,
    spec: &PoseSpec,
    path: &Path,
) -> anyhow::Result<Vec<SkinnedMesh>> {
    Graphics::new(model, path, &Report::new())?.skin(spec)
}
