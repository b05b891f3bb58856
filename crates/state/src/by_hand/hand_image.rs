//! An image file that the user has chosen, and for what.

use std::path::{Path, PathBuf};

use super::image_facts::{ImageFacts, facts};
use rigscope_core::images::{IMAGE_KINDS, ImageKind, MAX_SIDE, header_of_light, header_within};
use rigscope_core::model::{ByteView, Image, MaterialId, TextureRole};

/// What an image is set for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HandSlot {
    /// What lights the model.
    Environment,
    /// What a material has in a role.
    Texture(MaterialId, TextureRole),
}

impl HandSlot {
    /// What the user is asked for.
    pub fn question(self) -> &'static str {
        match self {
            Self::Environment => "Light by an image file",
            Self::Texture(..) => "Set a texture",
        }
    }

    /// Extensions of files that it can be.
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

/// An image file to be read, and what for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageRequest {
    /// Which job it is.
    pub id: u64,
    /// What for.
    pub slot: HandSlot,
    /// The file.
    pub path: PathBuf,
}

/// An image file that has been read and can be shown.
pub struct HandImage {
    /// The file.
    pub path: PathBuf,
    /// As stored.
    pub image: Image,
    /// What is known of it.
    pub facts: ImageFacts,
}

impl HandImage {
    /// Looks at the bytes of the file, which takes as long as decoding them.
    ///
    /// # Errors
    /// Why they are of no use for `slot`, as a phrase.
    pub fn new(slot: HandSlot, path: PathBuf, bytes: Vec<u8>) -> Result<Self, String> {
        let name = path.display().to_string();
        let image = Image { name, bytes: ByteView::whole(bytes), is_embedded: false };
        match slot {
            HandSlot::Environment => header_of_light(&image.bytes, &image.name, MAX_SIDE),
            HandSlot::Texture(..) => header_within(&image.bytes, &image.name, MAX_SIDE),
        }
        .map_err(|refusal| refusal.to_string())?;
        let facts = facts(&image, true);
        match facts.refused {
            Some(refused) => Err(refused),
            None => Ok(Self { path, image, facts }),
        }
    }

    /// The file's name without folder.
    pub fn name(&self) -> String {
        name_of(&self.path)
    }
}

pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The same file: what it holds now is the same as well, since it is read again where it changes.
impl PartialEq for HandImage {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl std::fmt::Debug for HandImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HandImage({})", self.path.display())
    }
}
