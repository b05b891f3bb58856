//! Builds a model from a skin or a character file and the surrounding files.
//!
//! A skin needs a skeleton: from the same file, or else from supplied files or files in the same folder
//! (`skeleton_search`). A suit refers to skins, a skill to a file of values.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::character_file::{CharacterFile, SkeletonRecord, Skill, Suit};
use super::library::{Library, has_extension};
use super::skeleton::BoneNames;
use super::skeleton_search::{self, FoundSkeleton, best_of, kind_of_figure};
use super::skin_file::Skin;
use super::texture_names::{self, SkinTexture};
use super::{AXES, cfp, clips, encode, mesh, originals, parse, skeleton};
use crate::formats::{self, Failure, ReadError, ReadOptions, RelatedFile, last_part};
use rigscope_core::model::{
    BoneId, ByteView, Detail, FindingKind, Image, ImageId, Material, MaterialId, MaterialLook,
    Model, Place, RelatedFileRole, RelatedFileUse, Report, Skeleton, TextureRef, TextureRole,
    as_u32, counted, singular_or_plural,
};

/// Maximum number of skins loaded for one file.
pub(super) const MAX_SKINS: usize = 256;
/// Maximum number of skills loaded for one file.
pub(super) const MAX_SKILLS: usize = 4096;
/// Size limit for all skins together; real ones have some hundred thousand bytes.
pub(super) const MAX_SKIN_BYTES: usize = 16 << 20;
/// Limit on the positions and rotations of all skills, not counting those that take bytes in the file. A
/// small file of repeats could otherwise ask for any number.
pub(super) const MAX_FRAMES: usize = 1 << 19;
/// Minimum size of a position or rotation that isn't a repeat.
const MIN_FRAME_BYTES: usize = 3;
/// Maximum number of names in a message.
const MAX_LISTED: usize = 8;

/// A model under construction and its sources.
pub(super) struct ModelReader<'a> {
    /// Id of the format being read.
    pub(super) format: &'static str,
    pub(super) library: Library,
    pub(super) options: &'a ReadOptions,
    pub(super) report: &'a Report,
}

/// A skin and the name of its file.
struct NamedSkin {
    /// File name without folder and extension. Preferred to the name in the file, which copies of files keep.
    stem: String,
    skin: Skin,
    /// The skin as a BMF.
    stored: ByteView,
}

