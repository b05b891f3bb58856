//! Supported extensions, and the effect of the unsupported ones.
//!
//! A file that requires an unknown extension is rejected. A file that merely uses it is shown
//! without it, and the finding names the effect if it is known.

use std::collections::BTreeSet;

use gltf_json::Root;

use super::fault::unsupported;
use super::vrm;
use crate::formats::ReadError;
use rigscope_core::model::{FindingKind, Place, Report};

/// Supported extensions. Parts of them that can't be shown have separate findings: an image in an unknown
/// format, layers of a material that are approximated, channels of property animations.
const READ: [&str; 26] = [
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_astc",
    "EXT_texture_astc_hdr",
    "EXT_texture_avif",
    "EXT_texture_bc6h",
    "EXT_texture_qoi",
    "EXT_texture_svg",
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
    "KHR_node_visibility",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "MSFT_texture_dds",
    "VRMC_vrm_animation",
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
    /// It is read, except for this.
    Part(&'static str),
    Unknown,
}

/// Unsupported extensions and the effect that is missing without them.
const NOT_READ: [(&str, MissingEffect); 81] = [
    (
        "ADOBE_render_order",
        MissingEffect::Look("overlapping surfaces may be drawn in another order"),
    ),
    ("AGI_articulations", MissingEffect::Data("parts have no articulation sliders")),
    ("AGI_metadata", MissingEffect::Data("metadata isn't shown")),
    ("AGI_stk_metadata", MissingEffect::Data("metadata isn't shown")),
    (
        "BENTLEY_primitive_restart",
        MissingEffect::Shape("strips and lines that a restart value separates are joined"),
    ),
    ("CESIUM_geopose", MissingEffect::Data("the place on the globe isn't used")),
    ("CESIUM_primitive_outline", MissingEffect::Look("outlines aren't drawn")),
    (
        "CESIUM_RTC",
        MissingEffect::Shape("the model is shown at its own origin, not at its place on the globe"),
    ),
    ("CESIUM_tile_edges", MissingEffect::Look("edges aren't drawn")),
    ("CESIUM_z_up", MissingEffect::Shape("the model is shown with another axis up")),
    ("CVTOOLS_unity_metadata", MissingEffect::Data("metadata isn't shown")),
    ("DRACO_animation_compression", MissingEffect::Shape("compressed animations don't play")),
    ("EXT_animation_sqlerp", MissingEffect::Shape("rotations are interpolated differently")),
    ("EXT_feature_metadata", MissingEffect::Data("metadata isn't shown")),
    ("EXT_geopose", MissingEffect::Data("the place on the globe isn't used")),
    ("EXT_instance_features", MissingEffect::Data("features of instances aren't shown")),
    ("EXT_lights_area", MissingEffect::Look("the file's lights aren't used")),
    ("EXT_lights_environment", MissingEffect::Look("the file's own environment isn't used")),
    ("EXT_lights_ies", MissingEffect::Look("lights aren't shown")),
    ("EXT_lights_image_based", MissingEffect::Look("the file's own environment isn't used")),
    ("EXT_mesh_features", MissingEffect::Data("features of the mesh aren't shown")),
    ("EXT_mesh_lod", MissingEffect::Data("only the highest level of detail is shown")),
    ("EXT_mesh_manifold", MissingEffect::Data("manifold data isn't shown")),
    ("EXT_mesh_opacity_micromap", MissingEffect::Data("it only makes ray tracing faster")),
    ("EXT_mesh_polygon", MissingEffect::Data("polygons are shown as triangles")),
    ("EXT_mesh_primitive_edge_visibility", MissingEffect::Look("edges aren't drawn")),
    (
        "EXT_mesh_primitive_restart",
        MissingEffect::Shape("strips and lines that a restart value separates are joined"),
    ),
    ("EXT_node_lod", MissingEffect::Data("only the highest level of detail is shown")),
    (
        "EXT_pbr_attributes",
        MissingEffect::Look("metallic and roughness values of vertices aren't used"),
    ),
    ("EXT_primitive_voxels", MissingEffect::Shape("voxels aren't shown")),
    (
        "EXT_property_animation",
        MissingEffect::Shape("animated properties keep their stored values"),
    ),
    ("EXT_structural_metadata", MissingEffect::Data("metadata isn't shown")),
    ("EXT_texture_procedurals_mx_1_39", MissingEffect::Look("procedural textures aren't shown")),
    ("FB_asset_variants", MissingEffect::Look("only the default variant is shown")),
    ("FB_geometry_metadata", MissingEffect::Data("metadata isn't shown")),
    ("FB_material_variants", MissingEffect::Look("only the default materials are shown")),
    ("FB_ngon_encoding", MissingEffect::Data("polygons are shown as triangles")),
    ("FRAUNHOFER_external_model", MissingEffect::Shape("models in other files aren't shown")),
    ("GEO_LOD", MissingEffect::Data("only the highest level of detail is shown")),
    ("GODOT_single_root", MissingEffect::Data("it changes nothing here")),
    ("GRIFFEL_bim_data", MissingEffect::Data("building data isn't shown")),
    ("INTEL_lights_sunsky", MissingEffect::Look("the file's sun and sky aren't used")),
    ("KHR_audio", MissingEffect::Data("sounds aren't played")),
    ("KHR_audio_emitter", MissingEffect::Data("sounds aren't played")),
    ("KHR_billboard", MissingEffect::Shape("billboards don't turn to the camera")),
    ("KHR_character", MissingEffect::Data("character data isn't shown")),
    ("KHR_collision_shapes", MissingEffect::Data("collision shapes aren't shown")),
    ("KHR_gaussian_splatting", MissingEffect::Shape("splats are shown as points")),
    ("KHR_implicit_shapes", MissingEffect::Data("collision shapes aren't shown")),
    ("KHR_interactivity", MissingEffect::Data("behaviour graphs don't run")),
    ("KHR_lights_environment", MissingEffect::Look("the file's own environment isn't used")),
    ("KHR_lights_image_based", MissingEffect::Look("the file's own environment isn't used")),
    ("KHR_lights_punctual", MissingEffect::Look("the file's lights aren't used")),
    ("KHR_materials_variants", MissingEffect::Look("only the default materials are shown")),
    ("KHR_node_hoverability", MissingEffect::Data("nodes can't be hovered over")),
    ("KHR_node_selectability", MissingEffect::Data("all nodes can be selected")),
    ("KHR_physics_rigid_bodies", MissingEffect::Data("physics isn't simulated")),
    ("KHR_techniques_webgl", MissingEffect::Look("shaders of the file aren't used")),
    ("KHR_texture_procedurals", MissingEffect::Look("procedural textures aren't shown")),
    ("KHR_xmp", MissingEffect::Data("metadata isn't shown")),
    ("KHR_xmp_json_ld", MissingEffect::Data("metadata isn't shown")),
    (
        "KITTYCAD_boundary_representation",
        MissingEffect::Data("exact surfaces aren't shown, only their triangles"),
    ),
    ("MANYFOLD_mesh_progressive", MissingEffect::Data("the mesh isn't streamed")),
    ("MAXAR_collision_geometry", MissingEffect::Data("collision shapes aren't shown")),
    ("MAXAR_mesh_variants", MissingEffect::Shape("only the default meshes are shown")),
    ("MOZ_alt_materials", MissingEffect::Look("only the default materials are shown")),
    ("MOZ_hubs_components", MissingEffect::Data("components aren't shown")),
    ("MOZ_lightmap", MissingEffect::Look("light maps aren't shown")),
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
    // The parts that a file has are reported.
    (vrm::VRM_0, MissingEffect::Part("first person isn't applied")),
    (vrm::MTOON, MissingEffect::Look("toon shading (MToon) isn't shown")),
    ("VRMC_node_constraint", MissingEffect::Shape("node constraints aren't simulated")),
    ("VRMC_springBone", MissingEffect::Part("springs are drawn, but not simulated")),
    ("VRMC_springBone_extended_collider", MissingEffect::Part("colliders are only drawn")),
    ("VRMC_vrm", MissingEffect::Part("first person isn't applied")),
];

/// Families of extensions, by the start of their names.
const FAMILIES: [(&str, MissingEffect); 8] = [
    ("KHR_audio", MissingEffect::Data("sounds aren't played")),
    ("KHR_avatar", MissingEffect::Data("character data isn't shown")),
    ("KHR_character", MissingEffect::Data("character data isn't shown")),
    ("KHR_gaussian_splatting", MissingEffect::Shape("splats are shown as points or not at all")),
    ("KHR_lights", MissingEffect::Look("the file's lights aren't used")),
    ("MPEG_", MissingEffect::Data("timed media isn't played")),
    ("NEEDLE_", MissingEffect::Data("components aren't shown")),
    ("OMI_", MissingEffect::Data("it describes behaviour, which isn't simulated")),
];

fn effect(name: &str) -> MissingEffect {
    let known = NOT_READ.iter().find(|(known, _)| *known == name);
    let family = || FAMILIES.iter().find(|(start, _)| name.starts_with(start));
    match known.or_else(family) {
        Some((_, effect)) => *effect,
        None if name.contains("_materials_") => {
            MissingEffect::Look("the layer it describes isn't shown")
        }
        None => MissingEffect::Unknown,
    }
}

/// Rejects a file that requires an extension without which it can't be shown.
pub(super) fn check_required(root: &Root) -> Result<(), ReadError> {
    let is_optional =
        |name: &str| READ.contains(&name) || matches!(effect(name), MissingEffect::Look(_));
    match root.extensions_required.iter().find(|name| !is_optional(name)) {
        None => Ok(()),
        Some(name) => {
            let what = format!("the required extension {name} is not supported");
            Err(unsupported("extensionsRequired", what))
        }
    }
}

/// Reports each unsupported extension that the file uses, with the missing effect.
pub(super) fn report_unread(root: &Root, report: &Report) {
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
            MissingEffect::Part(_) if name == vrm::VRM_0 => {
                let effect = vrm::missing_of_vrm_0(root);
                others.push(format!("{name} is read in part: {effect}"));
            }
            MissingEffect::Part(effect) => others.push(format!("{name} is read in part: {effect}")),
            MissingEffect::Unknown => {
                others.push(format!("{name} is ignored: its effect isn't known"))
            }
        }
    }
    for (kind, texts) in
        [(FindingKind::ExtensionNotSupported, shapes), (FindingKind::ExtensionIgnored, others)]
    {
        report.add_many(kind, Place::File, texts.len() as u64, || texts.join("; "));
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
        for (start, _) in FAMILIES {
            assert!(READ.iter().all(|name| !name.starts_with(start)), "{start}");
        }
    }

    #[test]
    fn families_and_material_layers_have_an_effect() {
        for name in ["MPEG_media", "OMI_seat", "KHR_character_skeleton_mapping"] {
            assert!(matches!(effect(name), MissingEffect::Data(_)), "{name}");
        }
        for name in ["KHR_materials_volume_scatter", "ADOBE_materials_thin_transparency"] {
            assert!(matches!(effect(name), MissingEffect::Look(_)), "{name}");
        }
        assert!(
            effect("KHR_gaussian_splatting_compression_spz_2")
                == effect("KHR_gaussian_splatting_x")
        );
        assert!(effect("MY_own") == MissingEffect::Unknown);
    }
}
