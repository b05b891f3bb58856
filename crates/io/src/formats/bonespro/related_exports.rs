//! Matches structure and animation files: by the numbers of bones and vertices, and by the distances of bones
//! from their parents.
//!
//! Not for: files of other formats; see `borrowed_faces`.

use std::sync::Arc;

use glam::Vec3;

use super::animation::{self, Animation};
use super::grammar::{System, without_comments};
use super::sniff::{self, Head};
use super::structure::{self, Structure};
use crate::formats::related_file_choice::{self, LEAST_FIT, RatedRelatedFile, SAME_FIT};
use crate::formats::text::decode;
use crate::formats::{self, PROBE_WINDOW_BYTES, ReadError, ReadOptions, Source, common_prefix};
use rigscope_core::model::{RelatedFileRole, RelatedFileUse, Report};
use rigscope_core::pose::fit_of_offsets;

/// A candidate file.
struct File {
    name: String,
    bytes: Arc<Vec<u8>>,
    is_given: bool,
    head: Head,
}

/// The exports in the same folder and those supplied by the user.
pub(super) struct RelatedExports<'a> {
    source: &'a Source,
    options: &'a ReadOptions,
    report: &'a Report,
    files: Vec<File>,
}

pub(super) struct FoundStructure {
    pub(super) name: String,
    pub(super) structure: Structure,
    pub(super) bytes: Arc<Vec<u8>>,
}

pub(super) struct FoundAnimation {
    pub(super) name: String,
    pub(super) animation: Animation,
    pub(super) bytes: Arc<Vec<u8>>,
    pub(super) is_given: bool,
    /// Whether another reader has already added it to the model.
    pub(super) is_used: bool,
    /// How well it fits the structure; `None` if nothing can be compared.
    pub(super) fit: Option<f32>,
}

impl<'a> RelatedExports<'a> {
    /// Examines the beginning of every supplied file and of the text files in the same folder.
    ///
    /// # Errors If cancelled.
    pub(super) fn new(
        source: &'a Source,
        options: &'a ReadOptions,
        report: &'a Report,
    ) -> Result<Self, ReadError> {
        let files = source.related_file_candidates("txt", report)?;
        let files = files.into_iter().filter_map(File::of).collect();
        Ok(Self { source, options, report, files })
    }

    /// The structure that an animation fits best.
    pub(super) fn structure(
        &self,
        animation: &Animation,
    ) -> Result<Option<FoundStructure>, ReadError> {
        let mut structures = self.structures(animation.num_bones, animation.num_vertices)?;
        let rate = |(file, structure): &(&File, Structure)| RatedRelatedFile {
            file: file.name.clone(),
            is_given: file.is_given,
            fit: fit(structure, animation),
            prefix: common_prefix(&file.name, &self.source.name),
            refusal: None,
        };
        let rated: Vec<RatedRelatedFile> = structures.iter().map(rate).collect();
        let taken = related_file_choice::best(&rated);
        let role = RelatedFileRole::Skeleton;
        related_file_choice::report_all(&rated, taken, role, "the animation", self.report);
        let Some(taken) = taken else { return Ok(None) };
        let (file, structure) = structures.swap_remove(taken);
        self.source.mark_used(&file.name);
        Ok(Some(FoundStructure {
            name: file.name.clone(),
            structure,
            bytes: Arc::clone(&file.bytes),
        }))
    }

    /// All structures with these numbers of bones and vertices.
    fn structures(
        &self,
        num_bones: usize,
        num_vertices: usize,
    ) -> Result<Vec<(&File, Structure)>, ReadError> {
        let mut found = Vec::new();
        for file in &self.files {
            let fits = match file.head {
                Head::Structure { num_bones: b, num_vertices: v } => {
                    usize::try_from(b) == Ok(num_bones) && usize::try_from(v) == Ok(num_vertices)
                }
                Head::Animation { .. } => false,
            };
            if !fits {
                continue;
            }
            let text = decode(&file.bytes);
            let text = without_comments(&text);
            let read = structure::read(&text, &self.options.limits, &self.report.quiet());
            found.extend(unless_cancelled(read)?.map(|structure| (file, structure)));
        }
        Ok(found)
    }

