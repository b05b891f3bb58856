//! Supported extensions, and the effect of the unsupported ones.
//!
//! A file that requires an unknown extension is rejected. A file that merely uses it is shown
//! without it, and the finding names the effect if it is known.

use std::collections::BTreeSet;

use gltf_json::Root;

use super::fault::unsupported;
use crate::formats::ReadError;
use rigscope_core::model::{FindingKind, Place, Report};

/// Supported extensions. Parts of them that can't be shown have separate findings: an image in an unknown
/// format, layers of a material that are approximated, channels of property animations.
const READ: [&str; 19] = [
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_materials_clearcoat",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "MSFT_texture_dds",
];

/// Effect of an unsupported extension.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MissingEffect {
    /// It changes colours or lighting.
    Look(&'static str),
    /// It changes shape, place, visibility or motion.
    Shape(&'static str),
    /// It adds data that isn't drawn.
    Data(&'static str),
    Unknown,
}

/// Unsupported extensions and the effect that is missing without them.
const NOT_READ: [(&str, MissingEffect); 43] = [
    ("AGI_articulations", MissingEffect::Data("parts have no articulation sliders")),
    ("AGI_stk_metadata", MissingEffect::Data("metadata isn't shown")),
    ("CESIUM_primitive_outline", MissingEffect::Look("outlines aren't drawn")),
    (
        "CESIUM_RTC",
        MissingEffect::Shape("the model is shown at its own origin, not at its place on the globe"),
    ),
    ("EXT_feature_metadata", MissingEffect::Data("metadata isn't shown")),
    ("EXT_instance_features", MissingEffect::Data("features of instances aren't shown")),
    ("EXT_lights_ies", MissingEffect::Look("lights aren't shown")),
    ("EXT_lights_image_based", MissingEffect::Look("the file's own environment isn't used")),
    ("EXT_mesh_features", MissingEffect::Data("features of the mesh aren't shown")),
    ("EXT_mesh_manifold", MissingEffect::Data("manifold data isn't shown")),
    ("EXT_structural_metadata", MissingEffect::Data("metadata isn't shown")),
    ("FB_geometry_metadata", MissingEffect::Data("metadata isn't shown")),
    ("FB_ngon_encoding", MissingEffect::Data("polygons are shown as triangles")),
    ("GODOT_single_root", MissingEffect::Data("it changes nothing here")),
    ("KHR_audio_emitter", MissingEffect::Data("sounds aren't played")),
    ("KHR_audio", MissingEffect::Data("sounds aren't played")),
    ("KHR_character", MissingEffect::Data("character data isn't shown")),
    ("KHR_gaussian_splatting", MissingEffect::Shape("splats are shown as points")),
    ("KHR_implicit_shapes", MissingEffect::Data("collision shapes aren't shown")),
    ("KHR_interactivity", MissingEffect::Data("behaviour graphs don't run")),
    ("KHR_lights_punctual", MissingEffect::Look("the file's lights aren't used")),
    ("KHR_materials_variants", MissingEffect::Look("only the default materials are shown")),
    ("KHR_node_hoverability", MissingEffect::Data("nodes can't be hovered over")),
    ("KHR_node_selectability", MissingEffect::Data("all nodes can be selected")),
    ("KHR_node_visibility", MissingEffect::Shape("hidden nodes are shown")),
    ("KHR_physics_rigid_bodies", MissingEffect::Data("physics isn't simulated")),
    ("KHR_techniques_webgl", MissingEffect::Look("shaders of the file aren't used")),
    ("KHR_texture_procedurals", MissingEffect::Look("procedural textures aren't shown")),
    ("KHR_xmp", MissingEffect::Data("metadata isn't shown")),
    ("KHR_xmp_json_ld", MissingEffect::Data("metadata isn't shown")),
    ("MOZ_hubs_components", MissingEffect::Data("components aren't shown")),
    ("MSFT_audio_emitter", MissingEffect::Data("sounds aren't played")),
    ("MSFT_lod", MissingEffect::Data("only the highest level of detail is shown")),
    ("MSFT_packing_normalRoughnessMetallic", MissingEffect::Look("the plain textures are shown")),
    (
        "MSFT_packing_occlusionRoughnessMetallic",
        MissingEffect::Look("the plain textures are shown"),
    ),
    ("OMI_collider", MissingEffect::Data("collision shapes aren't shown")),
    ("OMI_physics_body", MissingEffect::Data("physics isn't simulated")),
    ("OMI_physics_shape", MissingEffect::Data("collision shapes aren't shown")),
    ("VRM", MissingEffect::Data("expressions, look-at and spring bones aren't applied")),
    ("VRMC_node_constraint", MissingEffect::Shape("node constraints aren't applied")),
    ("VRMC_springBone", MissingEffect::Data("spring bones don't swing")),
    ("VRMC_materials_mtoon", MissingEffect::Look("toon shading isn't shown")),
    ("VRMC_vrm", MissingEffect::Data("expressions and look-at aren't applied")),
];

fn effect(name: &str) -> MissingEffect {
    let known = NOT_READ.iter().find(|(known, _)| *known == name);
    match known {
        Some((_, effect)) => *effect,
        None if name.contains("_materials_") => {
            MissingEffect::Look("the layer it describes isn't shown")
        }
        None => MissingEffect::Unknown,
    }
}

/// Rejects a file that requires an extension without which it can't be shown.
pub(super) fn check_required(root: &Root) -> Result<(), ReadError> {
    let is_optional = |name: &str| match name {
        // Only a fallback of the model's motion is read.
        "KHR_animation_pointer" => false,
        _ => READ.contains(&name) || matches!(effect(name), MissingEffect::Look(_)),
    };
    match root.extensions_required.iter().find(|name| !is_optional(name)) {
        None => Ok(()),
        Some(name) => {
            let what = format!("the required extension {name} is not supported");
            Err(unsupported("extensionsRequired", what))
        }
    }
}

/// Reports each unsupported extension that the file uses, with the missing effect.
pub(super) fn note_unread(root: &Root, report: &Report) {
    let of_nodes = root.nodes.iter().filter_map(|node| node.extensions.as_ref());
    let of_nodes = of_nodes.flat_map(|extensions| extensions.others.keys());
    let of_root = root.extensions.iter().flat_map(|extensions| extensions.others.keys());
    let all: BTreeSet<&str> = root
        .extensions_used
        .iter()
        .chain(&root.extensions_required)
        .chain(of_nodes)
        .chain(of_root)
        .map(String::as_str)
        .filter(|name| !READ.contains(name))
        .collect();
    let (mut shapes, mut others) = (Vec::new(), Vec::new());
    for name in all {
        match effect(name) {
            MissingEffect::Shape(effect) => {
                shapes.push(format!("{name} is not supported: {effect}"))
            }
            MissingEffect::Look(effect) | MissingEffect::Data(effect) => {
                others.push(format!("{name} is ignored: {effect}"));
            }
            MissingEffect::Unknown => {
                others.push(format!("{name} is ignored: its effect isn't known"))
            }
        }
    }
    for (kind, texts) in
        [(FindingKind::ExtensionNotSupported, shapes), (FindingKind::ExtensionIgnored, others)]
    {
        report.note_many(kind, Place::File, texts.len() as u64, || texts.join("; "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_extension_is_both_read_and_not_read() {
        for (at, (name, _)) in NOT_READ.iter().enumerate() {
            assert!(!READ.contains(name), "{name}");
            assert!(NOT_READ.iter().skip(at + 1).all(|(other, _)| other != name), "{name} twice");
        }
    }
}
