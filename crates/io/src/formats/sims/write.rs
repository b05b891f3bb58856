//! Writes models to files: the inverse of `read`.
//!
//! | requested | files |
//! |---|---|
//! | skn, bmf | one skin per mesh and material, each of which can be read by itself, and their skeleton |
//! | cmx, bcf | a character file of skeleton, suit and skills, with its skins and CFPs |
//! | cmx, bcf, part `cfp` | the values of the only clip |
//!
//! Contents read from the game's files are written unchanged (`originals`); everything else is made from the
//! model: `write_parts`, `rig`, `write_skin`, `write_skill`.

use std::collections::HashSet;

use super::character_file::{CharacterFile, SkeletonRecord, Suit, SuitSkin};
use super::names::{self, UniqueNames};
use super::originals::{self, Originals};
use super::write_parts::{SkinContent, Writer};
use super::{BMF_ID, CMX_ID, SKN_ID, cfp, encode, read};
use crate::formats::{OutputFile, OutputPlace, WriteError, WriteOptions};
use rigscope_core::model::{
    ByteView, Cancelled, FindingKind, MeshId, Model, Origins, Place, Report,
};

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

impl Writer<'_> {
    /// Skins, the first in the main file.
    fn skins(&self) -> Result<Vec<OutputFile>, WriteError> {
        if self.model.meshes.is_empty() {
            return Err(self.lacks("mesh"));
        }
        let mut parts = self.parts(false)?;
        let stem = self.stem();
        let mut outputs = Vec::new();
        let mut suffixes = UniqueNames::default();
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
                is_related_file: false,
                origins: Origins::without_clips(origins),
            });
        }
        if let Some(skeleton) = parts.skeleton.take() {
            outputs.push(self.skeleton_file(skeleton)?);
        }
        outputs.append(&mut parts.images);
        Ok(outputs)
    }

    /// Adjusts a skin whose texture was found by its file name but that gets another file name: a skin of a
    /// character stores the texture's name. A skin that was read isn't changed, and the problem is reported.
    fn with_texture(
        &self,
        number: usize,
        place: &OutputPlace,
        content: SkinContent,
        kept: &Originals,
    ) -> SkinContent {
        let (Some(mesh), SkinContent::Original(bytes)) =
            (self.model.meshes.get(MeshId::from_index(number)), &content)
        else {
            return content;
        };
        let keeps_name =
            *place == OutputPlace::Main && mesh.name.eq_ignore_ascii_case(&self.options.stem);
        let mut skin = originals::skin(bytes).unwrap_or_default();
        let material = mesh.subsets.first().and_then(|subset| subset.material);
        let material = material.map(|id| self.model.material(id));
        let worn = material.and_then(|material| material.textures.first());
        let is_found_by_name = !keeps_name && !names::is_texture(&skin.texture);
        let Some(worn) = worn.filter(|_| is_found_by_name) else { return content };
        let path = self.model.texture_name(worn);
        if kept.character.is_some() {
            skin.texture = names::texture(path);
            return SkinContent::Made(skin);
        }
        self.report.add_many(FindingKind::TextureUnfit, Place::File, 1, || {
            format!("{path:?} is found by the name of the skin's file, which changes")
        });
        content
    }

    /// A character file and all files that it refers to.
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
        self.report_names("file", num_respelled);
        let is_kept_whole = is_kept_whole && num_respelled == 0;
        if packed.is_none() || !file.skeletons.is_empty() {
            let own = beside.take();
            if file.skeletons.is_empty() {
                file.skeletons.extend(own);
            }
        }
        let mut outputs = Vec::new();
        let mut places = HashSet::new();
        for (at, animation) in kept_animations(&file, self.model, &parts.kept) {
            if places.insert(at.clone()) {
                outputs.push(related_file(at, animation.to_vec()));
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
            outputs.push(related_file(place, made.values));
            file.skills.push(made.skill);
        }
        let extension = if self.is_text { "skn" } else { "bmf" };
        let mut num_bytes = 0;
        let num_skins = parts.skins.len();
        let origins = Origins {
            meshes: parts.skins.iter().map(|skin| skin.origins.clone()).collect(),
            // The order of the bones may differ.
            bones: None,
            ..Origins::same(self.model)
        };
        self.limit("skins in one suit", num_skins, read::MAX_SKINS)?;
        for named in parts.skins {
            let place = OutputPlace::Named(format!("{}.{extension}", named.name));
            let bytes = self.skin_bytes(named.content, None)?;
            num_bytes += bytes.len();
            outputs.push(related_file(place, bytes));
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

    /// The values of the only clip.
    fn values(&self) -> Result<Vec<OutputFile>, WriteError> {
        self.limit("clips", self.model.clips.len(), 1)?;
        let mut parts = self.parts(true)?;
        let kept = parts.kept.animations.first().map(|bytes| bytes.to_vec());
        let values = kept.or_else(|| Some(parts.skills.pop()?.values));
        match values {
            // It can't be read by itself, without the skill that refers to it.
            Some(values) => Ok(vec![related_file(OutputPlace::Main, values)]),
            None => Err(self.lacks("clip")),
        }
    }

    /// The skeleton in a separate file, which readers find by name.
    fn skeleton_file(&self, skeleton: SkeletonRecord) -> Result<OutputFile, WriteError> {
        let extension = if self.is_text { "cmx" } else { "cmx.bcf" };
        let name = format!("{}-skeleton.{extension}", names::file_stem(&skeleton.name));
        let mut file = CharacterFile { skeletons: vec![skeleton], ..CharacterFile::default() };
        let bytes = self.character_bytes(&mut file, None)?;
        Ok(related_file(OutputPlace::Named(name), bytes))
    }

    fn character_bytes(
        &self,
        file: &mut CharacterFile,
        head: Option<&str>,
    ) -> Result<Vec<u8>, Cancelled> {
        if self.is_text {
            encode::cmx(file, head, self.report)
        } else {
            encode::bcf(file, self.report)
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
        Ok(if self.is_text {
            encode::skn(&mut skin, line_end, self.report)?
        } else {
            encode::bmf(&mut skin, self.report)?
        })
    }
}

fn related_file(place: OutputPlace, bytes: Vec<u8>) -> OutputFile {
    OutputFile { place, bytes, is_related_file: true, origins: Origins::default() }
}

/// Changes references to files whose names aren't valid; returns their number.
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

/// The preserved files of values, with the names used by the skills. A skill whose file was missing has no
/// clip.
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
