//! Materials: what the model knows of them, with all else so that it changes nothing.
//!
//! Metallic and roughness in images of their own are joined (`joined`). Textures of roles that the format
//! has not (heights) have no place of their own: they lie where their factor is 0, emission and occlusion, so that they are kept and not
//! seen.

use std::borrow::Cow;
use std::collections::BTreeSet;

use glam::{Vec3, Vec4};
use gltf_json::extensions;
use gltf_json::material::{
    AlphaCutoff, AlphaMode as StoredAlpha, EmissiveFactor, NormalTexture, OcclusionTexture,
    PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor,
};
use gltf_json::texture::Info;
use gltf_json::validation::Checked;
use serde_json::{Map, Value};

use super::data::Data;
use super::joined::{planned, with_joined};
use super::layers;
use super::nodes::name;
use super::texture::{TAKES, Textures, transform};
use crate::formats::WriteOptions;
use crate::formats::images_beside::{ImagesBeside, Naming, shown, used_materials};
use rigscope_core::model::{
    AlphaMode, Material, MaterialLook, Model, NoteKind, Place, Report, TextureRef, TextureRole,
    counted,
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
    let model = &*with_joined(model, report);
    let is_file = |texture: &&TextureRef| {
        let image = texture.image.and_then(|id| model.images.get(id.index()));
        is_text && image.is_some_and(|image| !image.is_embedded)
    };
    let placed = model.materials.iter().flat_map(placed).map(|(texture, _)| texture);
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

/// Where a material has a place for a texture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    BaseColor,
    Normal,
    MetallicRoughness,
    Occlusion,
    Emissive,
}

impl Slot {
    /// The place that is meant for a role.
    fn of(role: TextureRole) -> Option<Self> {
        match role {
            TextureRole::BaseColor => Some(Self::BaseColor),
            TextureRole::Normal => Some(Self::Normal),
            TextureRole::MetallicRoughness => Some(Self::MetallicRoughness),
            TextureRole::Occlusion => Some(Self::Occlusion),
            TextureRole::Emissive => Some(Self::Emissive),
            TextureRole::MetallicRoughnessOcclusion
            | TextureRole::Metallic
            | TextureRole::Roughness
            | TextureRole::Other => None,
        }
    }

    /// Where textures of other roles go, the best first.
    fn unseen(look: &MaterialLook) -> impl Iterator<Item = Self> {
        // Of the last, green is roughness and stays in effect.
        let is_matt = look.metallic == 0.0 && look.roughness == 1.0;
        let all = [
            // As the reader lists them, so that what is written again stays where it is.
            (Self::Occlusion, true),
            (Self::Emissive, look.emissive == Vec3::ZERO),
            (Self::MetallicRoughness, is_matt),
        ];
        all.into_iter().filter(|(_, is_unseen)| *is_unseen).map(|(slot, _)| slot)
    }
}

/// The textures that a material has places for, in their order: the first of each role that the format
/// has, and those that lie where they are not seen.
fn placed(material: &Material) -> Vec<(&TextureRef, Slot)> {
    let look = material.look.as_deref().copied().unwrap_or_default();
    let mut taken = BTreeSet::new();
    let mut take = |slot: &Slot| taken.insert(*slot);
    let own: Vec<Option<Slot>> =
        material.textures.iter().map(|t| Slot::of(t.role).filter(&mut take)).collect();
    let all = material.textures.iter().zip(own);
    all.filter_map(|(texture, own)| {
        let slot = own.or_else(|| Slot::unseen(&look).find(&mut take))?;
        Some((texture, slot))
    })
    .collect()
}

/// How many textures the material with most keeps; those do not whose images the format cannot take.
pub(in super::super) fn num_textures(model: &Model) -> u64 {
    let is_kept = |(texture, _): &(&TextureRef, Slot)| {
        let image = texture.image.and_then(|id| model.images.get(id.index()));
        image.map_or(!texture.path.trim().is_empty(), |image| TAKES.takes(image))
    };
    let num = |(_, material)| {
        let written = as_written(model, material);
        placed(&written).iter().filter(|one| is_kept(one)).count() as u64
    };
    used_materials(model).map(num).max().unwrap_or_default()
}

