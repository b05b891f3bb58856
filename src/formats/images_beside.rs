//! Images inside a model as files beside a written one, for formats whose materials name files.
//!
//! Not for: images that were files already; those stay where they are, and are named as they were.

use std::collections::{BTreeMap, HashSet};

use super::textures::is_image;
use super::{OutputFile, OutputPlace, last_part, stem};
use crate::model::{ImageId, Model, NoteKind, Origins, Place, Report, TextureRef};

/// Names are no longer than this, extension left out: what OBJ, MTL and BSM hold, and file systems.
const MAX_STEM_BYTES: usize = 100;

/// What the images of some textures are called as files of their own.
#[derive(Default)]
pub(super) struct ImagesBeside {
    names: BTreeMap<ImageId, String>,
}

impl ImagesBeside {
    /// Chooses names for the images inside `model` that `textures` show; `file_stem` begins those of
    /// images without a name.
    pub(super) fn of<'a>(
        model: &Model,
        textures: impl Iterator<Item = &'a TextureRef>,
        file_stem: &str,
        report: &Report,
    ) -> Self {
        let mut names = BTreeMap::new();
        let mut taken = HashSet::new();
        for texture in textures {
            let Some(id) = texture.image.filter(|id| !names.contains_key(id)) else {
                continue;
            };
            let Some(image) = model.images.get(id.index()).filter(|i| i.is_embedded) else {
                continue;
            };
            let wanted = last_part(model.texture_name(texture));
            let extension = extension(&image.bytes, wanted);
            let own = match is_image(wanted) {
                true => stem(wanted),
                false => wanted,
            };
            // Readers number images that have no name; several models lie in one folder.
            let own = match plain(own) {
                own if own.is_empty() || own == format!("image_{}", id.index()) => {
                    plain(&format!("{file_stem}_image_{}", id.index()))
                }
                own => own,
            };
            let mut name = format!("{own}.{extension}");
            let mut next = 2;
            // Some file systems do not tell cases apart.
            while !taken.insert(name.to_lowercase()) {
                name = format!("{own}_{next}.{extension}");
                next += 1;
            }
            names.insert(id, name);
        }
        report.note_many(
            NoteKind::ImageBeside,
            Place::File,
            names.len() as u64,
            || {
                let all: Vec<&str> = names.values().map(String::as_str).collect();
                format!(
                    "images inside the file are written beside it: {}",
                    all.join(", ")
                )
            },
        );
        Self { names }
    }

    /// The name of the file that `texture` is written to; `None` where its image is no part of the
    /// model's file.
    pub(super) fn name(&self, texture: &TextureRef) -> Option<&str> {
        self.names.get(&texture.image?).map(String::as_str)
    }

    /// The files.
    pub(super) fn files(&self, model: &Model) -> Vec<OutputFile> {
        let file = |(id, name): (&ImageId, &String)| {
            Some(OutputFile {
                origins: Origins::default(),
                place: OutputPlace::Named(name.clone()),
                bytes: model.images.get(id.index())?.bytes.to_vec(),
                is_companion: true,
            })
        };
        self.names.iter().filter_map(file).collect()
    }
}

/// Tells, for formats whose materials are names alone, that images inside a file are not written and
/// what they have to be called to be found.
pub(super) fn note_left_out(model: &Model, report: &Report) {
    let is_inside = |texture: &&TextureRef| {
        let image = texture.image.and_then(|id| model.images.get(id.index()));
        image.is_some_and(|image| image.is_embedded)
    };
    let mut materials = model.materials.iter().filter_map(|material| {
        let texture = material.textures.iter().find(is_inside)?;
        let image = model.images.get(texture.image?.index())?;
        let name = last_part(model.texture_name(texture));
        Some((&material.name, extension(&image.bytes, name)))
    });
    let Some((name, extension)) = materials.next() else {
        return;
    };
    let num = 1 + materials.count() as u64;
    report.note_many(NoteKind::ImageNotWritten, Place::File, num, || {
        format!(
            "materials are names alone; the image of {name:?} is found where it lies beside the file as \"{name}.{extension}\""
        )
    });
}

/// `name` as a part of a file's name that needs no quotes anywhere.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name: String = (name.trim().chars())
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect();
    let name = name.trim_start_matches('.');
    let end = name.floor_char_boundary(MAX_STEM_BYTES);
    name.get(..end).unwrap_or_default().to_owned()
}

/// The extension that an image's bytes have; where they do not tell, that of its name.
fn extension(bytes: &[u8], name: &str) -> String {
    const MAGICS: [(&[u8], &str); 6] = [
        (b"\x89PNG\r\n\x1a\n", "png"),
        (b"\xff\xd8\xff", "jpg"),
        (b"BM", "bmp"),
        (b"DDS ", "dds"),
        (b"GIF8", "gif"),
        (b"\xabKTX ", "ktx2"),
    ];
    if let Some((_, extension)) = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return (*extension).to_owned();
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return "webp".to_owned();
    }
    match name.rsplit_once('.') {
        Some((_, own)) if is_image(name) => own.to_lowercase(),
        _ => "bin".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ByteView, Image, TextureRole};

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and more";

    fn image(name: &str, bytes: &[u8]) -> Image {
        Image {
            name: name.into(),
            bytes: ByteView::whole(bytes.to_vec()),
            is_embedded: true,
        }
    }

    fn names(images: Vec<Image>) -> Vec<String> {
        let model = Model {
            images,
            ..Model::default()
        };
        let textures: Vec<TextureRef> = (0..model.images.len())
            .map(|at| TextureRef::embedded(TextureRole::BaseColor, ImageId::from_index(at)))
            .collect();
        let beside = ImagesBeside::of(&model, textures.iter(), "fox", &Report::new());
        assert_eq!(beside.files(&model).len(), model.images.len());
        let name = |texture| beside.name(texture).unwrap().to_owned();
        textures.iter().map(name).collect()
    }

    #[test]
    fn names_are_plain_unique_and_end_as_their_bytes_begin() {
        let found = names(vec![
            image("../a b/Skin Tone.jpg", PNG),
            image("SKIN_TONE", PNG),
            image("image 2", b"\xff\xd8\xff\xe0"),
            image("", PNG),
            image("paint.TGA", b"\0\0\x02"),
            image("..", b"?"),
            image(&"x".repeat(300), PNG),
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
        assert_eq!(long.len(), MAX_STEM_BYTES + 4);
    }

    #[test]
    fn files_that_were_files_already_stay_where_they_are() {
        let mut beside = image("wood.png", PNG);
        beside.is_embedded = false;
        let model = Model {
            images: vec![beside],
            ..Model::default()
        };
        let texture = TextureRef::embedded(TextureRole::BaseColor, ImageId(0));
        let report = Report::new();
        let images = ImagesBeside::of(&model, [&texture].into_iter(), "a", &report);
        assert!(images.name(&texture).is_none() && images.files(&model).is_empty());
        assert!(report.notes().is_empty());
    }
}
