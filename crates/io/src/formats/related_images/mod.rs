//! Names and collects the images that are written as separate files next to a model.
//!
//! | format stores | name | function |
//! |---|---|---|
//! | file names | chosen here | [`RelatedImages::of`] |
//! | file names | as stored in its bytes already | [`RelatedImages::with_stored_names`] |
//! | material names only | after the material | [`material_images`] |
//!
//! Images that the written file can refer to in place aren't copied; the caller knows their places
//! ([`ImagePlaces`]). Names never lead out of the output folder, never denote a device, and differ
//! in more than case. Images embedded in the written file (glTF) are handled by the format's
//! writer.

mod material_images;
mod names;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use material_images::{MaterialImages, material_images};

use super::file_names::{safe_name, safe_path};
use super::image_bytes::{Takes, extension};
use super::{ImagePlaces, OutputFile, OutputPlace, PathState, last_part};
use names::{preferred_stem, unused_name};
use rigscope_core::model::{
    FindingKind, Image, ImageId, Material, MaterialId, Model, Origins, Place, Report, TextureRef,
};

/// File names for the images of some textures.
#[derive(Default)]
pub(in crate::formats) struct RelatedImages {
    named: BTreeMap<ImageId, NamedImage>,
}

/// A format's requirements for images.
pub(in crate::formats) struct Naming<'a> {
    pub(in crate::formats) takes: Takes,
    /// Converts a name without extension to one that the format can store.
    pub(in crate::formats) spell: fn(String) -> String,
    /// Prefix for images without a name.
    pub(in crate::formats) file_stem: &'a str,
}

impl<'a> Naming<'a> {
    /// Any image under any name.
    pub(in crate::formats) fn of(file_stem: &'a str) -> Self {
        Self { takes: Takes::Any, spell: |own| own, file_stem }
    }
}

struct NamedImage {
    /// Relative to the written file.
    path: String,
    bytes: Vec<u8>,
    exists: bool,
}

/// The images of `textures`, without duplicates, whose formats `takes` allows.
pub(in crate::formats) fn supported_images<'a>(
    model: &Model,
    textures: impl Iterator<Item = &'a TextureRef>,
    takes: Takes,
) -> BTreeSet<ImageId> {
    let ids: BTreeSet<ImageId> = textures.filter_map(|texture| texture.image).collect();
    let image = |id: &ImageId| model.images.get(*id);
    let is_taken = |id: &ImageId| image(id).is_some_and(|image| takes.takes(image));
    ids.into_iter().filter(is_taken).collect()
}

/// The materials that triangles use, in order.
pub(in crate::formats) fn used_materials(
    model: &Model,
) -> impl Iterator<Item = (MaterialId, &Material)> {
    let subsets = model.meshes.iter().flat_map(|mesh| &mesh.subsets);
    let used: BTreeSet<MaterialId> = subsets.filter_map(|subset| subset.material).collect();
    used.into_iter().filter_map(|id| Some((id, model.materials.get(id)?)))
}

/// The path by which the written file can refer to an existing image file, if it can.
pub(in crate::formats) fn existing_path(image: &Image, places: &ImagePlaces) -> Option<String> {
    if image.is_embedded {
        return None;
    }
    let known = places.referenced.get(&image.name).cloned();
    let exists = || {
        let is_plain = safe_path(&image.name) == image.name;
        is_plain && places.path_state(&image.name, &image.bytes) == PathState::Same
    };
    known.or_else(|| exists().then(|| image.name.clone()))
}

impl RelatedImages {
    /// Chooses names for the images of `textures`.
    pub(in crate::formats) fn of<'a>(
        model: &Model,
        textures: impl Iterator<Item = &'a TextureRef>,
        naming: &Naming<'_>,
        places: &ImagePlaces,
        report: &Report,
    ) -> Self {
        let mut out = Self::default();
        let mut taken = BTreeSet::new();
        let mut unsupported = Vec::new();
        for texture in textures {
            let Some(id) = texture.image.filter(|id| !out.named.contains_key(id)) else { continue };
            let Some(image) = model.images.get(id) else { continue };
            let bytes = match naming.takes.bytes(image) {
                Ok(bytes) => bytes,
                Err(why) => {
                    unsupported.push(format!("{:?} ({why})", model.texture_name(texture)));
                    continue;
                }
            };
            let is_as_it_is = *bytes == *image.bytes;
            let there = existing_path(image, places).filter(|_| is_as_it_is);
            let named = match there {
                Some(path) => NamedImage { path, bytes: bytes.into_owned(), exists: true },
                None => {
                    let own = preferred_stem(model, texture, id, image, naming.file_stem);
                    let own = (naming.spell)(own);
                    let end = extension(&bytes, last_part(model.texture_name(texture)));
                    unused_name(&own, end, bytes.into_owned(), places, &mut taken)
                }
            };
            out.named.insert(id, named);
        }
        report_unsupported_images(unsupported, report);
        out.report(report);
        out
    }

    /// The images of `textures` under the last part of the path that the written file stores; paths
    /// that aren't valid file names on every system are left out.
    pub(in crate::formats) fn with_stored_names<'a>(
        model: &Model,
        textures: impl Iterator<Item = &'a TextureRef>,
        places: &ImagePlaces,
        report: &Report,
    ) -> Self {
        let mut out = Self::default();
        let mut taken = BTreeSet::new();
        for texture in textures.filter(|texture| has_safe_name(texture)) {
            let Some(id) = texture.image.filter(|id| !out.named.contains_key(id)) else { continue };
            let Some(image) = model.images.get(id) else { continue };
            let name = last_part(&texture.path);
            let there = existing_path(image, places).filter(|path| last_part(path) == name);
            if there.is_some() || taken.insert(name.to_lowercase()) {
                out.named.insert(
                    id,
                    NamedImage {
                        exists: there.is_some(),
                        path: there.unwrap_or_else(|| name.to_owned()),
                        bytes: image.bytes.to_vec(),
                    },
                );
            }
        }
        out.report(report);
        out
    }

    fn report(&self, report: &Report) {
        let written = self.named.values().filter(|named| !named.exists);
        let all: Vec<&str> = written.map(|named| named.path.as_str()).collect();
        report_written_images(&all, report);
    }

    /// The path by which the written file refers to the image of `texture`; `None` without an
    /// image.
    pub(in crate::formats) fn name(&self, texture: &TextureRef) -> Option<&str> {
        let named = self.named.get(&texture.image?)?;
        Some(&named.path)
    }

    /// All files, including those that already exist.
    pub(in crate::formats) fn files(self) -> impl Iterator<Item = OutputFile> {
        self.named.into_values().map(file)
    }
}

