//! IQM (`.iqm`): the Inter-Quake Model, version 2.
//!
//! Source: `iqm.txt` of the Inter-Quake Model Development Kit (`lsalzman/iqm`) and its demos, which
//! settle what the text leaves open.
//!
//! Little-endian, tables described by a header of 124 bytes: `INTERQUAKEMODEL\0`, then u32 version,
//! file size, flags, and count and file offset of each table:
//!
//! | table | record |
//! |---|---|
//! | text | bytes; names are offsets into it and end at a NUL |
//! | meshes | name, material, first vertex, vertices, first *triangle*, triangles |
//! | vertex arrays | type, flags, format, components, offset; each holds all vertices |
//! | triangles | u32x3, **clockwise** fronts, indices into all vertices; adjacency beside |
//! | joints | name, i32 parent (< 0: root), translation, rotation xyzw, scale in the parent |
//! | poses | i32 parent, u32 channel mask, f32x10 offsets, f32x10 scales |
//! | anims | name, first frame, frames, f32 frames a second, flags (1: loop) |
//! | frames | u16 for each pose and each channel in its mask, frame after frame |
//! | bounds | f32x3 lowest, f32x3 highest corner, radius around Z, radius of each frame |
//! | comment, extensions | text; a linked list of name, bytes, next |
//!
//! A pose's channels are translation, rotation and scale as in a joint; channel = offset + (u16 *
//! scale, where the mask has its bit). The inverse bind matrices are the joints' own inverses.
//! Right-handed, Z up, v down, unit not stated; B = w * cross(N, T). A file may hold only poses and
//! frames, for another file's mesh: its bones are those of the poses, without names.
//!
//! Both demos turn normals and tangents by the cofactors of the blended matrix (`matnorm` in
//! `demo.cpp`, `madjtrans` in `gpu-demo.cpp`): a mirror turns them over.
//!
//! All meshes share their vertices, so they are subsets of one [`rigscope_core::model::Mesh`], which has the
//! name of the first.
//!
//! Written are the number formats that the demos know: f32, and u8 for blend indexes, weights and
//! colours. Joints are the bind pose. Vertices bound otherwise to one bone get a second joint, which
//! stays on the first. Clips of a file of this format that nothing changed keep their 16-bit steps;
//! others are rounded to steps of each channel's own range over all clips. The format's one UV set
//! is the first; adjacency, which may be left out, is.
//!
//! Between frames the demos blend the bones' local matrices ([`rigscope_core::model::Interpolation::Matrix`]),
//! and so does every pose here but a decomposed one. Formats of tracks get turns that keep their
//! length between the same keys. Ambiguous: a looping anim of n frames lasts n - 1 frames, as other
//! clips do; the demos also blend from the last frame to the first.
//! Ambiguous: integer formats other than the recommended ones are taken as fractions of their
//! largest value, but for positions and blend indexes. Ambiguous: nothing says
//! what colours are; the demos give them to the screen as they are, so they are taken as sRGB.

mod clips;
mod components;
mod header;
mod joints;
mod out;
mod read;
mod tables;
mod vertices;
mod write;
mod write_clips;
mod write_joints;
mod write_unweighted;
mod write_vertices;

use super::losses::{Aspect, Held, Precision};
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, MimeType, OutputFile, PoseWords, ProbeInput,
    ReadError, ReadOptions, Source, WriteError, WriteOptions,
};
use rigscope_core::model::{Model, NormalMatrix, Report};

/// The format's id.
pub const ID: &str = "iqm";

/// IQM.
pub struct Iqm;

const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "Inter-Quake Model",
    extensions: &["iqm"],
    mime_types: &[MimeType::own("model/x-iqm", "iqm", &[(0, header::MAGIC)])],
    kind: FormatKind::Binary,
    can_read: true,
    can_write: true,
    caps: Caps { mesh: true, skin: true, clips: true, collision: false },
    pose_words: PoseWords {
        rest: "joints (the base pose)",
        bind: "joints (the base pose), which inverse bind matrices are made of",
    },
    parts: &[],
    precision: Precision { weight: 1.0 / 255.0, ..Precision::EXACT },
    citation: "Inter-Quake Model Development Kit, iqm.txt, version 2",
};

impl Format for Iqm {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, input: &ProbeInput<'_>) -> Confidence {
        header::probe(input)
    }

    fn has_mesh(&self, input: &ProbeInput<'_>) -> Option<bool> {
        header::has_mesh(input)
    }

    fn read(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<Model, ReadError> {
        read::read(source, options, report)
    }

    fn normal_matrix(&self) -> NormalMatrix {
        NormalMatrix::Cofactor
    }

    fn holds(&self, aspect: Aspect, _options: &WriteOptions) -> Held {
        match aspect {
            Aspect::Vertices
            | Aspect::Triangles
            | Aspect::Normals
            | Aspect::Tangents
            | Aspect::Colors
            | Aspect::MeshNames
            | Aspect::MaterialNames
            // Beside the file, named as materials are or after them.
            | Aspect::Images
            | Aspect::Skins
            | Aspect::UsedBones
            | Aspect::UnusedBones
            | Aspect::BoneNames
            | Aspect::Parents
            | Aspect::Rest
            | Aspect::Clips
            | Aspect::ClipNames
            | Aspect::Scales => Held::Whole,
            Aspect::UvSets | Aspect::Meshes => Held::UpTo(1),
            Aspect::Influences => Held::UpTo(4),
            Aspect::Lines
            | Aspect::Points
            // A material named after an image means that image; others name none.
            | Aspect::Textures
            | Aspect::TextureTransforms
            | Aspect::Looks
            | Aspect::BoneLocal
            | Aspect::DualQuaternions
            | Aspect::Curves
            | Aspect::UnevenKeys
            | Aspect::Interpolations
            | Aspect::StartTimes
            | Aspect::Events
            | Aspect::ValueTracks
            | Aspect::Shears
            | Aspect::MorphTargets
            | Aspect::VertexCaches
            | Aspect::Hulls
            | Aspect::Occluders => Held::No,
        }
    }

    fn num_held(&self, model: &Model, aspect: Aspect, options: &WriteOptions, count: u64) -> u64 {
        match aspect {
            Aspect::Images => write::images(model).num_held().min(count),
            _ => self.holds(aspect, options).of(count),
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
