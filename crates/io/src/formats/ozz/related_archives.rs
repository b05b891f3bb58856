//! Finds archives that belong together. Archives don't refer to each other, so those in the same folder are
//! tried.
//!
//! A skeleton fits a mesh if its joints are placed relative to their parents as in the bind pose of the mesh.
//! It fits an animation if both have the same number of joints and the animation starts near the rest pose.
//! The fit is measured by `pose::fit_of_binds`, and the best is used; if several fit equally well, names
//! decide. A bad fit isn't used, because a wrong skeleton is worse than none.
//! Not for: building the model.

use super::animation::Animation;
use super::archive::first_tag;
use super::objects::{self, ANIMATION, RAW_ANIMATION, RAW_SKELETON, SKELETON};
use super::track::kind_of;
use crate::formats::related_file_choice::{self, LEAST_FIT, RatedRelatedFile, SAME_FIT};
use crate::formats::{
    Limits, ReadError, RelatedFileCandidate as File, Source, common_prefix, stem,
};
use rigscope_core::model::{RelatedFileRole, RelatedFileUse, Report, Skeleton};
use rigscope_core::pose::fit_of_tracks;

/// The related archives of the one being read.
pub(super) struct RelatedArchives<'a> {
    source: &'a Source,
    limits: &'a Limits,
    report: &'a Report,
    files: Vec<File>,
    /// All skeletons in the files, each with its file number.
    skeletons: Vec<(usize, Skeleton)>,
}

#[derive(Default)]
pub(super) struct FoundAnimations {
    /// Animations with the name of their file without extension.
    pub(super) animations: Vec<(String, Animation)>,
    /// Files that were left out although they have the same number of joints, with the reason.
    pub(super) left_out: Vec<String>,
}

impl<'a> RelatedArchives<'a> {
    /// Examines the beginning of every supplied archive and of those in the same folder.
    ///
    /// # Errors If cancelled.
    pub(super) fn new(
        source: &'a Source,
        limits: &'a Limits,
        report: &'a Report,
    ) -> Result<Self, ReadError> {
        let mut files = source.related_file_candidates("ozz", report)?;
        files.retain(|file| first_tag(&file.bytes).is_some());
        let mut beside = Self { source, limits, report, files, skeletons: Vec::new() };
        for (number, file) in beside.files.iter().enumerate() {
            // A raw skeleton in the folder is the source of the skeleton next to it.
            if is_of(file, &[SKELETON]) || (file.is_given && is_of(file, &[RAW_SKELETON])) {
                let found = beside.parse(file)?.skeletons.into_iter();
                beside.skeletons.extend(found.map(|found| (number, found)));
            }
        }
        Ok(beside)
    }

    /// The skeleton that fits best, with its file number. `fit` returns the fit, or why it can't be used.
    pub(super) fn skeleton(
        &self,
        what: &str,
        fit: impl Fn(&Skeleton) -> Result<Option<f32>, String>,
    ) -> Option<(String, Skeleton)> {
        let rate = |(number, skeleton): &(usize, Skeleton)| {
            let file = self.files.get(*number)?;
            let (fit, refusal) = match fit(skeleton) {
                Ok(fit) => (fit, None),
                Err(refusal) => (None, Some(refusal)),
            };
            Some(RatedRelatedFile {
                file: file.name.clone(),
                is_given: file.is_given,
                fit,
                prefix: common_prefix(&file.name, &self.source.name),
                refusal,
            })
        };
        let rated: Vec<RatedRelatedFile> = self.skeletons.iter().filter_map(rate).collect();
        let taken = related_file_choice::best(&rated);
        related_file_choice::report_all(
            &rated,
            taken,
            RelatedFileRole::Skeleton,
            what,
            self.report,
        );
        let (number, skeleton) = self.skeletons.get(taken?)?;
        let file = self.files.get(*number)?;
        self.source.mark_used(&file.name);
        Some((file.name.clone(), skeleton.clone()))
    }

