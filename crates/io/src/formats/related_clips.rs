//! Adds the clips of supplied files to a model, or their meshes if they have no clips.

mod maps;

use std::sync::Arc;

use super::related_file_choice::{self, LEAST_FIT, RatedRelatedFile};
use super::{
    FORMATS, Format, ReadError, ReadOptions, RigFiles, Source, borrowed_faces, choose,
    common_prefix, stem,
};
use rigscope_core::model::{
    BoneId, ClipSource, FindingKind, Mesh, Model, Motion, Place, RelatedFileRole, RelatedFileUse,
    Report, Skin, check,
};
use rigscope_core::pose::transfer::{self, RetargetOptions};
use rigscope_core::rig::{BodyBones, BonePairs, pair_bones};

use maps::GivenMaps;

/// The thing that clips of other files should fit, for messages.
const WHAT: &str = "the model's bones";
/// Ends the reason why a file isn't used if its bones could be matched by their order.
pub const MATCH_BY_ORDER: &str = "; match bones by their order to use it anyway";

/// Reads every supplied file that no reader has used, and adds its clips to `model`.
///
/// # Errors
/// Only if cancelled; files that can't be used are reported.
pub(super) fn add_clips(
    model: &mut Model,
    format: &Format,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<(), ReadError> {
    // A supplied folder may contain the file itself.
    for same in source.related_files.iter().filter(|other| source.content.equals(&other.bytes)) {
        source.mark_used(&same.name);
    }
    // Files that readers have already rejected, with the reason.
    let rejected: Vec<RelatedFileUse> = (report.related_files().into_iter())
        .filter(|file| match file.role {
            RelatedFileRole::Animation => !file.is_used,
            // Such files have a skeleton or animations, but never both.
            RelatedFileRole::Skeleton => !file.is_used && format.reader.rig_files.is_some(),
            _ => false,
        })
        .collect();
    let mut maps = GivenMaps::of(source, options, report);
    let mut unused = Vec::new();
    let mut unreadable = Vec::new();
    for number in 0..source.related_files.len() {
        let Some(other) = source.of_related_file(number) else { continue };
        if source.is_used(&other.name) || super::textures::is_image(&other.name) {
            continue;
        }
        let name = other.name.clone();
        if let Some(file) = rejected.iter().find(|file| file.file == name) {
            unused.push((name, file.role, file.why.clone()));
            continue;
        }
        let options = ReadOptions { format: None, up: None, images: false, ..options.clone() };
        // Findings about the other file itself are reported when it is opened.
        let quiet = report.quiet();
        let format = choose(&other, &options, &quiet);
        let rig_files = format.as_ref().ok().and_then(|format| format.reader.rig_files);
        let role = rig_files.and_then(|files| (files.role)(other.content.front()));
        let read = format.and_then(|format| borrowed_faces::read(format, &other, &options, &quiet));
        // Files that the other file uses are in use.
        let found = quiet.related_files().into_iter();
        found.filter(|file| file.is_used).for_each(|file| report.related_file(file));
        match read {
            Ok(mut curves) if !curves.value_tracks.is_empty() && curves.clips.is_empty() => {
                check::check(&mut curves, &quiet);
                model.value_tracks.append(&mut curves.value_tracks);
                source.mark_used(&name);
                let role = RelatedFileRole::Animation;
                let why = "given by the user; curves that move no bone";
                report.related_file(RelatedFileUse::used(&name, role, why));
            }
            // A mesh file's clips come from other files, which are handled separately.
            Ok(mut animation)
                if !animation.clips.is_empty() && role != Some(RelatedFileRole::Mesh) =>
            {
                check::check(&mut animation, &quiet);
                let given = maps.pairs(&animation, model, [&name, &source.name]);
                match add_animation(model, &animation, &name, &given, &options, report) {
                    Ok(()) => {
                        report_dropped(&name, &quiet, report);
                        source.mark_used(&name);
                    }
                    Err(why) => unused.push((name, RelatedFileRole::Animation, why)),
                }
            }
            // The reader may have used it as a related file of another file read here.
            Ok(_) if source.is_used(&name) => {}
            // A file with both is an animation that contains a copy of the mesh.
            Ok(mut skin) if !skin.meshes.is_empty() => {
                check::check(&mut skin, &quiet);
                let role = RelatedFileRole::Skin;
                let fit = transfer::fit_of_meshes(&skin, model);
                if let Some(share) = fit.filter(|fit| *fit < LEAST_FIT) {
                    let percent = share * 100.0;
                    let why = format!("its meshes fit only {percent:.0} % of the bones");
                    unused.push((name, role, why));
                    continue;
                }
                let matching = transfer::matching(&skin, model);
                let is_guess = fit.is_none() && matching.is_by_order && !options.bones_by_order;
                let has_counterparts = matching.bones.iter().any(Option::is_some);
                if is_guess
                    && has_counterparts
                    && let Err(doubt) = agrees_by_order(&matching)
                {
                    unused.push((
                        name,
                        role,
                        format!("{}, and {doubt}{MATCH_BY_ORDER}", why_by_order(&skin)),
                    ));
                    continue;
                }
                match transfer::add_meshes(model, &skin, &name, report) {
                    0 => unused.push((
                        name,
                        role,
                        "its meshes match none of the model's bones".to_owned(),
                    )),
                    _ => {
                        report_dropped(&name, &quiet, report);
                        source.mark_used(&name);
                        report.related_file(RelatedFileUse::used(&name, role, "given by the user"));
                    }
                }
            }
            Ok(other) => {
                let role = if other.skeleton.is_empty() {
                    RelatedFileRole::Other
                } else {
                    RelatedFileRole::Skeleton
                };
                unused.push((name, role, "it has neither animation nor mesh".to_owned()));
            }
            Err(ReadError::Cancelled) => return Err(ReadError::Cancelled),
            Err(ReadError::UnknownFormat { .. }) => {
                let why = "its format isn't supported".to_owned();
                unused.push((name, RelatedFileRole::Other, why));
            }
            Err(error) => {
                unreadable.push(name.clone());
                unused.push((name, RelatedFileRole::Other, error.to_string()));
            }
        }
    }
    maps.report(report);
    // A later file may have used an earlier one.
    unused.retain(|(name, ..)| !source.is_used(name));
    unreadable.retain(|name| !source.is_used(name));
    for (name, role, why) in &unused {
        // Rejected files have been reported already, with their fit.
        if !rejected.iter().any(|file| file.file == *name) {
            report.related_file(RelatedFileUse::unused(name, *role, why));
        }
    }
    let has_content = |(name, role, _): &(String, RelatedFileRole, String)| {
        matches!(role, RelatedFileRole::Animation | RelatedFileRole::Skin)
            || unreadable.contains(name)
    };
    let (lost, other): (Vec<_>, Vec<_>) = unused.into_iter().partition(has_content);
    for (kind, files) in
        [(FindingKind::RelatedFileLeftOut, lost), (FindingKind::UnusedRelatedFile, other)]
    {
        let num = files.len() as u64;
        report.add_many(kind, Place::File, num, || {
            let lines = files.iter().map(|(name, _, why)| format!("{name} is not used: {why}"));
            lines.collect::<Vec<_>>().join("; ")
        });
    }
    Ok(())
}

/// Reports data that was dropped when the related file `name` was read. Its other findings are reported when it is
/// opened.
fn report_dropped(name: &str, of_file: &Report, report: &Report) {
    for finding in of_file.findings().into_iter().filter(|finding| finding.kind.drops_data()) {
        // Its place is one of the other file.
        report.add_many(finding.kind, Place::File, finding.count, || {
            format!("{name}: {}", finding.message)
        });
    }
}

/// Adds the clips of another file to the model, unless their bones match neither by name nor by structure and the
/// user doesn't ask for their order. `given` are pairs that the user states.
fn add_animation(
    model: &mut Model,
    animation: &Model,
    name: &str,
    given: &[(BoneId, Option<BoneId>)],
    options: &ReadOptions,
    report: &Report,
) -> Result<(), String> {
    let matching = transfer::matching(animation, model);
    // With other parents, only the few bones whose parents agree have comparable lengths.
    let is_other_tree = matching.is_by_order && matching.has_same_parents != Some(true);
    let fit = matching.fit.filter(|_| !is_other_tree);
    let mut bones = matching.bones.clone();
    let mut how = "given by the user";
    let first = model.clips.len();
    let used = |how: &str| RelatedFileUse::used(name, RelatedFileRole::Animation, how);
    if let Some(pairs) = body_pairs(&matching, model, animation, given) {
        let matched = pairs.to_of_from(animation.skeleton.len());
        let options = RetargetOptions::default();
        let done =
            transfer::retarget_clips(model, animation, matched, options, stem(name), report)?;
        let how = if given.is_empty() {
            "given by the user; bones are matched by parts of the body, and the clips retargeted"
        } else {
            "given by the user; bones are matched by a bone map, and the clips retargeted"
        };
        let bones = Some(Arc::new(
            pairs.of_file(ClipSource::new(animation, model, first, done.length_ratio), true),
        ));
        report.related_file(RelatedFileUse { bones, ..used(how) });
        return Ok(());
    }
    if is_of_face(animation) {
        bones.fill(None);
    } else if matching.is_by_order && moves_bones(animation) {
        let why = why_by_order(animation);
        let is_possible = matching.bones.iter().any(Option::is_some);
        match agrees_by_order(&matching) {
            Err(doubt) if !options.bones_by_order || !is_possible => {
                if !has_values(animation) {
                    let remedy = if is_possible { MATCH_BY_ORDER } else { "" };
                    return Err(format!("{why}, and {doubt}{remedy}"));
                }
                bones.fill(None);
            }
            _ => {
                how = "given by the user; bones are matched by their order";
                related_file_choice::report_fit_by_order(name, fit, why, report);
            }
        }
    } else {
        related_file_choice::report_fit(name, fit, WHAT, report);
    }
    let skeletons = [&animation.skeleton, &model.skeleton];
    let pairs = BonePairs::of_matching(&bones, matching.is_by_order, skeletons);
    transfer::add_clips_of_bones(model, animation, bones, stem(name), report);
    let bones = Some(Arc::new(pairs.of_file(ClipSource::new(animation, model, first, 1.0), false)));
    report.related_file(RelatedFileUse { fit, bones, ..used(how) });
    Ok(())
}

/// Pairs by parts of the body if names match far fewer bones, if bones of the same names have other lengths, or if the
/// animation states the bones of a human; and pairs that the user states.
fn body_pairs(
    matching: &transfer::BoneMatching,
    model: &Model,
    animation: &Model,
    given: &[(BoneId, Option<BoneId>)],
) -> Option<BonePairs> {
    let pairs = pair_bones(animation, model, given);
    let are_bodies = pairs.bodies.iter().all(BodyBones::is_body);
    let by_name = if matching.is_by_order { 0 } else { matching.bones.iter().flatten().count() };
    let has_more = by_name * 3 < pairs.pairs.len() * 2;
    // A VRM animation has a different rest pose, even if its bones have the names of the model's.
    let is_for_humans = pairs.bodies[0].is_stated && animation.meshes.is_empty();
    // With the keys of quite another body, limbs would have its lengths.
    let is_other_body = matching.fit.is_some_and(|fit| fit < LEAST_FIT);
    let is_by_body = are_bodies && (has_more || is_for_humans || is_other_body);
    ((is_by_body || !given.is_empty()) && moves_bones(animation)).then_some(pairs)
}

/// Whether an animation only moves the face of an avatar: it has expressions or a gaze, but no bones of a human.
fn is_of_face(animation: &Model) -> bool {
    let avatar = animation.avatar.as_deref();
    avatar.is_some_and(|own| {
        let has_drivers = own.expressions.iter().any(|expression| expression.driver.is_some());
        own.humanoid.is_empty() && (own.gaze.is_some() || has_drivers)
    })
}

/// Why the bones of a file are matched by their order.
fn why_by_order(other: &Model) -> &'static str {
    if other.skeleton.bones().iter().any(|bone| !bone.name.is_empty()) {
        "none of its bone names occurs in the model"
    } else {
        "its bones have no names"
    }
}

