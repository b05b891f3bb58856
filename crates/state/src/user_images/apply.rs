//! Replacing and removing images.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::material_override::{Textures, override_materials, transferred};
use super::user_image::{ImageRequest, ImageSlot, UserImage, name_of};
use crate::{AppState, ColorSource, FileKind, ModelKey, Request, TaskSlot, ToastLevel};
use rigscope_core::model::{
    ImageId, MaterialId, MaterialOverride, Model, SurfaceMaterials, TextureRole,
};
use rigscope_core::visual::{EnvironmentKind, Shading};

/// Reads an image chosen by the user.
const READ_TASK: TaskSlot = TaskSlot("reading an image");

/// The images set by the user in one tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserImages {
    environment: Option<Arc<UserImage>>,
    textures: Textures,
}

impl UserImages {
    /// The environment light that replaces the one of the model.
    pub fn environment(&self) -> Option<&Arc<UserImage>> {
        self.environment.as_ref()
    }

    /// The image set for `slot`.
    pub fn of(&self, slot: ImageSlot) -> Option<&Arc<UserImage>> {
        match slot {
            ImageSlot::Environment => self.environment.as_ref(),
            ImageSlot::Texture(material, role) => self.textures.get(&(material, role))?.as_ref(),
        }
    }

    /// The roles of `material` whose texture was removed.
    pub fn removed_textures(&self, material: MaterialId) -> impl Iterator<Item = TextureRole> {
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
    pub(crate) fn restore(&mut self, other: Self) {
        let known = self.images();
        let newest = |image: &mut Arc<UserImage>| {
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
        self.textures = transferred(&self.textures, old, new);
    }

    /// The files of all images.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        let textures = self.textures.values().flatten();
        self.environment.iter().chain(textures).map(|image| image.path.as_path())
    }

    fn images(&self) -> Vec<(ImageSlot, Arc<UserImage>)> {
        let textures = self.textures.iter().filter_map(|(&(material, role), image)| {
            Some((ImageSlot::Texture(material, role), Arc::clone(image.as_ref()?)))
        });
        let environment = self.environment.iter();
        let environment = environment.map(|image| (ImageSlot::Environment, Arc::clone(image)));
        environment.chain(textures).collect()
    }

    fn set(&mut self, slot: ImageSlot, image: Arc<UserImage>) {
        match slot {
            ImageSlot::Environment => self.environment = Some(image),
            ImageSlot::Texture(material, role) => {
                self.textures.insert((material, role), Some(image));
            }
        }
    }

    fn reset(&mut self, slot: ImageSlot) {
        match slot {
            ImageSlot::Environment => self.environment = None,
            ImageSlot::Texture(material, role) => {
                self.textures.remove(&(material, role));
            }
        }
    }
}

/// The look of the open model with the images set, and its inputs.
#[derive(Clone, Debug, Default)]
pub struct AppliedImages {
    of: Option<(ModelKey, Textures)>,
    material_override: Option<Arc<MaterialOverride>>,
    along: Vec<Arc<UserImage>>,
}

impl PartialEq for AppliedImages {
    fn eq(&self, other: &Self) -> bool {
        self.of == other.of
    }
}

/// An action on images.
#[derive(Clone, Debug)]
pub enum UserImageAction {
    /// Shows a file dialog.
    Choose(ImageSlot),
    /// Reads a file.
    Read(ImageSlot, PathBuf),
    /// The file has been read, or can't be used for the reason given as a phrase.
    Loaded(ImageSlot, PathBuf, Result<Arc<UserImage>, String>),
    /// The GPU can't use the image, with the reason.
    Rejected(ImageSlot, Arc<UserImage>, String),
    /// Removes the texture in this role from a material.
    Remove(MaterialId, TextureRole),
    /// Restores the image of the file.
    Reset(ImageSlot),
    /// Reads the file of a slot again.
    ReadAgain(ImageSlot),
    /// Reads all files again because some have changed.
    Changed,
}

impl AppState {
    pub(crate) fn apply_user_image(&mut self, action: UserImageAction) -> Vec<Request> {
        if self.tab.document.is_none() {
            return Vec::new();
        }
        let user_images = &mut self.tab.view.user_images;
        match action {
            UserImageAction::Choose(slot) => {
                return vec![Request::PickFiles(FileKind::Image(slot))];
            }
            UserImageAction::Read(slot, path) => {
                let is_known = user_images.of(slot).is_some_and(|image| image.path == path);
                let mut requests = if is_known { self.show_user_image(slot) } else { Vec::new() };
                requests.extend(self.read_user_image(slot, path));
                return requests;
            }
            UserImageAction::Loaded(slot, _, Ok(image)) => return self.set_user_image(slot, image),
            UserImageAction::Loaded(_, path, Err(why)) => {
                let text = format!("{} is not used: {why}", name_of(&path));
                self.toasts.push(ToastLevel::Warning, text);
            }
            UserImageAction::Rejected(slot, image, why) => {
                if user_images.of(slot).is_some_and(|set| Arc::ptr_eq(set, &image)) {
                    user_images.reset(slot);
                }
                let text = format!("{} is not used: {why}", image.name());
                self.toasts.push(ToastLevel::Warning, text);
            }
            UserImageAction::Remove(material, role) => {
                user_images.textures.insert((material, role), None);
            }
            UserImageAction::Reset(slot) => user_images.reset(slot),
            UserImageAction::ReadAgain(slot) => {
                let path = user_images.of(slot).map(|image| image.path.clone());
                return path.map_or_else(Vec::new, |path| self.read_user_image(slot, path));
            }
            UserImageAction::Changed => {
                let images = user_images.images().into_iter();
                let read =
                    images.map(|(slot, image)| self.read_user_image(slot, image.path.clone()));
                return read.flatten().collect();
            }
        }
        Vec::new()
    }

