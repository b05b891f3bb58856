//! Finds the image files that materials refer to or that are named after materials.
//!
//! A path is searched for among the files supplied by the user, then as a path below the model's folder, then
//! by file name in that folder (shallow paths first), then in the user's folders. Readers have already set
//! embedded images.
//! Not for: decoding (`gpu`).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::texture_suffixes::{ImageFile, MaterialNames, SUFFIXES, Suffixes, matching_material};
use super::{Absence, PathQuery, ReadOptions, Source, last_part, leads_outside, stem};
use rigscope_core::images::ImageKind;
use rigscope_core::model::{
    Approximation, ByteView, Cancelled, FindingKind, IdVec, Image, ImageId, Material, MaterialId,
    Mesh, Model, Place, RelatedFileRole, RelatedFileUse, Report, Subset, TextureRef, TextureRole,
    as_u32, singular_or_plural,
};

/// Maximum number of unused images in the folders that are reported.
const MAX_LEFT: usize = 64;
/// Limit on the total size of the images in bytes; images beyond it aren't read.
const MAX_IMAGE_BYTES: usize = 1 << 30;

/// Whether the extension denotes an image format.
pub fn is_image(name: &str) -> bool {
    ImageKind::of_name(name).is_some()
}

/// Sets [`TextureRef::image`] for each file that is found, and reports the missing ones.
///
/// # Errors
/// If cancelled.
pub(super) fn find(
    model: &mut Model,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<(), Cancelled> {
    let mut loader = ImageLoader {
        source,
        reads: options.images,
        known: HashMap::new(),
        num_bytes: 0,
        missing: BTreeSet::new(),
        not_read: BTreeMap::new(),
        image_files: None,
    };
    let mut materials = std::mem::take(&mut model.materials);
    let names = MaterialNames::of(&materials);
    for (number, material) in materials.iter_mut().enumerate() {
        let place = Place::Material(as_u32(number));
        report.progress("looking for textures", 0.6)?;
        material.approximated.insert_if(has_several_uv_sets(material), Approximation::UvSets);
        for texture in &mut material.textures {
            if texture.image.is_none() && !texture.path.is_empty() {
                loader.resolve(texture, model, place, &material.name, report);
            }
        }
        if !material.name.is_empty() && material.textures.is_empty() {
            let found = loader.textures_by_name(&material.name, &names, model, report);
            // Without images, the model only contains the textures that the file itself specifies.
            if options.images {
                material.textures = found;
                use_full_factors(material);
            }
        }
    }
    loader.assign_supplied_images(&mut materials, model, report);
    loader.report_unused_images(&materials, report);
    model.materials = materials;
    let missing: Vec<_> = loader.missing.into_iter().collect();
    let num_missing = missing.len() as u64;
    report.add_many(FindingKind::MissingTexture, Place::File, num_missing, || {
        let were = singular_or_plural(num_missing, "was", "were");
        format!("{} {were} not found", missing.join(", "))
    });
    let not_read = loader.not_read;
    let num_not_read = not_read.len() as u64;
    report.add_many(FindingKind::TextureTooLarge, Place::File, num_not_read, || {
        let each = not_read.iter().map(|(path, why)| format!("{path} {why}"));
        each.collect::<Vec<_>>().join("; ")
    });
    Ok(())
}

/// Image files, each read once.
struct ImageLoader<'a> {
    source: &'a Source,
    reads: bool,
    /// By the referenced path in lower case.
    known: HashMap<String, Option<ImageId>>,
    num_bytes: usize,
    /// Missing paths as spelled in the file.
    missing: BTreeSet<String>,
    /// Files that exist but weren't read, and why: too large, individually or together.
    not_read: BTreeMap<String, String>,
    /// All existing images, listed when first needed.
    image_files: Option<Vec<ImageFile>>,
}

