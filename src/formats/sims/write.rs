//! From a model to files: the inverse of `read`.
//!
//! | asked for | files |
//! |---|---|
//! | skn, bmf | one skin a mesh and material, each of which can be read alone, and their skeleton |
//! | cmx, bcf | a character file of skeleton, suit and skills; the skins and CFPs that it names |
//! | cmx, bcf, part `cfp` | the values of the one clip |
//!
//! What was read from this game's files is written as it was (`kept`); all else is made of the
//! model: `rig`, `write_skin`, `write_skill`.

use super::character_file::{BoneRecord, CharacterFile, SkeletonRecord, Skill, Suit, SuitSkin};
use super::names::{self, Unique};
use super::originals::{self, Originals};
use super::rig::Rig;
use super::skeleton::NO_PARENT;
use super::skin_file::Skin;
use super::worn::{TAKES, worn_textures};
use super::write_skill::SkillMaker;
use super::write_skin::SkinMaker;
use super::{AXES, BMF_ID, CMX_ID, SKN_ID, cfp, cfp_pack, clips, encode, read};
use crate::bake;
use crate::formats::images_beside::{ImagesBeside, Naming};
use crate::formats::rigged::as_skins;
use crate::formats::{OutputFile, OutputPlace, WriteError, WriteOptions};
use crate::model::{
    ByteView, Cancelled, LocalTransform, MeshId, MeshOrigins, Model, NoteKind, Origins, Place,
    Report,
};

/// Influences of one vertex.
const MAX_INFLUENCES: usize = 2;

/// One skin, as it is written.
struct NamedSkin {
    /// Name of its file without extension, where a character names it.
    name: String,
    /// Bone that a suit names.
    bone: String,
    content: SkinContent,
    /// Where its vertices come from.
    origins: MeshOrigins,
}

enum SkinContent {
    /// A BMF that was read.
    Original(ByteView),
    Made(Skin),
}

/// One skill, as it is written.
struct MadeSkill {
    skill: Skill,
    values: Vec<u8>,
}

/// All that is made of a model.
struct Parts {
    /// None where a model was read without one.
    skeleton: Option<SkeletonRecord>,
    skins: Vec<NamedSkin>,
    /// Of clips that were not read from this game's files.
    skills: Vec<MadeSkill>,
    /// Of all skins.
    images: Vec<OutputFile>,
    kept: Originals,
}

/// Writes `model` in format `format`.
pub(super) fn write(
    format: &'static str,
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    let writer =
        Writer { format, is_text: matches!(format, SKN_ID | CMX_ID), model, options, report };
    match format {
        SKN_ID | BMF_ID => writer.skins(),
        _ if options.part.as_deref() == Some(cfp::ID) => writer.values(),
        _ => writer.character(),
    }
}

struct Writer<'a> {
    format: &'static str,
    is_text: bool,
    model: &'a Model,
    options: &'a WriteOptions,
    report: &'a Report,
}