    fn read_user_image(&mut self, slot: ImageSlot, path: PathBuf) -> Vec<Request> {
        // Several images may be chosen one after another.
        let id = self.begin_task(READ_TASK);
        vec![Request::ReadImage(ImageRequest { id, slot, path })]
    }

    fn set_user_image(&mut self, slot: ImageSlot, image: Arc<UserImage>) -> Vec<Request> {
        let is_again = self.tab.view.user_images.of(slot) == Some(&image);
        self.tab.view.user_images.set(slot, image);
        if is_again {
            // The same file was read again.
            self.tab.view.applied_images = AppliedImages::default();
            return Vec::new();
        }
        self.show_user_image(slot)
    }

    /// Switches the display so that the image in `slot` is visible.
    fn show_user_image(&mut self, slot: ImageSlot) -> Vec<Request> {
        match slot {
            ImageSlot::Environment => self.change_light(|light| {
                light.environment = EnvironmentKind::File;
                if light.shading == Shading::Plain {
                    light.shading = Shading::Physical;
                }
            }),
            ImageSlot::Texture(..) => {
                self.follow_user_images();
                let coloring = self.tab.view.overlays.coloring;
                let is_seen = self.color_source() == Some(ColorSource::Materials)
                    || coloring.is_some_and(|coloring| coloring.is_of_material());
                if is_seen { Vec::new() } else { self.color_from(ColorSource::Materials) }
            }
        }
    }

    /// Updates the look of the model to the images set.
    pub(crate) fn follow_user_images(&mut self) -> Vec<Request> {
        let textures = &self.tab.view.user_images.textures;
        let of = self.model_key().filter(|_| !textures.is_empty());
        let is_same = match (&self.tab.view.applied_images.of, &of) {
            (Some((known, set)), Some(key)) => known == key && set == textures,
            (known, key) => known.is_none() && key.is_none(),
        };
        if !is_same {
            self.tab.view.applied_images = match of {
                Some(key) => {
                    let (material_override, along) = override_materials(key.model(), textures);
                    let material_override = Some(Arc::new(material_override));
                    AppliedImages { of: Some((key, textures.clone())), material_override, along }
                }
                None => AppliedImages::default(),
            };
        }
        Vec::new()
    }

    /// The materials and images that replace those of the open model.
    pub fn material_override(&self) -> Option<&Arc<MaterialOverride>> {
        self.tab.view.applied_images.material_override.as_ref()
    }

    /// The same for `model`, if it is the open one.
    pub fn material_override_of(&self, model: &Arc<Model>) -> Option<&Arc<MaterialOverride>> {
        let document = self.tab.document.as_ref()?;
        self.material_override().filter(|_| Arc::ptr_eq(&document.model, model))
    }

    /// The materials and images of the open model, with replacements applied.
    pub fn surface_materials(&self) -> Option<SurfaceMaterials<'_>> {
        let model = &self.tab.document.as_ref()?.model;
        Some(SurfaceMaterials::of(model, self.material_override().map(Arc::as_ref)))
    }

    /// The file that the user has set for an image, if it isn't one of the model.
    pub fn user_image(&self, image: ImageId) -> Option<&Arc<UserImage>> {
        let num_own = self.tab.document.as_ref()?.model.images.len();
        self.tab.view.applied_images.along.get(image.index().checked_sub(num_own)?)
    }

    /// The files set by the user in the current tab.
    pub fn user_image_files(&self) -> BTreeSet<PathBuf> {
        let images = self.tab.view.user_images.images().into_iter();
        images.map(|(_, image)| image.path.clone()).collect()
    }

    /// The file of the environment light, if the light is set to a file.
    pub fn active_environment(&self) -> Option<&Arc<UserImage>> {
        let is_shown = self.tab.view.overlays.light.environment == EnvironmentKind::File;
        self.tab.view.user_images.environment().filter(|_| is_shown)
    }
}
