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

mod edit;
mod layout;
mod read;
mod unused_bones;
mod write;

use super::losses::{Aspect, Precision, Stored, stored};
use super::{Caps, Format, FormatInfo, FormatKind, MimeType, PoseWords, Reader, Writer};
use rigscope_core::pack::MAX_PACKED_INFLUENCES;
use rigscope_core::runtime;

pub use write::report_packing;

pub const ID: &str = "bsm2";

const STORED: fn(Aspect) -> Stored = stored! {
    Stored::WHOLE => Vertices Triangles Normals Tangents MaterialNames Skins UsedBones Clips ClipNames
        Scales Shears;
    // In the same folder, named after materials.
    Stored::WHOLE.counted(|model, options, _| write::images(model, options).num_held()) => Images;
    Stored::up_to(1) => UvSets Meshes;
    Stored::up_to(MAX_PACKED_INFLUENCES as u64) => Influences;
    Stored::WHOLE.when(|options| options.hierarchy) => BoneNames Parents Rest;
    Stored::WHOLE
        .when(|options| options.hierarchy && options.last_bones)
        .counted(|model, options, _| unused_bones::num_unused_bones(model, options)) => UnusedBones;
    Stored::NO => HumanBones Expressions Springs;
    Stored::NO => Lines Points Colors MeshNames Textures TextureTransforms Looks BoneLocal
        DualQuaternions Curves UnevenKeys Interpolations StartTimes Events ValueTracks MorphTargets MaterialTracks
        VertexAnimations Hulls Occluders;
};

pub const BSM2: Format = Format {
    info: FormatInfo {
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
    },
    probe: layout::probe,
    runtime: Some(&runtime::BANUBA),
    reader: Reader::of(read::read),
    writer: Some(Writer {
        editor: Some(edit::EDITOR),
        is_verbatim: |model, options| write::verbatim(model, options).is_some(),
        has_choice_of_hierarchy: true,
        ..Writer::of(write::write, STORED)
    }),
};

#[cfg(test)]
mod tests;
