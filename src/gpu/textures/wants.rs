//! What the materials of a model need on the GPU.

use std::collections::BTreeMap;

use super::pixels::Space;
use crate::model::{
    AlphaMode, ImageId, Material, MaterialId, MaterialLook, Model, TextureRef, TextureRole,
};

/// How a material is to be shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Want<'a> {
    /// A colour, linear RGB, which needs nothing but the colour.
    Color([f32; 3]),
    /// Textures, or light or alpha of a kind that only the shader with textures knows.
    Textured(Textured<'a>),
}

/// A material with all that it needs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Textured<'a> {
    pub(super) base_color: BaseColor<'a>,
    pub(super) normal: Option<(ImageId, &'a TextureRef)>,
    /// `None` where the file says nothing and no texture gives a colour: the subset's own is shown.
    pub(super) look: Option<MaterialLook>,
}

/// Where a material's colour comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BaseColor<'a> {
    /// From no texture.
    Plain,
    /// From an image.
    Image(ImageId, &'a TextureRef),
    /// From a texture that was not found.
    Missing(&'a TextureRef),
}

/// The materials that subsets name and that ask for something.
pub(super) fn wants(model: &Model) -> BTreeMap<MaterialId, Want<'_>> {
    let mut wants = BTreeMap::new();
    if model.materials.is_empty() {
        return wants;
    }
    for subset in model.meshes.iter().flat_map(|mesh| &mesh.subsets) {
        if let Some(id) = subset.material
            && !wants.contains_key(&id)
            && let Some(material) = model.materials.get(id.index())
            && let Some(want) = want(material, model.images.len())
        {
            wants.insert(id, want);
        }
    }
    wants
}

fn want(material: &Material, num_images: usize) -> Option<Want<'_>> {
    let image_of = |role| {
        let texture = material.image_of(role)?;
        let image = texture.image.filter(|image| image.index() < num_images)?;
        Some((image, texture))
    };
    let named = || {
        let mut textures = material.textures.iter();
        textures.find(|texture| texture.role == TextureRole::BaseColor)
    };
    let base_color = match (image_of(TextureRole::BaseColor), named()) {
        (Some((image, texture)), _) => BaseColor::Image(image, texture),
        (None, Some(texture)) => BaseColor::Missing(texture),
        (None, None) => BaseColor::Plain,
    };
    let normal = image_of(TextureRole::Normal);
    let look = material.look.as_deref().copied();
    if base_color == BaseColor::Plain && normal.is_none() {
        let look = look?;
        let is_simple = look.alpha == AlphaMode::Opaque && !look.is_two_sided && !look.is_unlit;
        if is_simple {
            return Some(Want::Color(look.base_color.truncate().to_array()));
        }
    }
    Some(Want::Textured(Textured {
        base_color,
        normal,
        look: match base_color {
            BaseColor::Plain => look,
            _ => Some(look.unwrap_or_default()),
        },
    }))
}

/// Every image that is needed, in each way of reading it, with the first material that does.
pub(super) fn images(
    wants: &BTreeMap<MaterialId, Want<'_>>,
) -> BTreeMap<(ImageId, Space), MaterialId> {
    let mut images = BTreeMap::new();
    for (&material, want) in wants {
        let Want::Textured(textured) = want else { continue };
        if let BaseColor::Image(image, _) = textured.base_color {
            images.entry((image, Space::Srgb)).or_insert(material);
        }
        if let Some((image, _)) = textured.normal {
            images.entry((image, Space::Linear)).or_insert(material);
        }
    }
    images
}
