//! Shaders and pipelines, checked without any driver.

use std::mem::{offset_of, size_of};

use wgpu::naga;

use super::gpu_data::{
    Bone, CountInput, Draw, DualQuaternion, Frame, MaterialInput, PoseInput, Rows, SkinInput,
    SkinnedVertex, Slot, StreamInput, normal_matrix_number,
};
use super::*;
use crate::model::{Model, NormalMatrix, Report};
use crate::visual::SHOW;

fn parsed(shader: &ShaderSource) -> naga::Module {
    naga::front::wgsl::parse_str(shader.text)
        .unwrap_or_else(|e| panic!("{}: {}", shader.name, e.emit_to_string(shader.text)))
}

#[test]
fn every_shader_file_is_in_the_table_and_valid() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "common.wgsl")
        .collect();
    files.sort();
    let mut known: Vec<_> = SHADERS.iter().map(|s| format!("{}.wgsl", s.name)).collect();
    known.sort();
    assert_eq!(files, known);
    for shader in SHADERS {
        let flags = naga::valid::ValidationFlags::all();
        naga::valid::Validator::new(flags, naga::valid::Capabilities::empty())
            .validate(&parsed(shader))
            .unwrap_or_else(|e| panic!("{}: {}", shader.name, e.emit_to_string(shader.text)));
    }
}

/// Compares size and offsets of a WGSL struct with its Rust twin.
macro_rules! same_layout {
    ($shader:expr, $ty:ident { $($field:ident),+ $(,)? }) => {{
        let module = parsed(&$shader);
        let (_, found) = module
            .types
            .iter()
            .find(|(_, ty)| ty.name.as_deref() == Some(stringify!($ty)))
            .unwrap_or_else(|| panic!("{} has no {}", $shader.name, stringify!($ty)));
        let naga::TypeInner::Struct { members, span } = &found.inner else {
            panic!("{} is no struct", stringify!($ty));
        };
        assert_eq!(*span as usize, size_of::<$ty>(), "size of {}", stringify!($ty));
        let wgsl: Vec<_> = members
            .iter()
            .map(|m| (m.name.as_deref().unwrap(), m.offset as usize))
            .collect();
        let rust = [$((stringify!($field), offset_of!($ty, $field))),+];
        assert_eq!(wgsl, rust, "members of {}", stringify!($ty));
    }};
}

#[test]
fn structs_lie_in_memory_as_shaders_read_them() {
    same_layout!(
        shaders::SURFACE,
        SkinnedVertex {
            position,
            u,
            normal,
            v,
            tangent
        }
    );
    same_layout!(
        shaders::SURFACE,
        Frame {
            clip_from_world,
            view_from_world,
            world_from_file,
            background_top,
            background_bottom,
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
            num_vertices,
            glyph_length,
        }
    );
    same_layout!(
        shaders::SURFACE,
        Draw {
            color,
            first_vertex,
            first_index,
            index_bytes,
            flags
        }
    );
    same_layout!(
        shaders::PALETTE,
        PoseInput {
            key0,
            key1,
            fraction,
            flags,
            num_key_bones,
            num_bones,
            num_slots,
            row_length,
        }
    );
    same_layout!(shaders::PALETTE, Rows { x, y, z });
    same_layout!(shaders::SKIN_STREAMS, Rows { x, y, z });
    same_layout!(
        shaders::SKIN_STREAMS,
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
        }
    );
    same_layout!(
        shaders::SKIN_STREAMS,
        DualQuaternion {
            real,
            dual,
            scale,
            padding
        }
    );
    same_layout!(
        shaders::INFLUENCE_COUNTS,
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
    same_layout!(shaders::SKIN_PACKED, Rows { x, y, z });
    same_layout!(
        shaders::PALETTE,
        Slot {
            bone_from_mesh,
            bone,
            has_inverse,
            padding
        }
    );
    same_layout!(
        shaders::SKIN_PACKED,
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
        shaders::TEXTURED,
        MaterialInput {
            base_color,
            base_from_uv_x,
            base_from_uv_y,
            normal_from_uv_x,
            normal_from_uv_y,
            tangents_from_normal_map,
            alpha_cutoff,
            flags,
            padding,
        }
    );
    same_layout!(
        shaders::BONES,
        Bone {
            head,
            radius,
            tail,
            padding,
            color
        }
    );
    assert_eq!(
        size_of::<Rows>(),
        crate::model::KEY_STRIDE_BYTES,
        "keys go up verbatim"
    );
}