/// How many images of materials that triangles have are held.
pub(in super::super) fn num_images(model: &Model) -> u64 {
    let used: Vec<_> = used_materials(model).map(|(_, own)| as_written(model, own)).collect();
    let placed = used.iter().flat_map(|material| placed(material));
    shown(model, placed.map(|(texture, _)| texture), TAKES).len() as u64
}

/// A material with the textures that it is written with.
fn as_written<'a>(model: &Model, material: &'a Material) -> Cow<'a, Material> {
    match planned(model, material) {
        Some(textures) => Cow::Owned(Material { textures, ..material.clone() }),
        None => Cow::Borrowed(material),
    }
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
                look.base_color.clamp(Vec4::ZERO, Vec4::ONE).to_array(),
            ),
            metallic_factor: StrengthFactor(metallic(material, &look).clamp(0.0, 1.0)),
            roughness_factor: StrengthFactor(look.roughness.clamp(0.0, 1.0)),
            ..PbrMetallicRoughness::default()
        },
        emissive_factor: EmissiveFactor(layers::emissive(&look).0.to_array()),
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
    }
    let others = layers::extensions(&look, used);
    if look.is_unlit || !others.is_empty() {
        let unlit = look.is_unlit.then_some(extensions::material::Unlit {});
        stored.extensions = Some(extensions::material::Material { unlit, others });
    }
    let placed = placed(material);
    for (texture, slot) in &placed {
        if let Some(index) = textures.add(model, texture, data) {
            let info = info(texture, index, used, report);
            put(&mut stored, texture.role, *slot, info, &look);
        }
    }
    let is_poorer = look.is_depth_only || material.textures.iter().any(|t| is_unheld(t.role));
    report.note_many(NoteKind::LookNotWritten, place, u64::from(is_poorer), || {
        format!("material {}", material.name)
    });
    let num_left = material.textures.len().saturating_sub(placed.len()) as u64;
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

/// Whether a texture of that role is seen in the model and not in what is written.
fn is_unheld(role: TextureRole) -> bool {
    let info = role.info();
    Slot::of(role).is_none() && (info.metallic.is_some() || info.roughness.is_some())
}

/// The metallic factor; that of a texture which is not seen any more would make all of it metal.
fn metallic(material: &Material, look: &MaterialLook) -> f32 {
    let is_lost =
        |texture: &TextureRef| is_unheld(texture.role) && texture.role.info().metallic.is_some();
    match material.textures.iter().any(is_lost) {
        true => 0.0,
        false => look.metallic,
    }
}

/// Puts a texture in its place.
fn put(
    stored: &mut gltf_json::Material,
    role: TextureRole,
    slot: Slot,
    info: Info,
    look: &MaterialLook,
) {
    let pbr = &mut stored.pbr_metallic_roughness;
    match slot {
        Slot::BaseColor => pbr.base_color_texture = Some(info),
        Slot::MetallicRoughness => pbr.metallic_roughness_texture = Some(info),
        Slot::Emissive => stored.emissive_texture = Some(info),
        Slot::Normal => {
            stored.normal_texture = Some(NormalTexture {
                index: info.index,
                scale: look.normal_scale,
                tex_coord: info.tex_coord,
                extensions: others(&info)
                    .map(|others| extensions::material::NormalTexture { others }),
                extras: Default::default(),
            });
        }
        Slot::Occlusion => {
            let strength = match role {
                TextureRole::Occlusion => look.occlusion_strength.clamp(0.0, 1.0),
                _ => 0.0,
            };
            stored.occlusion_texture = Some(OcclusionTexture {
                index: info.index,
                strength: StrengthFactor(strength),
                tex_coord: info.tex_coord,
                extensions: others(&info)
                    .map(|others| extensions::material::OcclusionTexture { others }),
                extras: Default::default(),
            });
        }
    }
}

/// The transform where the crate has no type for it.
fn others(info: &Info) -> Option<Map<String, Value>> {
    let transform = info.extensions.as_ref()?.texture_transform.as_ref()?;
    let value = serde_json::to_value(transform).ok()?;
    Some(Map::from_iter([(TRANSFORM.to_owned(), value)]))
}
