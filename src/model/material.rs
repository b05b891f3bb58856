//! Materials and the textures they name.

/// A material as the file names it.
// Small on purpose: a packed file can hold a million empty names of four bytes each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Name in the file.
    pub name: String,
    /// Textures, in no particular order.
    pub textures: Vec<TextureRef>,
}

/// What a texture is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureRole {
    /// Colour, sRGB.
    BaseColor,
    /// Tangent-space normals, linear.
    Normal,
    /// Anything else, shown by name only.
    Other,
}

/// Where a texture's pixels come from.
#[derive(Clone, Debug, PartialEq)]
pub enum TextureSource {
    /// A path as the file spells it.
    File(String),
    /// Position in [`super::Model::images`].
    Embedded(usize),
}

/// One texture of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureRef {
    /// What it is for.
    pub role: TextureRole,
    /// Where it is.
    pub source: TextureSource,
}

/// An image file inside a model file, still encoded.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddedImage {
    /// Name in the file.
    pub name: String,
    /// PNG, JPEG … as stored.
    pub bytes: super::ByteView,
}
