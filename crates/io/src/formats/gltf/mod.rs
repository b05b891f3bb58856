//! glTF 2.0 (`.gltf`, `.glb`): scenes of nodes, meshes, skins and animations.
//!
//! Reads the JSON with the types of the crate `gltf-json`. Accessors are read by this module's own
//! code, which validates every count, offset and index.
//! Doesn't read lights, cameras or the less common material properties.
//!
//! Source: Khronos, "glTF 2.0 Specification" (ISO/IEC 12113:2022), and the specifications of the
//! extensions named below.
//!
//! A `.gltf` file is JSON; its buffers are `data:` URIs or separate files. A `.glb` file packs both
//! (section 4.4), little-endian:
//!
//! | part | layout |
//! |---|---|
//! | header | magic `glTF`, u32 version 2, u32 length of the whole file |
//! | chunk 0 | u32 length, `JSON`, the JSON text padded with spaces |
//! | chunk 1, if any | u32 length, `BIN\0`, the bytes of buffer 0, which has no URI |
//! | more chunks | u32 length, another type; skipped |
//!
//! How objects map to the model: every node becomes a bone, in file order, so node and bone numbers
//! are equal. Each node of the shown scene that refers to a mesh yields one mesh whose primitives
//! become subsets, or one mesh per primitive if the primitives' attributes differ. Skinned meshes
//! ignore the transform of their node (section 3.7.3.3); other meshes are attached to it. Lines and
//! points become loose geometry.
//!
//! Right-handed, Y up, metres, radians, v down, counter-clockwise fronts, linear vertex colours.
//! Matrices are column-major, quaternions x y z w.
//!
//! `.vrm` files are GLB files with the data of an avatar (`vrm`), and `.vrma` files GLB files with clips for one. Of both,
//! only `.vrma` is written.
//!
//! Extensions read: `KHR_mesh_quantization` (more component types; the scale is in nodes and
//! inverse bind matrices), `EXT_meshopt_compression`, `KHR_meshopt_compression`,
//! `KHR_draco_mesh_compression`, `EXT_mesh_gpu_instancing`, `KHR_node_visibility`,
//! `KHR_texture_basisu`, `KHR_animation_pointer` (properties of nodes, weights and
//! material factors),
//! `KHR_texture_transform`, `KHR_materials_unlit`, `_emissive_strength`, `_ior`, `_specular`,
//! `_clearcoat`, `_sheen` and `_transmission` (their factors), and `_pbrSpecularGlossiness` if a
//! material has no newer colour. Other extensions are ignored; `extensions` reports each one with
//! the effect that is lost. A required extension that changes more than the look is rejected by
//! name. `structure` reports contradictions between objects.
//!
//! Written: one node per bone with the bone's number, a mesh with one primitive per subset, a skin
//! per bind pose, an animation per clip. Not written: events, hulls, occlusion meshes, shear,
//! vertex animation. Textures of unknown roles are stored in a slot whose factor is 0.
//!
//! Ambiguous: no section defines how skins transform normals. Khronos' sample viewer takes the
//! inverse transpose of each joint's matrix (`getSkinningNormalMatrix`), three.js the matrix itself
//! (`skinnormal_vertex.glsl.js`); both take the inverse transpose of a node's. This module takes
//! the inverse transpose of the blended matrix, because the format has no reference runtime that
//! decides it.
//! Ambiguous: the sample code of `KHR_texture_transform` once rotated in the opposite direction to
//! its text; the text and all viewers agree (KhronosGroup/glTF#1563, #1624). Ambiguous: integer
//! weights and colours without `normalized` are read as if it were set; no other reading makes
//! sense. Ambiguous: a file without any scene shows all its nodes.

mod accessor;
mod animation;
mod asset;
mod buffers;
mod container;
mod draco;
mod edit;
mod extensions;
mod fault;
mod geometry;
mod influence_sets;
mod instances;
mod json;
mod layers;
mod loose;
mod material;
mod memory;
mod mesh;
mod meshopt;
mod morph;
mod nodes;
mod pointer;
mod primitive;
mod read;
mod skin;
mod spans;
mod stored_accessors;
mod stored_bounds;
mod structure;
mod texture;
mod triangles;
mod uri;
mod visibility;
mod vrm;
mod write;

