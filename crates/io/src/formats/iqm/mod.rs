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
//! way get a second joint, a child of the first that doesn't move; vertices without weights get a
//! joint at the origin ([`rigscope_core::model::AddedBone`]). Unchanged clips of a file of
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
mod edit;
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

use super::losses::{Aspect, Precision, Stored, stored};
use super::{Caps, Format, FormatInfo, FormatKind, MimeType, PoseWords, Reader, Writer};
use rigscope_core::runtime;

pub const ID: &str = "iqm";

const STORED: fn(Aspect) -> Stored = stored! {
    Stored::WHOLE => Vertices Triangles Normals Tangents Colors MeshNames MaterialNames Skins UsedBones
        UnusedBones BoneNames Parents Rest Clips ClipNames Scales;
    // As separate files, named like materials or after them.
    Stored::WHOLE.counted(|model, _, _| write::images(model).num_held()) => Images;
    Stored::up_to(1) => UvSets Meshes;
    Stored::up_to(4) => Influences;
    // A material named after an image refers to that image; others have no texture.
    Stored::NO => Textures;
    Stored::NO => HumanBones Expressions Springs;
    Stored::NO => Lines Points TextureTransforms Looks BoneLocal DualQuaternions Curves UnevenKeys
        Interpolations StartTimes Events ValueTracks Shears MorphTargets MaterialTracks VertexAnimations Hulls Occluders;
};

pub const IQM: Format = Format {
    info: FormatInfo {
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
            bind: "joints (the base pose), from which the inverse bind matrices are computed",
        },
        parts: &[],
        precision: Precision { weight: 1.0 / 255.0, ..Precision::EXACT },
        citation: "Inter-Quake Model Development Kit, iqm.txt, version 2",
    },
    probe: header::probe,
    runtime: Some(&runtime::IQM),
    reader: Reader { has_mesh: header::has_mesh, ..Reader::of(read::read) },
    writer: Some(Writer { editor: Some(edit::EDITOR), ..Writer::of(write::write, STORED) }),
};

#[cfg(test)]
mod tests;
