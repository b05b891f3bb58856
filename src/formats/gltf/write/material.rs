//! Materials: what the model knows of them, with all else so that it changes nothing.
//!
//! Textures of other roles have no place of their own: they lie where their factor is 0, emission
//! and occlusion, so that they are kept and not seen.

use std::collections::BTreeSet;

use gltf_json::extensions;
use gltf_json::material::{
    AlphaCutoff, AlphaMode as StoredAlpha, NormalTexture, OcclusionTexture, PbrBaseColorFactor,
    PbrMetallicRoughness, StrengthFactor,
};
use gltf_json::texture::Info;
use gltf_json::validation::Checked;
use serde_json::{Map, Value};

use super::data::Data;
use super::nodes::name;
use super::texture::{TAKES, Textures, transform};
use crate::formats::WriteOptions;
use crate::formats::images_beside::{ImagesBeside, Naming, shown, used_materials};
use crate::model::{
    AlphaMode, Material, Model, NoteKind, Place, Report, TextureRef, TextureRole, counted,
};

const TRANSFORM: &str = "KHR_texture_transform";
const UNLIT: &str = "KHR_materials_unlit";

/// Puts all materials into the file, with their numbers; the images that go beside it, which a file of
/// text has.
pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    is_text: bool,
    data: &mut Data,
    report: &Report,
) -> ImagesBeside {
    let is_file = |texture: &&TextureRef| {
        let image = texture.image.and_then(|id| model.images.get(id.index()));
        is_text && image.is_some_and(|image| !image.is_embedded)
    };
    let placed = model.materials.iter().flat_map(placed);
    let naming = Naming { takes: TAKES, ..Naming::of(&options.stem) };
    let files = ImagesBeside::of(model, placed.filter(is_file), &naming, &options.images, report);
    let mut textures = Textures::new(&files, &options.images, report);
    let mut used = BTreeSet::new();
    for (at, material) in model.materials.iter().enumerate() {
        let place = Place::Material(u32::try_from(at).unwrap_or(u32::MAX));
        let stored = one(model, material, place, &mut textures, data, &mut used, report);
        data.root.materials.push(stored);
    }
    data.root.extensions_used = used.into_iter().map(str::to_owned).collect();
    files
}

/// The textures that a material has places for: one of colour, one of normals, three that are not
/// seen.
fn placed(material: &Material) -> impl Iterator<Item = &TextureRef> {
    let (mut colors, mut normals, mut others) = (1, 1, 3);
    material.textures.iter().filter(move |texture| {
        let own = match texture.role {
            TextureRole::BaseColor => &mut colors,
            TextureRole::Normal => &mut normals,
            _ => &mut others,
        };
        let place = if *own > 0 { own } else { &mut others };
        let is_free = *place > 0;
        *place -= i32::from(is_free);
        is_free
    })
}

/// How many textures the material with most keeps; those do not whose images the format cannot take.
pub(in super::super) fn num_textures(model: &Model) -> u64 {
    let is_kept = |texture: &&TextureRef| {
        let image = texture.image.and_then(|id| model.images.get(id.index()));
        image.map_or(!texture.path.trim().is_empty(), |image| TAKES.takes(image))
    };
    let num = |(_, material)| placed(material).filter(is_kept).count() as u64;
    used_materials(model).map(num).max().unwrap_or_default()
}

/// How many images of materials that triangles have are held.
pub(in super::super) fn num_images(model: &Model) -> u64 {
    let used = used_materials(model).flat_map(|(_, material)| placed(material));
    shown(model, used, TAKES).len() as u64
}

