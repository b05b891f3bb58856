//! Wavefront OBJ (`.obj`) with its material library (`.mtl`).
//!
//! Source: Wavefront, "Appendix B1. Object Files", and `ufbx.h` 0.23, which reads it.
//!
//! | line | meaning |
//! |---|---|
//! | `v x y z [w] [r g b]` | control point, maybe with a colour, which is sRGB |
//! | `vt u v`, `vn x y z` | UV with v up, normal |
//! | `f a/b/c …` | polygon; numbers from 1, or from the end where negative |
//! | `p`, `l` | points and lines, which are shown as such |
//! | `o`, `g` | name of what follows: one mesh each |
//! | `s n`, `s off` | whether missing normals are smoothed |
//! | `mtllib FILE`, `usemtl NAME` | materials |
//! | `\` at the end of a line | the statement goes on |
//!
//! Faces that name what is not there are left out, each with all of its corners, and noted.
//!
//! No unit, no bones; right-handed, Y up by custom. A file without faces is a cloud of points.
//! What is written is the default pose in display space, one object a mesh; `rigscope pose` writes
//! any pose with [`write_posed`], without a library and with a group a subset.

mod libraries;
mod library;
mod lines;
mod maps;
mod names;
mod piece;
mod plain;
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

/// The format's id.
pub(super) const ID: &str = "obj";

/// Wavefront OBJ.
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
            // Beside the file.
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