use super::losses::{Aspect, Precision, Stored, stored};
use super::{Caps, Format, FormatInfo, FormatKind, MimeType, PartInfo, PoseWords, Reader, Writer};
use rigscope_core::runtime;

pub const ID: &str = "gltf";

/// The part that is a VRM animation.
const VRMA: &str = "vrma";
/// The parts that are a model.
const MODEL: &[&str] = &["glb", "gltf"];

const STORED: fn(Aspect) -> Stored = stored! {
    Stored::WHOLE => BoneNames Parents Rest Clips ClipNames;
    Stored::WHOLE.in_parts(MODEL) => Vertices Triangles Lines Points Normals Tangents Colors Meshes MeshNames
        MaterialNames TextureTransforms Looks Skins Influences UsedBones Scales MorphTargets MaterialTracks;
    Stored::WHOLE.when(|options| options.part.as_deref() == Some(VRMA)) => HumanBones;
    Stored::WHOLE.counted(|model, options, num| match options.part.as_deref() {
        Some(VRMA) => write::num_human_bones(model),
        _ => num,
    }) => UnusedBones;
    Stored::WHOLE.counted(|model, options, _| match options.part.as_deref() {
        Some(VRMA) => 0,
        _ => write::num_textures(model),
    }) => Textures;
    Stored::WHOLE.counted(|model, options, _| match options.part.as_deref() {
        Some(VRMA) => 0,
        _ => write::num_images(model),
    }) => Images;
    Stored::WHOLE
        .counted(|model, _, num| num.saturating_sub(write::num_moved_starts(model))) => StartTimes;
    // An explicit rate replaces the keys.
    Stored::WHOLE.when(|options| options.rate.is_none()) => UnevenKeys Interpolations;
    // The format has no limit, but the reader has.
    Stored::up_to(u64::from(primitive::MAX_UV_SETS)).in_parts(MODEL) => UvSets;
    // Joints blend linearly (section 3.7.3.3), nodes have no shear (section 3.5.3), samplers have keys.
    Stored::NO => BoneLocal DualQuaternions Shears Curves VertexAnimations Events ValueTracks Hulls Occluders
        Expressions Springs;
};

pub const GLTF: Format = Format {
    info: FormatInfo {
        id: ID,
        name: "glTF 2.0",
        extensions: &["glb", "gltf", "vrm", "vrma"],
        mime_types: &[
            MimeType::known("model/gltf-binary", "glb"),
            MimeType::known("model/gltf+json", "gltf"),
        ],
        kind: FormatKind::Binary,
        can_read: true,
        can_write: true,
        caps: Caps { mesh: true, skin: true, clips: true, collision: false },
        pose_words: PoseWords {
            rest: "translation, rotation and scale (or matrix) of the nodes",
            bind: "inverseBindMatrices of the skins",
        },
        parts: &[
            PartInfo { id: "glb", extension: "glb", meaning: "one binary file" },
            PartInfo {
                id: "gltf",
                extension: "gltf",
                meaning: "JSON, with vertices and keys in a separate .bin file",
            },
            PartInfo {
                id: VRMA,
                extension: "vrma",
                meaning: "VRM animation: the bones of a human, one file per clip",
            },
        ],
        precision: Precision::EXACT,
        citation: "Khronos, \"glTF 2.0 Specification\" (ISO/IEC 12113:2022)",
    },
    probe: container::probe,
    runtime: Some(&runtime::GLTF),
    reader: Reader {
        reads_parts: container::is_binary,
        may_mirror_skins: true,
        ..Reader::of(read::read)
    },
    writer: Some(Writer {
        editor: Some(edit::EDITOR),
        // A plain glTF file with this extension isn't a VRM file.
        unwritten: &["vrm"],
        ..Writer::of(write::write, STORED)
    }),
};

#[cfg(test)]
mod tests;
