//! Which archives go together: no file names another, so those beside it are tried.
//!
//! A skeleton fits a mesh where it has every joint that the mesh names, and an animation where both
//! have as many joints. Of several the one is taken that the user gave, then the one whose bones
//! are as long as those of the bind pose (or lie where the animation begins), then the one whose
//! file name begins like this one's.
//! Not for: reading what was found into a model.

use std::cmp::Reverse;

use glam::{Affine3A, Vec3};

use super::animation::Animation;
use super::archive::first_tag;
use super::objects::{self, ANIMATION, RAW_ANIMATION, SKELETON};
use crate::formats::{Beside as File, Limits, ReadError, Source, common_prefix, stem};
use crate::model::{InverseBindSkin, Report, Skeleton};

/// How finely fits are told apart: differences of bone lengths as a part of these.
const FIT_STEPS: f32 = 20.0;

/// Not given, steps of misfit, common beginning of the names; less is better.
type Rank = (bool, i32, Reverse<usize>);

/// The archives beside the one being read.
pub(super) struct Beside<'a> {
    source: &'a Source,
    limits: &'a Limits,
    report: &'a Report,
    files: Vec<File>,
}

/// Animations that were found.
#[derive(Default)]
pub(super) struct Found {
    /// Name of each file without extension, and what it holds.
    pub(super) animations: Vec<(String, Animation)>,
    /// Files that fit and were left out, with the reason.
    pub(super) left_out: Vec<String>,
}

impl<'a> Beside<'a> {
    /// Looks at the front of every archive given, and of those in the same folder.
    ///
    /// # Errors
    /// When cancelled.
    pub(super) fn new(
        source: &'a Source,
        limits: &'a Limits,
        report: &'a Report,
    ) -> Result<Self, ReadError> {
        let mut files = source.beside("ozz", report)?;
        files.retain(|file| first_tag(&file.bytes).is_some());
        Ok(Self {
            source,
            limits,
            report,
            files,
        })
    }

    /// The skeleton that fits best, and its file; `misfit` is `None` where one does not fit at all.
    pub(super) fn skeleton(
        &self,
        misfit: impl Fn(&Skeleton) -> Option<f32>,
    ) -> Result<Option<(String, Skeleton)>, ReadError> {
        let mut best: Option<(Rank, &File, Skeleton)> = None;
        for file in self.files.iter().filter(|file| is_of(file, &[SKELETON])) {
            for skeleton in self.parse(file)?.skeletons {
                let Some(misfit) = misfit(&skeleton) else {
                    continue;
                };
                let prefix = common_prefix(&file.name, &self.source.name);
                let rank = (!file.is_given, steps(misfit), Reverse(prefix));
                if best.as_ref().is_none_or(|(known, ..)| rank < *known) {
                    best = Some((rank, file, skeleton));
                }
            }
        }
        Ok(best.map(|(_, file, skeleton)| {
            self.source.mark_used(&file.name);
            (file.name.clone(), skeleton)
        }))
    }

    /// All animations of `num_joints` joints: those given, else those of the folder.
    ///
    /// Raw ones, which repeat what the others have, and those named additive, which are offsets and
    /// no poses, are left out unless they are given.
    pub(super) fn animations(&self, num_joints: usize) -> Result<Found, ReadError> {
        let mut found = Found::default();
        // Who gives a skeleton or an animation wants these, and not all that lie around.
        let only_given = self
            .files
            .iter()
            .any(|file| file.is_given && is_of_bones(&file.bytes));
        for file in &self.files {
            // What another reader has put on the model already is not put there twice.
            if file.is_given && self.source.is_used(&file.name) {
                continue;
            }
            if !is_of(file, &[ANIMATION, RAW_ANIMATION]) || (only_given && !file.is_given) {
                continue;
            }
            for animation in self.parse(file)?.animations {
                if animation.tracks.len() != num_joints || !animation.fits_skeletons() {
                    continue;
                }
                let is_additive = file.name.to_ascii_lowercase().contains("additive");
                let reason = match (file.is_given, is_additive, animation.is_raw) {
                    (false, true, _) => "additive",
                    (false, false, true) => "raw",
                    _ => {
                        self.source.mark_used(&file.name);
                        found
                            .animations
                            .push((stem(&file.name).to_owned(), animation));
                        continue;
                    }
                };
                found.left_out.push(format!("{} ({reason})", file.name));
            }
        }
        Ok(found)
    }

