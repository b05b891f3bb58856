//! ozz archives (`.ozz`): skeleton, animation and sample mesh of guillaumeblanc/ozz-animation.
//!
//! Source: ozz-animation 0.9 to 0.16 (`include/ozz/base/io/archive.h`, `src/animation/runtime/`,
//! `src/animation/offline/raw_animation_archive.cc`, `samples/framework/mesh.cc`), verified with the
//! project's own media.
//!
//! Byte 0 is the byte order (0 big, 1 little), followed by consecutive objects: a zero-terminated tag, u32
//! version, payload; no sizes, no checksums. A list is a u32 count, a u32 version if it has elements of a
//! versioned type, then the elements.
//!
//! | object | payload |
//! |---|---|
//! | `ozz-skeleton` 2 | i32 joints, i32 characters, names with zeros, i16 parents (-1 none), per 4 joints 10 x 4 f32: T, R, S |
//! | `ozz-animation` 7 | f32 duration, 12 x u32 counts, name, f32 ratios; for T, R, S: ratio indices, u16 steps back, seek tables, 3 x u16 values |
//! | `ozz-animation` 4 to 6 | f32 duration, 5 x i32 counts, name, keys of T, R, S with their time and track |
//! | `ozz-raw_animation` 3 | f32 duration, list of tracks with three key lists each, name |
//! | `ozz-raw_skeleton` 1 | list of roots; a joint is name, T, R, S, list of children |
//! | `ozz-float_track` to `ozz-float4_track`, `ozz-quat_track` 1 | u32 keys, u32 name length, f32 ratios, values, a step bit per key, name |
//! | `ozz-sample-Mesh` 1 | list of parts, u16 triangles, u16 joint remaps, 4x4 f32 inverse bind poses |
//!
//! Right-handed, Y up. `fbx2mesh` and `fbx2ozz` convert to metres, but the file doesn't state it. Influence
//! slots are the joint remaps; the last weight of a vertex is 1 minus the others.
//!
//! `SkinningJob` transforms normals and tangents by the blended matrix itself unless it gets inverse
//! transposes, which the samples' renderer doesn't pass (`skinning_job.h`,
//! `samples/framework/internal/renderer_impl.cc`). It doesn't normalize the result; here it's normalized.
//!
//! Files don't refer to each other; see `related_archives`.
//!
//! Ambiguous: `fbx2mesh` copies the colours of an FBX and the samples display them unchanged, so they are
//! read as sRGB; vertices of parts without colours are white.
//! Ambiguous: animations 4 and 5 number joints breadth-first, unlike any skeleton of version 2; they are
//! shown on separate bones. Ambiguous: key times of version 4 are read as seconds, later ones as relative to
//! the duration. Ambiguous: v is assumed to point up as in FBX, from which `fbx2mesh` copies it. Ambiguous: a
//! negative last weight (rounding) is read as 0.
//!
//! The writer creates skeleton 2, animation 7 and mesh 1, little-endian, as read by ozz 0.15 and 0.16: one
//! archive for all meshes, one for the skeleton, one for each clip. Shear is lost; clips begin at 0. Vertices
//! without weights get a joint at the origin ([`rigscope_core::model::AddedBone`]).

mod animation;
mod archive;
mod archive_writer;
mod half_float;
mod influences;
mod keys;
mod mesh;
mod model;
mod objects;
mod originals;
mod quantized;
mod raw;
mod raw_skeleton;
mod related_archives;
mod seek;
mod skeleton;
mod track;
mod write;
mod write_animation;
mod write_mesh;
mod write_skeleton;

use super::losses::{Aspect, Precision, Stored, stored};
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, MimeType, PartInfo, PoseWords, Reader,
    RigFiles, Writer,
};
use rigscope_core::runtime;
use write::{ANIMATION, MESH, SKELETON};

pub const ID: &str = "ozz";

const STORED: fn(Aspect) -> Stored = stored! {
    Stored::WHOLE.in_parts(&[MESH]) => Vertices Triangles Normals Tangents Colors Meshes Skins Influences
        UsedBones;
    Stored::up_to(1).in_parts(&[MESH]) => UvSets;
    Stored::WHOLE.in_parts(&[SKELETON]) => BoneNames Parents Rest;
    // An animation has a track for every bone.
    Stored::WHOLE.in_parts(&[SKELETON, ANIMATION]) => UnusedBones Scales;
    Stored::WHOLE.in_parts(&[ANIMATION]) => Clips ClipNames;
    // A requested rate replaces the keys.
    Stored::WHOLE.in_parts(&[ANIMATION]).when(|options| options.rate.is_none()) => UnevenKeys;
    Stored::NO => HumanBones Expressions Springs;
    Stored::NO => Lines Points MeshNames MaterialNames Textures TextureTransforms Looks Images BoneLocal
        DualQuaternions Curves Interpolations StartTimes Events ValueTracks Shears MorphTargets MaterialTracks VertexAnimations
        Hulls Occluders;
};

pub const OZZ: Format = Format {
    info: FormatInfo {
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
            PartInfo { id: MESH, extension: "ozz", meaning: "all meshes" },
            PartInfo { id: SKELETON, extension: "ozz", meaning: "the skeleton" },
            PartInfo { id: ANIMATION, extension: "ozz", meaning: "one archive per clip" },
        ],
        // Keys are half floats and quaternions with 15 bits per component; the rest pose has single precision.
        precision: Precision::EXACT,
        citation: "ozz-animation 0.16, io/archive.h, animation/runtime and samples/framework/mesh.cc",
    },
    probe: |input| match archive::first_tag(input.head) {
        Some(_) => Confidence::Strong,
        None => Confidence::No,
    },
    runtime: Some(&runtime::OZZ),
    reader: Reader {
        has_mesh: |input| archive::first_tag(input.head).map(|tag| tag == objects::MESH),
        rig_files: Some(RigFiles { extension: "ozz", role: objects::role }),
        ..Reader::of(model::read)
    },
    writer: Some(Writer::of(write::write, STORED)),
};

#[cfg(test)]
pub(super) mod related_archives_tests;
#[cfg(test)]
mod tests;
