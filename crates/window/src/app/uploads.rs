//! Uploads that take longer than a frame, made on a separate thread.

use std::sync::Arc;

use super::sample_count;
use rigscope_core::model::{MaterialOverride, Model, Note, Report};
use rigscope_gpu::{Gpu, Renderer, Scene, SceneError, SceneLight, SceneMaterials};
use rigscope_state::{AppState, UploadPart, UserImage};

/// The result of an upload, and the device and model that it belongs to.
#[derive(Debug)]
pub(super) struct FinishedUpload {
    pub(super) renderer: Arc<Renderer>,
    pub(super) model: Arc<Model>,
    pub(super) part: UploadPart,
    pub(super) made: Result<UploadedPart, UploadError>,
    pub(super) notes: Vec<Note>,
}

/// An upload to perform.
#[derive(Debug)]
pub(super) enum UploadRequest {
    /// Textures, those of the material variant if there is one.
    Textures(Option<Arc<MaterialOverride>>),
    /// Lighting data of an image.
    Light(Arc<UserImage>),
    /// A model without its textures.
    Scene,
    /// A model with its textures.
    Whole,
}

impl UploadRequest {
    /// The upload needed for `part` in the current state; `None` if it's no longer needed.
    pub(super) fn of(state: &AppState, model: &Arc<Model>, part: UploadPart) -> Option<Self> {
        Some(match part {
            UploadPart::Textures => Self::Textures(state.material_override_of(model).cloned()),
            UploadPart::Light => Self::Light(Arc::clone(state.tab.view.user_images.environment()?)),
            UploadPart::Scene => Self::Scene,
            UploadPart::Whole => Self::Whole,
        })
    }

    pub(super) fn part(&self) -> UploadPart {
        match self {
            Self::Textures(_) => UploadPart::Textures,
            Self::Light(_) => UploadPart::Light,
            Self::Scene => UploadPart::Scene,
            Self::Whole => UploadPart::Whole,
        }
    }
}

/// Why an upload failed.
#[derive(Debug)]
pub(super) enum UploadError {
    Scene(SceneError),
    /// The image, and the reason as a phrase that follows its name.
    Light(Arc<UserImage>, String),
}

/// An uploaded part.
#[derive(Debug)]
pub(super) enum UploadedPart {
    /// Bound textures and their material variant.
    Materials(Option<Arc<MaterialOverride>>, Box<SceneMaterials>),
    /// Lighting data of an image.
    Light(Arc<UserImage>, Box<SceneLight>),
    /// A model, with or without textures.
    Scene(Box<Scene>),
}

/// Uploads the `wanted` part of `model`.
pub(super) fn perform_upload(
    gpu: &Gpu,
    renderer: Arc<Renderer>,
    model: Arc<Model>,
    wanted: UploadRequest,
    report: &Report,
) -> FinishedUpload {
    let part = wanted.part();
    let made = match wanted {
        UploadRequest::Textures(dress) => {
            let materials =
                SceneMaterials::upload(gpu, &renderer, &model, dress.as_deref(), report);
            let made = materials.map(|materials| {
                for msaa in sample_count::of_views(gpu) {
                    materials.make_pipelines(gpu, &renderer, msaa);
                }
                UploadedPart::Materials(dress, Box::new(materials))
            });
            made.map_err(UploadError::Scene)
        }
        UploadRequest::Light(file) => match SceneLight::upload(gpu, &renderer, &file.image) {
            Ok(light) => Ok(UploadedPart::Light(file, Box::new(light))),
            Err(refusal) => Err(UploadError::Light(file, refusal.to_string())),
        },
        UploadRequest::Scene | UploadRequest::Whole => {
            let scene = match part {
                UploadPart::Scene => Scene::upload_plain(gpu, &renderer, &model, report),
                _ => Scene::upload(gpu, &renderer, &model, report),
            };
            scene.map(|scene| UploadedPart::Scene(Box::new(scene))).map_err(UploadError::Scene)
        }
    };
    let notes = match part {
        UploadPart::Textures | UploadPart::Scene => report.notes(),
        // Findings about the document's images come from its own upload.
        UploadPart::Light | UploadPart::Whole => Vec::new(),
    };
    FinishedUpload { renderer, model, part, made, notes }
}