impl ImageLoader<'_> {
    fn resolve(
        &mut self,
        texture: &mut TextureRef,
        model: &mut Model,
        place: Place,
        material: &str,
        report: &Report,
    ) {
        let path = &texture.path;
        if leads_outside(path) {
            report.add(
                FindingKind::OutsidePath,
                place,
                format!(
                    "{path:?} is outside the folder; searching for {:?} instead",
                    last_part(path)
                ),
            );
        }
        let found = if self.reads {
            texture.image = self.image(path, model);
            let image = texture.image.map(|id| model.image(id));
            image.map(|image| image.name.clone())
        } else {
            self.source.name_of(path)
        };
        let why_not = self.not_read.get(path);
        let role = RelatedFileRole::Texture;
        report.related_file(match &found {
            Some(file) => RelatedFileUse::used(file, role, named_by(material)),
            None => match why_not {
                Some(why) => RelatedFileUse::unused(path, role, why),
                None => RelatedFileUse::missing(path, role, &named_by(material)),
            },
        });
        if found.is_none() && why_not.is_none() {
            self.missing.insert(path.clone());
        }
    }

    /// Assigns supplied images that no material refers to, if there is only one material that they can be
    /// meant for.
    fn assign_supplied_images(
        &mut self,
        materials: &mut IdVec<MaterialId, Material>,
        model: &mut Model,
        report: &Report,
    ) {
        let source = self.source;
        for given in &source.related_files {
            let name = &given.name;
            if !is_image(name) || source.is_used(name) {
                continue;
            }
            let Some((target, suffixes)) = target(materials, model, name) else { continue };
            if materials.is_empty() {
                materials.push(Material { name: stem(name).to_owned(), ..Material::default() });
                model.meshes.iter_mut().for_each(put_first_material);
            }
            let Some(material) = materials.get_mut(MaterialId::from_index(target)) else {
                continue;
            };
            let image = if self.reads { self.image(name, model) } else { None };
            if self.reads && image.is_none() {
                continue;
            }
            source.mark_used(name);
            material.textures.retain(|texture| !suffixes.roles.contains(&texture.role));
            let found = suffixes.roles.iter().map(|role| found_by_name(*role, name, image));
            material.textures.extend(found);
            use_full_factors(material);
            let why = if material.name.is_empty() {
                "given by the user, for a material without name".to_owned()
            } else {
                format!("given by the user, for material {}", material.name)
            };
            report.related_file(RelatedFileUse::used(name, RelatedFileRole::Texture, why));
        }
    }

    /// Reports existing images that no material uses; for supplied ones also as a finding.
    fn report_unused_images(&self, materials: &[Material], report: &Report) {
        let role = RelatedFileRole::Texture;
        let why = if materials.is_empty() {
            "the model has no material"
        } else {
            "no material refers to it"
        };
        let given = self.source.related_files.iter().map(|c| &c.name);
        let unused: Vec<&String> =
            given.filter(|name| is_image(name) && !self.source.is_used(name)).collect();
        for name in &unused {
            report.related_file(RelatedFileUse::unused(name, role, why));
        }
        let num = unused.len() as u64;
        report.add_many(FindingKind::UnusedRelatedFile, Place::File, num, || {
            let all: Vec<String> =
                (unused.iter()).map(|name| format!("{name} is not used: {why}")).collect();
            all.join("; ")
        });
        if materials.is_empty() {
            return;
        }
        let mut named: BTreeSet<String> = self.source.used().into_iter().collect();
        named.extend(self.not_read.keys().filter_map(|path| self.source.name_of(path)));
        let images = image_paths(self.source);
        for name in images.filter(|name| !named.contains(*name)).take(MAX_LEFT) {
            report.related_file(RelatedFileUse::unused(name, role, why));
        }
    }

    /// The image with that path, read when first needed.
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
        let file = match self.source.look_up_within(path, MAX_IMAGE_BYTES as u64) {
            Ok(file) => file,
            Err(Absence::NotFound) => return None,
            Err(absence) => {
                self.not_read.insert(path.to_owned(), absence.to_string());
                return None;
            }
        };
        if let Some(at) = model.images.iter().position(|i| !i.is_embedded && i.name == file.name) {
            return Some(ImageId::from_index(at));
        }
        self.num_bytes = self.num_bytes.saturating_add(file.bytes.len());
        if self.num_bytes > MAX_IMAGE_BYTES {
            let why = "is left out, because the images are too large in total";
            self.not_read.insert(path.to_owned(), why.to_owned());
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

    /// Images named after a material whose file refers to none.
    fn textures_by_name(
        &mut self,
        material: &str,
        names: &MaterialNames,
        model: &mut Model,
        report: &Report,
    ) -> Vec<TextureRef> {
        let files = self.image_files.take().unwrap_or_else(|| {
            let images = image_paths(self.source).cloned();
            images.filter_map(ImageFile::of).collect()
        });
        let mut found: Vec<TextureRef> = Vec::new();
        for suffixes in &SUFFIXES {
            let is_known =
                |role: TextureRole| found.iter().any(|texture| overlap(texture.role, role));
            let roles: Vec<TextureRole> =
                suffixes.roles.iter().copied().filter(|role| !is_known(*role)).collect();
            if roles.is_empty() {
                continue;
            }
            let Some(path) = suffixes.best_match(&files, material, names) else { continue };
            let image = if self.reads { self.image(path, model) } else { None };
            if self.reads && image.is_none() || self.source.name_of(path).is_none() {
                continue;
            }
            let why = format!("named like material {material}");
            report.related_file(RelatedFileUse::used(path, RelatedFileRole::Texture, why));
            found.extend(roles.into_iter().map(|role| found_by_name(role, path, image)));
        }
        self.image_files = Some(files);
        found
    }
}

