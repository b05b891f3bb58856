//! Uploads that take longer than a frame, made on a separate thread.

use std::sync::Arc;

use super::sample_count;
use rigscope_core::model::{Finding, MaterialOverride, Model, Report};
use rigscope_gpu::{Gpu, Renderer, Scene, SceneError, SceneLight, SceneMaterials};
use rigscope_state::{TaskSlot, UserImage};

/// The result of an upload, and the device and model that it belongs to.
#[derive(Debug)]
pub(super) struct FinishedUpload {
    pub(super) renderer: Arc<Renderer>,
    pub(super) model: Arc<Model>,
    pub(super) part: UploadedPart,
    pub(super) findings: Vec<Finding>,
}

/// An upload to perform.
#[derive(Debug)]
pub(super) enum UploadRequest {
    /// Textures, those of the material variant if there is one.
    Textures(Option<Arc<MaterialOverride>>),
    /// Lighting data of an image.
    Light(Arc<UserImage>),
    /// A model without its textures, for the view.
    Scene,
    /// A model with its textures, for the UV pane.
    Whole,
}

impl UploadRequest {
    /// The task that performs it.
    pub(super) fn slot(&self) -> TaskSlot {
        match self {
            Self::Textures(_) => TaskSlot("reading textures"),
            Self::Light(_) => TaskSlot("preparing the environment light"),
            Self::Scene | Self::Whole => TaskSlot("uploading to the GPU"),
        }
    }
}

/// The result of an [`UploadRequest`].
#[derive(Debug)]
pub(super) enum UploadedPart {
    Textures(Option<Arc<MaterialOverride>>, Result<Box<SceneMaterials>, SceneError>),
    /// The error is a phrase that follows the image's name.
    Light(Arc<UserImage>, Result<Box<SceneLight>, String>),
    Scene(Result<Box<Scene>, SceneError>),
    Whole(Result<Box<Scene>, SceneError>),
}

/// Uploads the `wanted` part of `model`.
pub(super) fn perform_upload(
    gpu: &Gpu,
    renderer: Arc<Renderer>,
    model: Arc<Model>,
    wanted: UploadRequest,
    report: &Report,
) -> FinishedUpload {
    let part = match wanted {
        UploadRequest::Textures(material_override) => {
            let materials = SceneMaterials::upload(
                gpu,
                &renderer,
                &model,
                material_override.as_deref(),
                report,
            );
            if let Ok(materials) = &materials {
                for msaa in sample_count::of_views(gpu) {
                    materials.make_pipelines(gpu, &renderer, msaa);
                }
            }
            UploadedPart::Textures(material_override, materials.map(Box::new))
        }
        UploadRequest::Light(file) => {
            let light = SceneLight::upload(gpu, &renderer, &file.image);
            UploadedPart::Light(file, light.map(Box::new).map_err(|refusal| refusal.to_string()))
        }
        UploadRequest::Scene => {
            let scene = Scene::upload_plain(gpu, &renderer, &model, report);
            UploadedPart::Scene(scene.map(Box::new))
        }
        UploadRequest::Whole => {
            UploadedPart::Whole(Scene::upload(gpu, &renderer, &model, report).map(Box::new))
        }
    };
    let findings = match &part {
        UploadedPart::Textures(_, Ok(_)) | UploadedPart::Scene(Ok(_)) => report.findings(),
        // Findings about the document's images come from its own upload.
        _ => Vec::new(),
    };
    FinishedUpload { renderer, model, part, findings }
}
