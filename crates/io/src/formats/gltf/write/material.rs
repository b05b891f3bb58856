//! Materials: the properties that the model has, and neutral values for all others.
//!
//! Separate metallic and roughness images are packed (`packed_images`). Textures of roles that the format
//! doesn't have (heights) are stored in slots whose factor is 0, emission and occlusion, so that
//! they are preserved without being visible.

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

use super::data::FileData;
use super::layers;
use super::nodes::name;
use super::packed_images::{packed_textures, with_packed_images};
use super::texture::{TAKES, TextureWriter, transform};
use crate::formats::WriteOptions;
use crate::formats::related_images::{Naming, RelatedImages, supported_images, used_materials};
use rigscope_core::model::{
    AlphaMode, FindingKind, Material, MaterialId, MaterialLook, MaterialProperty, Model, Place,
    Report, TextureRef, TextureRole, counted, singular_or_plural,
};
use rigscope_core::pose::{peak_look, tracks_of};

const TRANSFORM: &str = "KHR_texture_transform";
const UNLIT: &str = "KHR_materials_unlit";

/// Writes all materials with their textures; returns the images to write as separate files, which
/// only text files have.
pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    is_text: bool,
    data: &mut FileData,
    report: &Report,
) -> RelatedImages {
    let model = &*with_packed_images(model, report);
    let is_file = |texture: &&TextureRef| {
        let image = texture.image.map(|id| model.image(id));
        is_text && image.is_some_and(|image| !image.is_embedded)
    };
    let placed = model.materials.iter().flat_map(placed).map(|(texture, _)| texture);
    let naming = Naming { takes: TAKES, ..Naming::of(&options.stem) };
    let files = RelatedImages::of(model, placed.filter(is_file), &naming, &options.images, report);
    let mut textures = TextureWriter::new(&files, &options.images, report);
    let mut used = BTreeSet::new();
    for (at, material) in model.materials.iter().enumerate() {
        let id = MaterialId::from_index(at);
        let stored = one(model, id, material, &mut textures, data, &mut used, report);
        data.root.materials.push(stored);
    }
    data.root.extensions_used = used.into_iter().map(str::to_owned).collect();
    files
}

/// A texture slot of a material.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TextureSlot {
    BaseColor,
    Normal,
    MetallicRoughness,
    Occlusion,
    Emissive,
}

impl TextureSlot {
    /// The slot intended for a role.
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

    /// Slots without a visible effect, in order of preference.
    fn without_effect(look: &MaterialLook) -> impl Iterator<Item = Self> {
        // Green of the last slot is roughness, which always has an effect.
        let is_matt = look.metallic == 0.0 && look.roughness == 1.0;
        let all = [
            // In the reader's order, so that textures keep their slots when a file is written
            // again.
            (Self::Occlusion, true),
            (Self::Emissive, look.emissive == Vec3::ZERO),
            (Self::MetallicRoughness, is_matt),
        ];
        all.into_iter().filter(|(_, has_no_effect)| *has_no_effect).map(|(slot, _)| slot)
    }
}

/// The textures that fit into a material's slots, in order: the first of each role that the format
/// has, and others in slots without a visible effect.
fn placed(material: &Material) -> Vec<(&TextureRef, TextureSlot)> {
    let look = material.look.as_deref().copied().unwrap_or_default();
    let mut taken = BTreeSet::new();
    let mut take = |slot: &TextureSlot| taken.insert(*slot);
    let own: Vec<Option<TextureSlot>> =
        material.textures.iter().map(|t| TextureSlot::of(t.role).filter(&mut take)).collect();
    let all = material.textures.iter().zip(own);
    all.filter_map(|(texture, own)| {
        let slot = own.or_else(|| TextureSlot::without_effect(&look).find(&mut take))?;
        Some((texture, slot))
    })
    .collect()
}

/// The largest number of textures kept per material, without those whose images the format can't
/// store.
pub(in super::super) fn num_textures(model: &Model) -> u64 {
    let is_kept = |(texture, _): &(&TextureRef, TextureSlot)| {
        let image = texture.image.map(|id| model.image(id));
        image.map_or(!texture.path.trim().is_empty(), |image| TAKES.takes(image))
    };
    let num = |(_, material)| {
        let written = as_written(model, material);
        placed(&written).iter().filter(|one| is_kept(one)).count() as u64
    };
    used_materials(model).map(num).max().unwrap_or_default()
}

/// Number of images kept, of the materials that triangles use.
pub(in super::super) fn num_images(model: &Model) -> u64 {
    let used: Vec<_> = used_materials(model).map(|(_, own)| as_written(model, own)).collect();
    let placed = used.iter().flat_map(|material| placed(material));
    supported_images(model, placed.map(|(texture, _)| texture), TAKES).len() as u64
}

/// A material with its textures as they are written.
fn as_written<'a>(model: &Model, material: &'a Material) -> Cow<'a, Material> {
    match packed_textures(model, material) {
        Some(textures) => Cow::Owned(Material { textures, ..material.clone() }),
        None => Cow::Borrowed(material),
    }
}

