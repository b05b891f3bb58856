//! Finds the skeleton for a mesh or a skill among the surrounding files.
//!
//! Candidates are character files (`.cmx`, `.cmx.bcf`): supplied ones first, then those with `skeleton` in
//! the name, those of the figure's kind (adult, child, dog, cat) before others. The fit is the share of the
//! required bones that a skeleton has. Of equally good skeletons the first is used.

use super::character_file::{CharacterFile, SkeletonRecord};
use super::library::{Library, has_extension};
use super::{parse, skeleton};
use crate::formats::related_file_choice::{self, RatedRelatedFile};
use crate::formats::{ReadError, ReadOptions, last_part};
use rigscope_core::model::{RelatedFileRole, Report};

/// Maximum number of files examined.
const MAX_LOOKS: usize = 128;
/// Maximum number of further files examined once a skeleton has all bones, to report alternatives.
const MAX_OTHERS: usize = 16;
/// Maximum number of skeletons examined per file.
const MAX_SKELETONS: usize = 64;

/// A skeleton from another file.
pub(super) struct FoundSkeleton {
    pub(super) record: SkeletonRecord,
    /// Path of the file.
    pub(super) from: String,
    /// The skills of the file, if the user supplied it.
    pub(super) given: Option<CharacterFile>,
}

/// The kind of figure according to a file name: part of a skeleton's file name.
///
/// Skins are `xskin-b001fafit_01-…` (part, number, sex, **age**), skills `a2o-walking-loop`.
pub(super) fn kind_of_figure(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    if let Some(rest) = name.strip_prefix("xskin-") {
        let mut letters = rest.chars().skip(4);
        let sex = letters.next()?;
        return match (matches!(sex, 'f' | 'm' | 'u'), letters.next()?) {
            (true, 'a') => Some("adult"),
            (true, 'c') => Some("child"),
            _ => None,
        };
    }
    let rest = name.strip_prefix("xskill-").unwrap_or(&name);
    let kinds = [
        ("a2", "adult"),
        ("c2", "child"),
        ("k2", "kat"),
        ("f2", "kat"),
        ("d2", "dog"),
        ("effects", "effects"),
    ];
    let mut kinds = kinds.into_iter();
    kinds.find(|(prefix, _)| rest.starts_with(prefix)).map(|(_, kind)| kind)
}

/// The skeleton with most of `bones`.
pub(super) fn find(
    library: &mut Library,
    bones: &[String],
    kind: Option<&str>,
    options: &ReadOptions,
    report: &Report,
) -> Result<Option<FoundSkeleton>, ReadError> {
    let first = look(library, bones, kind, options, report)?;
    let has_all = |found: &FoundSkeleton| skeleton::num_known(&found.record, bones) == bones.len();
    if first.as_ref().is_some_and(has_all) || !library.open_folder_archives(report)? {
        return Ok(taken(library, first));
    }
    let second = look(library, bones, kind, options, report)?;
    Ok(taken(library, second.or(first)))
}

fn taken(library: &Library, found: Option<FoundSkeleton>) -> Option<FoundSkeleton> {
    if let Some(found) = &found {
        library.mark_used(&found.from);
    }
    found
}

fn look(
    library: &Library,
    bones: &[String],
    kind: Option<&str>,
    options: &ReadOptions,
    report: &Report,
) -> Result<Option<FoundSkeleton>, ReadError> {
    let is_character = |path: &str| has_extension(path, "cmx") || has_extension(path, "bcf");
    let mut candidates = library.candidates(is_character);
    // Stable sort, so that equal candidates stay ordered by depth.
    candidates.sort_by_cached_key(|candidate| {
        let name = last_part(&candidate.path).to_lowercase();
        let is_of_kind = kind.is_none_or(|kind| name.contains(kind));
        (!candidate.is_given(), !name.contains("skeleton"), !is_of_kind)
    });
    let mut best: Option<(usize, FoundSkeleton)> = None;
    let (mut rated, mut taken, mut num_others) = (Vec::new(), None, 0);
    for candidate in candidates.into_iter().take(MAX_LOOKS) {
        report.progress("looking for a skeleton", 0.3)?;
        if best.as_ref().is_some_and(|(num, _)| *num == bones.len()) {
            // This can't be improved; other skeleton files are only reported.
            let name = last_part(&candidate.path).to_lowercase();
            if num_others >= MAX_OTHERS || !(candidate.is_given() || name.contains("skeleton")) {
                break;
            }
            num_others += 1;
        }
        let Some(bytes) = library.peek(&candidate) else { continue };
        if !parse::may_have_skeleton(&bytes) {
            continue;
        }
        let Ok(file) = parse::character(&bytes, options, &report.quiet()) else { continue };
        let Some((num, record)) = best_of(&file.skeletons, bones) else { continue };
        let is_usable = num * 2 >= bones.len()
            && skeleton::build("cmx", record, &options.limits, &report.quiet()).is_ok();
        rated.push(RatedRelatedFile {
            file: candidate.path.clone(),
            is_given: candidate.is_given(),
            fit: Some(num as f32 / bones.len().max(1) as f32),
            refusal: if is_usable {
                None
            } else {
                Some(format!("has {num} of the {} bones", bones.len()))
            },
            ..RatedRelatedFile::default()
        });
        if is_usable && best.as_ref().is_none_or(|(known, _)| num > *known) {
            let found = FoundSkeleton {
                record: record.clone(),
                from: candidate.path.clone(),
                given: candidate.is_given().then_some(file),
            };
            best = Some((num, found));
            taken = Some(rated.len() - 1);
        }
    }
    let role = RelatedFileRole::Skeleton;
    related_file_choice::report_all(&rated, taken, role, "the bones by name", report);
    Ok(best.map(|(_, found)| found))
}

/// The first skeleton with most of `bones`, and their number. Files usually have one; only the first few are
/// examined.
pub(super) fn best_of<'a>(
    skeletons: &'a [SkeletonRecord],
    bones: &[String],
) -> Option<(usize, &'a SkeletonRecord)> {
    let mut best: Option<(usize, &SkeletonRecord)> = None;
    for record in skeletons.iter().take(MAX_SKELETONS) {
        let num = skeleton::num_known(record, bones);
        if best.is_none_or(|(known, _)| num > known) {
            best = Some((num, record));
        }
    }
    best
}
