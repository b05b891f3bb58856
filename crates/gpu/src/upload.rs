//! Bringing a model to the GPU, and what can go wrong there.

use super::buffers::count;
use super::clips::key_budget;
use super::light;
use super::textures::Materials;
use super::{Gpu, Msaa, Renderer, Scene, SceneError};
use rigscope_core::images::Refusal;
use rigscope_core::model::{Dress, Image, Mesh, Model, NoteKind, Place, Report, Worn};

/// The materials of a model on the GPU: made on any thread, shown once they are given to its scene.
#[derive(Debug)]
pub struct SceneMaterials {
    materials: Materials,
    light: Option<light::FileLight>,
}

impl SceneMaterials {
    /// Whether those of `model` take longer than a frame: they have textures, or light of their own.
    pub fn are_slow(model: &Model) -> bool {
        model.environment.is_some() || Materials::are_textured(model)
    }

    /// Decodes and uploads the textures of `model`, or of what it wears in their place.
    ///
    /// `report` learns how far it is, and may end it.
    ///
    /// # Errors
    /// When the device has no room.
    pub fn upload(
        gpu: &Gpu,
        renderer: &Renderer,
        model: &Model,
        dress: Option<&Dress>,
        report: &Report,
    ) -> Result<Self, SceneError> {
        let worn = Worn::of(model, dress);
        watched(gpu, || {
            Ok(Self {
                materials: Materials::upload(gpu, &renderer.kernels.layouts, model, worn, report)?,
                light: light::FileLight::upload(gpu, model, report),
            })
        })
    }

    /// Makes now what draws them in pixels of so many samples, so that no frame waits for it.
    pub fn make_pipelines(&self, gpu: &Gpu, renderer: &Renderer, msaa: Msaa) {
        renderer.make_materials(gpu, &self.materials, msaa);
    }
}

/// The light of an image file on the GPU: made on any thread, shown once it is given to a scene.
#[derive(Debug)]
pub struct SceneLight(light::FileLight);

impl SceneLight {
    /// Decodes `image`, a cubemap or a picture of all directions (equirectangular), and makes what surfaces
    /// see of it.
    ///
    /// # Errors
    /// When it cannot be read, or is neither.
    pub fn upload(gpu: &Gpu, renderer: &Renderer, image: &Image) -> Result<Self, Refusal> {
        renderer.lights.of_image(gpu, image).map(Self)
    }
}

/// Vertices of a model that is brought to the GPU within a frame.
const MAX_QUICK_VERTICES: usize = 1 << 17;

impl Scene {
    /// Whether bringing `model` to the GPU takes longer than a frame, its textures aside.
    pub fn is_slow(model: &Model) -> bool {
        let num_vertices: usize = model.meshes.iter().map(Mesh::num_vertices).sum();
        num_vertices > MAX_QUICK_VERTICES
    }

    /// Uploads `model`: packed vertices and indices verbatim, textures decoded; keys follow when a
    /// clip is first played.
    ///
    /// `report` learns how far it is, and may end it.
    ///
    /// # Errors
    /// When the device has no room.
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

    /// As [`Scene::upload`], but subsets with textures are plain until [`Scene::set_materials`].
    ///
    /// # Errors
    /// When the device has no room.
    pub fn upload_plain(
        gpu: &Gpu,
        renderer: &Renderer,
        model: &Model,
        report: &Report,
    ) -> Result<Self, SceneError> {
        report.progress("uploading", 0.0).map_err(|_| SceneError::Cancelled)?;
        let materials = Materials::plain(model);
        let scene = watched(gpu, || Self::make(gpu, &renderer.kernels, model, materials))?;
        note_large_clips(gpu, model, report);
        Ok(scene)
    }

    /// Lights the scene by `light`, in place of the light that its own file brings; or by that again.
    pub fn set_light(&mut self, light: Option<SceneLight>) {
        self.override_light = light.map(|light| light.0);
    }

    /// Shows `made`, of the same model on the same device.
    pub fn set_materials(&mut self, made: SceneMaterials) {
        self.materials.replace(made.materials);
        self.light = made.light;
    }
}

/// Does `work`; what the device refuses meanwhile is its error.
fn watched<T>(gpu: &Gpu, work: impl FnOnce() -> Result<T, SceneError>) -> Result<T, SceneError> {
    // Where nobody may wait for an answer, errors arrive later, among those of the device.
    if !gpu.caps.can_wait {
        return work();
    }
    let memory = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let validation = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
    let made = work();
    // Both scopes are closed whatever came of it. They answer at once.
    let invalid = pollster::block_on(validation.pop());
    let no_memory = pollster::block_on(memory.pop());
    let made = made?;
    match no_memory.or(invalid) {
        Some(error) => Err(SceneError::Gpu(error.to_string())),
        None => Ok(made),
    }
}

/// Notes the clips whose keys do not all go to the GPU.
fn note_large_clips(gpu: &Gpu, model: &Model, report: &Report) {
    let limit = key_budget(gpu);
    for (number, clip) in model.clips.iter().enumerate() {
        let bytes = clip.as_sampled().map_or(0, |motion| motion.keys.bytes().len() as u64);
        let place = Place::Clip(count(number));
        report.note_many(NoteKind::ClipBeyondGpu, place, u64::from(bytes > limit), || {
            format!("the keys of {:?} take {bytes} bytes of {limit}", clip.name)
        });
    }
}