fn one(
    model: &Model,
    id: MaterialId,
    material: &Material,
    textures: &mut TextureWriter<'_>,
    data: &mut FileData,
    used: &mut BTreeSet<&'static str>,
    report: &Report,
) -> gltf_json::Material {
    let place = Place::Material(id.0);
    let look = material.look.as_deref().copied().unwrap_or_default();
    let strength = layers::emissive_strength(peak_look(model, id, &look).emissive);
    let emissive = (look.emissive.max(Vec3::ZERO) / strength).min(Vec3::ONE);
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
        emissive_factor: EmissiveFactor(emissive.to_array()),
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
    let is_animated = |property| tracks_of(model, id).any(|track| track.property == property);
    let others = layers::extensions(&look, strength, is_animated, used);
    if look.is_unlit || !others.is_empty() {
        let unlit = look.is_unlit.then_some(extensions::material::Unlit {});
        stored.extensions = Some(extensions::material::Material { unlit, others });
    }
    let placed = placed(material);
    for (texture, slot) in &placed {
        if let Some(index) = textures.add(model, texture, data) {
            let moves = |property| matches!(property, MaterialProperty::Texture(role, _) if role == texture.role);
            let is_moved = tracks_of(model, id).any(|track| moves(track.property));
            let info = info(texture, index, is_moved, used, report);
            put(&mut stored, texture.role, *slot, info, &look);
        }
    }
    let is_poorer = look.is_depth_only || material.textures.iter().any(|t| is_unsupported(t.role));
    report.add_many(FindingKind::LookNotWritten, place, u64::from(is_poorer), || {
        format!("glTF can't store some properties of material {:?}", material.name)
    });
    let num_left = material.textures.len().saturating_sub(placed.len()) as u64;
    report.add_many(FindingKind::LeftOut, place, num_left, || {
        let are = singular_or_plural(num_left, "is", "are");
        let textures = counted(num_left, "texture");
        format!("{textures} of the material {are} left out, because glTF has no slot for them")
    });
    stored
}

fn info(
    texture: &TextureRef,
    index: gltf_json::Index<gltf_json::Texture>,
    is_moved: bool,
    used: &mut BTreeSet<&'static str>,
    report: &Report,
) -> Info {
    let texture_transform = transform(texture, is_moved, report);
    if texture_transform.is_some() {
        used.insert(TRANSFORM);
    }
    let extensions = texture_transform.map(|transform| extensions::texture::Info {
        texture_transform: Some(transform),
        ..Default::default()
    });
    Info { index, tex_coord: u32::from(texture.uv_set), extensions, extras: Default::default() }
}

/// Whether a material was written with a texture of a role.
pub(super) fn has_texture(stored: &gltf_json::Material, role: TextureRole) -> bool {
    let pbr = &stored.pbr_metallic_roughness;
    match TextureSlot::of(role) {
        Some(TextureSlot::BaseColor) => pbr.base_color_texture.is_some(),
        Some(TextureSlot::MetallicRoughness) => pbr.metallic_roughness_texture.is_some(),
        Some(TextureSlot::Emissive) => stored.emissive_texture.is_some(),
        Some(TextureSlot::Normal) => stored.normal_texture.is_some(),
        Some(TextureSlot::Occlusion) => stored.occlusion_texture.is_some(),
        None => false,
    }
}

/// Whether textures of a role are visible in the model but not in the written file.
fn is_unsupported(role: TextureRole) -> bool {
    let info = role.info();
    TextureSlot::of(role).is_none() && (info.metallic.is_some() || info.roughness.is_some())
}

/// The metallic factor; 0 if the metallic texture is lost, because otherwise the whole surface
/// would be metal.
fn metallic(material: &Material, look: &MaterialLook) -> f32 {
    let is_lost = |texture: &TextureRef| {
        is_unsupported(texture.role) && texture.role.info().metallic.is_some()
    };
    if material.textures.iter().any(is_lost) { 0.0 } else { look.metallic }
}

/// Stores a texture in its slot.
fn put(
    stored: &mut gltf_json::Material,
    role: TextureRole,
    slot: TextureSlot,
    info: Info,
    look: &MaterialLook,
) {
    let pbr = &mut stored.pbr_metallic_roughness;
    match slot {
        TextureSlot::BaseColor => pbr.base_color_texture = Some(info),
        TextureSlot::MetallicRoughness => pbr.metallic_roughness_texture = Some(info),
        TextureSlot::Emissive => stored.emissive_texture = Some(info),
        TextureSlot::Normal => {
            stored.normal_texture = Some(NormalTexture {
                index: info.index,
                scale: look.normal_scale,
                tex_coord: info.tex_coord,
                extensions: others(&info)
                    .map(|others| extensions::material::NormalTexture { others }),
                extras: Default::default(),
            });
        }
        TextureSlot::Occlusion => {
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

/// The transform as untyped JSON, for textures whose extensions the crate has no type for.
fn others(info: &Info) -> Option<Map<String, Value>> {
    let transform = info.extensions.as_ref()?.texture_transform.as_ref()?;
    let value = serde_json::to_value(transform).ok()?;
    Some(Map::from_iter([(TRANSFORM.to_owned(), value)]))
}