    /// All animations with these numbers of bones and vertices, except those that fit `structure` (the file
    /// being read) badly or another one better.
    pub(super) fn animations(
        &self,
        num_bones: usize,
        num_vertices: usize,
        structure: Option<&Structure>,
    ) -> Result<Vec<FoundAnimation>, ReadError> {
        let others = match structure {
            Some(_) => self.structures(num_bones, num_vertices)?,
            None => Vec::new(),
        };
        let mut found = Vec::new();
        for file in &self.files {
            let fits = match file.head {
                Head::Animation { num_bones: b, num_vertices: v } => {
                    usize::try_from(b) == Ok(num_bones) && usize::try_from(v) == Ok(num_vertices)
                }
                Head::Structure { .. } => false,
            };
            if !fits {
                continue;
            }
            let text = decode(&file.bytes);
            let text = without_comments(&text);
            let read = animation::read(&text, &self.options.limits, &self.report.quiet());
            let Some(animation) = unless_cancelled(read)? else { continue };
            let fit = structure.and_then(|structure| fit(structure, &animation));
            let misfit = match (structure, file.is_given) {
                (Some(_), false) => self.misfit(file, &animation, fit, &others),
                _ => None,
            };
            if let Some(why) = misfit {
                self.report.related_file(RelatedFileUse {
                    fit,
                    ..RelatedFileUse::unused(&file.name, RelatedFileRole::Animation, why)
                });
                continue;
            }
            found.push(FoundAnimation {
                name: file.name.clone(),
                animation,
                bytes: Arc::clone(&file.bytes),
                is_given: file.is_given,
                is_used: file.is_given && self.source.is_used(&file.name),
                fit,
            });
        }
        Ok(found)
    }

    /// Why an animation in the folder doesn't belong to this structure; `None` if it does.
    fn misfit(
        &self,
        file: &File,
        animation: &Animation,
        own: Option<f32>,
        others: &[(&File, Structure)],
    ) -> Option<&'static str> {
        if own.is_some_and(|own| own < LEAST_FIT) {
            return Some("does not fit the structure");
        }
        let prefix = common_prefix(&file.name, &self.source.name);
        let is_better = |(other_file, other): &(&File, Structure)| {
            let is_nearer = common_prefix(&file.name, &other_file.name) > prefix;
            match (fit(other, animation), own) {
                (Some(other), Some(own)) if (other - own).abs() > SAME_FIT => other > own,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                _ => is_nearer,
            }
        };
        let belongs_elsewhere = others.iter().any(is_better);
        belongs_elsewhere.then_some("another structure fits it better")
    }
}

/// Share of bones whose distance from the parent matches the structure; `None` if the animation has no bones.
/// Independent of the convention of transforms.
fn fit(structure: &Structure, animation: &Animation) -> Option<f32> {
    let keys = animation.bone_keys(0);
    let pair = |(at, bone): (usize, &structure::StoredBone)| {
        let parent = bone.parent?;
        let above = structure.bones.get(parent)?.transform.translation;
        let bound = bone.transform.translation.distance(above);
        let own = keys.get(at)?.transform.translation;
        let shown = match animation.system {
            System::RelativeToParent => own.length(),
            System::Absolute => own.distance(keys.get(parent)?.transform.translation),
        };
        let length = |length: f64| Vec3::X * narrow(length);
        Some((length(bound), length(shown)))
    };
    let pairs = structure.bones.iter().enumerate().filter_map(pair);
    fit_of_offsets(&pairs.collect::<Vec<_>>())
}

#[expect(clippy::cast_possible_truncation, reason = "the first digits of a length are enough")]
fn narrow(length: f64) -> f32 {
    length as f32
}

impl File {
    /// The file, if it's an export.
    fn of(file: formats::RelatedFileCandidate) -> Option<Self> {
        let front = file.bytes.get(..PROBE_WINDOW_BYTES).unwrap_or(&file.bytes);
        Some(Self {
            head: sniff::head(front)?,
            name: file.name,
            bytes: file.bytes,
            is_given: file.is_given,
        })
    }
}

/// The result; `None` if the file can't be read, which is reported when that file is opened.
fn unless_cancelled<T>(read: Result<T, ReadError>) -> Result<Option<T>, ReadError> {
    match read {
        Err(ReadError::Cancelled) => Err(ReadError::Cancelled),
        other => Ok(other.ok()),
    }
}
