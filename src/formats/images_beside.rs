//! Images that materials show, as files beside a written one.
//!
//! | format names | by | function |
//! |---|---|---|
//! | files | a name of our choice | [`ImagesBeside::of`] |
//! | files | the name that its bytes hold already | [`ImagesBeside::named_as_read`] |
//! | materials alone | the name of the material | [`by_material`] |
//!
//! An image that lies where the written file can name it stays there: whoever saves the files says so
//! ([`ImagePlaces`]). No name leads out of the output's folder, none means a device, no two are alike
//! in any case.
//! Not for: images inside the written file (glTF).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::file_names::{safe_name, safe_path};
use super::image_bytes::{Takes, extension};
use super::textures::{is_image, is_named_like};
use super::{ImagePlaces, OutputFile, OutputPlace, Spot, last_part, stem};
use crate::model::{
    Image, ImageId, Material, MaterialId, Model, NoteKind, Origins, Place, Report, TextureRef,
    TextureRole,
};

/// Names are no longer than this, extension left out: what OBJ, MTL and BSM hold, and file systems.
const MAX_STEM_BYTES: usize = 100;
/// How many names are tried where others are taken.
const MAX_TRIES: u32 = 10_000;
/// What the readers of formats whose materials are names alone look for.
const FOUND_BY_NAME: Takes = Takes::Only(&["png", "tga", "jpg", "bmp", "dds"]);

/// What the images of some textures are called as files of their own.
#[derive(Default)]
pub(super) struct ImagesBeside {
    named: BTreeMap<ImageId, Named>,
}

/// How a format wants its images.
pub(super) struct Naming<'a> {
    pub(super) takes: Takes,
    /// A name without extension as the format can spell it.
    pub(super) spell: fn(String) -> String,
    /// Begins names of images without one.
    pub(super) file_stem: &'a str,
}

impl<'a> Naming<'a> {
    /// Any image under any name.
    pub(super) fn of(file_stem: &'a str) -> Self {
        Self { takes: Takes::Any, spell: |own| own, file_stem }
    }
}

struct Named {
    /// From the written file.
    path: String,
    bytes: Vec<u8>,
    is_there: bool,
}

/// The images of `textures`, each once, that can be written where `takes` is what is taken.
pub(super) fn shown<'a>(
    model: &Model,
    textures: impl Iterator<Item = &'a TextureRef>,
    takes: Takes,
) -> BTreeSet<ImageId> {
    let ids: BTreeSet<ImageId> = textures.filter_map(|texture| texture.image).collect();
    let image = |id: &ImageId| model.images.get(id.index());
    let is_taken = |id: &ImageId| image(id).is_some_and(|image| takes.takes(image));
    ids.into_iter().filter(is_taken).collect()
}

/// The materials that triangles have, in order.
pub(super) fn used_materials(model: &Model) -> impl Iterator<Item = (MaterialId, &Material)> {
    let subsets = model.meshes.iter().flat_map(|mesh| &mesh.subsets);
    let used: BTreeSet<MaterialId> = subsets.filter_map(|subset| subset.material).collect();
    used.into_iter().filter_map(|id| Some((id, model.materials.get(id.index())?)))
}

/// The path of an image that lies where the written file can name it already.
pub(super) fn path_there(image: &Image, places: &ImagePlaces) -> Option<String> {
    if image.is_embedded {
        return None;
    }
    let known = places.referenced.get(&image.name).cloned();
    let is_there = || {
        let is_plain = safe_path(&image.name) == image.name;
        is_plain && places.spot(&image.name, &image.bytes) == Spot::Same
    };
    known.or_else(|| is_there().then(|| image.name.clone()))
}

