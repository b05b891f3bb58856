//! Bringing a model to the GPU, and what can go wrong there.

use super::buffers::count;
use super::{Gpu, Renderer, Scene, SceneError};
use crate::model::{Model, NoteKind, Place, Report};

impl Scene {
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
        let cancelled = |_| SceneError::Cancelled;
        report.progress("uploading", 0.0).map_err(cancelled)?;
        let memory = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let validation = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let scene = Self::make(gpu, &renderer.kernels, model, report);
        // Both scopes are closed whatever came of it.
        let invalid = pollster::block_on(validation.pop());
        let no_memory = pollster::block_on(memory.pop());
        let scene = scene?;
        if let Some(error) = no_memory.or(invalid) {
            return Err(SceneError::Gpu(error.to_string()));
        }
        note_large_clips(gpu, model, report);
        report.progress("uploading", 1.0).map_err(cancelled)?;
        Ok(scene)
    }
}

/// Notes the clips whose keys stay on the CPU.
fn note_large_clips(gpu: &Gpu, model: &Model, report: &Report) {
    let limit = gpu.caps.max_buffer;
    for (number, clip) in model.clips.iter().enumerate() {
        let bytes = clip.as_sampled().map_or(0, |motion| motion.keys.bytes().len() as u64);
        let place = Place::Clip(count(number));
        report.note_many(NoteKind::ClipBeyondGpu, place, u64::from(bytes > limit), || {
            format!("the keys of {:?} take {bytes} bytes of {limit}", clip.name)
        });
    }
}
