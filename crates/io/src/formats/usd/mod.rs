//! USD (`.usd`, `.usda`, `.usdc`, `.usdz`): stages with UsdGeom meshes, UsdSkel skeletons and UsdShade materials.
//!
//! Source: OpenUSD 26, "UsdSkel", "UsdGeom", "UsdPreviewSurface Specification" and "USDZ File Format Specification";
//! AOUSD Core Specification 1.0. Layers are parsed and composed by the crate `openusd`. It trusts counts and indices in
//! files, so that each layer passes `guard` first.
//!
//! | USD | model |
//! |---|---|
//! | mesh, skeleton, and their ancestors | bone (a node) with their transform operations |
//! | joint | bone below the skeleton's bone; the parent is the nearest ancestor of its path |
//! | mesh | mesh with one vertex per distinct corner, in the order of faces |
//! | `GeomSubset` with a material | subset |
//! | binding | slots of the mesh's joints: `inverse(bind) * geomBindTransform` |
//! | blend shape, in-betweens | morph target, one shape per in-between |
//! | time samples of transforms, joints, blend shape weights | one clip over the stage's time codes |
//! | time samples of points | a clip with vertex animation for each mesh |
//! | `UsdPreviewSurface` | material |
//!
//! Matrices of USD multiply row vectors from the right; those here are their transposes. UVs have v up in USD, and v
//! down here. Values outside of clips are the defaults of attributes; without a default, the first sample.
//! A stage that doesn't state its unit is in centimetres (`UsdGeomGetStageMetersPerUnit`).

mod attributes;
mod clips;
mod corners;
mod faces;
mod guard;
mod keys;
mod layers;
mod materials;
mod meshes;
mod package;
mod paths;
mod prims;
mod primvars;
mod probe;
mod read;
mod shaders;
mod shapes;
mod skeletons;
mod skins;
mod spans;
mod stored_arrays;
mod textures;
mod transforms;
mod values;
mod write;

use rigscope_core::runtime::OPENUSD;

use super::losses::{Aspect, Precision, Stored, stored};
use super::{Caps, Format, FormatInfo, FormatKind, MimeType, PartInfo, PoseWords, Reader, Writer};

pub const ID: &str = "usd";

const STORED: fn(Aspect) -> Stored = stored! {
    Stored::WHOLE => Vertices Triangles Normals Colors UvSets Meshes MeshNames MaterialNames TextureTransforms Looks
        Skins Influences DualQuaternions UsedBones UnusedBones BoneNames Parents Rest Clips ClipNames StartTimes
        Scales MorphTargets;
    // An explicit rate replaces the keys.
    Stored::WHOLE.when(|options| options.rate.is_none()) => UnevenKeys;
    Stored::WHOLE.counted(|model, _, _| write::num_textures(model)) => Textures;
    Stored::WHOLE.counted(|model, _, _| write::num_images(model)) => Images;
    Stored::WHOLE.counted(|model, _, _| write::num_vertex_animations(model)) => VertexAnimations;
    Stored::WHOLE.counted(|model, _, num| write::num_shears(model, num)) => Shears;
    // Lines and points aren't read, tangents have no name, samples are linear.
    Stored::NO => Lines Points Tangents BoneLocal Curves Interpolations Events ValueTracks MaterialTracks Hulls Occluders
        HumanBones Expressions Springs;
};

pub const USD: Format = Format {
    info: FormatInfo {
        id: ID,
        name: "Universal Scene Description",
        extensions: &["usd", "usda", "usdc", "usdz"],
        mime_types: &[
            MimeType::own("model/vnd.usda", "usda", &[(0, probe::TEXT)]),
            MimeType::own("model/vnd.usdz+zip", "usdz", &[]),
            MimeType::own("model/x-usdc", "usdc", &[(0, probe::BINARY)]),
        ],
        kind: FormatKind::Binary,
        can_read: true,
        can_write: true,
        caps: Caps { mesh: true, skin: true, clips: true, collision: false },
        pose_words: PoseWords { rest: "restTransforms", bind: "bindTransforms" },
        parts: &[
            PartInfo { id: "usdc", extension: "usdc", meaning: "one binary layer" },
            PartInfo { id: write::TEXT_PART, extension: "usda", meaning: "one text layer" },
            PartInfo {
                id: write::PACKAGE_PART,
                extension: "usdz",
                meaning: "a package of a binary layer and its images",
            },
        ],
        precision: Precision::EXACT,
        citation: "OpenUSD 26, UsdSkel and UsdGeom",
    },
    probe: probe::probe,
    runtime: Some(&OPENUSD),
    reader: Reader { may_mirror_skins: true, ..Reader::of(read::read) },
    writer: Some(Writer::of(write::write, STORED)),
};

#[cfg(test)]
mod tests;
