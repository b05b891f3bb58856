//! Tests of shaders and pipelines that need no driver.

pub(crate) mod translation;

use std::mem::size_of;

use wgpu::naga;

use super::gpu_data::{
    CountInput, Draw, DualQuaternion, Frame, PoseInput, Rows, SkinInput, SkinnedVertex, Slot,
    StreamInput, normal_matrix_number,
};
use super::pass::PASSES;
use super::same_layout::{parsed, same_layout};
use super::shaders::{SHADERS, ShaderSource};
use super::textures::MaterialInput;
use super::*;
use rigscope_core::model::{Model, NormalMatrix, Report};
use rigscope_core::visual::{SHOW, Shading, ToneMapping};

fn shader(name: &str) -> ShaderSource {
    *SHADERS.iter().find(|shader| shader.name == name).unwrap()
}

/// Files that are prepended to others.
const SHARED: [&str; 11] = [
    "common.wgsl",
    "fragment.wgsl",
    "frame.wgsl",
    "geometry_buffer.wgsl",
    "light.wgsl",
    "material.wgsl",
    "mesh.wgsl",
    "occlusion.wgsl",
    "peel.wgsl",
    "shading.wgsl",
    "skin.wgsl",
];

#[test]
fn every_shader_file_is_in_the_table_and_valid() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shaders");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".wgsl") && !SHARED.contains(&name.as_str()))
        .collect();
    files.sort();
    let mut known: Vec<_> = SHADERS.iter().map(|s| format!("{}.wgsl", s.name)).collect();
    known.sort();
    assert_eq!(files, known);
    for shader in SHADERS {
        let flags = naga::valid::ValidationFlags::all();
        let capabilities = naga::valid::Capabilities::MULTISAMPLED_SHADING
            | naga::valid::Capabilities::SHADER_FLOAT16_IN_FLOAT32;
        naga::valid::Validator::new(flags, capabilities)
            .validate(&parsed(shader))
            .unwrap_or_else(|e| panic!("{}: {}", shader.name, e.emit_to_string(shader.text)));
    }
}

#[test]
fn structs_have_the_layout_of_the_shaders() {
    same_layout!(shader("surface"), SkinnedVertex { position, u, normal, v, tangent });
    same_layout!(
        shader("surface"),
        Frame {
            clip_from_world,
            view_from_world,
            world_from_file,
            view_from_clip,
            background_top,
            background_bottom,
            shadow_area,
            grid_center,
            grid_radius,
            viewport_px,
            pixels_per_point,
            flags,
            grid_spacing,
            grid_fine_share,
            depth_pull_factor,
            depth_pull_offset,
            tint,
            coloring,
            paint_low,
            paint_high,
            view_left_px,
            glyph_length,
            exposure,
            light_intensity,
            light_levels,
            eye,
            light_turn,
            backdrop_level,
            occlusion_radius,
        }
    );
    same_layout!(shader("surface"), Draw { color, first_vertex, first_index, index_bytes, flags });
    same_layout!(
        shader("palette"),
        PoseInput { key0, key1, fraction, flags, num_key_bones, num_bones, num_slots, row_length }
    );
    same_layout!(shader("palette"), Rows { x, y, z });
    same_layout!(shader("skin_streams"), Rows { x, y, z });
    same_layout!(
        shader("skin_streams"),
        StreamInput {
            num_vertices,
            first_vertex,
            first_slot,
            num_slots,
            kind,
            row_length,
            first_entry,
            blending,
            first_share,
            morph_stride,
            first_morph,
            normal_matrix,
            num_vectors,
            rounds_morphs,
        }
    );
    same_layout!(shader("skin_streams"), DualQuaternion { real, dual, scale, padding });
    same_layout!(
        shader("influence_counts"),
        CountInput {
            num_vertices,
            first_vertex,
            kind,
            row_length,
            first_entry,
            stride,
            same,
            padding,
        }
    );
    same_layout!(shader("skin_packed"), Rows { x, y, z });
    same_layout!(shader("palette"), Slot { bone_from_mesh, bone, has_inverse, padding });
    same_layout!(
        shader("skin_packed"),
        SkinInput {
            num_vertices,
            first_vertex,
            first_slot,
            num_slots,
            is_rigid,
            row_length,
            num_influences,
            normal_matrix,
        }
    );
    same_layout!(
        shader("textured"),
        MaterialInput {
            base_color,
            base_from_uv,
            normal_from_uv,
            metallic_from_uv,
            roughness_from_uv,
            occlusion_from_uv,
            emissive_from_uv,
            tangents_from_normal_map,
            metallic_channel,
            roughness_channel,
            occlusion_channel,
            emissive,
            metallic,
            dielectric_f0,
            roughness,
            sheen_color,
            sheen_roughness,
            dielectric_f90,
            clearcoat,
            clearcoat_roughness,
            transmission,
            normal_scale,
            occlusion_strength,
            alpha_cutoff,
        }
    );
    assert_eq!(
        size_of::<Rows>(),
        rigscope_core::model::KEY_STRIDE_BYTES,
        "keys are uploaded verbatim"
    );
}

