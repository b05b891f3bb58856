//! BSM2 (`.bsm2`): the packed skinned mesh of Banuba's SDK.
//!
//! Source: the vendor's page "Skinned mesh file format (.bsm2)", verified with 155 real files and the SDK's
//! public shaders.
//!
//! Little-endian, packed, no magic, no version.
//!
//! | part | layout |
//! |---|---|
//! | header | 6 x u32: vertices, indices, subsets, bones, material names, animations |
//! | vertices | 32 bytes each, see [`rigscope_core::model::PackedVertex`] |
//! | indices | u16 triangle list, counter-clockwise fronts |
//! | subsets | 3 x u32: first *index*, index count, material |
//! | material names | string each |
//! | animations | string, u64 duration ns, u64 interval ns, u32 keys, then keys x bones x 3x4 f32 |
//! | hierarchy, if bytes are left | u8 parent per bone, 4x4 f32 per bone, string per bone |
//!
//! A string is a u32 length followed by bytes. A 3x4 matrix is **row**-major, the 4x4 inverse base pose
//! **column**-major. Without hierarchy, a key's matrix is the complete skinning matrix; with hierarchy it's
//! local to the parent. Right-handed, Y up, v down, unit not specified.
//!
//! The SDK's shaders transform normals and tangents by the upper 3x3 of the blended matrix itself
//! (`bnb_decode_int1010102(attrib_n).xyz*mat3(m)`) without normalizing the result; here it's normalized at
//! every vertex.
//!
//! Ambiguous: in every real file a root is its own parent; 255 is also read as a root if there are fewer
//! bones.
//! Ambiguous: weights that don't sum to 255 (never seen) are scaled. Ambiguous: without animation or keys
//! (never seen) the vertices are shown as stored. Ambiguous: bytes after the hierarchy are preserved and
//! reported.

mod holds;
mod layout;
mod read;
mod write;

use super::losses::{Aspect, Held, Precision};
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, MimeType, OutputFile, PoseWords, ProbeInput,
    ReadError, ReadOptions, Source, WriteError, WriteOptions,
};
use rigscope_core::model::{Model, NormalMatrix, Report};

pub const ID: &str = "bsm2";

pub struct Bsm2;

const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "Banuba skinned mesh",
    extensions: &["bsm2"],
    mime_types: &[MimeType::own("model/x-bsm2", "bsm2", &[])],
    kind: FormatKind::Binary,
    can_read: true,
    can_write: true,

    caps: Caps { mesh: true, skin: true, clips: true, collision: false },
    pose_words: PoseWords {
        rest: "",
        bind: "vertices as stored; inverse bind matrices are part of the keys",
    },
    parts: &[],
    precision: Precision {
        position: 0.0,
        // Half a step of 1/511 on each of three axes, as an angle.
        normal_deg: 0.1,
        uv: 0.5 / 65_535.0,
        weight: 1.0 / 255.0,
    },
    citation: "Banuba SDK documentation, \"Skinned mesh file format (.bsm2)\"",
};

impl Format for Bsm2 {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, input: &ProbeInput<'_>) -> Confidence {
        layout::probe(input)
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
        NormalMatrix::Same
    }

    fn holds(&self, aspect: Aspect, options: &WriteOptions) -> Held {
        holds::holds(aspect, options)
    }

    fn num_held(&self, model: &Model, aspect: Aspect, options: &WriteOptions, count: u64) -> u64 {
        match aspect {
            Aspect::Images => write::images(model, options).num_held().min(count),
            Aspect::UnusedBones => holds::unused_bones(model, options).min(count),
            _ => self.holds(aspect, options).of(count),
        }
    }

    fn is_verbatim(&self, model: &Model, options: &WriteOptions) -> bool {
        write::verbatim(model, options).is_some()
    }

    fn has_choice_of_hierarchy(&self) -> bool {
        true
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
