//! Reading: parses the file and its material libraries, and builds the meshes.

use super::definitions::Definitions;
use super::faults::over_budget;
use super::library_reader::read_libraries;
use super::meshes::{NumberedMesh, meshes};
use super::parse::{Parsed, parse};
use super::parts::Parts;
use super::{looks, points};
use crate::formats::{Budget, ReadError, ReadOptions, Source};
use rigscope_core::model::{FindingKind, Material, Model, Place, Report, TextureRef};

/// Memory for a texture in addition to its reference: its path and use.
type TextureRoom = [u8; 64];
/// Memory for a material in addition to its reference: its look and name.
type MaterialRoom = [u8; 256];

/// Reads a whole file, one mesh per object or group.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let (mut model, _) = read_meshes(source, options, report, false)?;
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
    let (model, mut control_points) = read_meshes(source, options, report, true)?;
    Ok((model, control_points.pop().unwrap_or_default()))
}

/// For each mesh read from `text`, the number of the `v` line, from 0, of each vertex.
pub(super) fn control_points(text: &str, report: &Report) -> Result<Vec<Vec<u32>>, ReadError> {
    let source = Source::new("written.obj", text.as_bytes().to_vec());
    let report = report.quiet();
    Ok(read_meshes(&source, &ReadOptions::default(), &report, false)?.1)
}

fn read_meshes(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
    is_merged: bool,
) -> Result<(Model, Vec<Vec<u32>>), ReadError> {
    let bytes = source.whole()?;
    let Parsed { lists, mut faces, libraries, num_unknown, mut budget } =
        parse(&bytes, &options.limits, report)?;
    let parts = Parts::of(&mut faces, is_merged);
    let mut materials = Definitions::of(&parts.materials);
    let num_bytes = read_libraries(&libraries, source, &mut materials, report)?;
    let mut room = Budget::of_file(&options.limits, bytes.len().saturating_add(num_bytes));
    let taken = room.take::<(Material, MaterialRoom)>(materials.len());
    let taken = taken.and_then(|()| room.take::<(TextureRef, TextureRoom)>(materials.num_textures));
    taken.map_err(|_| over_budget("materials"))?;
    let materials = materials.into_list().into_iter().map(looks::material).collect();
    let numbered: Vec<NumberedMesh> = if parts.list.is_empty() {
        vec![points::cloud(lists, &mut budget)?]
    } else {
        meshes(&lists, &mut faces, parts, &mut budget, report)?
    };
    report.add_many(FindingKind::UnknownStatement, Place::File, num_unknown, || {
        "the file has a statement that no reader defines".to_owned()
    });
    let (meshes, control_points) = numbered.into_iter().unzip();
    Ok((Model { meshes, materials, ..Model::default() }, control_points))
}