    /// What a file holds; nothing where it cannot be read, which is told when it is opened.
    fn parse(&self, file: &File) -> Result<objects::Objects, ReadError> {
        match objects::read(&file.bytes, self.limits, &self.report.quiet()) {
            Err(ReadError::Cancelled) => Err(ReadError::Cancelled),
            other => Ok(other.unwrap_or_default()),
        }
    }
}

/// Whether a file begins with a skeleton or an animation.
pub(super) fn is_of_bones(bytes: &[u8]) -> bool {
    first_tag(bytes).is_some_and(|tag| [SKELETON, ANIMATION, RAW_ANIMATION].contains(&tag))
}

/// Whether the first object of a file is of one of these kinds.
fn is_of(file: &File, tags: &[&str]) -> bool {
    first_tag(&file.bytes).is_some_and(|tag| tags.contains(&tag))
}

/// A misfit as a whole number; what cannot be compared fits worst.
fn steps(misfit: f32) -> i32 {
    const WORST: f32 = 1000.0;
    let steps = (misfit * FIT_STEPS).round().min(WORST);
    #[expect(clippy::cast_possible_truncation, reason = "clamped just before")]
    match steps.is_finite() {
        true => steps as i32,
        false => i32::MAX,
    }
}

/// How much the lengths between joints differ between a bind pose and a skeleton's rest pose, as a
/// part of them; `None` where the skin names joints that the skeleton lacks.
pub(super) fn misfit_of_skin(skin: &InverseBindSkin, skeleton: &Skeleton) -> Option<f32> {
    let num = skeleton.len();
    let mut bind: Vec<Option<Vec3>> = vec![None; num];
    for (bone, inverse) in skin.bones.iter().zip(&skin.bone_from_mesh) {
        *bind.get_mut(bone.index())? = Some(inverse.inverse().w_axis.truncate());
    }
    let mut rest = vec![Affine3A::IDENTITY; num];
    // The nearest ancestor that has a bind pose.
    let mut anchors: Vec<Option<usize>> = vec![None; num];
    let (mut differences, mut lengths) = (0.0, 0.0);
    for bone in skeleton.parents_first() {
        let at = bone.index();
        let stored = skeleton.bones().get(at)?;
        let local = stored.rest_local.to_affine();
        let parent = stored.parent.map(|parent| parent.index());
        let above = parent.and_then(|parent| rest.get(parent)).copied();
        *rest.get_mut(at)? = above.unwrap_or(Affine3A::IDENTITY) * local;
        let anchor = parent.and_then(|parent| match bind.get(parent) {
            Some(Some(_)) => Some(parent),
            _ => anchors.get(parent).copied().flatten(),
        });
        *anchors.get_mut(at)? = anchor;
        let (Some(anchor), Some(&Some(here))) = (anchor, bind.get(at)) else {
            continue;
        };
        let there = bind.get(anchor).copied().flatten()?;
        let rest_length = (rest.get(at)?.translation - rest.get(anchor)?.translation).length();
        differences += ((here - there).length() - rest_length).abs();
        lengths += (here - there).length();
    }
    Some(if lengths > 0.0 {
        differences / lengths
    } else {
        0.0
    })
}

/// How far joints rest from where an animation begins, as a part of their distances to their
/// parents; `None` where the numbers of joints differ.
pub(super) fn misfit_of_animation(animation: &Animation, skeleton: &Skeleton) -> Option<f32> {
    if animation.tracks.len() != skeleton.len() {
        return None;
    }
    let (mut differences, mut lengths) = (0.0, 0.0);
    for (track, bone) in animation.tracks.iter().zip(skeleton.bones()) {
        let first = track.translation.as_ref().and_then(|t| t.values.first());
        let rest = bone.rest_local.to_trs().translation;
        if let (Some(&first), Some(_)) = (first, bone.parent) {
            differences += (first - rest).length();
            lengths += rest.length();
        }
    }
    Some(if lengths > 0.0 {
        differences / lengths
    } else {
        0.0
    })
}
