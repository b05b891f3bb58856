//! Reading: prepares the file and finds its material libraries; ufbx and `ufbx_scene` do the rest.

use super::library_reader::libraries;
use super::prepare::{Prepared, prepare};
use super::{ID, maps, points};
use crate::formats::ufbx_scene::{ConvertedScene, SceneFormat, convert, load};
use crate::formats::{ReadError, ReadOptions, Source};
use rigscope_core::model::{Model, Report};

/// Reads a whole file, one mesh per object or group.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let bytes = source.whole()?;
    let prepared = prepare(&bytes, report)?;
    let mut model = read_scene(&prepared, source, options, report, false)?.model;
    model.provenance = report.take_provenance();
    Ok(model)
}

/// Reads a file as one mesh; returns the number of the `v` line, from 0, for each of its vertices.
///
/// # Errors As for any OBJ.
pub(super) fn read_merged(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<(Model, Vec<u32>), ReadError> {
    let bytes = source.whole()?;
    let prepared = prepare(&bytes, report)?;
    let mut converted = read_scene(&prepared, source, options, report, true)?;
    let mut control_points = converted.control_points.pop().unwrap_or_default();
    // ufbx drops the control points before the first one that a face refers to.
    let num_kept = converted.num_control_points.pop().unwrap_or_default();
    let num_skipped = prepared.num_points.saturating_sub(num_kept);
    for point in &mut control_points {
        *point = point.saturating_add(u32::try_from(num_skipped).unwrap_or(u32::MAX));
    }
    Ok((converted.model, control_points))
}

/// The control point of each vertex of each mesh read from `text`, counted from the first one that a face of
/// the mesh refers to.
pub(super) fn control_points(text: &str, report: &Report) -> Result<Vec<Vec<u32>>, ReadError> {
    let source = Source::new("written.obj", text.as_bytes().to_vec());
    let options = ReadOptions::default();
    let report = report.quiet();
    let bytes = source.whole()?;
    let prepared = prepare(&bytes, &report)?;
    Ok(read_scene(&prepared, &source, &options, &report, false)?.control_points)
}

fn read_scene(
    prepared: &Prepared<'_>,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
    is_merged: bool,
) -> Result<ConvertedScene, ReadError> {
    let materials = libraries(&prepared.libraries, source, report)?;
    let kind =
        SceneFormat::Obj { materials: &materials, num_corners: prepared.num_corners, is_merged };
    let scene = load(ID, &prepared.text, kind, options, report)?;
    let mut converted = convert(ID, scene, options, report)?;
    maps::restore_paths(&mut converted.model);
    if converted.model.meshes.is_empty() {
        let (mesh, control_points) = points::cloud(&prepared.text, prepared.num_points, options)?;
        converted.num_control_points.push(control_points.len());
        converted.model.meshes.push(mesh);
        converted.control_points.push(control_points);
    }
    Ok(converted)
}
