//! Writes a model as archives: one for its meshes, one for its skeleton, one for each clip.
//!
//! The main archive contains the meshes, or else the skeleton; the others are read together with
//! it. A requested part is the main archive.

use std::collections::HashSet;

use glam::Affine3A;

use super::archive_writer::ArchiveWriter;
use super::write_skeleton::Joints;
use super::{ID, influences, originals, write_animation, write_mesh, write_skeleton};
use crate::formats::file_names::clip_suffix;
use crate::formats::rigged_model::as_skins;
use crate::formats::{OutputFile, OutputPlace, WriteError, WriteOptions};
use rigscope_core::model::{
    Axes, ByteView, Clip, ClipId, FindingKind, Mesh, MeshId, MeshOrigins, Model, Motion, Origins,
    Place, Report, Skin, VertexData,
};
use rigscope_core::pose::{MeshPose, skin_mesh};
use rigscope_core::reshape;

/// Values of `--part`.
pub(super) const MESH: &str = "mesh";
pub(super) const SKELETON: &str = "skeleton";
pub(super) const ANIMATION: &str = "animation";

pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    report.progress("writing", 0.0)?;
    let kept = originals::originals(model).filter(|_| model.axes == Axes::default());
    let trailing = model.preserved(ID, "trailing").cloned();
    let plain = reshape::in_axes(&reshape::plain(model, options.rate), &Axes::default());
    let mut plain = as_skins(&plain, report);
    plain.meshes.iter_mut().for_each(flatten_morphs);
    let num_unmoved = match kept {
        // In a file that was read, a part without influences is written unchanged.
        Some(_) => 0,
        None => plain.meshes.iter().map(influences::num_unmoved).sum(),
    };
    report.add_many(FindingKind::Altered, Place::File, num_unmoved as u64, || {
        "vertices without influences are bound to a joint that never moves".to_owned()
    });
    let writer = Writer {
        joints: Joints::of(&plain, num_unmoved > 0, report)?,
        model: &plain,
        kept,
        trailing,
        report,
    };
    let files = writer.files(options.part.as_deref())?;
    report.progress("writing", 1.0)?;
    Ok(files)
}

struct Writer<'a> {
    /// A plain model in the axes of the format.
    model: &'a Model,
    joints: Joints,
    /// Preserved data per mesh, if the model was read from this format.
    kept: Option<Vec<originals::OriginalMesh>>,
    /// Bytes after the objects, if the model was read from this format.
    trailing: Option<ByteView>,
    report: &'a Report,
}

impl Writer<'_> {
    fn files(&self, part: Option<&str>) -> Result<Vec<OutputFile>, WriteError> {
        let is_asked = |id: &str| part.is_none_or(|part| part == id);
        let clips: Vec<usize> = self.clips().map(|(number, _)| number).collect();
        let has_bones = !self.joints.list.is_empty() || !clips.is_empty();
        let mut files = Vec::new();
        let mut origins = Origins::default();
        if is_asked(MESH) && !self.model.meshes.is_empty() {
            let (bytes, meshes) = self.meshes()?;
            origins.meshes = meshes;
            files.push((String::new(), bytes));
        }
        if is_asked(SKELETON) && has_bones {
            let mut out = ArchiveWriter::new();
            write_skeleton::put(&mut out, &self.joints)?;
            files.push((format!(".{SKELETON}"), out.finish()));
        }
        if is_asked(ANIMATION) {
            let mut names = HashSet::from([format!(".{SKELETON}")]);
            origins.clips = Some(clips.iter().map(|&at| Some(ClipId::from_index(at))).collect());
            for number in clips {
                let mut out = ArchiveWriter::new();
                write_animation::put(&mut out, self.model, number, &self.joints, self.report)?;
                let clip = self.model.clips.get(ClipId::from_index(number));
                let name = clip.map_or("", |clip| clip.name.as_str());
                files.push((clip_suffix(name, ANIMATION, &mut names), out.finish()));
            }
        }
        if files.is_empty() {
            let what = match part {
                Some(SKELETON) => SKELETON,
                Some(ANIMATION) => ANIMATION,
                Some(_) => MESH,
                None => "mesh, skeleton or animation",
            };
            return Err(WriteError::NothingToWrite { format: ID, what });
        }
        let file = |(number, (suffix, mut bytes)): (usize, (String, Vec<u8>))| {
            if let Some(trailing) = self.trailing.as_ref().filter(|_| number == 0) {
                bytes.extend_from_slice(trailing);
            }
            OutputFile {
                place: match number {
                    0 => OutputPlace::Main,
                    _ => OutputPlace::Suffix(suffix),
                },
                bytes,
                is_related_file: number > 0,
                origins: match number {
                    0 => origins.clone(),
                    _ => Origins::default(),
                },
            }
        };
        Ok(files.into_iter().enumerate().map(file).collect())
    }

    /// Clips that move bones.
    fn clips(&self) -> impl Iterator<Item = (usize, &Clip)> {
        let all = self.model.clips.iter().enumerate();
        all.filter(|(_, clip)| !matches!(clip.motion, Motion::VertexAnimation(_)))
    }

    /// The bytes of all meshes, and the origins of their vertices.
    fn meshes(&self) -> Result<(Vec<u8>, Vec<MeshOrigins>), WriteError> {
        let mut out = ArchiveWriter::new();
        let mut origins = Vec::new();
        for (number, mesh) in self.model.meshes.iter().enumerate() {
            let kept = self.kept.as_ref().and_then(|kept| kept.get(number));
            let order = write_mesh::put(&mut out, mesh, &self.joints, kept, self.report)?;
            origins.push(MeshOrigins::Of(MeshId::from_index(number), order));
        }
        Ok((out.finish(), origins))
    }
}

/// Applies the default weights of the morph targets to the vertices.
fn flatten_morphs(mesh: &mut Mesh) {
    let default_weight = |target: &rigscope_core::model::MorphTarget| target.default_weight;
    let morph_weights: Vec<f32> = mesh.morph_targets.iter().map(default_weight).collect();
    if morph_weights.iter().any(|weight| *weight != 0.0) {
        let unskinned = Mesh { skin: Skin::None, ..mesh.clone() };
        let pose =
            MeshPose { palette: vec![Affine3A::IDENTITY], morph_weights, ..MeshPose::default() };
        let skinned = skin_mesh(&unskinned, &pose);
        if let VertexData::Streams(streams) = &mut mesh.vertices {
            streams.positions = skinned.positions;
            if !streams.normals.is_empty() {
                streams.normals = skinned.normals;
            }
        }
    }
    mesh.morph_targets.clear();
}
