//! Writing: one mesh of subsets, joints that are the bind pose, and all clips in one run of frames.

use std::collections::HashMap;

use super::ID;
use super::header::{HEADER_BYTES, MAGIC};
use super::write_clips::{self, Originals};
use super::write_joints::{Joints, joints};
use super::write_vertices;
use crate::formats::images_beside::{ByMaterial, by_material, used_materials};
use crate::formats::rigged::Rigged;
use crate::formats::{OutputFile, WriteError, WriteOptions};
use crate::model::{
    Axes, Material, Mesh, Model, NoteKind, Origins, Place, Report, UpAxis, Winding,
};

/// The axes of the format.
pub(super) fn axes() -> Axes {
    Axes { up: UpAxis::Z, winding: Winding::Clockwise, ..Axes::default() }
}

/// Writes a checked model.
pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    report.progress("writing", 0.0)?;
    let kept = Originals::of(model, options);
    let names = kept_names(model);
    note_left_out(model, report);
    let rigged = Rigged::of(model, &axes(), options.rate, report)
        .map_err(|source| WriteError::Bake { format: ID, source })?;
    let joints = joints(&rigged, report)?;
    report.note_many(
        NoteKind::RestNotStored,
        Place::File,
        u64::from(rigged.rests_elsewhere),
        || "bones rest elsewhere than where vertices are bound".to_owned(),
    );

    let num_made = rigged.num_made_normals as u64;
    report.note_many(NoteKind::NormalsMade, Place::File, num_made, || {
        "normals made for meshes without any".to_owned()
    });

    let mut out = Out::new(report);
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

/// The images that are found by the names of materials, which may be paths of images.
pub(super) fn images(model: &Model) -> ByMaterial {
    let materials = used_materials(model);
    let named = materials.map(|(_, material)| (material.name.clone(), material));
    by_material(model, named, true)
}

/// Names of meshes as a file had them, which tell more than the name of all together.
fn kept_names(model: &Model) -> Vec<String> {
    let Some(kept) = model.preserved(ID, "mesh names") else {
        return Vec::new();
    };
    let names = kept.split(|&byte| byte == 0);
    names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// Notes what a file had besides and what is not written again.
fn note_left_out(model: &Model, report: &Report) {
    for what in ["custom vertex array", "extension", "trailing"] {
        let is_kept = u64::from(model.preserved(ID, what).is_some());
        report.note_many(NoteKind::NotWritten, Place::File, is_kept, || {
            format!("{what} of the file that was read")
        });
    }
}

/// A file being made: tables are put behind one another.
pub(super) struct Out<'a> {
    pub(super) report: &'a Report,
    bytes: Vec<u8>,
    text: Vec<u8>,
    known: HashMap<String, u32>,
}

/// Offsets of header fields.
pub(super) mod at {
    pub(in super::super) const FILE_SIZE: usize = 20;
    pub(in super::super) const TEXT: usize = 28;
    pub(in super::super) const MESHES: usize = 36;
    pub(in super::super) const NUM_ARRAYS: usize = 44;
    pub(in super::super) const NUM_VERTICES: usize = 48;
    pub(in super::super) const ARRAYS: usize = 52;
    pub(in super::super) const TRIANGLES: usize = 56;
    pub(in super::super) const JOINTS: usize = 68;
    pub(in super::super) const POSES: usize = 76;
    pub(in super::super) const ANIMS: usize = 84;
    pub(in super::super) const NUM_FRAMES: usize = 92;
    pub(in super::super) const NUM_CHANNELS: usize = 96;
    pub(in super::super) const FRAMES: usize = 100;
    pub(in super::super) const BOUNDS: usize = 104;
    pub(in super::super) const COMMENT: usize = 108;
}

/// The version that is written.
const VERSION: u32 = 2;

impl<'a> Out<'a> {
    fn new(report: &'a Report) -> Self {
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.resize(HEADER_BYTES, 0);
        Self { report, bytes, text: vec![0], known: HashMap::new() }
    }

    /// Sets a field of the header.
    pub(super) fn set(&mut self, at: usize, value: u32) {
        if let Some(field) = self.bytes.get_mut(at..at + 4) {
            field.copy_from_slice(&value.to_le_bytes());
        }
    }

    /// A number as the format counts.
    pub(super) fn count(what: &'static str, num: usize) -> Result<u32, WriteError> {
        u32::try_from(num).map_err(|_| WriteError::TooMany {
            format: ID,
            what,
            count: num as u64,
            limit: u64::from(u32::MAX),
        })
    }

