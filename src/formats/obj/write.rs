//! Writing: the model in its default pose, and a material library beside it.

use super::ID;
use super::library::library_text;
use super::names::Names;
use super::text::text_with;
use crate::bake::{in_axes, num_mirrored, still};
use crate::formats::content_name::content_name;
use crate::formats::images_beside::ImagesBeside;
use crate::formats::rigged::note_turned;
use crate::formats::{OutputFile, OutputPlace, WriteError, WriteOptions};
use crate::model::{Axes, Mesh, Model, NoteKind, Place, Report, VertexData};
use crate::pose::{PoseSpec, SkinnedMesh};

/// Writes a checked model.
pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    report.progress("posing", 0.0)?;
    if model.num_vertices() == 0 {
        return Err(WriteError::NothingToWrite {
            format: ID,
            what: "vertex",
        });
    }
    note_turned(num_mirrored(model), report);
    let model = in_axes(&still(model, &PoseSpec::default()), &Axes::default());
    let stem = match options.stem.is_empty() {
        true => ID,
        false => &options.stem,
    };
    let mut names = Names::of(&model, String::new(), report);
    for (number, mesh) in model.meshes.iter().enumerate() {
        note_left_out(mesh, number, report);
    }
    report.progress("writing", 0.3)?;
    let meshes: Vec<SkinnedMesh> = model.meshes.iter().map(as_they_are).collect();
    let mut beside = Vec::new();
    if names.library.is_some() {
        let materials = model.materials.iter().zip(&names.materials);
        let named = materials.filter(|(_, name)| name.is_some());
        let textures = named.flat_map(|(material, _)| &material.textures);
        let images = ImagesBeside::of(&model, textures, stem, report);
        let text = library_text(&model, &names, &images, report).into_bytes();
        let library = content_name(stem, "mtl", &text);
        names.library = Some(library.clone());
        beside.push(OutputFile {
            place: OutputPlace::Named(library),
            bytes: text,
            is_companion: true,
        });
        beside.extend(images.files(&model));
    }
    let text = text_with(&model, &meshes, &names);
    let mut files = vec![OutputFile::main(text.into_bytes())];
    files.extend(beside);
    report.progress("writing", 1.0)?;
    Ok(files)
}

/// The vertices of a mesh that nothing moves.
fn as_they_are(mesh: &Mesh) -> SkinnedMesh {
    match &mesh.vertices {
        VertexData::Streams(streams) => SkinnedMesh {
            positions: streams.positions.clone(),
            normals: streams.normals.clone(),
            tangents: Vec::new(),
        },
        VertexData::Packed(_) => SkinnedMesh::default(),
    }
}

fn note_left_out(mesh: &Mesh, number: usize, report: &Report) {
    let place = Place::Mesh(u32::try_from(number).unwrap_or(u32::MAX));
    let mut is_covered = vec![false; mesh.num_triangles()];
    for subset in &mesh.subsets {
        let range = subset.range();
        if let Some(own) = is_covered.get_mut(range.start / 3..range.end / 3) {
            own.fill(true);
        }
    }
    let num = is_covered.iter().filter(|covered| !**covered).count() as u64;
    report.note_many(NoteKind::UncoveredNotWritten, place, num, || {
        format!("{num} triangles of mesh {number}")
    });
    if let VertexData::Streams(streams) = &mesh.vertices {
        let is_seen = streams.colors.iter().any(|color| color.w != 1.0);
        report.note_many(NoteKind::AlphaNotWritten, place, u64::from(is_seen), || {
            format!("mesh {number}")
        });
    }
}