impl ModelReader<'_> {
    /// A model of one skin.
    ///
    /// `packed` is the file itself if it's a BMF.
    pub(super) fn of_skin(
        mut self,
        file: &str,
        mut skin: Skin,
        packed: Option<&Arc<Vec<u8>>>,
    ) -> Result<Model, ReadError> {
        let mut model = self.empty();
        let named = NamedSkin {
            stem: stem(file).to_owned(),
            stored: originals::skin_bytes(&mut skin, packed, self.report)?,
            skin,
        };
        let detail = &mut model.details;
        if !named.skin.name.eq_ignore_ascii_case(&named.stem) {
            detail.push(("skin name", Detail::Text(named.skin.name.clone())));
        }
        detail.push(("default texture", Detail::Text(named.skin.texture.clone())));
        let mut bones = named.skin.bones.clone();
        if bones.is_empty() {
            bones.push(String::new());
        }
        let kind = kind_of_figure(&named.stem);
        let found = self.search(&bones, kind)?;
        let given = self.take_skeleton(&mut model, found, &bones, "the mesh follows")?;
        self.add_skins(&mut model, &[named])?;
        if let Some(given) = given {
            self.add_skills(&mut model, &given.skills)?;
        }
        self.finish(model)
    }

    /// A model of the whole content of a character file.
    ///
    /// `packed` is the file itself if it's a BCF.
    pub(super) fn of_character(
        mut self,
        mut file: CharacterFile,
        packed: Option<&Arc<Vec<u8>>>,
    ) -> Result<Model, ReadError> {
        let mut model = self.empty();
        let counts = [
            ("skeletons", file.skeletons.len()),
            ("suits", file.suits.len()),
            ("skills", file.skills.len()),
        ];
        for (name, count) in counts {
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            model.details.push((name, Detail::Int(count)));
        }
        let skins = self.skins(&file.suits)?;
        let mut bones = bones_of(&skins, &file.skills);
        if bones.is_empty() && file.skeletons.is_empty() {
            // If the skins of a suit are missing, show the bones that they would be attached to.
            bones = bones_of_suits(&file.suits);
        }
        let named = skins.first().map(|named| &*named.stem);
        let named = named.or_else(|| file.skills.first().map(|skill| &*skill.name));
        let kind = named.and_then(kind_of_figure);
        let given = match best_of(&file.skeletons, &bones) {
            Some((_, record)) => {
                self.report_other_skeletons(&file, record);
                self.use_record(&mut model, record)?;
                None
            }
            None => {
                let found = self.search(&bones, kind)?;
                let what = if skins.is_empty() { "the skills move" } else { "the suit follows" };
                self.take_skeleton(&mut model, found, &bones, what)?
            }
        };
        self.add_skins(&mut model, &skins)?;
        self.add_skills(&mut model, &file.skills)?;
        let mut packed = packed.and_then(originals::whole);
        if let Some(given) = given {
            self.add_skills(&mut model, &given.skills)?;
            if !given.skills.is_empty() {
                // The preserved file has to match the clips of the model.
                packed = None;
                file.skills.extend(given.skills);
            }
        }
        let packed = match packed {
            Some(packed) => packed,
            None => ByteView::whole(encode::bcf(&mut file, self.report)?),
        };
        originals::keep_character(&mut model, packed);
        if file.suits.is_empty() && file.skills.is_empty() && file.skeletons.is_empty() {
            let what = "the file contains no skeleton, suit or skill".to_owned();
            return Err(ReadError::Unsupported(self.failure("contents", what)));
        }
        self.finish(model)
    }

    fn empty(&self) -> Model {
        Model { axes: AXES, ..Model::default() }
    }

    fn finish(self, mut model: Model) -> Result<Model, ReadError> {
        self.report.progress("placing vertices", 0.5)?;
        mesh::place_at_rest(&mut model);
        self.library.mark_archives();
        Ok(model)
    }

    fn report_related_file(&self, file: RelatedFileUse) {
        self.report.related_file(file);
    }

    fn failure(&self, field: &'static str, what: String) -> Box<Failure> {
        Box::new(Failure::new(self.format, field, Place::File, what))
    }

    fn report_other_skeletons(&self, file: &CharacterFile, used: &SkeletonRecord) {
        let num = file.skeletons.len().saturating_sub(1) as u64;
        let kind = FindingKind::PartShown;
        self.report.add_many(kind, Place::File, num, || {
            format!("only {:?} of {} skeletons is shown", used.name, num + 1)
        });
    }

    /// A skeleton for `bones` from the surrounding files; `None` if a single bone needs no position.
    fn search(
        &mut self,
        bones: &[String],
        kind: Option<&str>,
    ) -> Result<Option<FoundSkeleton>, ReadError> {
        if bones.iter().all(String::is_empty) {
            Ok(None)
        } else {
            skeleton_search::find(&mut self.library, bones, kind, self.options, self.report)
        }
    }

    /// Uses the skeleton found, or a substitute. Returns the supplied file that contained it, if any.
    fn take_skeleton(
        &self,
        model: &mut Model,
        found: Option<FoundSkeleton>,
        bones: &[String],
        what: &str,
    ) -> Result<Option<CharacterFile>, ReadError> {
        if let Some(found) = found {
            self.use_record(model, &found.record)?;
            let from = format!("{} of {}", found.record.name, found.from);
            model.details.push(("skeleton", Detail::Text(from)));
            return Ok(found.given);
        }
        if bones.len() > self.options.limits.max_bones as usize {
            return Err(ReadError::Limit(self.failure(
                "bones",
                format!("{what} {} bones, more than are allowed", bones.len()),
            )));
        }
        if bones.len() > 1 {
            let names: Vec<&str> = bones.iter().map(|name| &**name).collect();
            self.report.add(
                FindingKind::MissingSkeleton,
                Place::File,
                format!(
                    "{what} {} bones ({}), but no .cmx or .cmx.bcf file in its folder has a skeleton with \
                     them, so all bones are at the origin; name a file by --with FILE",
                    bones.len(),
                    listed(&names)
                ),
            );
        }
        model.skeleton = skeleton::without_places(bones);
        Ok(None)
    }

    fn use_record(&self, model: &mut Model, record: &SkeletonRecord) -> Result<(), ReadError> {
        model.skeleton = skeleton::build(self.format, record, &self.options.limits, self.report)?;
        originals::keep_skeleton(model, record, self.report)?;
        Ok(())
    }

    /// The skins that suits refer to, each once.
    fn skins(&mut self, suits: &[Suit]) -> Result<Vec<NamedSkin>, ReadError> {
        let (mut skins, mut missing, mut known) = (Vec::new(), Vec::new(), BTreeSet::new());
        let mut left_bytes = MAX_SKIN_BYTES;
        for suit in suits {
            if suit.kind == Suit::CENSOR {
                // The game's use of these suits is unknown; they contain no image.
                self.report.add_many(FindingKind::PartShown, Place::File, 1, || {
                    format!("suit {:?} only marks an area that the game blurs", suit.name)
                });
                continue;
            }
            for worn in &suit.skins {
                let is_new = known.insert(worn.skin.to_lowercase());
                if !is_new || known.len() > MAX_SKINS {
                    continue;
                }
                self.report.progress("reading skins", 0.2)?;
                let names = [format!("{}.bmf", worn.skin), format!("{}.skn", worn.skin)];
                match self.library.find(&names, self.report)? {
                    Some(file) => skins.extend(self.skin(&file, &mut left_bytes)?),
                    None => missing.push(&*worn.skin),
                }
            }
        }
        let kind = FindingKind::MissingRelatedFile;
        let num = missing.len() as u64;
        for name in &missing {
            let (file, role) = (format!("{name}.bmf"), RelatedFileRole::Skin);
            self.report_related_file(RelatedFileUse::missing(&file, role, "referenced by a suit"));
        }
        self.report.add_many(kind, Place::File, num, || {
            format!("no .bmf or .skn file named {} was found", listed(&missing))
        });
        let num = known.len().saturating_sub(MAX_SKINS) as u64;
        self.report.add_many(FindingKind::Dropped, Place::File, num, || {
            format!("the file refers to {num} more skins than the {MAX_SKINS} allowed")
        });
        Ok(skins)
    }

    /// The skin in `file`; `None` if it can't be read.
    fn skin(
        &mut self,
        file: &RelatedFile,
        left_bytes: &mut usize,
    ) -> Result<Option<NamedSkin>, ReadError> {
        self.report_related_file(RelatedFileUse::used(
            &file.name,
            RelatedFileRole::Skin,
            "referenced by a suit",
        ));
        *left_bytes = match left_bytes.checked_sub(file.bytes.len()) {
            Some(left) => left,
            None => {
                let what = format!(
                    "{} is left out, because all skins together exceed the size limit",
                    file.name
                );
                self.report.add(FindingKind::Dropped, Place::File, what);
                return Ok(None);
            }
        };
        let is_packed = has_extension(&file.name, "bmf");
        let read = if is_packed {
            parse::bmf(&file.bytes, self.options, self.report)
        } else {
            parse::skn(&file.bytes, self.options, self.report)
        };
        match read {
            Ok(mut skin) => Ok(Some(NamedSkin {
                stem: stem(&file.name).to_owned(),
                stored: originals::skin_bytes(
                    &mut skin,
                    is_packed.then_some(&file.bytes),
                    self.report,
                )?,
                skin,
            })),
            Err(ReadError::Cancelled) => Err(ReadError::Cancelled),
            Err(error) => {
                let what = format!("{} can't be read: {error}", file.name);
                self.report.add(FindingKind::Dropped, Place::File, what);
                Ok(None)
            }
        }
    }

    fn add_skins(&self, model: &mut Model, skins: &[NamedSkin]) -> Result<(), ReadError> {
        if skins.is_empty() {
            return Ok(());
        }
        if model.skeleton.is_empty() {
            model.skeleton = skeleton::without_places(&[String::new()]);
        }
        let bones = BoneNames::of(&model.skeleton);
        let root = root(&model.skeleton);
        let paths = self.library.names();
        for named in skins {
            self.report.progress("building meshes", 0.4)?;
            let number = as_u32(model.meshes.len());
            let material = self.material(named, &paths, model);
            model.materials.push(material);
            let material = MaterialId::from_index(model.materials.len() - 1);
            let (skin, stem) = (&named.skin, &named.stem);
            let mesh = mesh::build(skin, stem, &bones, root, number, material, self.report);
            model.meshes.push(mesh);
            originals::keep_skin(model, named.stored.clone());
        }
        Ok(())
    }

    fn material(&self, named: &NamedSkin, paths: &[String], model: &mut Model) -> Material {
        let mut material = Material { name: named.stem.clone(), ..Material::default() };
        match texture_names::choose(&named.stem, &named.skin.texture, paths) {
            SkinTexture::Image(path) => {
                let mut texture = TextureRef::file(TextureRole::BaseColor, path);
                texture.is_found_by_name = !texture_names::is_named(&named.skin.texture);
                if let Some(bytes) = self.library.in_archive(&texture.path) {
                    let role = RelatedFileRole::Texture;
                    let why = format!("in an archive, for skin {}", named.stem);
                    self.report_related_file(RelatedFileUse::used(&texture.path, role, why));
                    // Later searches for files don't include archives, so the image is embedded.
                    model.images.push(Image {
                        name: texture.path.clone(),
                        bytes,
                        is_embedded: true,
                    });
                    texture.image = Some(ImageId::from_index(model.images.len() - 1));
                }
                material.textures.push(texture);
            }
            SkinTexture::Color(value) => {
                material.look = Some(Box::new(MaterialLook {
                    base_color: glam::Vec4::new(value, value, value, 1.0),
                    ..MaterialLook::default()
                }));
            }
            SkinTexture::Nothing => {}
        }
        material
    }

    fn add_skills(&mut self, model: &mut Model, skills: &[Skill]) -> Result<(), ReadError> {
        let bones = BoneNames::of(&model.skeleton);
        let mut missing = Vec::new();
        let mut left_frames = MAX_FRAMES;
        for skill in skills.iter().take(MAX_SKILLS) {
            self.report.progress("reading skills", 0.5)?;
            clips::add_details(skill, &mut model.details);
            let name = format!("{}.cfp", skill.animation);
            let role = RelatedFileRole::Animation;
            let Some(file) = self.library.find(std::slice::from_ref(&name), self.report)? else {
                let named = format!("referenced by skill {}", skill.name);
                self.report_related_file(RelatedFileUse::missing(&name, role, &named));
                missing.push(&*skill.animation);
                continue;
            };
            let why = format!("referenced by skill {}", skill.name);
            self.report_related_file(RelatedFileUse::used(&file.name, role, why));
            let number = as_u32(model.clips.len());
            let place = Place::Clip(number);
            left_frames = left_frames.saturating_add(file.bytes.len() / MIN_FRAME_BYTES);
            let Some(values) = self.values(skill, &file.bytes, place, left_frames) else {
                continue;
            };
            left_frames = left_frames.saturating_sub(values.values.len() / 3);
            let clip = clips::build(skill, &values, &bones, place, self.report);
            model.clips.push(clip);
            originals::keep_animation(model, &file.bytes);
        }
        let kind = FindingKind::MissingRelatedFile;
        let num = missing.len() as u64;
        self.report.add_many(kind, Place::File, num, || {
            format!("no .cfp file named {} was found", listed(&missing))
        });
        let num = skills.len().saturating_sub(MAX_SKILLS) as u64;
        self.report.add_many(FindingKind::Dropped, Place::File, num, || {
            format!("the file has {num} more skills than the {MAX_SKILLS} allowed")
        });
        Ok(())
    }

    /// The values of a skill; `None` if they aren't available, which is reported.
    fn values(
        &self,
        skill: &Skill,
        bytes: &[u8],
        place: Place,
        left_frames: usize,
    ) -> Option<cfp::Values> {
        let (name, animation) = (&skill.name, &skill.animation);
        let unpacked = match clips::num_values(skill) {
            Some(num) if num / 3 <= left_frames => {
                cfp::unpack(bytes, num, &self.options.limits).map_err(|error| error.to_string())
            }
            _ => Err(format!(
                "{} positions and {} rotations: none, or too many",
                skill.num_positions, skill.num_rotations
            )),
        };
        let values = match unpacked {
            Ok(values) => values,
            Err(error) => {
                let what = format!("skill {name:?} can't be read from {animation}.cfp: {error}");
                self.report.add(FindingKind::Dropped, place, what);
                return None;
            }
        };
        let kind = FindingKind::BrokenRecord;
        let num = values.num_surplus;
        self.report.add_many(kind, place, u64::from(num > 0), || {
            format!("{animation}.cfp repeats a value {num} times past the last one")
        });
        let num = values.num_trailing;
        let kind = FindingKind::TrailingBytes;
        self.report.add_many(kind, place, u64::from(num > 0), || {
            let follow = singular_or_plural(num as u64, "follows", "follow");
            format!("{} {follow} the last value of {animation}.cfp", counted(num as u64, "byte"))
        });
        Some(values)
    }
}

