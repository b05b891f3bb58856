//! Writes the model in its default pose, and a material library.

use super::ID;
use super::library_writer::library_text;
use super::names::Names;
use super::read::control_points;
use super::text::text_with;
use crate::formats::content_name::content_name;
use crate::formats::related_images::{Naming, RelatedImages};
use crate::formats::rigged_model::report_mirrored;
use crate::formats::{OutputFile, OutputPlace, WriteError, WriteOptions};
use rigscope_core::model::{
    Axes, FindingKind, Mesh, MeshId, MeshOrigins, Model, Origin, Origins, Place, Report, VertexAt,
    VertexData, as_u32, counted, singular_or_plural,
};
use rigscope_core::pose::{PoseSpec, SkinnedMesh};
use rigscope_core::reshape::{in_axes, num_mirrored, static_model};

pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    report.progress("posing", 0.0)?;
    if model.num_vertices() == 0 {
        return Err(WriteError::NothingToWrite { format: ID, what: "vertices" });
    }
    report_mirrored(num_mirrored(model), report);
    let model = in_axes(&static_model(model, &PoseSpec::default()), &Axes::default());
    let stem = if options.stem.is_empty() { ID } else { &options.stem };
    let mut names = Names::of(&model, String::new(), report);
    for (number, mesh) in model.meshes.iter().enumerate() {
        report_left_out(mesh, number, report);
    }
    report.progress("writing", 0.3)?;
    let meshes: Vec<SkinnedMesh> = model.meshes.iter().map(as_they_are).collect();
    let mut beside = Vec::new();
    if names.library.is_some() {
        let materials = model.materials.iter().zip(&names.materials);
        let named = materials.filter(|(_, name)| name.is_some());
        let textures = named.flat_map(|(material, _)| &material.textures);
        let images =
            RelatedImages::of(&model, textures, &Naming::of(stem), &options.images, report);
        let text = library_text(&model, &names, &images, report).into_bytes();
        let library = content_name(stem, "mtl", &text);
        names.library = Some(library.clone());
        beside.push(OutputFile {
            place: OutputPlace::Named(library),
            bytes: text,
            is_related_file: true,
            origins: Origins::default(),
        });
        beside.extend(images.files());
    }
    let text = text_with(&model, &meshes, &names);
    let origins =
        if names.is_cloud { vec![as_one(&model)] } else { as_read(&model, &text, report) };
    let main = OutputFile::main(text.into_bytes()).of(Origins::without_clips(origins));
    let mut files = vec![main];
    files.extend(beside);
    report.progress("writing", 1.0)?;
    Ok(files)
}

/// Origins of the vertices of the single mesh that is read from a file with only points.
fn as_one(model: &Model) -> MeshOrigins {
    let all = model.meshes.iter().enumerate().flat_map(|(number, mesh)| {
        (0..mesh.num_vertices()).map(move |vertex| Origin::Vertex(VertexAt::new(number, vertex)))
    });
    MeshOrigins::Listed((0u32..).zip(all).collect())
}

/// Origins of the vertices that the reader creates: one for each vertex that a face or point refers to, in
/// the order of first use. Meshes without faces and points aren't read.
///
/// If normals are missing, the reader generates them, and splits vertices where corners have different ones.
/// In that case the file is read back to find the origins.
fn as_read(model: &Model, text: &str, report: &Report) -> Vec<MeshOrigins> {
    let orders = orders(model);
    let lacks = |mesh: &Mesh| !mesh.indices.is_empty() && mesh.normal(0).is_none();
    let made =
        if model.meshes.iter().any(lacks) { control_points(text, report).ok() } else { None };
    let made = made.filter(|made| made.len() == orders.len());
    let mut num_before = 0;
    let firsts = model.meshes.iter().map(|mesh| {
        let first = num_before;
        num_before += mesh.num_vertices();
        as_u32(first)
    });
    let firsts: Vec<u32> = firsts.collect();
    let of = |(at, (mesh, order)): (usize, (MeshId, Vec<u32>))| {
        let first = firsts.get(mesh.index()).copied().unwrap_or_default();
        let own = |points: &Vec<u32>| points.iter().map(|p| p.saturating_sub(first)).collect();
        let made = made.as_ref().and_then(|made| made.get(at));
        MeshOrigins::Of(mesh, made.map_or(order, own))
    };
    orders.into_iter().enumerate().map(of).collect()
}

/// The vertices of each mesh in the order of first use.
fn orders(model: &Model) -> Vec<(MeshId, Vec<u32>)> {
    let of_mesh = |(number, mesh): (usize, &Mesh)| {
        let num = mesh.num_vertices();
        let mut is_known = vec![false; num];
        let mut order = Vec::with_capacity(num);
        let corners = mesh.subsets.iter().flat_map(|s| mesh.triangles(s.range())).flatten();
        let loose = mesh.loose.iter().flat_map(|loose| loose.indices.iter().copied());
        for corner in corners.chain(loose) {
            match is_known.get_mut(corner as usize) {
                Some(known) if !*known => {
                    *known = true;
                    order.push(corner);
                }
                _ => {}
            }
        }
        if mesh.loose.is_empty() && mesh.subsets.iter().all(|subset| subset.index_count == 0) {
            order = (0..as_u32(num)).collect();
        }
        (!order.is_empty()).then(|| (MeshId::from_index(number), order))
    };
    model.meshes.iter().enumerate().filter_map(of_mesh).collect()
}

/// The vertices of a mesh without skinning.
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

fn report_left_out(mesh: &Mesh, number: usize, report: &Report) {
    let place = Place::Mesh(as_u32(number));
    let mut is_covered = vec![false; mesh.num_triangles()];
    for subset in &mesh.subsets {
        let range = subset.range();
        if let Some(own) = is_covered.get_mut(range.start / 3..range.end / 3) {
            own.fill(true);
        }
    }
    let num = is_covered.iter().filter(|covered| !**covered).count() as u64;
    report.add_many(FindingKind::UncoveredNotWritten, place, num, || {
        let belong = singular_or_plural(num, "belongs", "belong");
        let arent = singular_or_plural(num, "isn't", "aren't");
        let triangles = counted(num, "triangle");
        format!("{triangles} of mesh {number} {belong} to no subset and {arent} written")
    });
    if let VertexData::Streams(streams) = &mesh.vertices {
        let is_seen = streams.colors.iter().any(|color| color.w != 1.0);
        report.add_many(FindingKind::AlphaNotWritten, place, u64::from(is_seen), || {
            format!("the vertex colours of mesh {number} have alpha, which isn't written")
        });
    }
}
