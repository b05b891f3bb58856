//! Replacing and removing images.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::dressing::{Textures, dress, renewed};
use super::hand_image::{HandImage, HandSlot, ImageRequest, name_of};
use crate::{AppState, ColorSource, Effect, FileKind, ModelKey, RunningTask, TaskSlot, ToastLevel};
use rigscope_core::model::{
    ImageId, MaterialId, MaterialOverride, Model, SurfaceMaterials, TextureRole,
};
use rigscope_core::visual::{EnvironmentKind, Shading};

/// Reads an image chosen by the user.
const READ_TASK: TaskSlot = TaskSlot("reading an image");

/// The images set by the user in one tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByHand {
    environment: Option<Arc<HandImage>>,
    textures: Textures,
}

impl ByHand {
    /// The environment light that replaces the one of the model.
    pub fn environment(&self) -> Option<&Arc<HandImage>> {
        self.environment.as_ref()
    }

    /// The image set for `slot`.
    pub fn of(&self, slot: HandSlot) -> Option<&Arc<HandImage>> {
        match slot {
            HandSlot::Environment => self.environment.as_ref(),
            HandSlot::Texture(material, role) => self.textures.get(&(material, role))?.as_ref(),
        }
    }

    /// The roles of `material` whose texture was removed.
    pub fn taken_away(&self, material: MaterialId) -> impl Iterator<Item = TextureRole> {
        let textures = self.textures.iter();
        textures
            .filter(move |((of, _), image)| *of == material && image.is_none())
            .map(|((_, role), _)| *role)
    }

    /// Whether any textures are set or removed.
    pub fn has_textures(&self) -> bool {
        !self.textures.is_empty()
    }

    /// Restores `other`, but uses the images stored here for files with the same path, because they
    /// were read later.
    pub(crate) fn put_back(&mut self, other: Self) {
        let known = self.images();
        let newest = |image: &mut Arc<HandImage>| {
            if let Some((_, newer)) = known.iter().find(|(_, known)| known == image) {
                *image = Arc::clone(newer);
            }
        };
        *self = other;
        self.environment.iter_mut().for_each(newest);
        self.textures.values_mut().flatten().for_each(newest);
    }

    /// Transfers the textures to a reloaded model.
    pub(crate) fn renew(&mut self, old: &Model, new: &Model) {
        self.textures = renewed(&self.textures, old, new);
    }

    fn images(&self) -> Vec<(HandSlot, Arc<HandImage>)> {
        let textures = self.textures.iter().filter_map(|(&(material, role), image)| {
            Some((HandSlot::Texture(material, role), Arc::clone(image.as_ref()?)))
        });
        let environment = self.environment.iter();
        let environment = environment.map(|image| (HandSlot::Environment, Arc::clone(image)));
        environment.chain(textures).collect()
    }

    fn set(&mut self, slot: HandSlot, image: Arc<HandImage>) {
        match slot {
            HandSlot::Environment => self.environment = Some(image),
            HandSlot::Texture(material, role) => {
                self.textures.insert((material, role), Some(image));
            }
        }
    }

    fn reset(&mut self, slot: HandSlot) {
        match slot {
            HandSlot::Environment => self.environment = None,
            HandSlot::Texture(material, role) => {
                self.textures.remove(&(material, role));
            }
        }
    }
}

/// The look of the open model with the images set, and its inputs.
#[derive(Clone, Debug, Default)]
pub struct Dressed {
    of: Option<(ModelKey, Textures)>,
    dress: Option<Arc<MaterialOverride>>,
    along: Vec<Arc<HandImage>>,
}

impl PartialEq for Dressed {
    fn eq(&self, other: &Self) -> bool {
        self.of == other.of
    }
}

/// An action on images.
#[derive(Clone, Debug)]
pub enum ByHandAction {
    /// Shows a file dialog.
    Ask(HandSlot),
    /// Reads a file.
    Read(HandSlot, PathBuf),
    /// The file has been read, or can't be used for the reason given as a phrase.
    Took(HandSlot, PathBuf, Result<Arc<HandImage>, String>),
    /// The GPU can't use the image, with the reason.
    Refused(HandSlot, Arc<HandImage>, String),
    /// Removes the texture in this role from a material.
    TakeAway(MaterialId, TextureRole),
    /// Restores the image of the file.
    Reset(HandSlot),
    /// Reads the file of a slot again.
    ReadAgain(HandSlot),
    /// Reads all files again because some have changed.
    Changed,
}