/// All bones used by skins, or moved by skills if there is no skin, each once.
fn bones_of(skins: &[NamedSkin], skills: &[Skill]) -> Vec<String> {
    let of_skins = skins.iter().flat_map(|named| &named.skin.bones);
    let motions = skills.iter().flat_map(|skill| &skill.motions);
    let of_skills = motions.map(|motion| &motion.bone).filter(|_| skins.is_empty());
    let mut known = BTreeSet::new();
    let mut bones = Vec::new();
    for name in of_skins.chain(of_skills) {
        if known.insert(name.to_lowercase()) {
            bones.push(name.clone());
        }
    }
    bones
}

/// All bones that suits attach something to, each once.
fn bones_of_suits(suits: &[Suit]) -> Vec<String> {
    let mut known = BTreeSet::new();
    let worn = suits.iter().flat_map(|suit| &suit.skins);
    let names = worn.map(|worn| &worn.bone).filter(|name| !name.is_empty());
    let mut new = names.filter(|name| known.insert(name.to_lowercase()));
    new.by_ref().take(MAX_SKINS).cloned().collect()
}

fn root(skeleton: &Skeleton) -> BoneId {
    let mut bones = skeleton.bones().iter();
    let root = bones.position(|bone| bone.parent.is_none());
    BoneId::from_index(root.unwrap_or(0))
}

/// A file name without folder and extension.
fn stem(path: &str) -> &str {
    formats::stem(last_part(path))
}

/// The first few names as a list.
fn listed(names: &[&str]) -> String {
    let shown: Vec<&str> = names.iter().take(MAX_LISTED).copied().collect();
    let more = if names.len() > MAX_LISTED { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}
