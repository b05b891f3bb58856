//! IQM (`.iqm`): the Inter-Quake Model, version 2.
//!
//! Source: `iqm.txt` of the Inter-Quake Model Development Kit (`lsalzman/iqm`), and its demos where
//! the text is ambiguous.
//!
//! Little-endian, tables described by a header of 124 bytes: `INTERQUAKEMODEL\0`, then u32 version,
//! file size, flags, and count and file offset of each table:
//!
//! | table | record |
//! |---|---|
//! | text | bytes; names are offsets into it and end at a NUL |
//! | meshes | name, material, first vertex, vertices, first *triangle*, triangles |
//! | vertex arrays | type, flags, format, components, offset; each contains all vertices |
//! | triangles | u32x3, **clockwise** fronts, indices into all vertices; adjacency in a separate
//! table |
//! | joints | name, i32 parent (< 0: root), translation, rotation xyzw, scale in the parent |
//! | poses | i32 parent, u32 channel mask, f32x10 offsets, f32x10 scales |
//! | anims | name, first frame, frames, f32 frames per second, flags (1: loop) |
//! | frames | u16 for each channel in each pose's mask, frame by frame |
//! | bounds | per frame: f32x3 lowest, f32x3 highest corner, radius around Z, radius |
//! | comment, extensions | text; a linked list of name, bytes, next |
//!
//! A pose's channels are translation, rotation and scale as in a joint; channel = offset + u16 *
//! scale if the channel is in the mask, else the offset. The inverse bind matrices are the inverses
//! of the joints. Right-handed, Z up, v down, no unit; B = w * cross(N, T). A file may contain only
//! poses and frames, for the mesh of another file: its bones are those of the poses, without names.
//!
//! Both demos transform normals and tangents by the cofactors of the blended matrix (`matnorm` in
//! `demo.cpp`, `madjtrans` in `gpu-demo.cpp`): mirroring flips them.
//!
//! All meshes share their vertices, so they become subsets of one [`rigscope_core::model::Mesh`],
//! which has the name of the first.
//!
//! The writer uses the number formats that the demos support: f32, and u8 for blend indexes,
//! weights and colours. Joints are the bind pose. Vertices bound to the same bone in a different
//! way get a second joint, a child of the first that doesn't move. Unchanged clips of a file of
//! this format keep their 16-bit steps; others are quantized to each channel's range over all
//! clips. The format's only UV set is the first one; adjacency, which is optional, isn't written.
//!
//! Between frames the demos blend the bones' local matrices
//! ([`rigscope_core::model::Interpolation::Matrix`]), and so does every pose here except a
//! decomposed one. Formats with tracks get rotations at the same keys, interpolated without
//! changing their length. Ambiguous: a looping anim of n frames lasts n - 1 frames, like other
//! clips; the demos also blend from the last frame to the first.
//! Ambiguous: integer formats other than the recommended ones are read as fractions of their
//! largest value, except in positions and blend indexes. Ambiguous: the colour space isn't
//! specified; the demos output colours unchanged, so they are read as sRGB.

mod clips;
mod components;
mod file_builder;
mod header;
mod joints;
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

pub const ID: &str = "iqm";

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
            // As separate files, named like materials or after them.
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
            // A material named after an image refers to that image; others have no texture.
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
