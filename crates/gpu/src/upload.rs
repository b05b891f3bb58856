//! Uploading a model, and its errors.

use super::buffers::count;
use super::clips::key_budget;
use super::light;
use super::textures::Materials;
use super::{Gpu, Msaa, Renderer, Scene, SceneError};
use rigscope_core::images::Refusal;
use rigscope_core::model::{
    FindingKind, Image, MaterialOverride, Mesh, Model, Place, Report, SurfaceMaterials, numbers,
};

/// The materials of a model on the GPU. Created on any thread, shown after [`Scene::set_materials`].
#[derive(Debug)]
pub struct SceneMaterials {
    materials: Materials,
    light: Option<light::FileLight>,
}

impl SceneMaterials {
    /// Whether uploading the materials of `model` takes longer than a frame: they have textures or an
    /// environment.
    pub fn are_slow(model: &Model) -> bool {
        model.environment.is_some() || Materials::are_textured(model)
    }

    /// Decodes and uploads the textures of `model`, or those of `material_override` in their place.
    ///
    /// `report` receives the progress and may cancel.
    ///
    /// # Errors
    /// If the device has no room.
    pub fn upload(
        gpu: &Gpu,
        renderer: &Renderer,
        model: &Model,
        material_override: Option<&MaterialOverride>,
        report: &Report,
    ) -> Result<Self, SceneError> {
        let worn = SurfaceMaterials::of(model, material_override);
        watched(gpu, || {
            Ok(Self {
                materials: Materials::upload(gpu, &renderer.kernels.layouts, model, worn, report)?,
                light: light::FileLight::upload(gpu, model, report),
            })
        })
    }

    /// Creates the pipelines for these materials, so that no frame waits for them.
    pub fn make_pipelines(&self, gpu: &Gpu, renderer: &Renderer, msaa: Msaa) {
        renderer.make_materials(gpu, &self.materials, msaa);
    }
}

/// The environment of an image file on the GPU. Created on any thread, shown after [`Scene::set_light`].
#[derive(Debug)]
pub struct SceneLight(light::FileLight);

impl SceneLight {
    /// Decodes `image`, a cube map or an equirectangular image, and filters it for lighting.
    ///
    /// # Errors
    /// If it can't be read, or is neither.
    pub fn upload(gpu: &Gpu, renderer: &Renderer, image: &Image) -> Result<Self, Refusal> {
        renderer.lights.of_image(gpu, image).map(Self)
    }
}

/// Number of vertices that can be uploaded within a frame.
const MAX_QUICK_VERTICES: usize = 1 << 17;

impl Scene {
    /// Whether uploading `model` takes longer than a frame, without its textures.
    pub fn is_slow(model: &Model) -> bool {
        let num_vertices: usize = model.meshes.iter().map(Mesh::num_vertices).sum();
        num_vertices > MAX_QUICK_VERTICES
    }

    /// Uploads `model`: packed vertices and indices verbatim, textures decoded. Keys follow when a clip is
    /// first played.
    ///
    /// `report` receives the progress and may cancel.
    ///
    /// # Errors
    /// If the device has no room.
    pub fn upload(
        gpu: &Gpu,
        renderer: &Renderer,
        model: &Model,
        report: &Report,
    ) -> Result<Self, SceneError> {
        let mut scene = Self::upload_plain(gpu, renderer, model, report)?;
        if SceneMaterials::are_slow(model) {
            scene.set_materials(SceneMaterials::upload(gpu, renderer, model, None, report)?);
        }
        report.progress("uploading", 1.0).map_err(|_| SceneError::Cancelled)?;
        Ok(scene)
    }

    /// Like [`Scene::upload`], but subsets with textures are plain until [`Scene::set_materials`].
    ///
    /// # Errors
    /// If the device has no room.
    pub fn upload_plain(
        gpu: &Gpu,
        renderer: &Renderer,
        model: &Model,
        report: &Report,
    ) -> Result<Self, SceneError> {
        report.progress("uploading", 0.0).map_err(|_| SceneError::Cancelled)?;
        let materials = Materials::plain(model);
        let scene = watched(gpu, || Self::make(gpu, &renderer.kernels, model, materials))?;
        report_large_clips(gpu, model, report);
        Ok(scene)
    }

    /// Lights the scene by `light`, or by its file's environment if `light` is `None`.
    pub fn set_light(&mut self, light: Option<SceneLight>) {
        self.override_light = light.map(|light| light.0);
    }

    /// Sets the materials, which must be of the same model on the same device.
    pub fn set_materials(&mut self, made: SceneMaterials) {
        self.materials.replace(made.materials);
        self.light = made.light;
    }
}

/// Runs `work`. Device errors during it become its error.
fn watched<T>(gpu: &Gpu, work: impl FnOnce() -> Result<T, SceneError>) -> Result<T, SceneError> {
    // If waiting isn't allowed, errors arrive later, in the device's log.
    if !gpu.caps.can_wait {
        return work();
    }
    let memory = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let validation = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
    let made = work();
    // Both scopes are closed even if `work` failed. They answer immediately.
    let invalid = pollster::block_on(validation.pop());
    let no_memory = pollster::block_on(memory.pop());
    let made = made?;
    match no_memory.or(invalid) {
        Some(error) => Err(SceneError::Gpu(error.to_string())),
        None => Ok(made),
    }
}

/// Reports clips whose keys don't all fit on the GPU.
fn report_large_clips(gpu: &Gpu, model: &Model, report: &Report) {
    let limit = key_budget(gpu);
    for (number, clip) in model.clips.iter().enumerate() {
        let bytes = clip.as_sampled().map_or(0, |motion| motion.keys.bytes().len() as u64);
        let place = Place::Clip(count(number));
        report.add_many(FindingKind::ClipBeyondGpu, place, u64::from(bytes > limit), || {
            let [bytes, limit] = [bytes, limit].map(numbers::grouped);
            format!("the keys of clip {:?} take {bytes} bytes; the limit is {limit}", clip.name)
        });
    }
}
