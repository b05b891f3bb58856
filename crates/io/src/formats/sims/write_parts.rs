//! Converts a model to the parts of its files: skeleton, skins, skills and images.
//!
//! Not for: distributing them to files (`write`).
#![expect(clippy::indexing_slicing, reason = "ids of a checked model index its own tables")]

use super::character_file::{BoneRecord, SkeletonRecord, Skill};
use super::names::{self, UniqueNames};
use super::originals::{self, Originals};
use super::rig::{Rig, RigBone};
use super::skeleton::NO_PARENT;
use super::skin_file::Skin;
use super::skin_images::{SUPPORTED_IMAGES, skin_textures};
use super::write_skill::SkillMaker;
use super::write_skin::SkinMaker;
use super::{AXES, cfp, cfp_pack, clips, read};
use crate::formats::added_bones::{WITHOUT_WEIGHTS, report_added_bone};
use crate::formats::related_images::{Naming, RelatedImages};
use crate::formats::rigged_model::as_skins;
use crate::formats::{OutputFile, WriteError, WriteOptions};
use rigscope_core::model::{
    ByteView, ClipId, FindingKind, LocalTransform, MeshId, MeshOrigins, Model, Place, Report,
    STILL_NAME, as_u32, display_text,
};
use rigscope_core::reshape;

/// Maximum number of influences per vertex.
const MAX_INFLUENCES: usize = 2;

/// A skin to write.
pub(super) struct NamedSkin {
    /// File name without extension, as used in a character file.
    pub(super) name: String,
    /// Bone for the suit.
    pub(super) bone: String,
    pub(super) content: SkinContent,
    /// Origins of its vertices.
    pub(super) origins: MeshOrigins,
}

pub(super) enum SkinContent {
    /// A BMF that was read.
    Original(ByteView),
    Made(Skin),
}

/// A skill to write.
pub(super) struct MadeSkill {
    pub(super) skill: Skill,
    pub(super) values: Vec<u8>,
}

/// The parts made from a model.
pub(super) struct FigureParts {
    /// `None` if the model was read without one.
    pub(super) skeleton: Option<SkeletonRecord>,
    pub(super) skins: Vec<NamedSkin>,
    /// Skills of clips that weren't read from the game's files.
    pub(super) skills: Vec<MadeSkill>,
    /// Images of all skins.
    pub(super) images: Vec<OutputFile>,
    pub(super) kept: Originals,
}

/// A model being written.
pub(super) struct Writer<'a> {
    pub(super) format: &'static str,
    pub(super) is_text: bool,
    pub(super) model: &'a Model,
    pub(super) options: &'a WriteOptions,
    pub(super) report: &'a Report,
}

