//! Lists the GPU resources that materials need.

use std::collections::BTreeMap;

use super::pixels::ColorSpace;
use rigscope_core::images::{self, ImageKind};
use rigscope_core::model::{
    AlphaMode, ImageId, Material, MaterialId, MaterialLook, Model, RoleInfo, SurfaceMaterials,
    TextureRef, TextureRole,
};

/// How a material is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Requirement<'a> {
    /// No textures and, under plain light, a single colour.
    Color(MaterialLook),
    /// Textures, or lighting or alpha that only the textured shader supports.
    Textured(TexturedMaterial<'a>),
}

/// A material with its textures.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TexturedMaterial<'a> {
    pub(super) base_color: BaseColor<'a>,
    /// The base colour image is sRGB-encoded twice, which the shaders of the SDK's effects undo.
    pub(super) is_encoded_twice: bool,
    pub(super) normal: MapImage<'a>,
    pub(super) metallic: MapImage<'a>,
    pub(super) roughness: MapImage<'a>,
    pub(super) occlusion: MapImage<'a>,
    pub(super) emissive: MapImage<'a>,
    /// `None` if the file has no look and no base colour texture; the subset's colour is shown.
    pub(super) look: Option<MaterialLook>,
}

/// A texture with an available image.
pub(super) type MapImage<'a> = Option<(ImageId, &'a TextureRef)>;

/// The source of a material's base colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BaseColor<'a> {
    /// No texture.
    Plain,
    Image(ImageId, &'a TextureRef),
    /// A texture whose image is missing.
    Missing(&'a TextureRef),
}

/// The requirements of all materials that subsets use.
pub(super) fn requirements<'a>(
    model: &Model,
    worn: SurfaceMaterials<'a>,
) -> BTreeMap<MaterialId, Requirement<'a>> {
    let mut requirements = BTreeMap::new();
    if worn.materials.is_empty() {
        return requirements;
    }
    for subset in model.meshes.iter().flat_map(|mesh| &mesh.subsets) {
        if let Some(id) = subset.material
            && !requirements.contains_key(&id)
            && let Some(material) = worn.materials.get(id)
            && let Some(mut requirement) = requirement(material, worn.images.len())
        {
            if let Requirement::Textured(textured) = &mut requirement {
                textured.is_encoded_twice = is_encoded_twice(model, worn, textured.base_color);
            }
            requirements.insert(id, requirement);
        }
    }
    requirements
}

fn requirement(material: &Material, num_images: usize) -> Option<Requirement<'_>> {
    let first = |is_it: &dyn Fn(&RoleInfo) -> bool| {
        let mut textures = material.textures.iter();
        textures.find_map(|texture| {
            let image = texture.image.filter(|image| image.index() < num_images)?;
            is_it(texture.role.info()).then_some((image, texture))
        })
    };
    let image_of = |role| first(&|info| info.role == role);
    let named = || {
        let mut textures = material.textures.iter();
        textures.find(|texture| texture.role == TextureRole::BaseColor)
    };
    let base_color = match (image_of(TextureRole::BaseColor), named()) {
        (Some((image, texture)), _) => BaseColor::Image(image, texture),
        (None, Some(texture)) => BaseColor::Missing(texture),
        (None, None) => BaseColor::Plain,
    };
    let textured = TexturedMaterial {
        base_color,
        is_encoded_twice: false,
        normal: image_of(TextureRole::Normal),
        metallic: first(&|info| info.metallic.is_some()),
        roughness: first(&|info| info.roughness.is_some()),
        occlusion: first(&|info| info.occlusion.is_some()),
        emissive: image_of(TextureRole::Emissive),
        look: material.look.as_deref().copied(),
    };
    if base_color == BaseColor::Plain && textured.maps().next().is_none() {
        let look = textured.look?;
        let is_simple = look.alpha == AlphaMode::Opaque && !look.is_two_sided && !look.is_unlit;
        if is_simple && !look.is_depth_only {
            return Some(Requirement::Color(look));
        }
    }
    Some(Requirement::Textured(TexturedMaterial {
        look: match base_color {
            BaseColor::Plain => textured.look,
            _ => Some(textured.look.unwrap_or_default()),
        },
        ..textured
    }))
}

/// Whether an effect's base colour is sRGB-encoded twice. Its shaders decode sRGB although the GPU already
/// has, since the tool that creates its files encodes every image (a flat normal is stored as 188).
fn is_encoded_twice(model: &Model, worn: SurfaceMaterials<'_>, base_color: BaseColor<'_>) -> bool {
    let BaseColor::Image(id, _) = base_color else { return false };
    let image = worn.images.get(id).filter(|_| model.effect.is_some());
    let header = image.and_then(|image| images::header(&image.bytes, &image.name).ok());
    header.is_some_and(|header| header.kind == ImageKind::Ktx && header.is_srgb == Some(true))
}

impl<'a> TexturedMaterial<'a> {
    /// All textures except the base colour's.
    fn maps(&self) -> impl Iterator<Item = (ImageId, &'a TextureRef)> {
        let Self { normal, metallic, roughness, occlusion, emissive, .. } = *self;
        [normal, metallic, roughness, occlusion, emissive].into_iter().flatten()
    }
}

/// The colour space in which a texture is read.
pub(super) fn space_of(texture: &TextureRef) -> ColorSpace {
    if texture.role.info().is_color { ColorSpace::Srgb } else { ColorSpace::Linear }
}

/// How an image is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ImageUse {
    /// The first material that uses it.
    pub(super) material: MaterialId,
    /// The role of its alpha; opaque if any material shows its colours regardless of alpha.
    pub(super) alpha: AlphaMode,
}

/// All required images, per colour space.
pub(super) fn images(
    requirements: &BTreeMap<MaterialId, Requirement<'_>>,
) -> BTreeMap<(ImageId, ColorSpace), ImageUse> {
    let mut images = BTreeMap::new();
    let mut add = |key, material, alpha: AlphaMode| {
        let known = images.entry(key).or_insert(ImageUse { material, alpha });
        known.alpha = match (known.alpha, alpha) {
            (AlphaMode::Opaque, _) | (_, AlphaMode::Opaque) => AlphaMode::Opaque,
            (AlphaMode::Mask(cutoff), _) | (_, AlphaMode::Mask(cutoff)) => AlphaMode::Mask(cutoff),
            (AlphaMode::Blend, AlphaMode::Blend) => AlphaMode::Blend,
        };
    };
    for (&material, requirement) in requirements {
        let Requirement::Textured(textured) = requirement else { continue };
        if let BaseColor::Image(image, _) = textured.base_color {
            let look = textured.look.unwrap_or_default();
            let alpha = match look.alpha {
                // The cutoff is compared with the product of texture and factor.
                AlphaMode::Mask(cutoff) => AlphaMode::Mask(cutoff / look.base_color.w),
                alpha => alpha,
            };
            add((image, ColorSpace::Srgb), material, alpha);
        }
        for (image, texture) in textured.maps() {
            add((image, space_of(texture)), material, AlphaMode::Opaque);
        }
    }
    images
}