fn file(named: NamedImage) -> OutputFile {
    OutputFile {
        place: if named.exists {
            OutputPlace::There(named.path)
        } else {
            OutputPlace::Named(named.path)
        },
        bytes: named.bytes,
        is_related_file: true,
        origins: Origins::default(),
    }
}

fn report_written_images(names: &[&str], report: &Report) {
    report.add_many(FindingKind::ImageBeside, Place::File, names.len() as u64, || {
        format!("images are written next to the file: {}", names.join(", "))
    });
}

pub(in crate::formats) fn report_unsupported_images(unsupported: Vec<String>, report: &Report) {
    let num = unsupported.len() as u64;
    report.add_many(FindingKind::UnreadableTexture, Place::File, num, || {
        format!("the format doesn't support these images: {}", unsupported.join(", "))
    });
}

/// Whether the last part of a texture's path is a valid file name on every system.
pub(in crate::formats) fn has_safe_name(texture: &TextureRef) -> bool {
    let name = last_part(&texture.path);
    !name.is_empty() && safe_name(name) == name
}

/// The path written for a texture without an image; it doesn't lead out of the folder.
pub(in crate::formats) fn missing_path(model: &Model, texture: &TextureRef) -> String {
    let name = model.texture_name(texture);
    if name.trim().is_empty() {
        format!("image_{}", texture.image.map_or(0, |id| id.index()))
    } else {
        safe_path(name)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use rigscope_core::model::{ByteView, TextureRole};

    pub(in crate::formats) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and more";

    pub(in crate::formats) fn image(name: &str, bytes: &[u8], is_embedded: bool) -> Image {
        Image { name: name.into(), bytes: ByteView::whole(bytes.to_vec()), is_embedded }
    }

    fn names_with(images: Vec<Image>, places: &ImagePlaces) -> Vec<String> {
        let model = Model { images: images.into(), ..Model::default() };
        let textures: Vec<TextureRef> = (0..model.images.len())
            .map(|at| TextureRef::embedded(TextureRole::BaseColor, ImageId::from_index(at)))
            .collect();
        let report = Report::new();
        let beside =
            RelatedImages::of(&model, textures.iter(), &Naming::of("fox"), places, &report);
        let name = |texture| beside.name(texture).unwrap().to_owned();
        textures.iter().map(name).collect()
    }

    fn names(images: Vec<Image>) -> Vec<String> {
        names_with(images, &ImagePlaces::default())
    }

    #[test]
    fn names_are_plain_unique_and_have_the_extension_of_their_content() {
        let found = names(vec![
            image("../a b/Skin Tone.jpg", PNG, true),
            image("SKIN_TONE", PNG, true),
            image("image 2", b"\xff\xd8\xff\xe0", true),
            image("", PNG, true),
            image("paint.TGA", b"\0\0\x02", true),
            image("..", b"?", true),
            image(&"x".repeat(300), PNG, true),
        ]);
        let (long, others) = found.split_last().unwrap();
        assert_eq!(
            others,
            [
                "Skin_Tone.png",
                "SKIN_TONE_2.png",
                "fox_image_2.jpg",
                "fox_image_3.png",
                "paint.tga",
                "fox_image_5.bin",
            ]
        );
        assert_eq!(long.len(), names::MAX_STEM_BYTES + 4);
    }

    #[test]
    fn separate_image_files_keep_the_safe_part_of_their_names() {
        let found = names(vec![
            image("textures\\My Skin (2).png", PNG, false),
            image("C:\\x\\CON.png", PNG, false),
            image("a/nul.txt.png", b"\x89PNG\r\n\x1a\n 2", false),
            image("b/Skin#1.png", PNG, false),
            image("c/-s.png", PNG, false),
            image("d/my skin (2).tga", b"\0\0\x02", false),
        ]);
        assert_eq!(
            found,
            [
                "My Skin (2).png",
                "_CON.png",
                "_nul.txt.png",
                "Skin_1.png",
                "_s.png",
                "my skin (2)_2.tga",
            ]
        );
    }

    #[test]
    fn existing_images_are_referenced_and_other_files_not_overwritten() {
        let places = ImagePlaces {
            referenced: BTreeMap::from([("c.png".to_owned(), "../in/c.png".to_owned())]),
            at: Some(Arc::new(|name: &str, bytes: &[u8]| match name {
                "t/a.png" | "e_2.png" => PathState::Same,
                "b.png" => PathState::Taken,
                "e.png" if bytes == PNG => PathState::Taken,
                _ => PathState::Free,
            })),
        };
        let found = names_with(
            vec![
                image("t/a.png", PNG, false),
                image("t/b.png", PNG, false),
                image("c.png", PNG, false),
                image("x/e.png", PNG, false),
            ],
            &places,
        );
        assert_eq!(found, ["t/a.png", "b_2.png", "../in/c.png", "e_2.png"]);
    }
}