    /// All animations that fit the skeleton of the file `skeleton_file`: supplied ones, or else those in the
    /// folder.
    ///
    /// Raw animations, which duplicate others, and additive ones (by name), which are offsets instead of
    /// poses, are left out unless the user supplied them.
    pub(super) fn animations(
        &self,
        skeleton: &Skeleton,
        skeleton_file: &str,
    ) -> Result<FoundAnimations, ReadError> {
        let mut found = FoundAnimations::default();
        for file in self.files.iter().filter(|file| !file.is_given) {
            if first_tag(&file.bytes).is_some_and(|tag| kind_of(tag).is_some()) {
                let why = "curves that move no joint";
                let role = RelatedFileRole::Animation;
                self.report.related_file(RelatedFileUse::unused(&file.name, role, why));
            }
        }
        let is_animation = |file: &&File| is_of(file, &[ANIMATION, RAW_ANIMATION]);
        let num_given =
            (self.files.iter().filter(is_animation)).filter(|file| file.is_given).count();
        for file in self.files.iter().filter(is_animation) {
            // Another reader may already have added the animation to the model.
            if file.is_given && self.source.is_used(&file.name) {
                continue;
            }
            let tell = |is_used: bool, fit: Option<f32>, why: &str| {
                self.report.related_file(RelatedFileUse {
                    fit,
                    is_used,
                    is_found: !file.is_given,
                    ..RelatedFileUse::unused(&file.name, RelatedFileRole::Animation, why)
                });
            };
            for animation in self.parse(file)?.animations {
                let (num, wanted) = (animation.tracks.len(), skeleton.len());
                if num != wanted || !animation.fits_skeletons() {
                    let why = if num == wanted {
                        "numbers joints as ozz did before 0.11".to_owned()
                    } else {
                        format!("has {num} joints, the skeleton {wanted}")
                    };
                    tell(false, None, &why);
                    continue;
                }
                let fit = fit_of_tracks(&animation.tracks, skeleton);
                let is_additive = file.name.to_ascii_lowercase().contains("additive");
                let reason = match file.is_given {
                    // A single supplied animation is the one that the user wants to see.
                    true if num_given == 1 || is_additive => None,
                    true => self.misfit(&animation, skeleton, skeleton_file, file),
                    // If the user supplies animations, the others aren't wanted.
                    false if num_given > 0 => Some("other files were given"),
                    false if is_additive => Some("additive"),
                    false if animation.is_raw => Some("raw"),
                    false => self.misfit(&animation, skeleton, skeleton_file, file),
                };
                if let Some(reason) = reason {
                    tell(false, fit, reason);
                    if file.is_given || num_given == 0 {
                        found.left_out.push(format!("{} ({reason})", file.name));
                    }
                    continue;
                }
                tell(
                    true,
                    fit,
                    match file.is_given {
                        true => "given by the user",
                        false if fit.is_none() => "has as many joints as the skeleton",
                        false => "has as many joints as the skeleton, and fits it",
                    },
                );
                related_file_choice::report_fit(&file.name, fit, "the skeleton", self.report);
                self.source.mark_used(&file.name);
                let name = stem(&file.name).to_owned();
                found.animations.push((name, animation));
            }
        }
        Ok(found)
    }

    /// Why an animation with the same number of joints doesn't belong to this skeleton: it fits badly, or
    /// another skeleton in the folder fits better. `None` if it belongs.
    fn misfit(
        &self,
        animation: &Animation,
        skeleton: &Skeleton,
        skeleton_file: &str,
        file: &File,
    ) -> Option<&'static str> {
        let fit = fit_of_tracks(&animation.tracks, skeleton);
        if fit.is_some_and(|fit| fit < LEAST_FIT) {
            return Some("does not fit the skeleton");
        }
        let prefix = common_prefix(&file.name, skeleton_file)
            .max(common_prefix(&file.name, &self.source.name));
        let belongs_to = |(number, other): &(usize, Skeleton)| {
            let other_file = self.files.get(*number).map_or("", |file| &*file.name);
            if other.len() != skeleton.len() || other == skeleton {
                return false;
            }
            let other_prefix = common_prefix(&file.name, other_file);
            match (fit_of_tracks(&animation.tracks, other), fit) {
                (Some(other_fit), Some(fit)) if other_fit > fit + SAME_FIT => true,
                (Some(other_fit), Some(fit)) if other_fit < fit - SAME_FIT => false,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                // If nothing can be compared, names decide.
                (None, None) => other_prefix >= prefix,
                (Some(_), Some(_)) => other_prefix > prefix,
            }
        };
        let belongs_elsewhere = self.skeletons.iter().any(belongs_to);
        belongs_elsewhere.then_some("another skeleton fits it better")
    }

    /// The objects of a file; empty if it can't be read, which is reported when that file is opened.
    fn parse(&self, file: &File) -> Result<objects::Objects, ReadError> {
        match objects::read(&file.bytes, self.limits, &self.report.quiet()) {
            Err(ReadError::Cancelled) => Err(ReadError::Cancelled),
            other => Ok(other.unwrap_or_default()),
        }
    }
}

pub(super) fn is_of_bones(bytes: &[u8]) -> bool {
    let kinds = [SKELETON, RAW_SKELETON, ANIMATION, RAW_ANIMATION];
    first_tag(bytes).is_some_and(|tag| kinds.contains(&tag))
}

/// Whether the first object of a file has one of these tags.
fn is_of(file: &File, tags: &[&str]) -> bool {
    first_tag(&file.bytes).is_some_and(|tag| tags.contains(&tag))
}
