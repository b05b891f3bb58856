//! BSM (`.bsm`): the Binary Static Mesh, version 1.
//!
//! Source: "The Binary Static Mesh format (.BSM) Version 1 DRAFT", 2012-04-02, and its author's
//! loader, viewer and Blender exporter (`zvxryb/Binary-Static-Mesh`).
//!
//! Little-endian, 4-byte values. The header has the count and file offset of each array:
//!
//! | offset | field |
//! |---|---|
//! | 0x00 | `BINARYSTATICMESH` |
//! | 0x10 | i32 version, i32 extension |
//! | 0x18 | bounding sphere: centre, radius; bounding box: min, max |
//! | 0x40 | vertices: count; offsets of positions f32x3, uvs f32x2, normals f32x3, tangents f32x4 |
//! | 0x54 | triangles: count, offset; i32x3, counter-clockwise fronts, indices into all vertices |
//! | 0x5c | meshes: count, offset; i32 first *triangle*, i32 triangles, char\[256\] material |
//! | 0x64 | collision vertices: count, offset; f32x3 |
//! | 0x6c | convex hulls: count, offset; i32 first collision vertex, i32 collision vertices |
//! | 0x74 | occlusion mesh: vertices count, offset f32x3; triangles count, offset i32x3 |
//!
//! A file's meshes share their vertices, so they are subsets of one [`rigscope_core::model::Mesh`]. Later
//! versions and extensions keep this layout (section 5 of the specification), so they are read as version 1.
//! Bytes between the header and the first array, and after the last array, are preserved.
//!
//! V is up in the file and flipped to v down here. The handedness w is kept: B = w * cross(N, T) points in
//! the direction of increasing v of the file, which is up in the image, as in all
//! [`rigscope_core::model::Streams`].
//!
//! Ambiguous: the up axis isn't specified; Y is assumed. Ambiguous: in all files of the exporter a material
//! is the file name of an image, so it's searched for as one. Ambiguous: triangles that belong to no mesh
//! aren't drawn.
//!
//! If the model was read from such a file and hasn't been changed, the writer preserves the position and
//! encoding of every array. Any other model is prepared as described in the rationale of the specification.

mod arrays;
mod contents;
mod edit;
mod layout;
mod names;
mod prepare;
mod read;
mod write;

use super::losses::{Aspect, Precision, Stored, stored};
use super::{Caps, Format, FormatInfo, FormatKind, MimeType, PoseWords, Reader, Writer};

pub const ID: &str = "bsm";

const STORED: fn(Aspect) -> Stored = stored! {
    Stored::WHOLE => Vertices Triangles Normals Tangents Hulls Occluders;
    // Or the file name of the texture.
    Stored::WHOLE => MaterialNames;
    // In the same folder, if a material is named after them.
    Stored::WHOLE.counted(|model, _, _| prepare::num_images(model)) => Images;
    // A material is the name of a single image.
    Stored::up_to(1) => UvSets Meshes Textures;
    Stored::NO => HumanBones Expressions Springs;
    Stored::NO => Lines Points Colors MeshNames TextureTransforms Looks Skins Influences BoneLocal
        DualQuaternions UsedBones UnusedBones BoneNames Parents Rest Clips ClipNames Curves UnevenKeys
        Interpolations StartTimes Events ValueTracks Scales Shears MorphTargets MaterialTracks VertexAnimations;
};

pub const BSM: Format = Format {
    info: FormatInfo {
        id: ID,
        name: "Binary Static Mesh",
        extensions: &["bsm"],
        mime_types: &[MimeType::own("model/x-bsm", "bsm", &[(0, layout::MAGIC)])],
        kind: FormatKind::Binary,
        can_read: true,
        can_write: true,
        caps: Caps { mesh: true, skin: false, clips: false, collision: true },
        pose_words: PoseWords { rest: "", bind: "" },
        parts: &[],
        precision: Precision::EXACT,
        citation: "\"The Binary Static Mesh format (.BSM) Version 1 DRAFT\", 2012-04-02",
    },
    probe: layout::probe,
    runtime: None,
    reader: Reader::of(read::read),
    writer: Some(Writer { editor: Some(edit::EDITOR), ..Writer::of(write::write, STORED) }),
};

#[cfg(test)]
mod tests;
#[cfg(test)]
mod write_tests;