impl ImagesBeside {
    /// Chooses names for the images that `textures` show.
    pub(super) fn of<'a>(
        model: &Model,
        textures: impl Iterator<Item = &'a TextureRef>,
        naming: &Naming<'_>,
        places: &ImagePlaces,
        report: &Report,
    ) -> Self {
        let mut out = Self::default();
        let mut taken = BTreeSet::new();
        let mut unfit = Vec::new();
        for texture in textures {
            let Some(id) = texture.image.filter(|id| !out.named.contains_key(id)) else {
                continue;
            };
            let Some(image) = model.images.get(id.index()) else {
                continue;
            };
            let bytes = match naming.takes.bytes(image) {
                Ok(bytes) => bytes,
                Err(why) => {
                    unfit.push(format!("{:?} ({why})", model.texture_name(texture)));
                    continue;
                }
            };
            let is_as_it_is = *bytes == *image.bytes;
            let there = path_there(image, places).filter(|_| is_as_it_is);
            let named = match there {
                Some(path) => Named { path, bytes: bytes.into_owned(), is_there: true },
                None => {
                    let own = own_stem(model, texture, id, image, naming.file_stem);
                    let own = (naming.spell)(own);
                    let end = extension(&bytes, last_part(model.texture_name(texture)));
                    free(&own, &end, bytes.into_owned(), places, &mut taken)
                }
            };
            out.named.insert(id, named);
        }
        note_unfit(unfit, report);
        out.note(report);
        out
    }

    /// The images of `textures` under the last part of the path that the written file names them by;
    /// those whose path cannot be that of a file everywhere are left out.
    pub(super) fn named_as_read<'a>(
        model: &Model,
        textures: impl Iterator<Item = &'a TextureRef>,
        places: &ImagePlaces,
        report: &Report,
    ) -> Self {
        let mut out = Self::default();
        let mut taken = BTreeSet::new();
        for texture in textures.filter(|texture| has_safe_name(texture)) {
            let Some(id) = texture.image.filter(|id| !out.named.contains_key(id)) else {
                continue;
            };
            let Some(image) = model.images.get(id.index()) else {
                continue;
            };
            let name = last_part(&texture.path);
            let there = path_there(image, places).filter(|path| last_part(path) == name);
            if there.is_some() || taken.insert(name.to_lowercase()) {
                out.named.insert(
                    id,
                    Named {
                        is_there: there.is_some(),
                        path: there.unwrap_or_else(|| name.to_owned()),
                        bytes: image.bytes.to_vec(),
                    },
                );
            }
        }
        out.note(report);
        out
    }

    fn note(&self, report: &Report) {
        let written = self.named.values().filter(|named| !named.is_there);
        let all: Vec<&str> = written.map(|named| named.path.as_str()).collect();
        note_beside(&all, report);
    }

    /// The path by which the written file names `texture`; `None` where there is no image.
    pub(super) fn name(&self, texture: &TextureRef) -> Option<&str> {
        let named = self.named.get(&texture.image?)?;
        Some(&named.path)
    }

    /// The files, and those that are there already.
    pub(super) fn files(self) -> impl Iterator<Item = OutputFile> {
        self.named.into_values().map(file)
    }
}

fn file(named: Named) -> OutputFile {
    OutputFile {
        place: match named.is_there {
            true => OutputPlace::There(named.path),
            false => OutputPlace::Named(named.path),
        },
        bytes: named.bytes,
        is_companion: true,
        origins: Origins::default(),
    }
}

fn note_beside(names: &[&str], report: &Report) {
    report.note_many(NoteKind::ImageBeside, Place::File, names.len() as u64, || {
        format!("images are written beside the file: {}", names.join(", "))
    });
}

pub(super) fn note_unfit(unfit: Vec<String>, report: &Report) {
    let num = unfit.len() as u64;
    report.note_many(NoteKind::UnreadableTexture, Place::File, num, || {
        format!("left out, as the format takes no such image: {}", unfit.join(", "))
    });
}

/// Whether the last part of a texture's path can be a file's name on every system.
pub(super) fn has_safe_name(texture: &TextureRef) -> bool {
    let name = last_part(&texture.path);
    !name.is_empty() && safe_name(name) == name
}

/// What a texture without image is called in the written file: a path that does not lead outside.
pub(super) fn missing_path(model: &Model, texture: &TextureRef) -> String {
    let name = model.texture_name(texture);
    match name.trim().is_empty() {
        true => format!("image_{}", texture.image.map_or(0, |id| id.index())),
        false => safe_path(name),
    }
}

