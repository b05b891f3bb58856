//! Wavefront OBJ (`.obj`) with its material library (`.mtl`).
//!
//! Source: Wavefront, "Appendix B1. Object Files", and `ufbx.h` 0.23, which reads it.
//!
//! | line | meaning |
//! |---|---|
//! | `v x y z [w] [r g b]` | control point, optionally with an sRGB colour |
//! | `vt u v`, `vn x y z` | UV with v up, normal |
//! | `f a/b/c …` | polygon; indices from 1, or from the end if negative |
//! | `p`, `l` | points and lines, displayed as such |
//! | `o`, `g` | name of the following part: one mesh each |
//! | `s n`, `s off` | whether missing normals are smoothed |
//! | `mtllib FILE`, `usemtl NAME` | materials |
//! | `\` at the end of a line | the statement continues |
//!
//! Faces with invalid indices are left out, including all of their corners, and reported.
//!
//! No unit, no bones; right-handed, Y up by convention. A file without faces is a point cloud. The writer
//! stores the default pose in display space, one object per mesh; `rigscope pose` writes any pose with
//! [`write_posed`], without a material library and with one group per subset.

mod chunk;
mod library_reader;
mod library_writer;
mod line_spans;
mod maps;
mod names;
mod plain_lines;
mod points;
mod prepare;
mod probe;
mod read;
mod statements;
mod text;
mod write;

pub use text::write_posed;

#[cfg(test)]
use read::read_merged;

use super::losses::{Aspect, Held, Precision};
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, MimeType, OutputFile, PoseWords, ProbeInput,
    ReadError, ReadOptions, Source, WriteError, WriteOptions,
};
use rigscope_core::model::{Model, Report};

pub(super) const ID: &str = "obj";

pub struct Obj;

const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "Wavefront OBJ",
    extensions: &["obj"],
    mime_types: &[MimeType::known("model/obj", "obj")],
    kind: FormatKind::Text,
    can_read: true,
    can_write: true,
    caps: Caps { mesh: true, skin: false, clips: false, collision: false },
    pose_words: PoseWords { rest: "", bind: "" },
    parts: &[],
    precision: Precision::EXACT,
    citation: "Wavefront, \"Appendix B1. Object Files\"",
};

impl Format for Obj {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, input: &ProbeInput<'_>) -> Confidence {
        probe::probe(input)
    }

    fn read(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<Model, ReadError> {
        read::read(source, options, report)
    }

    fn read_numbered(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Option<Result<(Model, Vec<u32>), ReadError>> {
        Some(read::read_merged(source, options, report))
    }

    fn holds(&self, aspect: Aspect, _options: &WriteOptions) -> Held {
        match aspect {
            Aspect::Vertices
            | Aspect::Triangles
            | Aspect::Lines
            | Aspect::Points
            | Aspect::Normals
            | Aspect::Colors
            | Aspect::Meshes
            | Aspect::MeshNames
            | Aspect::MaterialNames
            | Aspect::Textures
            // In the same folder.
            | Aspect::Images
            | Aspect::Looks => Held::Whole,
            Aspect::UvSets => Held::UpTo(1),
            Aspect::Tangents
            | Aspect::TextureTransforms
            | Aspect::Skins
            | Aspect::Influences
            | Aspect::BoneLocal
            | Aspect::DualQuaternions
            | Aspect::UsedBones
            | Aspect::UnusedBones
            | Aspect::BoneNames
            | Aspect::Parents
            | Aspect::Rest
            | Aspect::Clips
            | Aspect::ClipNames
            | Aspect::Curves
            | Aspect::UnevenKeys
            | Aspect::Interpolations
            | Aspect::StartTimes
            | Aspect::Events
            | Aspect::ValueTracks
            | Aspect::Scales
            | Aspect::Shears
            | Aspect::MorphTargets
            | Aspect::VertexCaches
            | Aspect::Hulls
            | Aspect::Occluders => Held::No,
        }
    }

    fn write(
        &self,
        model: &Model,
        options: &WriteOptions,
        report: &Report,
    ) -> Result<Vec<OutputFile>, WriteError> {
        write::write(model, options, report)
    }
}

#[cfg(test)]
mod tests;