impl Writer<'_> {
    /// Skins, the first in the main file.
    fn skins(&self) -> Result<Vec<OutputFile>, WriteError> {
        if self.model.meshes.is_empty() {
            return Err(self.lacks("mesh"));
        }
        let mut parts = self.parts(false)?;
        let stem = self.stem();
        let mut outputs = Vec::new();
        let mut suffixes = Unique::default();
        for (number, named) in parts.skins.into_iter().enumerate() {
            let place = match number {
                0 => OutputPlace::Main,
                _ => {
                    let name = named.name.strip_prefix(&format!("{stem}-"));
                    let name = name.unwrap_or(&named.name);
                    OutputPlace::Suffix(format!(".{}", suffixes.take("", name.to_owned())))
                }
            };
            let line_end = parts.kept.line_end;
            let origins = vec![named.origins];
            let content = self.with_texture(number, &place, named.content, &parts.kept);
            outputs.push(OutputFile {
                place,
                bytes: self.skin_bytes(content, line_end)?,
                is_companion: false,
                origins: Origins::of_still(origins),
            });
        }
        if let Some(skeleton) = parts.skeleton.take() {
            outputs.push(self.skeleton_file(skeleton)?);
        }
        outputs.append(&mut parts.images);
        Ok(outputs)
    }

    /// A skin whose texture was found by the name of its file, under another name: one that a
    /// character names gets the texture's own name. A skin that was read stays as it was, and it is
    /// noted.
    fn with_texture(
        &self,
        number: usize,
        place: &OutputPlace,
        content: SkinContent,
        kept: &Originals,
    ) -> SkinContent {
        let (Some(mesh), SkinContent::Original(bytes)) = (self.model.meshes.get(number), &content)
        else {
            return content;
        };
        let keeps_name =
            *place == OutputPlace::Main && mesh.name.eq_ignore_ascii_case(&self.options.stem);
        let mut skin = originals::skin(bytes).unwrap_or_default();
        let material = mesh.subsets.first().and_then(|subset| subset.material);
        let material = material.and_then(|id| self.model.materials.get(id.index()));
        let worn = material.and_then(|material| material.textures.first());
        let is_found_by_name = !keeps_name && !names::is_texture(&skin.texture);
        let Some(worn) = worn.filter(|_| is_found_by_name) else {
            return content;
        };
        let path = self.model.texture_name(worn);
        if kept.character.is_some() {
            skin.texture = names::texture(path);
            return SkinContent::Made(skin);
        }
        self.report.note_many(NoteKind::TextureUnfit, Place::File, 1, || {
            format!("{path:?} is worn by the name of the skin's file, which changes")
        });
        content
    }

    /// A character file and all that it names.
    fn character(&self) -> Result<Vec<OutputFile>, WriteError> {
        let mut parts = self.parts(true)?;
        let mut beside = parts.skeleton.take();
        let is_kept_whole = parts.skills.is_empty()
            && parts.skins.len() == parts.kept.skins.len()
            && parts.kept.character.is_some();
        let (packed, mut file) = match parts.kept.character.take() {
            Some((packed, file)) => (Some(packed), file),
            None => (None, CharacterFile::default()),
        };
        let num_respelled = respell_files(&mut file);
        self.note_names("file", num_respelled);
        let is_kept_whole = is_kept_whole && num_respelled == 0;
        if packed.is_none() || !file.skeletons.is_empty() {
            let own = beside.take();
            if file.skeletons.is_empty() {
                file.skeletons.extend(own);
            }
        }
        let mut outputs = Vec::new();
        for (at, animation) in kept_animations(&file, self.model, &parts.kept) {
            if !outputs.iter().any(|known: &OutputFile| known.place == at) {
                outputs.push(companion(at, animation.to_vec()));
            }
        }
        let worn: Vec<SuitSkin> = (parts.skins.iter())
            .filter(|named| packed.is_none() || matches!(named.content, SkinContent::Made(_)))
            .map(|named| SuitSkin {
                bone: named.bone.clone(),
                skin: named.name.clone(),
                ..SuitSkin::default()
            })
            .collect();
        if !worn.is_empty() {
            file.suits.push(Suit { name: self.stem(), skins: worn, ..Suit::default() });
        }
        for made in parts.skills {
            let place = OutputPlace::Named(format!("{}.cfp", made.skill.animation));
            outputs.push(companion(place, made.values));
            file.skills.push(made.skill);
        }
        let extension = if self.is_text { "skn" } else { "bmf" };
        let mut num_bytes = 0;
        let num_skins = parts.skins.len();
        let origins = Origins {
            meshes: parts.skins.iter().map(|skin| skin.origins.clone()).collect(),
            ..Origins::same(self.model)
        };
        self.limit("skins in one suit", num_skins, read::MAX_SKINS)?;
        for named in parts.skins {
            let place = OutputPlace::Named(format!("{}.{extension}", named.name));
            let bytes = self.skin_bytes(named.content, None)?;
            num_bytes += bytes.len();
            outputs.push(companion(place, bytes));
        }
        self.limit("bytes of skins", num_bytes, read::MAX_SKIN_BYTES)?;
        if let Some(skeleton) = beside {
            outputs.push(self.skeleton_file(skeleton)?);
        }
        outputs.append(&mut parts.images);
        let num = file.skeletons.len() + file.suits.len() + file.skills.len();
        if num == 0 {
            return Err(self.lacks("skeleton, mesh or clip"));
        }
        let bytes = match packed.filter(|_| is_kept_whole && !self.is_text) {
            Some(packed) => packed.to_vec(),
            None => self.character_bytes(&mut file, parts.kept.head.as_deref())?,
        };
        outputs.insert(0, OutputFile::main(bytes).of(origins));
        Ok(outputs)
    }

    /// The values of the one clip.
    fn values(&self) -> Result<Vec<OutputFile>, WriteError> {
        self.limit("clips", self.model.clips.len(), 1)?;
        let mut parts = self.parts(true)?;
        let kept = parts.kept.animations.first().map(|bytes| bytes.to_vec());
        let values = kept.or_else(|| Some(parts.skills.pop()?.values));
        match values {
            // It means nothing without the skill that names it, so nobody reads it by itself.
            Some(values) => Ok(vec![companion(OutputPlace::Main, values)]),
            None => Err(self.lacks("clip")),
        }
    }

    fn parts(&self, with_clips: bool) -> Result<Parts, WriteError> {
        let kept = Originals::of(self.model);
        let num_meshes = self.model.meshes.len();
        let num_clips = if with_clips { self.model.clips.len() } else { 0 };
        let num_kept_clips = kept.animations.len().min(num_clips);
        let has_skins = kept.skins.len() == num_meshes;
        let has_clips = num_kept_clips == num_clips;
        let mut unique = Unique::default();
        let mut skins = Vec::new();
        for (mesh, bytes) in self.model.meshes.iter().zip(&kept.skins) {
            let skin = originals::skin(bytes).unwrap_or_default();
            skins.push(NamedSkin {
                name: unique.take("", names::or(names::file_stem(&mesh.name), || self.stem())),
                bone: skin.bones.first().cloned().unwrap_or_default(),
                content: SkinContent::Original(bytes.clone()),
                origins: MeshOrigins::Same(MeshId::from_index(skins.len())),
            });
        }
        let has_places = self.model.skeleton.has_hierarchy() || !is_without_places(self.model);
        let is_from_this = num_meshes > 0 || kept.character.is_some();
        let is_known = kept.skeleton.is_some() || !has_places && is_from_this;
        let worn = worn_textures(self.model, 0..skins.len());
        let places = &self.options.images;
        let worn = ImagesBeside::named_as_read(self.model, worn, places, self.report);
        let mut images: Vec<OutputFile> = worn.files().collect();
        if has_skins && has_clips && is_known {
            return Ok(Parts {
                skeleton: kept.skeleton.clone(),
                skins,
                skills: Vec::new(),
                images,
                kept,
            });
        }
        let (moved, num_made, before) = bake::with_normals(&bake::in_axes(self.model, &AXES));
        let made = NoteKind::NormalsMade;
        self.report.note_many(made, Place::File, num_made as u64, || {
            "normals made for meshes without any".to_owned()
        });
        let plain = as_skins(&bake::plain(&moved, None), self.report);
        let (plain, _) = bake::with_influences(&plain, MAX_INFLUENCES);
        let rig = Rig::of(&plain);
        let bones = self.bone_names(&rig, &plain);
        let stem = self.stem();
        let naming = Naming {
            takes: TAKES,
            spell: |own| names::texture(&format!("{own}.bmp")),
            ..Naming::of(&stem)
        };
        let worn = worn_textures(&plain, skins.len()..num_meshes);
        let beside = ImagesBeside::of(&plain, worn, &naming, places, self.report);
        let maker = SkinMaker::new(&plain, &moved, &rig, &bones, &beside, self.report);
        for number in skins.len()..num_meshes {
            let own = before.meshes.get(number);
            self.made_skins(&maker, number, own, &mut unique, &mut skins)?;
        }
        self.note_names("mesh", unique.num_changed);
        images.extend(beside.files());
        let skills = SkillMaker { plain: &plain, rig: &rig, bones: &bones, report: self.report };
        let skills = self.made_skills(&skills, num_kept_clips, num_clips, &kept)?;
        let is_lone = rig.bones.len() < 2 && is_without_places(&plain) && skills.is_empty();
        let skeleton = match (kept.skeleton.clone(), is_lone && num_meshes > 0) {
            (Some(skeleton), _) => Some(skeleton),
            (None, true) => None,
            (None, false) => Some(self.skeleton(&rig, &bones, &skills)),
        };
        Ok(Parts { skeleton, skins, skills, images, kept })
    }

    fn bone_names(&self, rig: &Rig, plain: &Model) -> Vec<String> {
        let mut unique = Unique::bones();
        let names = rig.bones.iter().map(|bone| {
            let own = bone.source.and_then(|at| plain.skeleton.bones().get(at));
            let wanted = own.map_or("", |bone| &bone.name);
            let number = bone.source.unwrap_or_default();
            let unnamed = || match bone.source {
                Some(_) => format!("BONE{number}"),
                None => "ROOT".to_owned(),
            };
            unique.take(wanted, names::or(names::storable(wanted), unnamed))
        });
        let names = names.collect();
        self.note_names("bone", unique.num_changed);
        names
    }

    fn note_names(&self, what: &str, num: u64) {
        let (kind, place) = (NoteKind::ChangedName, Place::File);
        self.report.note_many(kind, place, num, || format!("of a {what}"));
    }

    /// The skeleton that is written. Flags say what some skill does with a bone: only what moves
    /// against its parent may, and every bone may turn and be blended. Roots may move too.
    fn skeleton(&self, rig: &Rig, bones: &[String], skills: &[MadeSkill]) -> SkeletonRecord {
        let motions = skills.iter().flat_map(|made| &made.skill.motions);
        let moving: std::collections::BTreeSet<&str> = motions
            .filter(|motion| motion.has_positions != 0)
            .map(|motion| &*motion.bone)
            .collect();
        let record = |(bone, name): (&super::rig::RigBone, &String)| {
            let rest = bone.parent_from_bone;
            let parent = bone.parent.and_then(|parent| bones.get(parent));
            let may_move = parent.is_none() || moving.contains(&**name);
            BoneRecord {
                name: name.clone(),
                parent: parent.map_or(NO_PARENT.to_owned(), Clone::clone),
                position: rest.translation.as_vec3().into(),
                rotation: rest.rotation.conjugate().as_quat().into(),
                can_translate: i32::from(may_move),
                can_rotate: 1,
                can_blend: 1,
                ..BoneRecord::default()
            }
        };
        SkeletonRecord {
            name: self.stem(),
            bones: rig.bones.iter().zip(bones).map(record).collect(),
        }
    }

    /// Adds the skins of mesh `number`.
    fn made_skins(
        &self,
        maker: &SkinMaker<'_>,
        number: usize,
        before: Option<&MeshOrigins>,
        unique: &mut Unique,
        skins: &mut Vec<NamedSkin>,
    ) -> Result<(), WriteError> {
        let own = self.model.meshes.get(number).map_or("", |mesh| &mesh.name);
        for (part, (mut skin, order)) in maker.skins(number)?.into_iter().enumerate() {
            let stored = names::or(names::file_stem(own), || self.stem());
            let name = match part {
                0 => unique.take(own, stored),
                _ => unique.take("", format!("{stored}-{part}")),
            };
            skin.name.clone_from(&name);
            if skin.texture.is_empty() {
                skin.texture.clone_from(&name);
            }
            skins.push(NamedSkin {
                name,
                bone: skin.bones.first().cloned().unwrap_or_default(),
                content: SkinContent::Made(skin),
                origins: MeshOrigins::Of(MeshId::from_index(number), sources(order, before)),
            });
        }
        Ok(())
    }

    /// The skills of clips `from..to`, with names that none of those kept has.
    fn made_skills(
        &self,
        maker: &SkillMaker<'_>,
        from: usize,
        to: usize,
        kept: &Originals,
    ) -> Result<Vec<MadeSkill>, WriteError> {
        let (mut unique, mut files) = (Unique::default(), Unique::default());
        for skill in kept.character.iter().flat_map(|(_, file)| &file.skills) {
            unique.take("", skill.name.clone());
            files.take("", skill.animation.clone());
        }
        let mut skills = Vec::new();
        let (mut num_values, mut num_bytes) = (0, 0);
        for number in from..to {
            let (mut skill, columns) = maker.skill(number)?;
            let num = clips::num_values(&skill).unwrap_or(usize::MAX);
            self.limit("values of one clip", num, cfp::MAX_VALUES)?;
            let own = self.model.clips.get(number).map_or("", |clip| &clip.name);
            let stored = names::or(names::storable(own), || format!("clip {number}"));
            skill.name = unique.take(own, stored);
            let file = format!("xskill-{}-{}", self.stem(), names::file_stem(&skill.name));
            skill.animation = files.take("", file);
            let values = cfp_pack::pack(&columns);
            num_values += num;
            num_bytes += values.len();
            skills.push(MadeSkill { skill, values });
        }
        self.note_names("clip", unique.num_changed);
        self.limit("clips", skills.len(), read::MAX_SKILLS)?;
        // What is read without asking for more bytes than there are.
        let most = 3 * read::MAX_FRAMES + num_bytes;
        self.limit("values of clips", num_values, most)?;
        Ok(skills)
    }

    /// The skeleton in a file of its own, which readers look for by name.
    fn skeleton_file(&self, skeleton: SkeletonRecord) -> Result<OutputFile, WriteError> {
        let extension = if self.is_text { "cmx" } else { "cmx.bcf" };
        let name = format!("{}-skeleton.{extension}", names::file_stem(&skeleton.name));
        let mut file = CharacterFile { skeletons: vec![skeleton], ..CharacterFile::default() };
        let bytes = self.character_bytes(&mut file, None)?;
        Ok(companion(OutputPlace::Named(name), bytes))
    }

    fn character_bytes(
        &self,
        file: &mut CharacterFile,
        head: Option<&str>,
    ) -> Result<Vec<u8>, Cancelled> {
        match self.is_text {
            true => encode::cmx(file, head, self.report),
            false => encode::bcf(file, self.report),
        }
    }

    fn skin_bytes(
        &self,
        content: SkinContent,
        line_end: Option<&str>,
    ) -> Result<Vec<u8>, WriteError> {
        let mut skin = match content {
            SkinContent::Original(bytes) if !self.is_text => return Ok(bytes.to_vec()),
            SkinContent::Original(bytes) => originals::skin(&bytes).unwrap_or_default(),
            SkinContent::Made(skin) => skin,
        };
        let line_end = line_end.unwrap_or(encode::USUAL_LINE_END);
        Ok(match self.is_text {
            true => encode::skn(&mut skin, line_end, self.report)?,
            false => encode::bmf(&mut skin, self.report)?,
        })
    }

    /// The main file's name as others name it.
    fn stem(&self) -> String {
        names::or(names::file_stem(&self.options.stem), || "figure".to_owned())
    }

    fn lacks(&self, what: &'static str) -> WriteError {
        WriteError::NothingToWrite { format: self.format, what }
    }

    fn limit(&self, what: &'static str, count: usize, limit: usize) -> Result<(), WriteError> {
        match count <= limit {
            true => Ok(()),
            false => Err(WriteError::TooMany {
                format: self.format,
                what,
                count: count as u64,
                limit: limit as u64,
            }),
        }
    }
}

