//! Animation and skins out of files given along: their clips are put on the model, and where they
//! have none, their meshes.

use super::open::choose;
use super::{ReadError, ReadOptions, Source, stem};
use crate::model::{Model, NoteKind, Place, Report, check};
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