fn one(
    model: &Model,
    material: &Material,
    place: Place,
    textures: &mut Textures<'_>,
    data: &mut Data,
    used: &mut BTreeSet<&'static str>,
    report: &Report,
) -> gltf_json::Material {
    let look = material.look.as_deref().copied().unwrap_or_default();
    let mut stored = gltf_json::Material {
        name: name(&material.name),
        double_sided: look.is_two_sided,
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_factor: PbrBaseColorFactor(
                look.base_color.clamp(glam::Vec4::ZERO, glam::Vec4::ONE).to_array(),
            ),
            // Nothing is known of either: a surface without shine.
            metallic_factor: StrengthFactor(0.0),
            roughness_factor: StrengthFactor(1.0),
            ..PbrMetallicRoughness::default()
        },
        ..gltf_json::Material::default()
    };
    (stored.alpha_mode, stored.alpha_cutoff) = match look.alpha {
        AlphaMode::Opaque => (Checked::Valid(StoredAlpha::Opaque), None),
        AlphaMode::Mask(cutoff) => {
            let cutoff = Some(AlphaCutoff(cutoff.max(0.0)));
            (Checked::Valid(StoredAlpha::Mask), cutoff)
        }
        AlphaMode::Blend => (Checked::Valid(StoredAlpha::Blend), None),
    };
    if look.is_unlit {
        used.insert(UNLIT);
        stored.extensions = Some(extensions::material::Material {
            unlit: Some(extensions::material::Unlit {}),
            ..Default::default()
        });
    }
    let mut num_placed = 0;
    for texture in placed(material) {
        num_placed += 1;
        if let Some(index) = textures.add(model, texture, data) {
            let info = info(texture, index, used, report);
            put(&mut stored, texture.role, info);
        }
    }
    let num_left = material.textures.len().saturating_sub(num_placed) as u64;
    report.note_many(NoteKind::LeftOut, place, num_left, || {
        format!("{}, for which a material has no place left", counted(num_left, "texture"))
    });
    stored
}

fn info(
    texture: &TextureRef,
    index: gltf_json::Index<gltf_json::Texture>,
    used: &mut BTreeSet<&'static str>,
    report: &Report,
) -> Info {
    let texture_transform = transform(texture, report);
    if texture_transform.is_some() {
        used.insert(TRANSFORM);
    }
    let extensions = texture_transform.map(|transform| extensions::texture::Info {
        texture_transform: Some(transform),
        ..Default::default()
    });
    Info { index, tex_coord: u32::from(texture.uv_set), extensions, extras: Default::default() }
}

/// Puts a texture that has a place there, or in one where it is not seen.
fn put(stored: &mut gltf_json::Material, role: TextureRole, info: Info) {
    let pbr = &mut stored.pbr_metallic_roughness;
    if role == TextureRole::BaseColor && pbr.base_color_texture.is_none() {
        pbr.base_color_texture = Some(info);
    } else if role == TextureRole::Normal && stored.normal_texture.is_none() {
        stored.normal_texture = Some(NormalTexture {
            index: info.index,
            scale: 1.0,
            tex_coord: info.tex_coord,
            extensions: others(&info).map(|others| extensions::material::NormalTexture { others }),
            extras: Default::default(),
        });
    } else if stored.emissive_texture.is_none() {
        stored.emissive_texture = Some(info);
    } else if stored.occlusion_texture.is_none() {
        stored.occlusion_texture = Some(OcclusionTexture {
            index: info.index,
            strength: StrengthFactor(0.0),
            tex_coord: info.tex_coord,
            extensions: others(&info)
                .map(|others| extensions::material::OcclusionTexture { others }),
            extras: Default::default(),
        });
    } else if pbr.metallic_roughness_texture.is_none() {
        // Its green is roughness and stays in effect; its blue has a factor of 0.
        pbr.metallic_roughness_texture = Some(info);
    }
}

/// The transform where the crate has no type for it.
fn others(info: &Info) -> Option<Map<String, Value>> {
    let transform = info.extensions.as_ref()?.texture_transform.as_ref()?;
    let value = serde_json::to_value(transform).ok()?;
    Some(Map::from_iter([(TRANSFORM.to_owned(), value)]))
}
