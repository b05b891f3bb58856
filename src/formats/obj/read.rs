//! Reading: finds the material library; the rest is the library's and `ufbx_scene`'s work.

use super::{ID, points};
use crate::formats::ufbx_scene::{Converted, Kind, convert, load};
use crate::formats::{ReadError, ReadOptions, Source, text};
use crate::model::{Model, NoteKind, Place, Report};

/// Reads a whole file, one mesh an object or group.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    Ok(read_scene(source, options, report, false)?.model)
}

/// Reads a file as one mesh; and for each of its vertices, from 0, which `v` line it lies on.
///
/// # Errors
/// As for any OBJ.
#[allow(
    dead_code,
    reason = "for formats whose faces lie in an OBJ beside them"
)]
pub(in crate::formats) fn read_merged(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<(Model, Vec<u32>), ReadError> {
    let mut converted = read_scene(source, options, report, true)?;
    let mut control_points = converted.control_points.pop().unwrap_or_default();
    // The library leaves out what comes before the first control point that a face names.
    let num_kept = converted.num_control_points.pop().unwrap_or_default();
    let num_skipped = points::num(&source.bytes).saturating_sub(num_kept);
    for point in &mut control_points {
        *point = point.saturating_add(u32::try_from(num_skipped).unwrap_or(u32::MAX));
    }
    Ok((converted.model, control_points))
}

fn read_scene(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
    is_merged: bool,
) -> Result<Converted, ReadError> {
    let materials = materials(source, report);
    let kind = Kind::Obj {
        materials: &materials,
        is_merged,
    };
    let scene = load(ID, &source.bytes, kind, options, report)?;
    let mut converted = convert(ID, scene, options, report)?;
    if converted.model.meshes.is_empty() {
        let (mesh, control_points) = points::cloud(&source.bytes, options)?;
        converted.num_control_points.push(control_points.len());
        converted.model.meshes.push(mesh);
        converted.control_points.push(control_points);
    }
    Ok(converted)
}

/// The text of all material libraries that the file names.
fn materials(source: &Source, report: &Report) -> Vec<u8> {
    let mut found = Vec::new();
    let mut missing = Vec::new();
    let mut names: Vec<_> = libraries(&source.bytes).collect();
    names.dedup();
    for line in names {
        let line = text::decode(line);
        // A name may hold spaces; by the format's own words a line may also hold several names.
        let whole = source.find(&line);
        let files = match whole {
            Some(file) => vec![file],
            None => line
                .split_whitespace()
                .filter_map(|name| source.find(name))
                .collect(),
        };
        if files.is_empty() {
            missing.push(line.into_owned());
        }
        for file in files {
            found.extend_from_slice(&file.bytes);
            found.push(b'\n');
        }
    }
    let num = missing.len() as u64;
    report.note_many(NoteKind::MissingCompanion, Place::File, num, || {
        missing.join(", ")
    });
    found
}

/// What follows each `mtllib`.
fn libraries(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = bytes.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    lines.filter_map(|line| {
        let rest = line.strip_prefix(b"mtllib")?;
        let name = rest.trim_ascii_start();
        (rest.len() > name.len() && !name.is_empty()).then_some(name)
    })
}
