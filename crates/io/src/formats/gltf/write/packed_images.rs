//! Packs occlusion, roughness and metallic textures from separate images into the one image that
//! the format has for them: occlusion red, roughness green, metallic blue (section 3.9.2).

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::formats::{last_part, stem};
use rigscope_core::images::{MAX_SIDE, SourceChannel, header_within, pack_channels};
use rigscope_core::model::{
    ByteView, Channel, FindingKind, Image, ImageId, Material, MaterialId, Model, Place, Report,
    RoleInfo, TextureRef, TextureRole, as_u32,
};

/// Sources of the red, green and blue channels.
type ChannelSources = [Option<(ImageId, Channel)>; 3];
const NAMES: [&str; 3] = ["occlusion", "roughness", "metallic"];

/// How textures of a material are packed into one.
struct PackingPlan {
    parts: ChannelSources,
    /// Indices of the material's textures that are packed.
    from: Vec<usize>,
    /// The resulting texture; its image is one of the sources until the packed image exists.
    texture: TextureRef,
}

/// Materials and images of `model` with packed textures; the model itself if there is nothing to
/// pack.
pub(super) fn with_packed_images<'a>(model: &'a Model, report: &Report) -> Cow<'a, Model> {
    let plans: Vec<Option<PackingPlan>> =
        model.materials.iter().map(|m| PackingPlan::of(model, m)).collect();
    let has_encoded = model.materials.iter().any(|m| encoded(model, m).next().is_some());
    if plans.iter().all(Option::is_none) && !has_encoded {
        return Cow::Borrowed(model);
    }
    let (materials, images) = (model.materials.clone(), model.images.clone());
    let mut out = Model { materials, images, ..Model::default() };
    let mut known: Vec<(ChannelSources, Option<ImageId>)> = Vec::new();
    for (at, plan) in plans.into_iter().enumerate() {
        let Some(plan) = plan else { continue };
        let Some(material) = out.materials.get_mut(MaterialId::from_index(at)) else { continue };
        let made = known.iter().find(|(parts, _)| *parts == plan.parts).map(|(_, made)| *made);
        let made = made.unwrap_or_else(|| {
            let place = Place::Material(as_u32(at));
            let image = image(model, &material.name, plan.parts, place, report);
            let made = image.map(|image| out.images.push(image));
            known.push((plan.parts, made));
            made
        });
        if let Some(image) = made {
            material.textures = plan.applied(material, image);
        }
    }
    if has_encoded {
        decode_numbers(model, &mut out);
    }
    Cow::Owned(out)
}

/// Data textures with their own image that is sRGB-encoded: index of the texture, and its image.
fn encoded<'a>(
    model: &'a Model,
    material: &'a Material,
) -> impl Iterator<Item = (usize, ImageId)> + 'a {
    let textures = material.textures.iter().enumerate();
    let plain = textures.filter(|(_, texture)| {
        matches!(texture.role, TextureRole::Normal | TextureRole::Occlusion)
    });
    plain.filter_map(|(at, texture)| {
        let id = texture.image?;
        // Images that were packed for the file aren't in `model`, and are linear.
        let image = model.images.get(id)?;
        let header = header_within(&image.bytes, &image.name, MAX_SIDE).ok()?;
        header.has_encoded_numbers().then_some((at, id))
    })
}

/// Decodes such images, since the format stores data textures linearly (section 3.9.3).
fn decode_numbers(model: &Model, out: &mut Model) {
    let mut known: BTreeMap<ImageId, Option<ImageId>> = BTreeMap::new();
    for material in &mut out.materials {
        let found: Vec<(usize, ImageId)> = encoded(model, material).collect();
        for (at, id) in found {
            let made = *known.entry(id).or_insert_with(|| {
                let image = model.image(id);
                let part = |channel| {
                    Some(SourceChannel { bytes: &image.bytes, name: &image.name, channel })
                };
                // Damaged images are reported when they are written.
                let made = pack_channels([part(0), part(1), part(2)]).ok()?;
                // The new image is embedded, whatever the path of its source.
                let name = stem(last_part(&image.name)).to_owned();
                let bytes = ByteView::whole(made.png);
                out.images.push(Image { name, bytes, is_embedded: true });
                Some(ImageId::from_index(out.images.len() - 1))
            });
            if let (Some(made), Some(texture)) = (made, material.textures.get_mut(at)) {
                texture.image = Some(made);
            }
        }
    }
}

