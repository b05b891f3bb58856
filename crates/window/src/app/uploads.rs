//! Bringing to the GPU, on a thread of its own, what takes longer than a frame.

use std::sync::Arc;

use super::samples;
use rigscope_core::model::{Dress, Model, Note, Report};
use rigscope_gpu::{Gpu, Renderer, Scene, SceneError, SceneLight, SceneMaterials};
use rigscope_state::{AppState, HandImage, UploadPart};

/// For which device and model something was made, and what.
#[derive(Debug)]
pub(super) struct Brought {
    pub(super) renderer: Arc<Renderer>,
    pub(super) model: Arc<Model>,
    pub(super) part: UploadPart,
    pub(super) made: Result<Made, NotMade>,
    pub(super) notes: Vec<Note>,
}

/// What is to be made.
#[derive(Debug)]
pub(super) enum Wanted {
    /// Textures, or those that are worn in their place.
    Textures(Option<Arc<Dress>>),
    /// The light of an image.
    Light(Arc<HandImage>),
    /// All of a model but its textures.
    Scene,
    /// All of a model.
    Whole,
}

impl Wanted {
    /// What that `part` is now; nothing where there is none any more.
    pub(super) fn of(state: &AppState, model: &Arc<Model>, part: UploadPart) -> Option<Self> {
        Some(match part {
            UploadPart::Textures => Self::Textures(state.dress_of(model).cloned()),
            UploadPart::Light => Self::Light(Arc::clone(state.tab.view.by_hand.environment()?)),
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

/// Why something was not made.
#[derive(Debug)]
pub(super) enum NotMade {
    /// Of a model.
    Scene(SceneError),
    /// Of an image, as a phrase that follows its name.
    Light(Arc<HandImage>, String),
}

/// What was made.
#[derive(Debug)]
pub(super) enum Made {
    /// Textures, bound, and what they are of.
    Materials(Option<Arc<Dress>>, Box<SceneMaterials>),
    /// The light of an image.
    Light(Arc<HandImage>, Box<SceneLight>),
    /// A model, with textures or without.
    Scene(Box<Scene>),
}

/// Makes what is `wanted` of `model` with what the window draws with.
pub(super) fn bring(
    gpu: &Gpu,
    renderer: Arc<Renderer>,
    model: Arc<Model>,
    wanted: Wanted,
    report: &Report,
) -> Brought {
    let part = wanted.part();
    let made = match wanted {
        Wanted::Textures(dress) => {
            let materials =
                SceneMaterials::upload(gpu, &renderer, &model, dress.as_deref(), report);
            let made = materials.map(|materials| {
                for msaa in samples::of_views(gpu) {
                    materials.make_pipelines(gpu, &renderer, msaa);
                }
                Made::Materials(dress, Box::new(materials))
            });
            made.map_err(NotMade::Scene)
        }
        Wanted::Light(file) => match SceneLight::upload(gpu, &renderer, &file.image) {
            Ok(light) => Ok(Made::Light(file, Box::new(light))),
            Err(refusal) => Err(NotMade::Light(file, refusal.to_string())),
        },
        Wanted::Scene | Wanted::Whole => {
            let scene = match part {
                UploadPart::Scene => Scene::upload_plain(gpu, &renderer, &model, report),
                _ => Scene::upload(gpu, &renderer, &model, report),
            };
            scene.map(|scene| Made::Scene(Box::new(scene))).map_err(NotMade::Scene)
        }
    };
    let notes = match part {
        UploadPart::Textures | UploadPart::Scene => report.notes(),
        // What is wrong with images of the document is said by its own.
        UploadPart::Light | UploadPart::Whole => Vec::new(),
    };
    Brought { renderer, model, part, made, notes }
}