/// The name, without extension, that an image is to have.
fn own_stem(
    model: &Model,
    texture: &TextureRef,
    id: ImageId,
    image: &Image,
    file_stem: &str,
) -> String {
    let named = match image.is_embedded {
        true => model.texture_name(texture),
        false => &image.name,
    };
    let wanted = last_part(named);
    let own = match is_image(wanted) {
        true => stem(wanted),
        false => wanted,
    };
    let own = match image.is_embedded {
        true => plain(own),
        // A file that is copied keeps its name where all can read that.
        false => readable(own),
    };
    // Readers number images that have no name; several models lie in one folder.
    match own.is_empty() || own == format!("image_{}", id.index()) {
        true => plain(&format!("{file_stem}_image_{}", id.index())),
        false => own,
    }
}

/// The first name that no other image of the file has, and no other file in its folder.
fn free(
    own: &str,
    end: &str,
    bytes: Vec<u8>,
    places: &ImagePlaces,
    taken: &mut BTreeSet<String>,
) -> Named {
    let mut number = 1;
    loop {
        let stem = match number {
            1 => own.to_owned(),
            _ => format!("{own}_{number}"),
        };
        let path = safe_name(&format!("{stem}.{end}"));
        // Some file systems do not tell cases apart, and some formats no extensions.
        let is_free = !taken.contains(&stem.to_lowercase());
        let is_last = number >= MAX_TRIES;
        if is_free || is_last {
            let spot = places.spot(&path, &bytes);
            if spot != Spot::Taken || is_last {
                taken.insert(stem.to_lowercase());
                return Named { path, bytes, is_there: spot == Spot::Same };
            }
        }
        number += 1;
    }
}