#[test]
fn shader_constants_match() {
    let constant = |shader: &ShaderSource, name: &str| {
        let line = format!("const {name}: u32 = ");
        let at = shader.text.find(&line).unwrap_or_else(|| panic!("no {name}")) + line.len();
        let text = shader.text[at..].split(';').next().unwrap().trim_end_matches('u');
        match text.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16).unwrap(),
            None => text.parse().unwrap(),
        }
    };
    let pairs = [
        (shader("surface"), "NONE", gpu_data::NONE),
        (shader("surface"), "FRAME_TWO_SIDED", Frame::TWO_SIDED),
        (shader("surface"), "FRAME_FLAT", Frame::FLAT),
        (shader("surface"), "FRAME_MIRRORED", Frame::MIRRORED),
        (shader("surface"), "FRAME_SURFACE_SHOWN", Frame::SURFACE_SHOWN),
        (shader("surface"), "FRAME_SUBSET_COLORS", Frame::SUBSET_COLORS),
        (shader("surface"), "FRAME_CUBE_SEAMS", Frame::CUBE_SEAMS),
        (
            shader("skin_packed"),
            "NORMAL_MATRIX_INVERSE_TRANSPOSE",
            normal_matrix_number(NormalMatrix::InverseTranspose),
        ),
        (shader("skin_packed"), "NORMAL_MATRIX_SAME", normal_matrix_number(NormalMatrix::Same)),
        (
            shader("skin_packed"),
            "NORMAL_MATRIX_COFACTOR",
            normal_matrix_number(NormalMatrix::Cofactor),
        ),
        (
            shader("skin_streams"),
            "NORMAL_MATRIX_SAME_THEN_LAST",
            gpu_data::NORMAL_MATRIX_SAME_THEN_LAST,
        ),
        (shader("skin_streams"), "NORMAL_MATRIX_PER_BONE", gpu_data::NORMAL_MATRIX_PER_BONE),
        (shader("skin_streams"), "STREAMS_RIGID", StreamInput::RIGID),
        (shader("skin_streams"), "STREAMS_ROWS", StreamInput::ROWS),
        (shader("skin_streams"), "STREAMS_BONE_LOCAL", StreamInput::BONE_LOCAL),
        (shader("skin_streams"), "STREAMS_CACHED", StreamInput::CACHED),
        (shader("skin_streams"), "BLEND_LINEAR", StreamInput::LINEAR),
        (shader("skin_streams"), "BLEND_DUAL_QUATERNION", StreamInput::DUAL_QUATERNION),
        (shader("skin_streams"), "BLEND_MIXED", StreamInput::MIXED),
        (shader("skin_streams"), "ROW_STRIDE", StreamInput::ROW_STRIDE),
        (shader("skin_streams"), "BONE_LOCAL_STRIDE", StreamInput::BONE_LOCAL_STRIDE),
        (shader("influence_counts"), "COUNT_SAME", CountInput::SAME),
        (shader("influence_counts"), "COUNT_ROWS", CountInput::ROWS),
        (shader("influence_counts"), "COUNT_PACKED", CountInput::PACKED),
        (shader("textured"), "MATERIAL_NORMAL_MAP", MaterialInput::NORMAL_MAP),
        (shader("textured"), "MATERIAL_TWO_SIDED", MaterialInput::TWO_SIDED),
        (shader("textured"), "MATERIAL_UNLIT", MaterialInput::UNLIT),
        (shader("textured"), "MATERIAL_BLENDED", MaterialInput::BLENDED),
        (shader("physical"), "MATERIAL_METALLIC_MAP", MaterialInput::METALLIC_MAP),
        (shader("physical"), "MATERIAL_ROUGHNESS_MAP", MaterialInput::ROUGHNESS_MAP),
        (shader("physical"), "MATERIAL_ROUGHNESS_SHARED", MaterialInput::ROUGHNESS_SHARED),
        (shader("physical"), "MATERIAL_OCCLUSION_MAP", MaterialInput::OCCLUSION_MAP),
        (shader("physical"), "MATERIAL_OCCLUSION_SHARED", MaterialInput::OCCLUSION_SHARED),
        (shader("physical"), "MATERIAL_EMISSIVE_MAP", MaterialInput::EMISSIVE_MAP),
        (shader("physical"), "MATERIAL_BASE_ENCODED_TWICE", MaterialInput::BASE_ENCODED_TWICE),
        (shader("physical"), "MATERIAL_CLEARCOAT", MaterialInput::CLEARCOAT),
        (shader("physical"), "MATERIAL_SHEEN", MaterialInput::SHEEN),
        (shader("physical"), "MATERIAL_CUT", MaterialInput::CUT),
        (shader("physical"), "MATERIAL_TRANSMISSIVE", MaterialInput::TRANSMISSIVE),
        (shader("physical"), "SHADING_SDK", Shading::Sdk as u32),
        (shader("physical"), "TONE_AGX", ToneMapping::Agx as u32),
        (shader("physical"), "TONE_NEUTRAL", ToneMapping::Neutral as u32),
        (shader("palette"), "POSE_PRODUCT", PoseInput::PRODUCT),
        (shader("palette"), "POSE_PARENTS", PoseInput::PARENTS),
        (shader("palette"), "POSE_INVERSE_BIND", PoseInput::INVERSE_BIND),
    ];
    for (shader, name, value) in pairs {
        assert_eq!(constant(&shader, name), value, "{name}");
    }
}

