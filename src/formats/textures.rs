//! Finding the image files that materials name, or that are named like materials.
//!
//! Order for a path: files given by the user, the path below the model's folder, the file's name
//! there (those highest up first), the user's folders. Embedded images have been set by the reader.
//! Not for: decoding; `gpu` does that.

use std::collections::{BTreeSet, HashMap};

use super::{ReadOptions, Source, last_part, leads_outside};
use crate::model::{
    ByteView, Cancelled, Image, ImageId, Model, NoteKind, Place, Report, TextureRef, TextureRole,
};

/// Extensions of image files that can be decoded, likeliest first.
const EXTENSIONS: [&str; 6] = ["png", "tga", "jpg", "jpeg", "bmp", "dds"];
/// Endings of file names that mean a colour or a normal map, as exporters of packed formats name
/// textures after materials (Substance, Blender, Maya); lower case, after the material's name.
const BASE_COLOR_ENDINGS: [&str; 8] = [
    "_base_color",
    "_basecolor",
    "_albedo",
    "_diffuse",
    "_color",
    "_diff",
    "_d",
    "",
];
const NORMAL_ENDINGS: [&str; 4] = ["_normal", "_normals", "_nrm", "_n"];
/// Images beyond this sum of bytes are left alone.
const MAX_IMAGE_BYTES: usize = 1 << 30;

/// Whether a file's extension is that of an image.
pub(super) fn is_image(name: &str) -> bool {
    let extension = name.rsplit_once('.').unwrap_or_default().1;
    EXTENSIONS.iter().any(|e| extension.eq_ignore_ascii_case(e))
}

/// Sets [`TextureRef::image`] wherever a file is found, and notes the missing ones.
///
/// # Errors
/// When cancelled.
pub(super) fn find(
    model: &mut Model,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<(), Cancelled> {
    let mut library = Library {
        source,
        reads: options.images,
        known: HashMap::new(),
        num_bytes: 0,
        missing: BTreeSet::new(),
        too_large: BTreeSet::new(),
        by_stem: None,
    };
    let mut materials = std::mem::take(&mut model.materials);
    for (number, material) in materials.iter_mut().enumerate() {
        let place = Place::Material(u32::try_from(number).unwrap_or(u32::MAX));
        report.progress("looking for textures", 0.6)?;
        for texture in &mut material.textures {
            if texture.image.is_none() && !texture.path.is_empty() {
                library.resolve(texture, model, place, report);
            }
        }
        if options.images && !material.name.is_empty() && material.textures.is_empty() {
            material.textures = library.named_like(&material.name, model);
        }
    }
    model.materials = materials;
    for (kind, what, paths) in [
        (NoteKind::MissingTexture, "not found", library.missing),
        (NoteKind::TextureTooLarge, "too large", library.too_large),
    ] {
        let paths: Vec<_> = paths.into_iter().collect();
        report.note_many(kind, Place::File, paths.len() as u64, || {
            format!("{what}: {}", paths.join(", "))
        });
    }
    Ok(())
}

/// Image files, each read once.
struct Library<'a> {
    source: &'a Source,
    reads: bool,
    /// By the path as asked for, in lower case.
    known: HashMap<String, Option<ImageId>>,
    num_bytes: usize,
    /// Paths as the file spells them.
    missing: BTreeSet<String>,
    /// Files beyond the sum of bytes.
    too_large: BTreeSet<String>,
    /// All images that there are, once they are asked for.
    by_stem: Option<Vec<ImageFile>>,
}

/// An image file that a material without textures may mean.
struct ImageFile {
    path: String,
    /// In lower case, without folder and extension.
    stem: String,
    /// Place of its extension in [`EXTENSIONS`].
    extension: usize,
}

impl ImageFile {
    fn of(path: String) -> Option<Self> {
        let (stem, extension) = last_part(&path).rsplit_once('.')?;
        let is_own = |known: &&str| extension.eq_ignore_ascii_case(known);
        Some(Self {
            extension: EXTENSIONS.iter().position(is_own)?,
            stem: stem.to_lowercase(),
            path,
        })
    }
}

