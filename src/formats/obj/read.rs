//! Reading: finds the material library; the rest is the library's and `ufbx_scene`'s work.

use std::collections::BTreeSet;

use super::{ID, lines, points};
use crate::formats::ufbx_scene::{Converted, Kind, convert, load};
use crate::formats::{ReadError, ReadOptions, Source, text};
use crate::model::{Model, NoteKind, Place, Report};

/// Material libraries that one file may name: real ones name one. Each is looked for among all
/// files there are.
const MAX_LIBRARIES: usize = 64;
/// Once so many bytes of them have been read, no more are.
const MAX_LIBRARY_BYTES: usize = 16 << 20;

/// Reads a whole file, one mesh an object or group.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    lines::tell(&source.bytes, report);
    report.close_spans();
    let mut model = read_scene(source, options, report, false)?.model;
    model.provenance = report.take_provenance();
    Ok(model)
}

/// Reads a file as one mesh; and for each of its vertices, from 0, which `v` line it lies on.
///
/// # Errors
/// As for any OBJ.
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
    let materials = materials(source, report)?;
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

/// The text of all material libraries that the file names, each once.
fn materials(source: &Source, report: &Report) -> Result<Vec<u8>, ReadError> {
    let mut found = Vec::new();
    let mut missing = Vec::new();
    let (mut lines, mut files) = (BTreeSet::new(), BTreeSet::new());
    let mut num_left_out = 0;
    for line in libraries(&source.bytes) {
        if lines.contains(line) {
            continue;
        }
        report.progress("reading materials", 0.0)?;
        if lines.len() >= MAX_LIBRARIES || found.len() >= MAX_LIBRARY_BYTES {
            num_left_out += 1;
            continue;
        }
        lines.insert(line);
        let line = text::decode(line);
        // A name may hold spaces; by the format's own words a line may also hold several names.
        let named = match source.find(&line) {
            Some(file) => vec![file],
            None => line
                .split_whitespace()
                .take(MAX_LIBRARIES)
                .filter_map(|name| source.find(name))
                .collect(),
        };
        if named.is_empty() {
            missing.push(line.into_owned());
        }
        for file in named {
            let is_new = files.insert(file.name);
            if is_new && found.len() < MAX_LIBRARY_BYTES {
                found.extend_from_slice(&file.bytes);
                found.push(b'\n');
            }
        }
    }
    let num = missing.len() as u64;
    report.note_many(NoteKind::MissingCompanion, Place::File, num, || {
        missing.join(", ")
    });
    let kind = NoteKind::Dropped;
    report.note_many(kind, Place::File, num_left_out, || {
        format!("{num_left_out} lines name more material libraries than are read")
    });
    Ok(found)
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
