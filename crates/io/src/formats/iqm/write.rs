//! Writes one mesh of subsets, joints that are the bind pose, and all clips in one sequence of
//! frames.

use super::ID;
use super::file_builder::{FileBuilder, axes};
use super::joints::JointRecord;
use super::read::MeshRecord;
use super::write_clips::{self, OriginalClips};
use super::write_joints::{WrittenJoints, joints};
use super::{write_unweighted, write_vertices};
use crate::formats::record::bytes_of;
use crate::formats::related_images::{MaterialImages, material_images, used_materials};
use crate::formats::rigged_model::RiggedModel;
use crate::formats::{OutputFile, WriteError, WriteOptions};
use rigscope_core::model::{FindingKind, Material, Mesh, Model, Origins, Place, Report, Trs};

pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    report.progress("writing", 0.0)?;
    let kept = OriginalClips::of(model, options);
    let names = kept_names(model);
    report_left_out(model, report);
    let with_static_joint = write_unweighted::with_static_joint(model, options.rate, report);
    let bound = with_static_joint.as_ref().unwrap_or(model);
    let rigged = RiggedModel::of(bound, &axes(), options.rate, report)
        .map_err(|source| WriteError::Bake { format: ID, source })?;
    let joints = joints(&rigged, report)?;
    report.add_many(
        FindingKind::RestNotStored,
        Place::File,
        u64::from(rigged.rest_differs_from_bind),
        || "the rest pose of the bones differs from their bind pose".to_owned(),
    );

    let num_made = rigged.num_made_normals as u64;
    report.add_many(FindingKind::NormalsMade, Place::File, num_made, || {
        "normals were computed for meshes without normals".to_owned()
    });

    let mut out = FileBuilder::new(report);
    if let Some(mesh) = rigged.mesh() {
        subsets(&mut out, &rigged, mesh, &names)?;
        write_vertices::vertices(&mut out, &rigged, mesh, &joints)?;
        triangles(&mut out, mesh)?;
    }
    put_joints(&mut out, &joints)?;
    let clips = write_clips::clips(&mut out, &rigged, &joints, &kept, options)?;
    comment(&mut out, model)?;
    let origins = Origins { clips: Some(clips), ..rigged.origins };
    let mut files = vec![OutputFile::main(out.finish()?).of(origins)];
    files.extend(images(model).files(model, &options.images, report));
    report.progress("writing", 1.0)?;
    Ok(files)
}

/// The images that readers find by the names of materials, which may be image paths.
pub(super) fn images(model: &Model) -> MaterialImages {
    let materials = used_materials(model);
    let named = materials.map(|(_, material)| (material.name.clone(), material));
    material_images(model, named, true)
}

/// Mesh names as read from a file, which are more specific than the name of the combined mesh.
fn kept_names(model: &Model) -> Vec<String> {
    let Some(kept) = model.preserved(ID, "mesh names") else { return Vec::new() };
    let names = kept.split(|&byte| byte == 0);
    names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// Reports parts of the original file that aren't written.
fn report_left_out(model: &Model, report: &Report) {
    for (what, title) in [
        ("custom vertex array", "custom vertex arrays"),
        ("extension", "extensions"),
        ("trailing", "trailing bytes"),
    ] {
        let is_kept = u64::from(model.preserved(ID, what).is_some());
        report.add_many(FindingKind::NotWritten, Place::File, is_kept, || {
            format!("the {title} of the original file aren't written")
        });
    }
}

/// The format's meshes, which are subsets in the model.
fn subsets(
    out: &mut FileBuilder<'_>,
    rigged: &RiggedModel,
    mesh: &Mesh,
    kept: &[String],
) -> Result<(), WriteError> {
    let names =
        if kept.len() == mesh.subsets.len() { kept } else { rigged.subset_names.as_slice() };
    let num_vertices = FileBuilder::count("vertices", mesh.num_vertices())?;
    let mut records = Vec::new();
    for (number, subset) in mesh.subsets.iter().enumerate() {
        let material = subset.material.map(|id| rigged.model.material(id));
        let material = material.map_or("", |material: &Material| &material.name);
        let (mut low, mut high) = (u32::MAX, 0);
        for index in subset.range().filter_map(|at| mesh.indices.get(at)) {
            (low, high) = (low.min(index), high.max(index));
        }
        let (first, num) = if low <= high { (low, high - low + 1) } else { (0, 0) };
        records.push(MeshRecord {
            name: out.name(names.get(number).unwrap_or(&mesh.name))?,
            material: out.name(material)?,
            first_vertex: first,
            num_vertices: num,
            first_triangle: subset.first_index / 3,
            num_triangles: subset.index_count / 3,
        });
    }
    if mesh.subsets.is_empty() && !mesh.name.is_empty() {
        // A mesh of points has no subset, so its name gets a separate record.
        let name = out.name(&mesh.name)?;
        records.push(MeshRecord { name, num_vertices, ..MeshRecord::default() });
    }
    out.header.meshes = out.list("meshes", &records)?;
    Ok(())
}

fn triangles(out: &mut FileBuilder<'_>, mesh: &Mesh) -> Result<(), WriteError> {
    let indices: Vec<u32> = mesh.indices.iter().collect();
    out.header.triangles = out.table("triangles", indices.len() / 3, &bytes_of(&indices))?;
    Ok(())
}

fn put_joints(out: &mut FileBuilder<'_>, joints: &WrittenJoints<'_>) -> Result<(), WriteError> {
    let mut records = Vec::with_capacity(joints.list.len());
    for joint in &joints.list {
        let Trs { translation, rotation, scale } = joint.trs;
        let name = out.name(&joint.bone.name)?;
        records.push(JointRecord { name, parent: joint.parent, translation, rotation, scale });
    }
    out.header.joints = out.list("joints", &records)?;
    Ok(())
}

/// The comment of the original file.
fn comment(out: &mut FileBuilder<'_>, model: &Model) -> Result<(), WriteError> {
    if let Some(bytes) = model.preserved(ID, "comment") {
        out.header.comment = out.table("bytes of a comment", bytes.len(), bytes)?;
    }
    Ok(())
}