#[test]
fn constants_of_shaders_are_those_of_the_program() {
    let constant = |shader: &ShaderSource, name: &str| {
        let line = format!("const {name}: u32 = ");
        let at = shader
            .text
            .find(&line)
            .unwrap_or_else(|| panic!("no {name}"))
            + line.len();
        let text = shader.text[at..]
            .split(';')
            .next()
            .unwrap()
            .trim_end_matches('u');
        match text.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16).unwrap(),
            None => text.parse().unwrap(),
        }
    };
    let pairs = [
        (shaders::SURFACE, "NONE", gpu_data::NONE),
        (shaders::SURFACE, "FRAME_TWO_SIDED", Frame::TWO_SIDED),
        (shaders::SURFACE, "FRAME_FLAT", Frame::FLAT),
        (shaders::SURFACE, "FRAME_MIRRORED", Frame::MIRRORED),
        (
            shaders::SURFACE,
            "FRAME_SURFACE_SHOWN",
            Frame::SURFACE_SHOWN,
        ),
        (
            shaders::SURFACE,
            "FRAME_SUBSET_COLORS",
            Frame::SUBSET_COLORS,
        ),
        (
            shaders::SKIN_PACKED,
            "NORMAL_MATRIX_INVERSE_TRANSPOSE",
            normal_matrix_number(NormalMatrix::InverseTranspose),
        ),
        (
            shaders::SKIN_PACKED,
            "NORMAL_MATRIX_SAME",
            normal_matrix_number(NormalMatrix::Same),
        ),
        (
            shaders::SKIN_PACKED,
            "NORMAL_MATRIX_COFACTOR",
            normal_matrix_number(NormalMatrix::Cofactor),
        ),
        (shaders::SKIN_STREAMS, "STREAMS_RIGID", StreamInput::RIGID),
        (shaders::SKIN_STREAMS, "STREAMS_ROWS", StreamInput::ROWS),
        (
            shaders::SKIN_STREAMS,
            "STREAMS_BONE_LOCAL",
            StreamInput::BONE_LOCAL,
        ),
        (shaders::SKIN_STREAMS, "STREAMS_CACHED", StreamInput::CACHED),
        (shaders::SKIN_STREAMS, "BLEND_LINEAR", StreamInput::LINEAR),
        (
            shaders::SKIN_STREAMS,
            "BLEND_DUAL_QUATERNION",
            StreamInput::DUAL_QUATERNION,
        ),
        (shaders::SKIN_STREAMS, "BLEND_MIXED", StreamInput::MIXED),
        (shaders::SKIN_STREAMS, "ROW_STRIDE", StreamInput::ROW_STRIDE),
        (
            shaders::SKIN_STREAMS,
            "BONE_LOCAL_STRIDE",
            StreamInput::BONE_LOCAL_STRIDE,
        ),
        (shaders::INFLUENCE_COUNTS, "COUNT_SAME", CountInput::SAME),
        (shaders::INFLUENCE_COUNTS, "COUNT_ROWS", CountInput::ROWS),
        (
            shaders::INFLUENCE_COUNTS,
            "COUNT_PACKED",
            CountInput::PACKED,
        ),
        (
            shaders::TEXTURED,
            "MATERIAL_NORMAL_MAP",
            MaterialInput::NORMAL_MAP,
        ),
        (
            shaders::TEXTURED,
            "MATERIAL_TWO_SIDED",
            MaterialInput::TWO_SIDED,
        ),
        (shaders::TEXTURED, "MATERIAL_UNLIT", MaterialInput::UNLIT),
        (
            shaders::TEXTURED,
            "MATERIAL_BLENDED",
            MaterialInput::BLENDED,
        ),
        (shaders::PALETTE, "POSE_PRODUCT", PoseInput::PRODUCT),
        (shaders::PALETTE, "POSE_PARENTS", PoseInput::PARENTS),
        (
            shaders::PALETTE,
            "POSE_INVERSE_BIND",
            PoseInput::INVERSE_BIND,
        ),
    ];
    for (shader, name, value) in pairs {
        assert_eq!(constant(&shader, name), value, "{name}");
    }
}

#[test]
fn shaders_know_colorings_by_the_same_numbers() {
    use crate::visual::{DrawnWith, HEAT_STOPS, Item};
    let text = shaders::SURFACE.text;
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
fn every_switch_that_a_pass_draws_names_a_shader() {
    use crate::visual::DrawnWith;
    for info in SHOW {
        if let DrawnWith::Pass(name) = info.drawn_with {
            assert!(shaders::SHADERS.iter().any(|s| s.name == name), "{name}");
        }
    }
}

#[test]
fn colors_of_influences_are_those_of_the_legend() {
    for [r, g, b] in crate::model::INFLUENCE_COLORS {
        let color = format!("vec3f({r:.2}, {g:.2}, {b:.2});");
        assert!(shaders::SURFACE.text.contains(&color), "no {color}");
    }
}

/// A device that checks all calls and does nothing.
fn checking_device() -> Gpu {
    let (device, queue) = wgpu::Device::noop(&wgpu::DeviceDescriptor::default());
    let info = device.adapter_info();
    Gpu::from_device(device, queue, info, true)
}

#[test]
fn all_pipelines_and_a_whole_frame_pass_validation_without_a_driver() {
    let gpu = checking_device();
    let renderer = Renderer::new(&gpu);
    renderer.make_all(&gpu, Msaa::Off);
    renderer.make_all(&gpu, Msaa::X4);
    let mut scene = Scene::upload(&gpu, &renderer, &Model::default(), &Report::new()).unwrap();
    let words: Vec<_> = SHOW.iter().filter_map(|info| info.word).collect();
    let input = FrameInput {
        show: Show::parse(&words.join(",")).unwrap(),
        bones: &[crate::pose::BoneShape {
            bone: crate::model::BoneId(0),
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