#[test]
fn coloring_numbers_match() {
    use rigscope_core::visual::{DrawnWith, HEAT_STOPS, Item};
    let text = shader("surface").text;
    for info in SHOW {
        let (Item::Coloring(coloring), DrawnWith::Coloring(Some(number))) =
            (info.item, info.drawn_with)
        else {
            continue;
        };
        let is_line = |line: &&str| {
            line.starts_with("const COLORING_") && line.contains(&format!("= {number}u;"))
        };
        let line = text.lines().find(is_line).expect(info.label);
        let name: String = format!("{coloring:?}").to_uppercase();
        assert_eq!(
            line.split(':').next().unwrap().replace('_', ""),
            format!("const COLORING{name}")
        );
    }
    for [r, g, b] in HEAT_STOPS {
        let color = format!("vec3f({r:.2}, {g:.2}, {b:.2});");
        assert!(text.contains(&color), "no {color}");
    }
}

#[test]
fn every_pass_in_the_show_table_has_a_shader() {
    use rigscope_core::visual::DrawnWith;
    for info in SHOW {
        if let DrawnWith::Pass(name) = info.drawn_with {
            assert!(SHADERS.iter().any(|s| s.name == name), "{name}");
        }
    }
}

#[test]
fn outline_colours_match_the_ui() {
    let [r, g, b] = rigscope_core::visual::SELECTED;
    let color = format!("const SELECTED: vec3f = vec3f({r:.2}, {g:.2}, {b:.2});");
    assert!(shader("outline").text.contains(&color), "no {color}");
}

#[test]
fn influence_colors_match_the_legend() {
    for [r, g, b] in rigscope_core::model::INFLUENCE_COLORS {
        let color = format!("vec3f({r:.2}, {g:.2}, {b:.2});");
        assert!(shader("surface").text.contains(&color), "no {color}");
    }
}

/// A device that validates all calls but executes nothing.
fn checking_device() -> Gpu {
    let (device, queue) = wgpu::Device::noop(&wgpu::DeviceDescriptor::default());
    let info = device.adapter_info();
    let mut gpu = Gpu::from_device(device, queue, info, true);
    gpu.caps.is_software = true;
    gpu
}

#[test]
fn all_pipelines_and_a_whole_frame_pass_validation_without_a_driver() {
    let gpu = checking_device();
    let renderer = Renderer::new(&gpu);
    renderer.make_all(&gpu, Msaa::Off);
    renderer.make_all(&gpu, Msaa::X4);
    let missing = renderer.pipelines.missing();
    assert!(missing.is_empty(), "created during a frame: {missing:?}");
    for pass in PASSES {
        assert!(renderer.pipelines.has_pass(pass, Msaa::Off), "{}", pass.name);
        // Deferred shading isn't used with multisampling.
        let is_drawn = pass.name != pass::DEFERRED.name;
        assert_eq!(renderer.pipelines.has_pass(pass, Msaa::X4), is_drawn, "{}", pass.name);
    }
    assert!(renderer.checker.get().is_some());
    let mut scene = Scene::upload(&gpu, &renderer, &Model::default(), &Report::new()).unwrap();
    let words: Vec<_> = SHOW.iter().filter_map(|info| info.word).collect();
    let input = FrameInput {
        show: Show::parse(&words.join(",")).unwrap(),
        selected: Some(rigscope_core::visual::OutlineTarget::Bone(rigscope_core::model::BoneId(0))),
        bones: &[rigscope_core::pose::BoneShape {
            bone: rigscope_core::model::BoneId(0),
            head: glam::Vec3::ZERO,
            tail: glam::Vec3::X,
        }],
        ..FrameInput::default()
    };
    for msaa in [Msaa::Off, Msaa::X4] {
        let target = Target::new(&gpu, [64, 48], msaa);
        renderer.render(&gpu, &mut scene, &target, &input);
    }
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
}