impl Writer<'_> {
    /// Makes all parts of the model, with or without clips.
    pub(super) fn parts(&self, with_clips: bool) -> Result<FigureParts, WriteError> {
        let kept = Originals::of(self.model);
        let num_meshes = self.model.meshes.len();
        let num_clips = if with_clips { self.model.clips.len() } else { 0 };
        let num_kept_clips = kept.animations.len().min(num_clips);
        let has_skins = kept.skins.len() == num_meshes;
        let has_clips = num_kept_clips == num_clips;
        let mut unique = UniqueNames::default();
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
        let worn = skin_textures(self.model, 0..skins.len());
        let places = &self.options.images;
        let worn = RelatedImages::with_stored_names(self.model, worn, places, self.report);
        let mut images: Vec<OutputFile> = worn.files().collect();
        if has_skins && has_clips && is_known {
            return Ok(FigureParts {
                skeleton: kept.skeleton.clone(),
                skins,
                skills: Vec::new(),
                images,
                kept,
            });
        }
        let (moved, num_made, before) = reshape::with_normals(&reshape::in_axes(self.model, &AXES));
        let made = FindingKind::NormalsMade;
        self.report.add_many(made, Place::File, num_made as u64, || {
            "normals were computed for meshes without normals".to_owned()
        });
        let plain = as_skins(&reshape::plain(&moved, None), self.report);
        let (plain, _) = reshape::with_influences(&plain, MAX_INFLUENCES);
        let rig = Rig::of(&plain);
        let bones = self.bone_names(&rig, &plain);
        let stem = self.stem();
        let naming = Naming {
            takes: SUPPORTED_IMAGES,
            spell: |own| names::texture(&format!("{own}.bmp")),
            ..Naming::of(&stem)
        };
        let worn = skin_textures(&plain, skins.len()..num_meshes);
        let beside = RelatedImages::of(&plain, worn, &naming, places, self.report);
        let maker = SkinMaker::new(&plain, &moved, &rig, &bones, &beside, self.report);
        for number in skins.len()..num_meshes {
            let own = before.meshes.get(number);
            self.made_skins(&maker, number, own, &mut unique, &mut skins)?;
        }
        self.report_names("mesh", unique.num_changed);
        images.extend(beside.files());
        let skills = SkillMaker { plain: &plain, rig: &rig, bones: &bones, report: self.report };
        let skills = self.made_skills(&skills, num_kept_clips, num_clips, &kept)?;
        let is_lone = rig.bones.len() < 2 && is_without_places(&plain) && skills.is_empty();
        let skeleton = match (kept.skeleton.clone(), is_lone && num_meshes > 0) {
            (Some(skeleton), _) => Some(skeleton),
            (None, true) => None,
            (None, false) => Some(self.skeleton(&rig, &bones, &skills)),
        };
        Ok(FigureParts { skeleton, skins, skills, images, kept })
    }

    fn bone_names(&self, rig: &Rig, plain: &Model) -> Vec<String> {
        let mut unique = UniqueNames::bones();
        let names = rig.bones.iter().map(|bone| {
            let own = bone.source.map(|source| &plain.skeleton.bones()[source]);
            let wanted = own.map_or("", |bone| &bone.name);
            let unnamed = || match bone.source {
                Some(source) => format!("BONE{}", source.0),
                // The only bone of an accessory.
                None if rig.bones.len() == 1 => {
                    report_added_bone("ROOT", "because the format needs a bone", self.report);
                    "ROOT".to_owned()
                }
                None => {
                    let reason = WITHOUT_WEIGHTS;
                    report_added_bone(STILL_NAME, reason, self.report);
                    STILL_NAME.to_owned()
                }
            };
            unique.take(wanted, names::or(names::storable(wanted), unnamed))
        });
        let names = names.collect();
        self.report_names("bone", unique.num_changed);
        names
    }

    pub(super) fn report_names(&self, what: &str, num: u64) {
        let (kind, place) = (FindingKind::ChangedName, Place::File);
        self.report.add_many(kind, place, num, || format!("the name of a {what} was changed"));
    }

    /// The skeleton to write. Flags depend on the skills: only bones that some skill translates, and roots,
    /// may translate; every bone may rotate and be blended.
    fn skeleton(&self, rig: &Rig, bones: &[String], skills: &[MadeSkill]) -> SkeletonRecord {
        let motions = skills.iter().flat_map(|made| &made.skill.motions);
        let moving: std::collections::BTreeSet<&str> = motions
            .filter(|motion| motion.has_positions != 0)
            .map(|motion| &*motion.bone)
            .collect();
        let record = |(bone, name): (&RigBone, &String)| {
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

    fn made_skins(
        &self,
        maker: &SkinMaker<'_>,
        number: usize,
        before: Option<&MeshOrigins>,
        unique: &mut UniqueNames,
        skins: &mut Vec<NamedSkin>,
    ) -> Result<(), WriteError> {
        let own = self.model.meshes.get(MeshId::from_index(number)).map_or("", |mesh| &mesh.name);
        let made = maker.skins(number)?;
        if made.len() > 1 {
            let place = Place::Mesh(as_u32(number));
            self.report.add_many(FindingKind::MeshSplit, place, 1, || {
                let own = if own.is_empty() { self.stem() } else { own.to_owned() };
                let own = display_text::name(&own).into_owned();
                format!("mesh {own:?} is written as {} meshes, one per material", made.len())
            });
        }
        for (part, (mut skin, order)) in made.into_iter().enumerate() {
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

    /// The skills of clips `from..to`, with names different from those of preserved skills.
    fn made_skills(
        &self,
        maker: &SkillMaker<'_>,
        from: usize,
        to: usize,
        kept: &Originals,
    ) -> Result<Vec<MadeSkill>, WriteError> {
        let (mut unique, mut files) = (UniqueNames::default(), UniqueNames::default());
        for skill in kept.character.iter().flat_map(|(_, file)| &file.skills) {
            unique.take("", skill.name.clone());
            files.take("", skill.animation.clone());
        }
        maker.check_keys(from..to, self.options)?;
        let mut skills = Vec::new();
        let (mut num_values, mut num_bytes) = (0, 0);
        for number in from..to {
            let (mut skill, columns) = maker.skill(number)?;
            let num = clips::num_values(&skill).unwrap_or(usize::MAX);
            self.limit("values in one clip", num, cfp::MAX_VALUES)?;
            let own =
                self.model.clips.get(ClipId::from_index(number)).map_or("", |clip| &clip.name);
            let stored = names::or(names::storable(own), || format!("clip {number}"));
            skill.name = unique.take(own, stored);
            let file = format!("xskill-{}-{}", self.stem(), names::file_stem(&skill.name));
            skill.animation = files.take("", file);
            let values = cfp_pack::pack(&columns);
            num_values += num;
            num_bytes += values.len();
            skills.push(MadeSkill { skill, values });
        }
        self.report_names("clip", unique.num_changed);
        self.limit("clips", skills.len(), read::MAX_SKILLS)?;
        // The limit that readers of the format apply.
        let most = 3 * read::MAX_FRAMES + num_bytes;
        self.limit("values in all clips", num_values, most)?;
        Ok(skills)
    }

    /// The main file's name as used in other files.
    pub(super) fn stem(&self) -> String {
        names::or(names::file_stem(&self.options.stem), || "figure".to_owned())
    }

    pub(super) fn lacks(&self, what: &'static str) -> WriteError {
        WriteError::NothingToWrite { format: self.format, what }
    }

    pub(super) fn limit(
        &self,
        what: &'static str,
        count: usize,
        limit: usize,
    ) -> Result<(), WriteError> {
        if count <= limit {
            Ok(())
        } else {
            Err(WriteError::TooMany {
                format: self.format,
                what,
                count: count as u64,
                limit: limit as u64,
            })
        }
    }
}

/// The vertices of a mesh from which those in `order` were made, with the origins `before`.
fn sources(order: Vec<u32>, before: Option<&MeshOrigins>) -> Vec<u32> {
    match before {
        Some(MeshOrigins::Of(_, sources)) => {
            let source = |at: u32| sources.get(at as usize).copied().unwrap_or(u32::MAX);
            order.into_iter().map(source).collect()
        }
        _ => order,
    }
}

/// Whether all bones are at the origin, as in a model whose skeleton wasn't found.
fn is_without_places(model: &Model) -> bool {
    let mut bones = model.skeleton.bones().iter();
    bones.all(|bone| bone.parent.is_none() && bone.rest_local == LocalTransform::default())
}
