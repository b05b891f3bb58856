//! glTF 2.0 (`.gltf`, `.glb`): scenes of nodes, meshes, skins and animations.
//!
//! For: models as the file has them, through JSON types of the crate `gltf-json` and accessors of
//! our own, which trust no count, offset or index.
//! Not for: lights, cameras and the finer points of materials.
//!
//! Source: Khronos, "glTF 2.0 Specification" (ISO/IEC 12113:2022), and the texts of the extensions
//! named below.
//!
//! A `.gltf` file is JSON; its buffers are `data:` URIs or files beside it. A `.glb` file packs
//! both (section 4.4), little-endian:
//!
//! | part | layout |
//! |---|---|
//! | header | magic `glTF`, u32 version 2, u32 length of the whole file |
//! | chunk 0 | u32 length, `JSON`, the JSON text padded with spaces |
//! | chunk 1, if any | u32 length, `BIN\0`, the bytes of buffer 0, which has no URI |
//! | more chunks | u32 length, a type of their own; skipped |
//!
//! What becomes what: every node is a bone, in file order, so that a node's number is its bone's.
//! Each node of the shown scene that names a mesh gives one mesh whose primitives are subsets, or
//! one mesh a primitive where these differ in their attributes. Skinned meshes ignore their own
//! node's transform (section 3.7.3.3); others are attached to it. Lines are left out.
//!
//! Right-handed, Y up, metres, radians, v down, counter-clockwise fronts, linear vertex colours.
//! Matrices are column-major, quaternions x y z w.
//!
//! Read besides: `KHR_mesh_quantization` (more component types; the scale lies in nodes and inverse
//! bind matrices), `EXT_meshopt_compression`, `KHR_meshopt_compression`, `KHR_texture_transform`,
//! `KHR_materials_unlit`, `_emissive_strength`, `_ior`, `_specular`, `_clearcoat`, `_sheen` and
//! `_transmission` (their factors), and `_pbrSpecularGlossiness` where a material has no newer colour.
//! Others are ignored, and `extensions` names each one with what it would have done; one that is required
//! and changes more than the look is refused by name. `structure` names contradictions between objects.
//!
//! Written: one node a bone with the bone's number, a mesh with a primitive a subset, a skin a way of
//! binding, an animation a clip. Not written: events, hulls, occluders, shear,
//! vertex caches. Textures of roles that are not known lie where their factor is 0.
//!
//! Ambiguous: no section says how skins turn normals. Khronos' sample viewer takes the inverse
//! transpose of each joint's matrix (`getSkinningNormalMatrix`), three.js the matrix itself
//! (`skinnormal_vertex.glsl.js`); both take the inverse transpose of a node's. Here it is that of
//! the blended matrix, of which the format has no runtime to say otherwise.
//! Ambiguous: the sample code of `KHR_texture_transform` once turned the other way than its text;
//! the text and all viewers agree (KhronosGroup/glTF#1563, #1624). Ambiguous: integer weights and
//! colours without `normalized` are read as if they had it, as nothing else makes sense.
//! Ambiguous: a file without any scene shows all its nodes.

mod accessor;
mod animation;
mod asset;
mod buffers;
mod container;
mod extensions;
mod fault;
mod influence_sets;
mod json;
mod layers;
mod loose;
mod material;
mod mesh;
mod meshopt;
mod morph;
mod nodes;
mod primitive;
mod read;
mod skin;
mod spans;
mod stored_bounds;
mod structure;
mod texture;
mod triangles;
mod uri;
mod write;

use super::losses::{Aspect, Held, Precision};
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, MimeType, OutputFile, PartInfo, PoseWords,
    ProbeInput, ReadError, ReadOptions, Source, WriteError, WriteOptions,
};
use rigscope_core::model::{Model, Report};

/// The format's id.
pub const ID: &str = "gltf";

/// glTF 2.0.
pub struct Gltf;

const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "glTF 2.0",
    extensions: &["glb", "gltf"],
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
            meaning: "JSON, with vertices and keys in a .bin file beside it",
        },
    ],
    precision: Precision::EXACT,
    citation: "Khronos, \"glTF 2.0 Specification\" (ISO/IEC 12113:2022)",
};

impl Format for Gltf {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, input: &ProbeInput<'_>) -> Confidence {
        container::probe(input)
    }

    fn may_mirror_skins(&self) -> bool {
        true
    }

    fn reads_parts(&self, front: &[u8]) -> bool {
        container::is_binary(front)
    }

    fn read(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<Model, ReadError> {
        let mut model = read::read(source, options, report)?;
        model.provenance = report.take_provenance();
        Ok(model)
    }

    fn holds(&self, aspect: Aspect, options: &WriteOptions) -> Held {
        write::holds(aspect, options)
    }

    fn num_held(&self, model: &Model, aspect: Aspect, options: &WriteOptions, count: u64) -> u64 {
        match aspect {
            Aspect::Images => write::num_images(model).min(count),
            Aspect::Textures => write::num_textures(model).min(count),
            Aspect::StartTimes => count.saturating_sub(write::num_moved_starts(model)),
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
