//! IQM (`.iqm`): the Inter-Quake Model, version 2.
//!
//! Source: `iqm.txt` of the Inter-Quake Model Development Kit (`lsalzman/iqm`) and its demos, which
//! settle what the text leaves open.
//!
//! Little-endian, tables told of by a header of 124 bytes: `INTERQUAKEMODEL\0`, then u32 version,
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
//! | bounds | of each frame; not read |
//! | comment, extensions | text; a linked list of name, bytes, next |
//!
//! A pose's channels are translation, rotation and scale as in a joint; channel = offset + (u16 *
//! scale, where the mask has its bit). The inverse bind matrices are the joints' own inverses.
//! Right-handed, Z up, v down, unit not stated; B = w * cross(N, T). A file may hold only poses and
//! frames, for another file's mesh: its bones are those of the poses, without names.
//!
//! All meshes share their vertices, so they are subsets of one [`crate::model::Mesh`].
//!
//! Ambiguous: between frames the demos blend the bones' local matrices; here translation, rotation
//! and scale are, with rotations brought back to unit length. Ambiguous: a looping anim of n frames
//! lasts n - 1 frames, as other clips do; the demos also blend from the last frame to the first.
//! Ambiguous: integer formats other than the recommended ones are taken as fractions of their
//! largest value, but for positions and blend indexes. Ambiguous: colours are taken as linear.
//! No writer yet.

mod clips;
mod components;
mod header;
mod joints;
mod read;
mod tables;
mod vertices;

use super::losses::Precision;
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, ProbeInput, ReadError, ReadOptions, Source,
};
use crate::model::{Model, Report};

/// The format's id.
pub const ID: &str = "iqm";

/// IQM.
pub struct Iqm;

const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "Inter-Quake Model",
    extensions: &["iqm"],
    kind: FormatKind::Binary,
    can_read: true,
    can_write: false,
    caps: Caps {
        mesh: true,
        skin: true,
        clips: true,
        collision: false,
    },
    parts: &[],
    precision: Precision::EXACT,
    citation: "Inter-Quake Model Development Kit, iqm.txt, version 2",
};

impl Format for Iqm {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, input: &ProbeInput<'_>) -> Confidence {
        header::probe(input)
    }

    fn read(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<Model, ReadError> {
        read::read(source, options, report)
    }
}

#[cfg(test)]
mod tests;
