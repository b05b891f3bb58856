//! Supported extensions, and the effect of the unsupported ones.
//!
//! A file that requires an unknown extension is rejected. A file that merely uses it is shown
//! without it, and the finding names the effect if it is known.

use std::collections::BTreeSet;

use gltf_json::Root;

use super::fault::unsupported;
use crate::formats::ReadError;
use rigscope_core::model::{NoteKind, Place, Report};

/// Supported extensions. Parts of them that can't be shown have separate findings: an image in an unknown
/// format, layers of a material that are approximated, channels of property animations.
const READ: [&str; 18] = [
    "EXT_meshopt_compression",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "KHR_animation_pointer",
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
    // The plain attributes are read if they exist; otherwise the file is rejected on first use.
    "KHR_draco_mesh_compression",
];

/// Effect of an unsupported extension.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It changes colours or lighting.
    Look(&'static str),
    /// It changes shape, place, visibility or motion.
    Shape(&'static str),
    /// It adds data that isn't drawn.
    Data(&'static str),
    Unknown,
}

/// Unsupported extensions and the effect that is missing without them.
const NOT_READ: [(&str, Effect); 44] = [
    ("AGI_articulations", Effect::Data("parts have no articulation sliders")),
    ("AGI_stk_metadata", Effect::Data("metadata isn't shown")),
    ("CESIUM_primitive_outline", Effect::Look("outlines aren't drawn")),
    (
        "CESIUM_RTC",
        Effect::Shape("the model is shown at its own origin, not at its place on the globe"),
    ),
    ("EXT_feature_metadata", Effect::Data("metadata isn't shown")),
    ("EXT_instance_features", Effect::Data("features of instances aren't shown")),
    ("EXT_lights_ies", Effect::Look("lights aren't shown")),
    ("EXT_lights_image_based", Effect::Look("the file's own environment isn't used")),
    ("EXT_mesh_features", Effect::Data("features of the mesh aren't shown")),
    ("EXT_mesh_gpu_instancing", Effect::Shape("each instanced mesh is shown once, at its node")),
    ("EXT_mesh_manifold", Effect::Data("manifold data isn't shown")),
    ("EXT_structural_metadata", Effect::Data("metadata isn't shown")),
    ("FB_geometry_metadata", Effect::Data("metadata isn't shown")),
    ("FB_ngon_encoding", Effect::Data("polygons are shown as triangles")),
    ("GODOT_single_root", Effect::Data("it changes nothing here")),
    ("KHR_audio_emitter", Effect::Data("sounds aren't played")),
    ("KHR_audio", Effect::Data("sounds aren't played")),
    ("KHR_character", Effect::Data("character data isn't shown")),
    ("KHR_gaussian_splatting", Effect::Shape("splats are shown as points")),
    ("KHR_implicit_shapes", Effect::Data("collision shapes aren't shown")),
    ("KHR_interactivity", Effect::Data("behaviour graphs don't run")),
    ("KHR_lights_punctual", Effect::Look("the file's lights aren't used")),
    ("KHR_materials_variants", Effect::Look("only the default materials are shown")),
    ("KHR_node_hoverability", Effect::Data("nodes can't be hovered over")),
    ("KHR_node_selectability", Effect::Data("all nodes can be selected")),
    ("KHR_node_visibility", Effect::Shape("hidden nodes are shown")),
    ("KHR_physics_rigid_bodies", Effect::Data("physics isn't simulated")),
    ("KHR_techniques_webgl", Effect::Look("shaders of the file aren't used")),
    ("KHR_texture_procedurals", Effect::Look("procedural textures aren't shown")),
    ("KHR_xmp", Effect::Data("metadata isn't shown")),
    ("KHR_xmp_json_ld", Effect::Data("metadata isn't shown")),
    ("MOZ_hubs_components", Effect::Data("components aren't shown")),
    ("MSFT_audio_emitter", Effect::Data("sounds aren't played")),
    ("MSFT_lod", Effect::Data("only the highest level of detail is shown")),
    ("MSFT_packing_normalRoughnessMetallic", Effect::Look("the plain textures are shown")),
    ("MSFT_packing_occlusionRoughnessMetallic", Effect::Look("the plain textures are shown")),
    ("OMI_collider", Effect::Data("collision shapes aren't shown")),
    ("OMI_physics_body", Effect::Data("physics isn't simulated")),
    ("OMI_physics_shape", Effect::Data("collision shapes aren't shown")),
    ("VRM", Effect::Data("expressions, look-at and spring bones aren't applied")),
    ("VRMC_node_constraint", Effect::Shape("node constraints aren't applied")),
    ("VRMC_springBone", Effect::Data("spring bones don't swing")),
    ("VRMC_materials_mtoon", Effect::Look("toon shading isn't shown")),
    ("VRMC_vrm", Effect::Data("expressions and look-at aren't applied")),
];

fn effect(name: &str) -> Effect {
    let known = NOT_READ.iter().find(|(known, _)| *known == name);
    match known {
        Some((_, effect)) => *effect,
        None if name.contains("_materials_") => Effect::Look("the layer it describes isn't shown"),
        None => Effect::Unknown,
    }
}

/// Rejects a file that requires an extension without which it can't be shown.
pub(super) fn check_required(root: &Root) -> Result<(), ReadError> {
    let is_optional = |name: &str| match name {
        // Only a fallback of the model's shape or motion is read.
        "KHR_draco_mesh_compression" | "KHR_animation_pointer" => false,
        _ => READ.contains(&name) || matches!(effect(name), Effect::Look(_)),
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
            Effect::Shape(effect) => shapes.push(format!("{name} is not supported: {effect}")),
            Effect::Look(effect) | Effect::Data(effect) => {
                others.push(format!("{name} is ignored: {effect}"));
            }
            Effect::Unknown => others.push(format!("{name} is ignored: its effect isn't known")),
        }
    }
    for (kind, texts) in
        [(NoteKind::ExtensionNotSupported, shapes), (NoteKind::ExtensionIgnored, others)]
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
