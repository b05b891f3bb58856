//! Bringing to the GPU, on a thread of its own, what takes longer than a frame.

use std::sync::Arc;

use crate::gpu::{Gpu, Renderer, Scene, SceneError, SceneMaterials};
use crate::model::{Model, Note, Report};
use crate::state::UploadPart;

/// For which device and model something was made, and what.
#[derive(Debug)]
pub(super) struct Brought {
    pub(super) renderer: Arc<Renderer>,
    pub(super) model: Arc<Model>,
    pub(super) made: Result<Made, SceneError>,
    pub(super) notes: Vec<Note>,
}

/// What was made.
#[derive(Debug)]
pub(super) enum Made {
    /// Textures, bound.
    Materials(Box<SceneMaterials>),
    /// All of a model.
    Scene(Box<Scene>),
}

/// Makes `part` of `model` with what the window draws with.
pub(super) fn bring(
    gpu: &Gpu,
    renderer: Arc<Renderer>,
    model: Arc<Model>,
    part: UploadPart,
    report: &Report,
) -> Brought {
    let made = match part {
        UploadPart::Textures => {
            let materials = SceneMaterials::upload(gpu, &renderer, &model, report);
            materials.map(|materials| {
                materials.make_pipelines(gpu, &renderer, super::graphics::msaa(gpu));
                Made::Materials(Box::new(materials))
            })
        }
        UploadPart::Whole => {
            let scene = Scene::upload(gpu, &renderer, &model, report);
            scene.map(|scene| Made::Scene(Box::new(scene)))
        }
    };
    let notes = match part {
        UploadPart::Textures => report.notes(),
        // What is wrong with images of the document is said by its own.
        UploadPart::Whole => Vec::new(),
    };
    Brought { renderer, model, made, notes }
}
