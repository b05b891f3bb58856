//! ozz archives (`.ozz`): skeleton, animation and sample mesh of guillaumeblanc/ozz-animation.
//!
//! Source: ozz-animation 0.9 to 0.16 (`include/ozz/base/io/archive.h`, `src/animation/runtime/`,
//! `src/animation/offline/raw_animation_archive.cc`, `samples/framework/mesh.cc`), settled on the
//! project's own media.
//!
//! Byte 0 is the byte order (0 big, 1 little). Then objects back to back: a tag that ends with a
//! zero, u32 version, payload; no sizes, no checksums. A list is a u32 count, a u32 version where
//! there are elements that have one, then the elements.
//!
//! | object | payload |
//! |---|---|
//! | `ozz-skeleton` 2 | i32 joints, i32 characters, names with zeros, i16 parents (-1 none), per 4 joints 10 x 4 f32: T, R, S |
//! | `ozz-animation` 7 | f32 duration, 12 x u32 counts, name, f32 ratios; for T, R, S: ratio indices, u16 steps back, seek tables, 3 x u16 values |
//! | `ozz-animation` 4 to 6 | f32 duration, 5 x i32 counts, name, keys of T, R, S with their time and track |
//! | `ozz-raw_animation` 3 | f32 duration, list of tracks of three lists of keys, name |
//! | `ozz-raw_skeleton` 1 | list of roots; a joint is name, T, R, S, list of children |
//! | `ozz-float_track` to `ozz-float4_track`, `ozz-quat_track` 1 | u32 keys, u32 name length, f32 ratios, values, a bit a key whether it holds, name |
//! | `ozz-sample-Mesh` 1 | list of parts, u16 triangles, u16 joint remaps, 4x4 f32 inverse bind poses |
//!
//! Right-handed, Y up. `fbx2mesh` and `fbx2ozz` convert to metres, but the file does not state it.
//! Influence slots are the joint remaps; the last weight of a vertex is what is missing to 1.
//!
//! `SkinningJob` turns normals and tangents by the blended matrix itself unless it is given inverse
//! transposes, which the samples' renderer does not (`skinning_job.h`,
//! `samples/framework/internal/renderer_impl.cc`). It leaves the length as it comes; here it is 1.
//!
//! Which files go together is nowhere stored: see `pair`.
//!
//! Ambiguous: `fbx2mesh` copies the colours of an FBX and the samples give them to the screen as they
//! are, so they are taken as sRGB; vertices of parts without colours are white.
//! Ambiguous: animations 4 and 5 number joints breadth-first, in an order that no skeleton of
//! version 2 has; they are shown on bones of their own. Ambiguous: key times of version 4 are taken
//! as seconds, later ones as parts of the duration. Ambiguous: v is taken to point up as in FBX,
//! from which `fbx2mesh` copies it. Ambiguous: a negative last weight (rounding) is read as 0.
//!
//! Written are skeleton 2, animation 7 and mesh 1, little-endian, as ozz 0.15 and 0.16 read them:
//! one archive for all meshes, one for the skeleton, one for every clip. Bones that shear lose that;
//! clips begin at 0.

mod animation;
mod archive;
mod half_float;
mod holds;
mod influences;
mod keys;
mod mesh;
mod model;
mod objects;
mod originals;
mod out;
mod pair;
mod quantized;
mod raw;
mod raw_skeleton;
mod seek;
mod skeleton;
mod track;
mod write;
mod write_animation;
mod write_mesh;
mod write_skeleton;

use super::losses::{Aspect, Held, Precision};
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, MimeType, OutputFile, PartInfo, PoseWords,
    ProbeInput, ReadError, ReadOptions, Source, WriteError, WriteOptions,
};
use rigscope_core::model::{CompanionRole, Model, NormalMatrix, Report};

/// The format's id.
pub const ID: &str = "ozz";

/// ozz archives.
pub struct Ozz;

const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "ozz-animation archive",
    extensions: &["ozz"],
    mime_types: &[MimeType::own("model/x-ozz", "ozz", &[(1, b"ozz-")])],
    kind: FormatKind::Binary,
    can_read: true,
    can_write: true,
    caps: Caps { mesh: true, skin: true, clips: true, collision: false },
    pose_words: PoseWords {
        rest: "rest pose of the skeleton archive",
        bind: "inverse_bind_poses of the mesh archive",
    },
    parts: &[
        PartInfo { id: write::MESH, extension: "ozz", meaning: "all meshes" },
        PartInfo { id: write::SKELETON, extension: "ozz", meaning: "the skeleton" },
        PartInfo { id: write::ANIMATION, extension: "ozz", meaning: "an archive for every clip" },
    ],
    // Keys are half floats and quaternions of 15 bits a component; at rest all is single precision.
    precision: Precision::EXACT,
    citation: "ozz-animation 0.16, io/archive.h, animation/runtime and samples/framework/mesh.cc",
};

impl Format for Ozz {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, input: &ProbeInput<'_>) -> Confidence {
        match archive::first_tag(input.head) {
            Some(_) => Confidence::Strong,
            None => Confidence::No,
        }
    }

    fn has_mesh(&self, input: &ProbeInput<'_>) -> Option<bool> {
        archive::first_tag(input.head).map(|tag| tag == objects::MESH)
    }

    fn read(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<Model, ReadError> {
        let mut model = model::read(source, options, report)?;
        model.provenance = report.take_provenance();
        Ok(model)
    }

    fn rig_extension(&self) -> Option<&'static str> {
        Some("ozz")
    }

    fn role(&self, front: &[u8]) -> Option<CompanionRole> {
        match archive::first_tag(front)? {
            objects::SKELETON => Some(CompanionRole::Skeleton),
            objects::MESH => Some(CompanionRole::Mesh),
            _ => Some(CompanionRole::Animation),
        }
    }

    fn normal_matrix(&self) -> NormalMatrix {
        NormalMatrix::Same
    }

    fn holds(&self, aspect: Aspect, options: &WriteOptions) -> Held {
        holds::holds(aspect, options)
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
pub(super) mod pair_tests;
#[cfg(test)]
mod tests;
