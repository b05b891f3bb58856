//! Materials, the textures they name, and the images that these are read from.

use glam::{Affine2, Vec4};

use super::ImageId;

/// A material as the file has it.
// Small on purpose: a packed file can hold a million empty names of four bytes each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Name in the file.
    pub name: String,
    /// Textures, in no particular order; of several with one role the first is drawn.
    pub textures: Vec<TextureRef>,
    /// How the surface looks besides; `None` where the file says nothing.
    pub look: Option<Box<MaterialLook>>,
}

/// How a surface looks besides its textures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialLook {
    /// Linear RGBA; multiplies the base colour texture.
    pub base_color: Vec4,
    /// What alpha means.
    pub alpha: AlphaMode,
    /// Back faces are meant to be seen.
    pub is_two_sided: bool,
    /// The colour is shown as it is, without light.
    pub is_unlit: bool,
}

impl Default for MaterialLook {
    fn default() -> Self {
        Self {
            base_color: Vec4::ONE,
            alpha: AlphaMode::Opaque,
            is_two_sided: false,
            is_unlit: false,
        }
    }
}

/// What alpha means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Nothing.
    #[default]
    Opaque,
    /// What is below the threshold is not there.
    Mask(f32),
    /// How much of what is behind is hidden.
    Blend,
}

/// What a texture is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureRole {
    /// Colour, sRGB.
    BaseColor,
    /// Tangent-space normals, linear, green up (as glTF, OpenGL, Blender).
    Normal,
    /// Anything else, shown by name only.
    Other,
}

/// What lies beyond the edge of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The texture again.
    #[default]
    Repeat,
    /// The last texel.
    Clamp,
    /// The texture again, turned round.
    Mirror,
}

/// One texture of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureRef {
    /// What it is for.
    pub role: TextureRole,
    /// The path as the file spells it; empty where only an embedded image is meant.
    pub path: String,
    /// Its pixels: set by readers for embedded images, by `formats::open` for files found.
    pub image: Option<ImageId>,
    /// Which of [`super::Streams::uv_sets`] places it.
    pub uv_set: u8,
    /// Along u and v.
    pub wrap: [Wrap; 2],
    /// Applied to coordinates (v down) before the texture is read; `None` for no change.
    pub texture_from_uv: Option<Box<Affine2>>,
    /// The file does not name it: it was found by the material's name.
    pub is_found_by_name: bool,
}

impl TextureRef {
    /// A repeated texture on the first UV set, in a file of its own.
    #[must_use]
    pub fn file(role: TextureRole, path: impl Into<String>) -> Self {
        Self {
            role,
            path: path.into(),
            image: None,
            uv_set: 0,
            wrap: [Wrap::Repeat; 2],
            texture_from_uv: None,
            is_found_by_name: false,
        }
    }

    /// A repeated texture on the first UV set, inside the model's file.
    #[must_use]
    pub fn embedded(role: TextureRole, image: ImageId) -> Self {
        Self { image: Some(image), ..Self::file(role, "") }
    }
}

impl Material {
    /// The first texture of that role whose pixels there are.
    pub fn image_of(&self, role: TextureRole) -> Option<&TextureRef> {
        let mut textures = self.textures.iter();
        textures.find(|texture| texture.role == role && texture.image.is_some())
    }
}

/// An image file, still encoded: PNG, JPEG … as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Name in the file, or the file's own path.
    pub name: String,
    /// As stored.
    pub bytes: super::ByteView,
    /// Whether it lies inside the model's file.
    pub is_embedded: bool,
}