fn companion(place: OutputPlace, bytes: Vec<u8>) -> OutputFile {
    OutputFile { place, bytes, is_companion: true, origins: Origins::default() }
}

/// The vertices of a mesh that those in `order` come from, where it was given others `before`.
fn sources(order: Vec<u32>, before: Option<&MeshOrigins>) -> Vec<u32> {
    match before {
        Some(MeshOrigins::Of(_, sources)) => {
            let source = |at: u32| sources.get(at as usize).copied().unwrap_or(u32::MAX);
            order.into_iter().map(source).collect()
        }
        _ => order,
    }
}

/// Whether all bones lie at the origin, as they do where a skeleton was not found.
fn is_without_places(model: &Model) -> bool {
    let mut bones = model.skeleton.bones().iter();
    bones.all(|bone| bone.parent.is_none() && bone.rest_local == LocalTransform::default())
}

/// Respells what a character file calls other files where no file can have that name; how many.
fn respell_files(file: &mut CharacterFile) -> u64 {
    let skins = file.suits.iter_mut().flat_map(|suit| &mut suit.skins);
    let skins = skins.map(|skin| &mut skin.skin);
    let animations = file.skills.iter_mut().map(|skill| &mut skill.animation);
    let mut num = 0;
    for name in skins.chain(animations) {
        let stored = names::file_stem(name);
        if stored != *name && !stored.is_empty() {
            *name = stored;
            num += 1;
        }
    }
    num
}

/// The files of values that were kept, under the names that the skills have for them. Skills whose
/// file was missing have no clip.
fn kept_animations<'a>(
    file: &CharacterFile,
    model: &Model,
    kept: &'a Originals,
) -> Vec<(OutputPlace, &'a ByteView)> {
    let mut skills = file.skills.iter();
    let named = model.clips.iter().zip(&kept.animations);
    named
        .filter_map(|(clip, bytes)| {
            let skill = skills.find(|skill| skill.name == clip.name)?;
            let name = format!("{}.cfp", skill.animation);
            Some((OutputPlace::Named(name), bytes))
        })
        .collect()
}
