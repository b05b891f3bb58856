//! Images of formats whose materials consist of a name only: files are named after materials.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{NamedImage, existing_path, file, report_unsupported_images, report_written_images};
use crate::formats::file_names::safe_name;
use crate::formats::image_bytes::Takes;
use crate::formats::texture_suffixes::matches_material;
use crate::formats::textures::is_image;
use crate::formats::{ImagePlaces, OutputFile, PathState, last_part};
use rigscope_core::model::{FindingKind, ImageId, Material, Model, Place, Report, TextureRole};

/// Image formats that the readers of such formats look for.
const FOUND_BY_NAME: Takes = Takes::Only(&["png", "tga", "jpg", "bmp", "dds"]);

/// Suffixes of image files by role; if roles share an image, the first one counts.
const SUFFIXES: [(TextureRole, &str); 8] = [
    (TextureRole::BaseColor, ""),
    (TextureRole::Normal, "_normal"),
    (TextureRole::MetallicRoughness, "_metallic_roughness"),
    (TextureRole::MetallicRoughnessOcclusion, "_mrao"),
    (TextureRole::Metallic, "_metallic"),
    (TextureRole::Roughness, "_roughness"),
    (TextureRole::Occlusion, "_occlusion"),
    (TextureRole::Emissive, "_emissive"),
];
/// Suffix of an image with occlusion, roughness and metallic.
const ORM: &str = "_orm";

/// Image files named after materials.
#[derive(Default)]
pub(in crate::formats) struct MaterialImages {
    /// In material order; if several names refer to the same image, each is listed.
    list: Vec<(String, ImageId)>,
    /// Images that no name refers to.
    lost: BTreeSet<ImageId>,
}

/// Names files for the images of `materials`, each with its written name, so that readers of the
/// written file find them. If `is_path` is set, a material's name may be the path of an image.
pub(in crate::formats) fn material_images<'a>(
    model: &Model,
    materials: impl Iterator<Item = (String, &'a Material)>,
    is_path: bool,
) -> MaterialImages {
    let mut known: HashMap<String, ImageId> = HashMap::new();
    let mut out = MaterialImages::default();
    let mut all = BTreeSet::new();
    for (written, material) in materials {
        all.extend(material.textures.iter().filter_map(|texture| texture.image));
        let image_of = |role| material.image_of(role).and_then(|texture| texture.image);
        let orm = image_of(TextureRole::MetallicRoughness);
        let orm = orm.filter(|id| image_of(TextureRole::Occlusion) == Some(*id));
        for (role, suffix) in SUFFIXES {
            let Some(id) = image_of(role).filter(|_| is_whole(material, role)) else { continue };
            let suffix = match (orm == Some(id), role) {
                (true, TextureRole::MetallicRoughness) => ORM,
                (true, TextureRole::Occlusion) => continue,
                _ => suffix,
            };
            let Some(image) = model.images.get(id) else { continue };
            if !FOUND_BY_NAME.takes(image) {
                continue;
            }
            let own = last_part(&image.name);
            let names_image = is_path && is_image(&written);
            let name = match (names_image, role) {
                (true, TextureRole::BaseColor) => last_part(&written).to_owned(),
                (true, _) => continue,
                // The image matches the name of the material already; the rules of its format may
                // differ from ours.
                _ if !image.is_embedded && matches_material(own, &written, role) => own.to_owned(),
                _ => {
                    let end = FOUND_BY_NAME.extension(image, own);
                    format!("{written}{suffix}.{end}")
                }
            };
            let is_found = !written.is_empty() && safe_name(&name) == name;
            if is_found && *known.entry(name.to_lowercase()).or_insert(id) == id {
                out.list.push((name, id));
            }
        }
    }
    let found: BTreeSet<ImageId> = out.list.iter().map(|(_, id)| *id).collect();
    out.lost = all.difference(&found).copied().collect();
    out
}

/// Whether a texture of that role looks the same when it is read with a factor of 1.
fn is_whole(material: &Material, role: TextureRole) -> bool {
    let mut look = material.look.as_deref().copied().unwrap_or_default();
    !look.reset_factors(role)
}

impl MaterialImages {
    /// Number of images that are found when the file is read back.
    pub(in crate::formats) fn num_held(&self) -> u64 {
        let ids: BTreeSet<ImageId> = self.list.iter().map(|(_, id)| *id).collect();
        ids.len() as u64
    }