fn found_by_name(role: TextureRole, path: &str, image: Option<ImageId>) -> TextureRef {
    TextureRef { is_found_by_name: true, image, ..TextureRef::file(role, path) }
}

/// Whether displayed textures use different UV sets.
fn has_several_uv_sets(material: &Material) -> bool {
    let mut shown = material.textures.iter().filter(|t| t.role != TextureRole::Other);
    let first = shown.next().map(|texture| texture.uv_set);
    shown.any(|texture| Some(texture.uv_set) != first)
}

/// Whether two textures set the same property of a surface.
fn overlap(a: TextureRole, b: TextureRole) -> bool {
    let (own, other) = (a.info(), b.info());
    let both = |a: Option<u8>, b: Option<u8>| a.is_some() && b.is_some();
    a == b
        || both(own.metallic, other.metallic)
        || both(own.roughness, other.roughness)
        || both(own.occlusion, other.occlusion)
}

/// Resets factors to full strength for textures found by name: the file doesn't know the textures, so its
/// factors could hide them.
fn use_full_factors(material: &mut Material) {
    let mut look = material.look.as_deref().copied().unwrap_or_default();
    let found = material.textures.iter().filter(|texture| texture.is_found_by_name);
    let num_changed = found.filter(|texture| look.reset_factors(texture.role)).count();
    if num_changed > 0 {
        material.look = Some(Box::new(look));
        material.approximated.insert_if(true, Approximation::FoundFactors);
    }
}

/// All existing images: supplied ones, then those in the folders.
fn image_paths(source: &Source) -> impl Iterator<Item = &String> {
    let given = source.related_files.iter().map(|related_file| &related_file.name);
    let below = source.folders.iter().flat_map(|folder| folder.select(&PathQuery::Images));
    given.filter(|path| is_image(path)).chain(below)
}

/// Whether an image of that name would be used by `model` if it were supplied.
#[must_use]
pub fn wants_image(model: &Model, name: &str) -> bool {
    let textures = model.materials.iter().flat_map(|m| &m.textures);
    let mut names = textures.map(|texture| last_part(&texture.path));
    names.any(|own| own.eq_ignore_ascii_case(name))
        || target(&model.materials, model, name).is_some()
}

/// The material that an image can only be meant for, and the suffixes that give its role: the material that
/// it is named after, or the only one. A model without materials gets a new one.
fn target(materials: &[Material], model: &Model, name: &str) -> Option<(usize, &'static Suffixes)> {
    if let Some(named) = matching_material(materials, name) {
        return Some(named);
    }
    let has_uvs = model.meshes.iter().any(|mesh| mesh.uv(0).is_some());
    (materials.len() <= 1 && has_uvs && is_image(name)).then(|| (0, Suffixes::of(name)))
}

/// Assigns the first material to all triangles of a mesh.
fn put_first_material(mesh: &mut Mesh) {
    let material = Some(MaterialId(0));
    let num = mesh.num_triangles().saturating_mul(3);
    if mesh.subsets.is_empty()
        && let Ok(index_count @ 1..) = u32::try_from(num)
    {
        mesh.subsets.push(Subset { first_index: 0, index_count, material });
    }
    for subset in &mut mesh.subsets {
        subset.material = material;
    }
}

fn named_by(material: &str) -> String {
    if material.is_empty() {
        "used by a material".to_owned()
    } else {
        format!("used by material {material}")
    }
}

#[cfg(test)]
mod tests;
