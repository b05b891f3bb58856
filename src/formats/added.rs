//! Animation and skins out of files given along: their clips are put on the model, and where they
//! have none, their meshes.

use std::collections::HashSet;

use super::open::choose;
use super::{Format as _, ReadError, ReadOptions, Source, ozz, stem};
use crate::model::{Mesh, Model, NoteKind, Place, Report, Skin, check};
use crate::pose::graft;

/// Reads every companion that no reader has asked for, and adds its clips to `model`.
///
/// # Errors
/// Only when cancelled; a companion of no use is noted.
pub(super) fn add_clips(
    model: &mut Model,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<(), ReadError> {
    // A folder given along may hold the file itself.
    for same in source
        .companions
        .iter()
        .filter(|other| other.bytes == source.bytes)
    {
        source.mark_used(&same.name);
    }
    let mut unused = Vec::new();
    for number in 0..source.companions.len() {
        let Some(other) = source.of_companion(number) else {
            continue;
        };
        if source.is_used(&other.name) || super::textures::is_image(&other.name) {
            continue;
        }
        let name = other.name.clone();
        let options = ReadOptions {
            format: None,
            up: None,
            images: false,
            ..options.clone()
        };
        // What is odd about the other file itself is told when that is opened.
        let quiet = report.quiet();
        let read = choose(&other, &options, &quiet)
            .and_then(|format| format.read(&other, &options, &quiet));
        match read {
            Ok(mut animation) if !animation.clips.is_empty() => {
                check::check(&mut animation, &quiet);
                graft::add_clips(model, &animation, stem(&other.name), report);
                source.mark_used(&other.name);
            }
            // The reader may have taken it as a companion of another file read here.
            Ok(_) if source.is_used(&other.name) => {}
            // Files with both are animations that carry a copy of the mesh.
            Ok(mut skin) if !skin.meshes.is_empty() => {
                check::check(&mut skin, &quiet);
                match graft::add_meshes(model, &skin, &name, report) {
                    0 => unused.push((name, "its meshes fit no bones here".to_owned())),
                    _ => source.mark_used(&other.name),
                }
            }
            Ok(_) => unused.push((name, "it has neither animation nor mesh".to_owned())),
            Err(ReadError::Cancelled) => return Err(ReadError::Cancelled),
            Err(ReadError::UnknownFormat { .. }) => {
                unused.push((name, "not a format this program reads".to_owned()));
            }
            Err(error) => unused.push((name, error.to_string())),
        }
    }
    // A later file may have asked for an earlier one.
    let unused: Vec<String> = (unused.into_iter())
        .filter(|(name, _)| !source.is_used(name))
        .map(|(name, why)| format!("{name} is not used: {why}"))
        .collect();
    report.note_many(
        NoteKind::UnusedCompanion,
        Place::File,
        unused.len() as u64,
        || unused.join("; "),
    );
    Ok(())
}

/// Adds to a skinned mesh the clips of the ozz archives in its folder, where their skeleton has its
/// bones: a mesh of another format is kept so, with skeleton and animations for the engine beside.
///
/// # Errors
/// Only when cancelled.
pub(super) fn add_ozz_beside(
    model: &mut Model,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<(), ReadError> {
    let is_skinned = |mesh: &Mesh| matches!(mesh.skin, Skin::InverseBind(_));
    // Who gives files along has chosen.
    if !source.companions.is_empty() || !model.meshes.iter().any(is_skinned) {
        return Ok(());
    }
    let quiet = report.quiet();
    let mut best: Option<(usize, String, Model)> = None;
    for file in source.beside("ozz", report)? {
        if !ozz::is_skeleton(&file.bytes) {
            continue;
        }
        let other = source.of_file(&file.name, file.bytes);
        let Ok(mut animation) = ozz::Ozz.read(&other, options, &quiet) else {
            quiet.progress("reading", 0.5)?;
            continue;
        };
        check::check(&mut animation, &quiet);
        let names = model.skeleton.bones().iter().map(|bone| &bone.name);
        let names: HashSet<_> = names.collect();
        let bones = animation.skeleton.bones();
        let num = bones
            .iter()
            .filter(|bone| names.contains(&bone.name))
            .count();
        let fits = num * 2 >= bones.len() && !animation.clips.is_empty();
        if fits && best.as_ref().is_none_or(|(most, ..)| num > *most) {
            best = Some((num, file.name, animation));
        }
    }
    if let Some((_, name, animation)) = best {
        graft::add_clips(model, &animation, stem(&name), report);
        source.mark_used(&name);
    }
    Ok(())
}