    /// The files, without duplicates.
    pub(in crate::formats) fn files(
        &self,
        model: &Model,
        places: &ImagePlaces,
        report: &Report,
    ) -> Vec<OutputFile> {
        let mut named: BTreeMap<&str, NamedImage> = BTreeMap::new();
        let mut unsupported = Vec::new();
        for (name, id) in &self.list {
            let Some(image) = model.images.get(*id) else { continue };
            let bytes = match FOUND_BY_NAME.bytes(image) {
                Ok(bytes) => bytes.into_owned(),
                Err(why) => {
                    unsupported.push(format!("{:?} ({why})", image.name));
                    continue;
                }
            };
            let there = existing_path(image, places).filter(|path| last_part(path) == name);
            let exists = there.is_some() || places.path_state(name, &bytes) == PathState::Same;
            named.entry(name).or_insert(NamedImage {
                path: there.unwrap_or_else(|| name.clone()),
                bytes,
                exists,
            });
        }
        report_unsupported_images(unsupported, report);
        let written = named.values().filter(|named| !named.exists);
        let all: Vec<&str> = written.map(|named| named.path.as_str()).collect();
        report_written_images(&all, report);
        let num_lost = self.lost.len() as u64;
        report.add_many(FindingKind::ImageNotWritten, Place::File, num_lost, || {
            let name = |id: &ImageId| model.images.get(*id).map(|i| i.name.clone());
            let names: Vec<String> = self.lost.iter().filter_map(name).collect();
            let names = names.join(", ");
            format!("the material names in this format don't lead to these images: {names}")
        });
        named.into_values().map(file).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::related_images::tests::{PNG, image};
    use rigscope_core::model::{MaterialLook, TextureRef};

    #[test]
    fn images_are_named_after_materials() {
        let textures = vec![
            TextureRef::embedded(TextureRole::BaseColor, ImageId(0)),
            TextureRef::embedded(TextureRole::Normal, ImageId(1)),
            TextureRef::embedded(TextureRole::Other, ImageId(2)),
        ];
        let material = |textures: &[TextureRef]| Material {
            textures: textures.to_vec(),
            ..Material::default()
        };
        let model = Model {
            images: vec![
                image("a.png", PNG, false),
                image("n.jpg", b"\xff\xd8\xff", false),
                image("rough.png", PNG, false),
            ]
            .into(),
            ..Model::default()
        };
        let [whole, color] = [material(&textures), material(&textures[..1])];
        let files = |name: &str, material: &Material, is_path| -> (Vec<String>, usize) {
            let named = [(name.to_owned(), material)];
            let found = material_images(&model, named.into_iter(), is_path);
            let names = found.list.iter().map(|(name, _)| name.clone());
            (names.collect(), found.lost.len())
        };
        let of = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(files("Hat", &whole, false), (of(&["Hat.png", "Hat_normal.jpg"]), 1));
        assert_eq!(files("a/b", &color, false), (of(&[]), 1));
        assert_eq!(files("CON", &color, false), (of(&[]), 1));
        assert_eq!(files("t/skin.tga", &color, true), (of(&["skin.tga"]), 0));
    }

    #[test]
    fn written_and_unreachable_images_are_reported() {
        let textures = vec![
            TextureRef::embedded(TextureRole::BaseColor, ImageId(0)),
            TextureRef::embedded(TextureRole::Normal, ImageId(1)),
            TextureRef::embedded(TextureRole::Other, ImageId(2)),
        ];
        let material = Material { textures, ..Material::default() };
        let model = Model {
            images: vec![
                image("a.png", PNG, true),
                image("n.webp", b"RIFF\x04\0\0\0WEBP", true),
                image("rough.png", PNG, true),
            ]
            .into(),
            ..Model::default()
        };
        let named = [("Hat".to_owned(), &material)];
        let report = Report::new();
        let found = material_images(&model, named.into_iter(), false);
        assert_eq!(found.num_held(), 1);
        let files = found.files(&model, &ImagePlaces::default(), &report);
        let places: Vec<_> = files.iter().map(|file| format!("{:?}", file.place)).collect();
        assert_eq!(places, ["Named(\"Hat.png\")"]);
        let messages: Vec<String> =
            report.findings().into_iter().map(|finding| finding.message).collect();
        assert_eq!(
            messages,
            [
                "images are written next to the file: Hat.png",
                "the material names in this format don't lead to these images: n.webp, rough.png",
            ]
        );
    }

    #[test]
    fn data_textures_are_written_if_a_factor_of_1_keeps_their_look() {
        use TextureRole::*;
        let embedded = |role, at| TextureRef::embedded(role, ImageId::from_index(at));
        let textures =
            vec![embedded(MetallicRoughness, 0), embedded(Occlusion, 0), embedded(Emissive, 1)];
        let look = MaterialLook { metallic: 1.0, ..MaterialLook::default() };
        let material = Material { textures, look: Some(Box::new(look)), ..Material::default() };
        let model = Model {
            images: vec![image("orm", PNG, true), image("glow", PNG, true)].into(),
            ..Model::default()
        };
        let found = material_images(&model, [("Hat".to_owned(), &material)].into_iter(), false);
        assert_eq!(found.list, [("Hat_orm.png".to_owned(), ImageId(0))]);
        assert_eq!(found.lost, BTreeSet::from([ImageId(1)]), "it gives no light");
        let apart = Material {
            textures: vec![embedded(Roughness, 0), embedded(Occlusion, 1)],
            ..Material::default()
        };
        let found = material_images(&model, [("Hat".to_owned(), &apart)].into_iter(), false);
        let names: Vec<_> = found.list.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["Hat_roughness.png", "Hat_occlusion.png"]);
    }
}