/// `name` as a part of a file's name that needs no quotes anywhere.
fn plain(name: &str) -> String {
    kept(name, |c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// `name` as part of a file's name, with what text formats can have in names.
fn readable(name: &str) -> String {
    let is_fine = |c: char| c.is_alphanumeric() || "-_. ()[]+,&@!=~".contains(c);
    let kept = kept(name, is_fine);
    // Taken for an option by text formats.
    match kept.strip_prefix('-') {
        Some(rest) => format!("_{rest}"),
        None => kept,
    }
}

fn kept(name: &str, is_kept: impl Fn(char) -> bool) -> String {
    let name: String = (name.trim().chars()).map(|c| if is_kept(c) { c } else { '_' }).collect();
    let name = name.trim_start_matches('.');
    let end = name.floor_char_boundary(MAX_STEM_BYTES);
    name.get(..end).unwrap_or_default().trim().to_owned()
}

/// What formats whose materials are names alone look for: files named after materials.
#[derive(Default)]
pub(super) struct ByMaterial {
    /// In the order of materials; some files several images stand for are named for each.
    list: Vec<(String, ImageId)>,
    /// Images that no name leads to.
    lost: BTreeSet<ImageId>,
}

/// Names files for the images of colours and normals of `materials`, each with its written name, so
/// that who reads the written file finds them. `is_path` says that a material may be an image's path.
pub(super) fn by_material<'a>(
    model: &Model,
    materials: impl Iterator<Item = (String, &'a Material)>,
    is_path: bool,
) -> ByMaterial {
    let mut known: HashMap<String, ImageId> = HashMap::new();
    let mut out = ByMaterial::default();
    let mut all = BTreeSet::new();
    for (written, material) in materials {
        all.extend(material.textures.iter().filter_map(|texture| texture.image));
        for (role, ending) in [(TextureRole::BaseColor, ""), (TextureRole::Normal, "_normal")] {
            let Some(texture) = material.image_of(role) else {
                continue;
            };
            let Some(id) = texture.image else { continue };
            let Some(image) = model.images.get(id.index()) else {
                continue;
            };
            if !FOUND_BY_NAME.takes(image) {
                continue;
            }
            let own = last_part(&image.name);
            let names_image = is_path && is_image(&written);
            let name = match (names_image, role) {
                (true, TextureRole::BaseColor) => last_part(&written).to_owned(),
                (true, _) => continue,
                // By the name of its material already; other rules of its format are not those of ours.
                _ if !image.is_embedded && is_named_like(own, &written, role) => own.to_owned(),
                _ => {
                    let bytes_end = extension(&image.bytes, own);
                    let is_kept = is_image(&format!("x.{bytes_end}"));
                    let end = if is_kept { &*bytes_end } else { "png" };
                    format!("{written}{ending}.{end}")
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

impl ByMaterial {
    /// How many images are found again.
    pub(super) fn num_held(&self) -> u64 {
        let ids: BTreeSet<ImageId> = self.list.iter().map(|(_, id)| *id).collect();
        ids.len() as u64
    }

    /// The files, each once.
    pub(super) fn files(
        &self,
        model: &Model,
        places: &ImagePlaces,
        report: &Report,
    ) -> Vec<OutputFile> {
        let mut named: BTreeMap<&str, Named> = BTreeMap::new();
        let mut unfit = Vec::new();
        for (name, id) in &self.list {
            let Some(image) = model.images.get(id.index()) else {
                continue;
            };
            let bytes = match FOUND_BY_NAME.bytes(image) {
                Ok(bytes) => bytes.into_owned(),
                Err(why) => {
                    unfit.push(format!("{:?} ({why})", image.name));
                    continue;
                }
            };
            let there = path_there(image, places).filter(|path| last_part(path) == name);
            let is_there = there.is_some() || places.spot(name, &bytes) == Spot::Same;
            named.entry(name).or_insert(Named {
                path: there.unwrap_or_else(|| name.clone()),
                bytes,
                is_there,
            });
        }
        note_unfit(unfit, report);
        let written = named.values().filter(|named| !named.is_there);
        let all: Vec<&str> = written.map(|named| named.path.as_str()).collect();
        note_beside(&all, report);
        let num_lost = self.lost.len() as u64;
        report.note_many(NoteKind::ImageNotWritten, Place::File, num_lost, || {
            let name = |id: &ImageId| model.images.get(id.index()).map(|i| i.name.clone());
            let names: Vec<String> = self.lost.iter().filter_map(name).collect();
            let names = names.join(", ");
            format!("materials are names alone, which lead to no such images: {names}")
        });
        named.into_values().map(file).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::ByteView;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and more";

    fn image(name: &str, bytes: &[u8], is_embedded: bool) -> Image {
        Image { name: name.into(), bytes: ByteView::whole(bytes.to_vec()), is_embedded }
    }

    fn names_with(images: Vec<Image>, places: &ImagePlaces) -> Vec<String> {
        let model = Model { images, ..Model::default() };
        let textures: Vec<TextureRef> = (0..model.images.len())
            .map(|at| TextureRef::embedded(TextureRole::BaseColor, ImageId::from_index(at)))
            .collect();
        let report = Report::new();
        let beside = ImagesBeside::of(&model, textures.iter(), &Naming::of("fox"), places, &report);
        let name = |texture| beside.name(texture).unwrap().to_owned();
        textures.iter().map(name).collect()
    }

    fn names(images: Vec<Image>) -> Vec<String> {
        names_with(images, &ImagePlaces::default())
    }

    #[test]
    fn names_are_plain_unique_and_end_as_their_bytes_begin() {
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
        assert_eq!(long.len(), MAX_STEM_BYTES + 4);
    }

    #[test]
    fn files_that_were_files_keep_their_names_as_far_as_these_are_safe() {
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
    fn what_is_there_already_is_named_there_and_what_others_have_is_not_written_over() {
        let places = ImagePlaces {
            referenced: BTreeMap::from([("c.png".to_owned(), "../in/c.png".to_owned())]),
            at: Some(Arc::new(|name: &str, bytes: &[u8]| match name {
                "t/a.png" | "e_2.png" => Spot::Same,
                "b.png" => Spot::Taken,
                "e.png" if bytes == PNG => Spot::Taken,
                _ => Spot::Free,
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

    #[test]
    fn materials_that_are_names_find_their_images() {
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
            ],
            ..Model::default()
        };
        let [whole, color] = [material(&textures), material(&textures[..1])];
        let files = |name: &str, material: &Material, is_path| -> (Vec<String>, usize) {
            let named = [(name.to_owned(), material)];
            let found = by_material(&model, named.into_iter(), is_path);
            let names = found.list.iter().map(|(name, _)| name.clone());
            (names.collect(), found.lost.len())
        };
        let of = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(files("Hat", &whole, false), (of(&["Hat.png", "Hat_normal.jpg"]), 1));
        assert_eq!(files("a/b", &color, false), (of(&[]), 1));
        assert_eq!(files("CON", &color, false), (of(&[]), 1));
        assert_eq!(files("t/skin.tga", &color, true), (of(&["skin.tga"]), 0));
    }
}