impl Library<'_> {
    fn resolve(
        &mut self,
        texture: &mut TextureRef,
        model: &mut Model,
        place: Place,
        report: &Report,
    ) {
        let path = &texture.path;
        if leads_outside(path) {
            report.note(
                NoteKind::OutsidePath,
                place,
                format!(
                    "{path:?} leads out of the folder; {:?} is looked for",
                    last_part(path)
                ),
            );
        }
        let is_found = match self.reads && texture.role != TextureRole::Other {
            true => {
                texture.image = self.image(path, model);
                texture.image.is_some()
            }
            false => self.source.has(path),
        };
        let is_noted = self.too_large.contains(path);
        if !is_found && !is_noted {
            self.missing.insert(path.clone());
        }
    }

    /// The image of that path, read where it is not known yet.
    fn image(&mut self, path: &str, model: &mut Model) -> Option<ImageId> {
        let key = path.to_lowercase();
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let found = self.read(path, model);
        self.known.insert(key, found);
        found
    }

    fn read(&mut self, path: &str, model: &mut Model) -> Option<ImageId> {
        let file = self.source.find(path)?;
        if let Some(at) = model
            .images
            .iter()
            .position(|i| !i.is_embedded && i.name == file.name)
        {
            return Some(ImageId::from_index(at));
        }
        self.num_bytes = self.num_bytes.saturating_add(file.bytes.len());
        if self.num_bytes > MAX_IMAGE_BYTES {
            self.too_large.insert(path.to_owned());
            return None;
        }
        let end = file.bytes.len();
        model.images.push(Image {
            name: file.name,
            bytes: ByteView::new(file.bytes, 0..end)?,
            is_embedded: false,
        });
        Some(ImageId::from_index(model.images.len() - 1))
    }

    /// Textures for a material whose file names none: images named after it.
    fn named_like(&mut self, material: &str, model: &mut Model) -> Vec<TextureRef> {
        let files = self.by_stem.take().unwrap_or_else(|| {
            let names = self.source.names().into_iter();
            names.filter_map(ImageFile::of).collect()
        });
        let roles: [(_, &[&str]); 2] = [
            (TextureRole::BaseColor, &BASE_COLOR_ENDINGS),
            (TextureRole::Normal, &NORMAL_ENDINGS),
        ];
        let found = roles.into_iter().filter_map(|(role, endings)| {
            let path = best_match(&files, material, endings)?;
            let image = self.image(path, model)?;
            Some(TextureRef {
                is_found_by_name: true,
                image: Some(image),
                ..TextureRef::file(role, path)
            })
        });
        let found = found.collect();
        self.by_stem = Some(files);
        found
    }
}

/// The image named after `material` with the first of `endings` that there is; names that only end
/// in the material's name, after a separator, are taken too.
fn best_match<'a>(files: &'a [ImageFile], material: &str, endings: &[&str]) -> Option<&'a str> {
    let material = material.to_lowercase();
    let rank = |file: &ImageFile| {
        endings.iter().enumerate().find_map(|(at, ending)| {
            let before = file.stem.strip_suffix(ending)?.strip_suffix(&*material)?;
            let is_whole = before.is_empty();
            (is_whole || before.ends_with('_')).then_some((!is_whole, at, file.extension))
        })
    };
    let ranked = files.iter().filter_map(|file| Some((rank(file)?, file)));
    ranked
        .min_by_key(|(rank, _)| *rank)
        .map(|(_, file)| &*file.path)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::formats::Folder;
    use crate::model::Material;

    struct InMemory(Vec<String>);

    impl Folder for InMemory {
        fn paths(&self) -> &[String] {
            &self.0
        }

        fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
            Ok(path.as_bytes().to_vec())
        }
    }

    fn found(paths: &[&str], material: Material, images: bool) -> (Model, Report) {
        let folder = InMemory(paths.iter().map(|&p| p.to_owned()).collect());
        let source = Source::new("a.fbx", Vec::new()).with_folders(vec![Arc::new(folder)]);
        let mut model = Model {
            materials: vec![material.clone(), material],
            ..Model::default()
        };
        let report = Report::new();
        let options = ReadOptions {
            images,
            ..ReadOptions::default()
        };
        find(&mut model, &source, &options, &report).unwrap();
        (model, report)
    }

    fn textured(path: &str) -> Material {
        Material {
            name: "skin".into(),
            textures: vec![TextureRef::file(TextureRole::BaseColor, path)],
            ..Material::default()
        }
    }

    #[test]
    fn an_image_is_read_once_and_shared() {
        let (model, report) = found(&["textures/skin.png"], textured("C:\\art\\skin.png"), true);
        assert_eq!(model.images.len(), 1);
        assert_eq!(*model.images[0].bytes, *b"textures/skin.png");
        for material in &model.materials {
            assert_eq!(material.textures[0].image, Some(ImageId(0)));
        }
        let kinds: Vec<_> = report.notes().iter().map(|n| (n.kind, n.count)).collect();
        assert_eq!(kinds, [(NoteKind::OutsidePath, 2)]);
    }

    #[test]
    fn a_missing_texture_is_noted_and_its_slot_stays() {
        for images in [false, true] {
            let (model, report) = found(&["other.png"], textured("skin.png"), images);
            assert!(model.images.is_empty());
            assert_eq!(model.materials[0].textures.len(), 1);
            assert_eq!(report.notes()[0].kind, NoteKind::MissingTexture);
        }
        let (model, report) = found(&["skin.png"], textured("skin.png"), false);
        assert!(model.images.is_empty() && report.notes().is_empty());
    }

    #[test]
    fn images_named_after_a_material_are_taken_where_the_file_names_none() {
        let paths = [
            "textures/Bull__Hat_mat_Base_Color.png",
            "textures/Bull__Hat_mat_Normal.png",
            "textures/Bull__Hat_mat_Metallic.png",
            "textures/NoHat_mat2_Base_Color.png",
        ];
        let material = Material {
            name: "Hat_mat".into(),
            ..Material::default()
        };
        let (model, _) = found(&paths, material.clone(), true);
        let names: Vec<_> = model.images.iter().map(|image| &*image.name).collect();
        assert_eq!(names, paths[..2]);
        assert_eq!(model.materials[1].textures[1].role, TextureRole::Normal);
        let (model, _) = found(&paths, material, false);
        assert!(
            model.materials[0].textures.is_empty(),
            "info tells what the file says"
        );
    }
}