impl AppState {
    pub(crate) fn apply_by_hand(&mut self, action: ByHandAction) -> Vec<Effect> {
        if self.tab.document.is_none() {
            return Vec::new();
        }
        let by_hand = &mut self.tab.view.by_hand;
        match action {
            ByHandAction::Ask(slot) => return vec![Effect::PickFiles(FileKind::Image(slot))],
            ByHandAction::Read(slot, path) => {
                let is_known = by_hand.of(slot).is_some_and(|image| image.path == path);
                let mut effects = if is_known { self.show_by_hand(slot) } else { Vec::new() };
                effects.extend(self.read_by_hand(slot, path));
                return effects;
            }
            ByHandAction::Took(slot, _, Ok(image)) => return self.take_by_hand(slot, image),
            ByHandAction::Took(_, path, Err(why)) => {
                let text = format!("{} is not used: {why}", name_of(&path));
                self.toasts.push(ToastLevel::Warning, text);
            }
            ByHandAction::Refused(slot, image, why) => {
                if by_hand.of(slot).is_some_and(|set| Arc::ptr_eq(set, &image)) {
                    by_hand.reset(slot);
                }
                let text = format!("{} is not used: {why}", image.name());
                self.toasts.push(ToastLevel::Warning, text);
            }
            ByHandAction::TakeAway(material, role) => {
                by_hand.textures.insert((material, role), None);
            }
            ByHandAction::Reset(slot) => by_hand.reset(slot),
            ByHandAction::ReadAgain(slot) => {
                let path = by_hand.of(slot).map(|image| image.path.clone());
                return path.map_or_else(Vec::new, |path| self.read_by_hand(slot, path));
            }
            ByHandAction::Changed => {
                let images = by_hand.images().into_iter();
                let read = images.map(|(slot, image)| self.read_by_hand(slot, image.path.clone()));
                return read.flatten().collect();
            }
        }
        Vec::new()
    }

    fn read_by_hand(&mut self, slot: HandSlot, path: PathBuf) -> Vec<Effect> {
        self.last_job_id += 1;
        let id = self.last_job_id;
        // Not exclusive in its slot: several images may be chosen one after another.
        self.tasks.push(RunningTask { id, slot: READ_TASK, fraction: 0.0 });
        vec![Effect::ReadImage(ImageRequest { id, slot, path })]
    }

    fn take_by_hand(&mut self, slot: HandSlot, image: Arc<HandImage>) -> Vec<Effect> {
        let is_again = self.tab.view.by_hand.of(slot) == Some(&image);
        self.tab.view.by_hand.set(slot, image);
        if is_again {
            // The same file was read again.
            self.tab.view.dressed = Dressed::default();
            return Vec::new();
        }
        self.show_by_hand(slot)
    }

    /// Switches the display so that the image in `slot` is visible.
    fn show_by_hand(&mut self, slot: HandSlot) -> Vec<Effect> {
        match slot {
            HandSlot::Environment => self.change_light(|light| {
                light.environment = EnvironmentKind::File;
                if light.shading == Shading::Plain {
                    light.shading = Shading::Physical;
                }
            }),
            HandSlot::Texture(..) => {
                self.follow_by_hand();
                let coloring = self.tab.view.overlays.coloring;
                let is_seen = self.color_source() == Some(ColorSource::Materials)
                    || coloring.is_some_and(|coloring| coloring.is_of_material());
                match is_seen {
                    true => Vec::new(),
                    false => self.color_from(ColorSource::Materials),
                }
            }
        }
    }

    /// Updates the look of the model to the images set.
    pub(crate) fn follow_by_hand(&mut self) -> Vec<Effect> {
        let textures = &self.tab.view.by_hand.textures;
        let of = self.model_key().filter(|_| !textures.is_empty());
        let is_same = match (&self.tab.view.dressed.of, &of) {
            (Some((known, set)), Some(key)) => known == key && set == textures,
            (known, key) => known.is_none() && key.is_none(),
        };
        if !is_same {
            self.tab.view.dressed = match of {
                Some(key) => {
                    let (dress, along) = dress(key.model(), textures);
                    let dress = Some(Arc::new(dress));
                    Dressed { of: Some((key, textures.clone())), dress, along }
                }
                None => Dressed::default(),
            };
        }
        Vec::new()
    }

    /// The materials and images that replace those of the open model.
    pub fn dress(&self) -> Option<&Arc<MaterialOverride>> {
        self.tab.view.dressed.dress.as_ref()
    }

    /// The same for `model`, if it is the open one.
    pub fn dress_of(&self, model: &Arc<Model>) -> Option<&Arc<MaterialOverride>> {
        let document = self.tab.document.as_ref()?;
        self.dress().filter(|_| Arc::ptr_eq(&document.model, model))
    }

    /// The materials and images of the open model, with replacements applied.
    pub fn worn(&self) -> Option<SurfaceMaterials<'_>> {
        let model = &self.tab.document.as_ref()?.model;
        Some(SurfaceMaterials::of(model, self.dress().map(Arc::as_ref)))
    }

    /// The file that the user has set for an image, if it isn't one of the model.
    pub fn hand_image(&self, image: ImageId) -> Option<&Arc<HandImage>> {
        let num_own = self.tab.document.as_ref()?.model.images.len();
        self.tab.view.dressed.along.get(image.index().checked_sub(num_own)?)
    }

    /// The files set by the user in the current tab.
    pub fn hand_files(&self) -> BTreeSet<PathBuf> {
        let images = self.tab.view.by_hand.images().into_iter();
        images.map(|(_, image)| image.path.clone()).collect()
    }

    /// The file of the environment light, if the light is set to a file.
    pub fn shown_hand_light(&self) -> Option<&Arc<HandImage>> {
        let is_shown = self.tab.view.overlays.light.environment == EnvironmentKind::File;
        self.tab.view.by_hand.environment().filter(|_| is_shown)
    }
}