    /// Puts bytes behind all others, at a multiple of four; where they are.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<u32, WriteError> {
        let offset = self.bytes.len().next_multiple_of(4);
        self.bytes.resize(offset, 0);
        self.bytes.extend_from_slice(bytes);
        Self::count("bytes", self.bytes.len())?;
        Self::count("bytes", offset)
    }

    /// Writes a table, and its place into the header.
    pub(super) fn table(
        &mut self,
        at: usize,
        what: &'static str,
        num: usize,
        bytes: &[u8],
    ) -> Result<(), WriteError> {
        if num > 0 {
            let num = Self::count(what, num)?;
            let offset = self.append(bytes)?;
            self.set(at, num);
            self.set(at + 4, offset);
        }
        Ok(())
    }

    /// The offset of a name in the text; equal names are there once.
    pub(super) fn name(&mut self, name: &str) -> Result<u32, WriteError> {
        if name.contains('\0') {
            self.report.note(NoteKind::ChangedName, Place::File, format!("{name:?} ends early"));
        }
        let name = name.split('\0').next().unwrap_or_default();
        if name.is_empty() {
            return Ok(0);
        }
        if let Some(&offset) = self.known.get(name) {
            return Ok(offset);
        }
        let offset = Self::count("bytes of names", self.text.len())?;
        self.text.extend_from_slice(name.as_bytes());
        self.text.push(0);
        self.known.insert(name.to_owned(), offset);
        Ok(offset)
    }

    fn finish(mut self) -> Result<Vec<u8>, WriteError> {
        let text = std::mem::take(&mut self.text);
        self.table(at::TEXT, "bytes of names", text.len(), &text)?;
        let size = Self::count("bytes", self.bytes.len())?;
        self.set(at::FILE_SIZE, size);
        Ok(self.bytes)
    }
}

/// The format's meshes, which are subsets here.
fn subsets(
    out: &mut Out<'_>,
    rigged: &Rigged,
    mesh: &Mesh,
    kept: &[String],
) -> Result<(), WriteError> {
    let names = match kept.len() == mesh.subsets.len() {
        true => kept,
        false => rigged.subset_names.as_slice(),
    };
    let num_vertices = Out::count("vertices", mesh.num_vertices())?;
    let mut words = Vec::new();
    for (number, subset) in mesh.subsets.iter().enumerate() {
        let material = subset.material.and_then(|id| rigged.model.materials.get(id.index()));
        let material = material.map_or("", |material: &Material| &material.name);
        let (mut low, mut high) = (u32::MAX, 0);
        for index in subset.range().filter_map(|at| mesh.indices.get(at)) {
            (low, high) = (low.min(index), high.max(index));
        }
        let (first, num) = match low <= high {
            true => (low, high - low + 1),
            false => (0, 0),
        };
        words.extend([
            out.name(names.get(number).unwrap_or(&mesh.name))?,
            out.name(material)?,
            first,
            num,
            subset.first_index / 3,
            subset.index_count / 3,
        ]);
    }
    if mesh.subsets.is_empty() && !mesh.name.is_empty() {
        // Points have no triangles to name, but a name of their own.
        words.extend([out.name(&mesh.name)?, 0, 0, num_vertices, 0, 0]);
    }
    out.table(at::MESHES, "meshes", words.len() / 6, &u32s(&words))
}

fn triangles(out: &mut Out<'_>, mesh: &Mesh) -> Result<(), WriteError> {
    let indices: Vec<u32> = mesh.indices.iter().collect();
    let num = indices.len() / 3;
    out.table(at::TRIANGLES, "triangles", num, &u32s(&indices))
}

fn put_joints(out: &mut Out<'_>, joints: &Joints<'_>) -> Result<(), WriteError> {
    let mut bytes = Vec::new();
    for joint in &joints.list {
        bytes.extend(out.name(&joint.bone.name)?.to_le_bytes());
        bytes.extend(joint.parent.to_le_bytes());
        bytes.extend(f32s(&joint.channels));
    }
    out.table(at::JOINTS, "joints", joints.list.len(), &bytes)
}

/// The comment that a file of this format had.
fn comment(out: &mut Out<'_>, model: &Model) -> Result<(), WriteError> {
    match model.preserved(ID, "comment") {
        Some(bytes) => out.table(at::COMMENT, "bytes of a comment", bytes.len(), bytes),
        None => Ok(()),
    }
}

pub(super) fn f32s(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|f| f.to_le_bytes()).collect()
}

pub(super) fn u32s(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
