//! Wavefront OBJ (`.obj`) with its material library (`.mtl`).
//!
//! Source: Wavefront, "Appendix B1. Object Files". Meshes, normals and triangulation are as `ufbx.c` 0.23 derives
//! them, and tests compare both.
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
//! Faces with invalid indices are left out, including all of their corners, and reported. A face that follows no
//! `usemtl` has the first material of its mesh.
//!
//! Ambiguous: vertex colours are read as sRGB, since the format doesn't specify them: Blender does the same by
//! default, and so does the `OBJLoader` of three.js. If only some vertices have a colour, the others are white.
//!
//! No unit, no bones; right-handed, Y up by convention. A file without faces is a point cloud. The writer
//! stores the default pose in display space, one object per mesh; `rigscope pose` writes any pose with
//! [`write_posed`], without a material library and with one group per subset.

mod chunk;
mod corners;
mod counts;
mod definitions;
mod faces;
mod fans;
mod faults;
mod geometry;
mod library_reader;
mod library_writer;
mod line_spans;
mod looks;
mod maps;
mod meshes;
mod names;
mod normals;
mod numbers;
mod parse;
mod parts;
mod plain_lines;
mod points;
mod probe;
mod read;
mod statements;
mod text;
mod values;
mod vertices;
mod write;

pub use text::write_posed;

#[cfg(test)]
use read::read_merged;

use super::losses::{Aspect, Precision, Stored, stored};
use super::{Caps, Format, FormatInfo, FormatKind, MimeType, PoseWords, Reader, Writer};

pub(super) const ID: &str = "obj";

const STORED: fn(Aspect) -> Stored = stored! {
    Stored::WHOLE => Vertices Triangles Lines Points Normals Colors Meshes MeshNames MaterialNames Textures
        Looks;
    // In the same folder.
    Stored::WHOLE => Images;
    Stored::up_to(1) => UvSets;
    Stored::NO => HumanBones Expressions Springs;
    Stored::NO => Tangents TextureTransforms Skins Influences BoneLocal DualQuaternions UsedBones UnusedBones
        BoneNames Parents Rest Clips ClipNames Curves UnevenKeys Interpolations StartTimes Events ValueTracks
        Scales Shears MorphTargets MaterialTracks VertexAnimations Hulls Occluders;
};

pub const OBJ: Format = Format {
    info: FormatInfo {
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
    },
    probe: probe::probe,
    runtime: None,
    reader: Reader { read_numbered: Some(read::read_merged), ..Reader::of(read::read) },
    writer: Some(Writer::of(write::write, STORED)),
};

#[cfg(test)]
mod tests;