/// The textures of a material as they are written, with a source image as a placeholder for the
/// packed one.
pub(super) fn packed_textures(model: &Model, material: &Material) -> Option<Vec<TextureRef>> {
    let plan = PackingPlan::of(model, material)?;
    let image = plan.texture.image?;
    Some(plan.applied(material, image))
}

impl PackingPlan {
    /// `None` if the material already has a packed image or has no metallic or roughness texture,
    /// or if the images differ in UV set, wrapping or transform, or can't be decoded.
    fn of(model: &Model, material: &Material) -> Option<Self> {
        let textures = || material.textures.iter().enumerate();
        let has = |role| material.textures.iter().any(|texture| texture.role == role);
        if has(TextureRole::MetallicRoughness) {
            return None;
        }
        let find = |channel_of: fn(&RoleInfo) -> Option<Channel>| {
            let mut with_image = textures().filter(|(_, texture)| texture.image.is_some());
            with_image
                .find_map(|(at, texture)| Some((at, texture, channel_of(texture.role.info())?)))
        };
        let (metallic, roughness) = (find(|role| role.metallic), find(|role| role.roughness));
        let (_, first, _) = metallic.or(roughness)?;
        let occlusion =
            if has(TextureRole::Occlusion) { None } else { find(|role| role.occlusion) };
        let all = [occlusion, roughness, metallic];
        let is_alike = |other: &TextureRef| {
            let lies = |t: &TextureRef| (t.uv_set, t.wrap, t.texture_from_uv.clone());
            lies(other) == lies(first)
        };
        let can_be_read = |texture: &TextureRef| {
            let image = texture.image.map(|id| model.image(id));
            image.is_some_and(|i| header_within(&i.bytes, &i.name, MAX_SIDE).is_ok())
        };
        let fits = |texture: &TextureRef| is_alike(texture) && can_be_read(texture);
        if !all.iter().flatten().all(|(_, texture, _)| fits(texture)) {
            return None;
        }
        let texture = TextureRef {
            role: TextureRole::MetallicRoughness,
            path: String::new(),
            ..first.clone()
        };
        Some(Self {
            parts: all.map(|part| part.and_then(|(_, t, channel)| Some((t.image?, channel)))),
            from: all.iter().flatten().map(|(at, ..)| *at).collect(),
            texture,
        })
    }

    fn applied(&self, material: &Material, image: ImageId) -> Vec<TextureRef> {
        let joined = |role| TextureRef { role, image: Some(image), ..self.texture.clone() };
        let [occlusion, ..] = self.parts;
        let roles =
            [Some(TextureRole::MetallicRoughness), occlusion.map(|_| TextureRole::Occlusion)];
        let first = self.from.iter().min();
        let mut out = Vec::new();
        for (at, texture) in material.textures.iter().enumerate() {
            if Some(&at) == first {
                out.extend(roles.into_iter().flatten().map(joined));
            }
            if !self.from.contains(&at) {
                out.push(texture.clone());
            }
        }
        out
    }
}

/// The packed image; `None` (and a finding) if one of its sources is damaged.
fn image(
    model: &Model,
    material: &str,
    parts: ChannelSources,
    place: Place,
    report: &Report,
) -> Option<Image> {
    let part = |(id, channel): (ImageId, Channel)| {
        let image = model.image(id);
        (image, SourceChannel { bytes: &image.bytes, name: &image.name, channel })
    };
    let parts = parts.map(|known| known.map(part));
    let channels = parts.map(|part| part.map(|(_, channel)| channel));
    let made = match pack_channels(channels) {
        Ok(made) => made,
        Err(why) => {
            let what = format!("an image for metallic and roughness of material {material} {why}");
            report.add(FindingKind::UnreadableTexture, place, what);
            return None;
        }
    };
    report.add_many(FindingKind::JoinedImages, place, 1, || {
        let all =
            parts.iter().zip(NAMES).zip(made.is_scaled).filter_map(|((part, what), scaled)| {
                let scaled = if scaled {
                    format!(" scaled to {} × {}", made.size_px.x, made.size_px.y)
                } else {
                    String::new()
                };
                Some(format!("{what} of {}{scaled}", part.as_ref()?.0.name))
            });
        let all = all.collect::<Vec<_>>().join(", ");
        format!("the images of material {material} are joined into one: {all}")
    });
    Some(Image {
        name: if material.is_empty() {
            "metallic_roughness".to_owned()
        } else {
            format!("{material}_metallic_roughness")
        },
        bytes: ByteView::whole(made.png),
        is_embedded: true,
    })
}