fn moves_bones(animation: &Model) -> bool {
    animation.clips.iter().any(|clip| match &clip.motion {
        Motion::Tracks(tracks) => !tracks.is_empty(),
        Motion::VertexAnimation(_) => false,
        Motion::Sampled(_) | Motion::Curves(_) => true,
    })
}

/// Whether clips move vertices, morph targets or materials, which need no bones.
fn has_values(animation: &Model) -> bool {
    let has_targets = animation.meshes.iter().any(|mesh| !mesh.morph_targets.is_empty());
    animation.clips.iter().any(|clip| {
        !clip.morph_tracks.is_empty()
            || !clip.material_tracks.is_empty()
            || match &clip.motion {
                Motion::VertexAnimation(_) => true,
                Motion::Curves(_) => has_targets,
                Motion::Tracks(_) | Motion::Sampled(_) => false,
            }
    })
}

/// Whether bones that no name matches are in the same order: hierarchy and lengths agree. Equal numbers of bones are
/// no evidence, because two skeletons of a game often have the same number.
fn agrees_by_order(matching: &transfer::BoneMatching) -> Result<(), String> {
    if matching.bones.iter().all(Option::is_none) {
        return Err("the number of bones differs".to_owned());
    }
    match matching.has_same_parents {
        Some(false) => return Err("in their order they have other parents".to_owned()),
        None => return Err("without a hierarchy their order can't be verified".to_owned()),
        Some(true) => {}
    }
    match matching.fit {
        Some(share) if share < LEAST_FIT => Err(format!(
            "matched by their order only {:.0} % of their lengths agree",
            share * 100.0
        )),
        _ => Ok(()),
    }
}

