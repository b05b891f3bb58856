//! The images that written skins use.

use super::cfp;
use super::originals::Originals;
use crate::formats::WriteOptions;
use crate::formats::image_bytes::Takes;
use crate::formats::related_images::{has_safe_name, supported_images};
use rigscope_core::model::{Mesh, Model, TextureRef, TextureRole};

/// Image formats that the game's runtimes search for.
pub(super) const SUPPORTED_IMAGES: Takes = Takes::Only(&["bmp", "tga", "png"]);

/// The textures of meshes that skins can use: one colour texture each.
pub(super) fn skin_textures(
    model: &Model,
    meshes: std::ops::Range<usize>,
) -> impl Iterator<Item = &TextureRef> {
    let meshes = (*model.meshes).get(meshes).unwrap_or_default();
    let subsets = meshes.iter().flat_map(|mesh| &mesh.subsets);
    let materials = subsets.filter_map(|subset| model.materials.get(subset.material?));
    materials.filter_map(|material| {
        let mut textures = material.textures.iter();
        textures.find(|texture| texture.role == TextureRole::BaseColor)
    })
}

/// Number of images written and found again, with skins as the main files or a character. A texture found by
/// the skin's file name is lost if that name changes and the skin is written unchanged: see `with_texture` in
/// [`super::write`].
pub(super) fn num_images(is_skin: bool, model: &Model, options: &WriteOptions) -> u64 {
    if options.part.as_deref() == Some(cfp::ID) {
        return 0;
    }
    let kept = Originals::of(model);
    let num_kept = match kept.skins.len() {
        num if num <= model.meshes.len() => num,
        _ => 0,
    };
    let changes_names = is_skin && kept.character.is_none();
    let is_main = |mesh: &Mesh| mesh.name.eq_ignore_ascii_case(&options.stem);
    let mut ids = supported_images(
        model,
        skin_textures(model, num_kept..model.meshes.len()),
        SUPPORTED_IMAGES,
    );
    for (number, mesh) in model.meshes.iter().take(num_kept).enumerate() {
        let keeps_name = !changes_names || number == 0 && is_main(mesh);
        let worn = skin_textures(model, number..number + 1);
        let named = worn
            .filter(|texture| has_safe_name(texture) && (keeps_name || !texture.is_found_by_name));
        ids.extend(supported_images(model, named, Takes::Any));
    }
    ids.len() as u64
}
