//! Setting images by hand and taking them away.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::dressing::{Textures, dress, renewed};
use super::hand_image::{HandImage, HandSlot, ImageRequest, name_of};
use crate::{AppState, ColorSource, Effect, FileKind, ModelKey, RunningTask, TaskSlot, ToastLevel};
use rigscope_core::model::{Dress, ImageId, MaterialId, Model, TextureRole, Worn};
use rigscope_core::visual::{EnvironmentKind, Shading};

/// Reading an image that was chosen.
const READ_TASK: TaskSlot = TaskSlot("reading an image");

/// What is set by hand in one tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByHand {
    environment: Option<Arc<HandImage>>,
    textures: Textures,
}

impl ByHand {
    /// The file that lights the model in place of its own light.
    pub fn environment(&self) -> Option<&Arc<HandImage>> {
        self.environment.as_ref()
    }

    /// What is set for `slot`.
    pub fn of(&self, slot: HandSlot) -> Option<&Arc<HandImage>> {
        match slot {
            HandSlot::Environment => self.environment.as_ref(),
            HandSlot::Texture(material, role) => self.textures.get(&(material, role))?.as_ref(),
        }
    }

    /// Roles of `material` whose texture was taken away.
    pub fn taken_away(&self, material: MaterialId) -> impl Iterator<Item = TextureRole> {
        let textures = self.textures.iter();
        textures
            .filter(move |((of, _), image)| *of == material && image.is_none())
            .map(|((_, role), _)| *role)
    }

    /// Whether textures are set or taken away.
    pub fn has_textures(&self) -> bool {
        !self.textures.is_empty()
    }

    /// Takes what `other` has, but keeps files of the same path as they are known here: read later.
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

    /// Keeps what means the same in another reading of the file.
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

/// What the open model wears, and what that was made of.
#[derive(Clone, Debug, Default)]
pub struct Dressed {
    of: Option<(ModelKey, Textures)>,
    dress: Option<Arc<Dress>>,
    along: Vec<Arc<HandImage>>,
}

impl PartialEq for Dressed {
    fn eq(&self, other: &Self) -> bool {
        self.of == other.of
    }
}

/// What can be done by hand.
#[derive(Clone, Debug)]
pub enum ByHandAction {
    /// Asks for a file.
    Ask(HandSlot),
    /// Reads a file.
    Read(HandSlot, PathBuf),
    /// It has been read; or why it is of no use, as a phrase.
    Took(HandSlot, PathBuf, Result<Arc<HandImage>, String>),
    /// The GPU has no use for it, and why.
    Refused(HandSlot, Arc<HandImage>, String),
    /// Shows a material without the texture of that role.
    TakeAway(MaterialId, TextureRole),
    /// As the file has it.
    Reset(HandSlot),
    /// Reads a file that is set again.
    ReadAgain(HandSlot),
    /// Reads all of them again: some have changed.
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
        // Beside others: several may be chosen one after another.
        self.tasks.push(RunningTask { id, slot: READ_TASK, fraction: 0.0 });
        vec![Effect::ReadImage(ImageRequest { id, slot, path })]
    }

    fn take_by_hand(&mut self, slot: HandSlot, image: Arc<HandImage>) -> Vec<Effect> {
        let is_again = self.tab.view.by_hand.of(slot) == Some(&image);
        self.tab.view.by_hand.set(slot, image);
        if is_again {
            // The same file, read again.
            self.tab.view.dressed = Dressed::default();
            return Vec::new();
        }
        self.show_by_hand(slot)
    }

    /// Shows what is in `slot`: who chooses an image wants to see it.
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

    /// Brings what the model wears up to what is set.
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

    /// What the open model wears in place of its own.
    pub fn dress(&self) -> Option<&Arc<Dress>> {
        self.tab.view.dressed.dress.as_ref()
    }

    /// What `model` wears, where that is the open one.
    pub fn dress_of(&self, model: &Arc<Model>) -> Option<&Arc<Dress>> {
        let document = self.tab.document.as_ref()?;
        self.dress().filter(|_| Arc::ptr_eq(&document.model, model))
    }

    /// The materials and images that the open model is shown with.
    pub fn worn(&self) -> Option<Worn<'_>> {
        let model = &self.tab.document.as_ref()?.model;
        Some(Worn::of(model, self.dress().map(Arc::as_ref)))
    }

    /// The file behind an image that the open model wears, where it was set by hand.
    pub fn hand_image(&self, image: ImageId) -> Option<&Arc<HandImage>> {
        let num_own = self.tab.document.as_ref()?.model.images.len();
        self.tab.view.dressed.along.get(image.index().checked_sub(num_own)?)
    }

    /// Files that are set by hand in the tab that is shown.
    pub fn hand_files(&self) -> BTreeSet<PathBuf> {
        let images = self.tab.view.by_hand.images().into_iter();
        images.map(|(_, image)| image.path.clone()).collect()
    }

    /// The file that lights the model, where the light is of a file.
    pub fn shown_hand_light(&self) -> Option<&Arc<HandImage>> {
        let is_shown = self.tab.view.overlays.light.environment == EnvironmentKind::File;
        self.tab.view.by_hand.environment().filter(|_| is_shown)
    }
}