/// Adds clips from animations in the folder of a skinned mesh if their skeleton has the mesh's bones. Meshes
/// of other formats are often stored next to a skeleton and animations in a runtime's format.
///
/// # Errors
/// Only if cancelled.
pub(super) fn add_folder_rigs(
    model: &mut Model,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<(), ReadError> {
    let is_skinned = |mesh: &Mesh| matches!(mesh.skin, Skin::InverseBind(_));
    // A user who supplies files has already chosen.
    if !source.related_files.is_empty() || !model.meshes.iter().any(is_skinned) {
        return Ok(());
    }
    for &format in FORMATS {
        if let Some(files) = format.reader.rig_files {
            add_folder_rig(model, format, files, source, options, report)?;
        }
    }
    Ok(())
}

fn add_folder_rig(
    model: &mut Model,
    format: &Format,
    files: RigFiles,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<(), ReadError> {
    let (mut rated, mut animations) = (Vec::new(), Vec::new());
    for file in source.related_file_candidates(files.extension, report)? {
        if (files.role)(&file.bytes) != Some(RelatedFileRole::Skeleton) {
            continue;
        }
        let quiet = report.quiet();
        let other = source.of_file(&file.name, file.bytes);
        let Ok(mut animation) = borrowed_faces::read(format, &other, options, &quiet) else {
            quiet.progress("reading", 0.5)?;
            continue;
        };
        check::check(&mut animation, &quiet);
        let has_clips = !animation.clips.is_empty();
        // Earlier conversions of this file may be next to it.
        animation
            .clips
            .as_mut_vec()
            .retain(|clip| !model.clips.iter().any(|own| own.name == clip.name));
        let matching = transfer::matching(&animation, model);
        let num = matching.bones.iter().flatten().count();
        let share = num as f32 / matching.bones.len().max(1) as f32;
        rated.push(RatedRelatedFile {
            // Names count too, and only they count if no bone has a length.
            fit: Some(matching.fit.unwrap_or(1.0).min(share)),
            prefix: common_prefix(&file.name, &source.name),
            refusal: match animation.clips.is_empty() || matching.is_by_order {
                false => None,
                true if matching.is_by_order => Some("no bone name occurs in the model".into()),
                true if has_clips => Some("the model has clips of the same names".into()),
                true => Some("no animation matches it".into()),
            },
            file: file.name,
            is_given: false,
        });
        animations.push((animation, quiet));
    }
    let best = related_file_choice::best(&rated);
    related_file_choice::report_all(&rated, best, RelatedFileRole::Animation, WHAT, report);
    let best = best.and_then(|at| rated.get(at).zip(animations.get(at)));
    if let Some((file, (animation, quiet))) = best {
        let found = quiet.related_files().into_iter();
        let inside = found.filter(|inside| inside.is_used);
        inside.for_each(|inside| report.related_file(inside));
        transfer::add_clips(model, animation, stem(&file.file), report);
        source.mark_used(&file.file);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
