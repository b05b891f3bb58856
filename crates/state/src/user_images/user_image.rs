//! An image file chosen by the user, and its use.

use std::path::{Path, PathBuf};

use super::image_facts::{ImageFacts, facts};
use crate::JobId;
use rigscope_core::images::{IMAGE_KINDS, ImageKind, MAX_SIDE, environment_header, header_within};
use rigscope_core::model::{ByteView, Image, MaterialId, TextureRole};

/// The use of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImageSlot {
    /// The environment light.
    Environment,
    /// The texture of a material in a role.
    Texture(MaterialId, TextureRole),
}

impl ImageSlot {
    /// Title of the file dialog.
    pub fn question(self) -> &'static str {
        match self {
            Self::Environment => "Choose an environment image",
            Self::Texture(..) => "Choose a texture",
        }
    }

    /// Extensions of suitable files.
    pub fn extensions(self) -> Vec<&'static str> {
        use ImageKind::{Exr, Hdr, Ktx, Ktx2};
        let is_it = |kind: ImageKind| match self {
            Self::Environment => [Hdr, Exr, Ktx2, Ktx].contains(&kind),
            Self::Texture(..) => true,
        };
        let kinds = IMAGE_KINDS.iter().filter(|info| is_it(info.kind));
        kinds.flat_map(|info| info.extensions).copied().collect()
    }
}

/// An image file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageRequest {
    pub id: JobId,
    pub slot: ImageSlot,
    pub path: PathBuf,
}

/// An image file that has been read and can be displayed.
pub struct UserImage {
    pub path: PathBuf,
    /// The encoded image.
    pub image: Image,
    /// Details of the image.
    pub facts: ImageFacts,
}

impl UserImage {
    /// Decodes the image to check it and to make a thumbnail.
    ///
    /// # Errors
    /// The reason why it can't be used for `slot`, as a phrase.
    pub fn new(slot: ImageSlot, path: PathBuf, bytes: Vec<u8>) -> Result<Self, String> {
        let name = path.display().to_string();
        let image = Image { name, bytes: ByteView::whole(bytes), is_embedded: false };
        match slot {
            ImageSlot::Environment => environment_header(&image.bytes, &image.name, MAX_SIDE),
            ImageSlot::Texture(..) => header_within(&image.bytes, &image.name, MAX_SIDE),
        }
        .map_err(|refusal| refusal.to_string())?;
        let facts = facts(&image, true);
        match facts.refused {
            Some(refused) => Err(refused),
            None => Ok(Self { path, image, facts }),
        }
    }

    /// The file name without folder.
    pub fn name(&self) -> String {
        name_of(&self.path)
    }
}

pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Compared by path. Files are read again when they change, so equal paths have equal contents.
impl PartialEq for UserImage {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl std::fmt::Debug for UserImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "UserImage({})", self.path.display())
    }
}
