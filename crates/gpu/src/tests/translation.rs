//! All pipelines that the program creates are translated to HLSL and MSL, as on Windows and macOS, and stay within
//! limits that DirectX 12 and Metal guarantee.
//!
//! Not for: the compilers of these languages, which exist only on those systems.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use naga::back::{hlsl, msl, pipeline_constants};
use naga::valid::{Capabilities, FunctionInfo, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, ImageClass, Module, ShaderStage, TypeInner};

use crate::frame::FrameInput;
use crate::kernels::{CullKind, compute_pipeline};
use crate::pass::PASSES;
use crate::same_layout::parsed;
use crate::shaders::{COPY, SHADERS, ShaderSource};
use crate::software::{Blit, UiPainter};
use crate::textures::MaterialInput;
use crate::variant::Variant;
use crate::{Light, Msaa, Renderer, Show};
use rigscope_core::model::{ByteView, Image};
use rigscope_core::visual::{Coloring, Shading, ToneMapping};

/// An entry point with the values of its overrides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Program {
    shader: &'static str,
    entry: String,
    /// Names and values in bits, so that programs can be sorted.
    constants: Vec<(String, u64)>,
}

/// Programs of the pipelines that this process has created.
static PROGRAMS: Mutex<BTreeSet<Program>> = Mutex::new(BTreeSet::new());

pub(crate) fn list_pipeline(shader: &ShaderSource, entries: &[&str], constants: &[(&str, f64)]) {
    let constants: Vec<_> =
        constants.iter().map(|(name, value)| ((*name).to_owned(), value.to_bits())).collect();
    let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    programs.extend(entries.iter().map(|entry| Program {
        shader: shader.name,
        entry: (*entry).to_owned(),
        constants: constants.clone(),
    }));
}

/// The most that a stage may use.
struct Limits {
    uniform_buffers: usize,
    storage_buffers: usize,
    sampled_textures: usize,
    storage_textures: usize,
    samplers: usize,
    workgroup_bytes: u32,
    workgroup_invocations: u32,
}

/// Limits of every WebGPU implementation (WebGPU, section 3.6.2, "default" column). wgpu maps them to DirectX 12 of
/// feature level 11_0 and to Metal's families `Apple4` and `Mac2`.
const LIMITS: Limits = Limits {
    uniform_buffers: 12,
    storage_buffers: 8,
    sampled_textures: 16,
    storage_textures: 4,
    samplers: 16,
    workgroup_bytes: 16_384,
    workgroup_invocations: 256,
};

/// Lengths of the translations of a program in bytes.
struct Translation {
    hlsl_bytes: usize,
    msl_bytes: usize,
}

/// Translates a program and checks the resources that it uses.
fn translate(module: &Module, info: &ModuleInfo, program: &Program) -> Translation {
    let entry = module.entry_points.iter().find(|entry| entry.name == program.entry);
    let entry = entry.unwrap_or_else(|| panic!("{program:?} isn't in the shader"));
    let stage = (entry.stage, program.entry.as_str());
    let constants = program.constants.iter();
    let constants = constants.map(|(name, bits)| (name.clone(), f64::from_bits(*bits))).collect();
    let made = pipeline_constants::process_overrides(module, info, Some(stage), &constants);
    let (module, info) = made.unwrap_or_else(|error| panic!("{program:?}: {error}"));
    let number = module.entry_points.iter().position(|entry| entry.name == program.entry);
    let number = number.unwrap();
    check_limits(&module, info.get_entry_point(number), number, program);
    Translation {
        hlsl_bytes: hlsl_of(&module, &info, stage).len(),
        msl_bytes: msl_of(&module, &info, stage).len(),
    }
}

fn hlsl_of(module: &Module, info: &ModuleInfo, (stage, name): (ShaderStage, &str)) -> String {
    let options = hlsl::Options { shader_model: hlsl::ShaderModel::V6_0, ..Default::default() };
    let pipeline = hlsl::PipelineOptions { entry_point: Some((stage, name.to_owned())) };
    let mut out = String::new();
    let mut writer = hlsl::Writer::new(&mut out, &options, &pipeline);
    writer.write(module, info, None).unwrap_or_else(|error| panic!("HLSL of {name}: {error}"));
    assert!(out.contains(name), "HLSL lacks {name}");
    out
}

fn msl_of(module: &Module, info: &ModuleInfo, (stage, name): (ShaderStage, &str)) -> String {
    let options = msl::Options { lang_version: (2, 3), ..Default::default() };
    let pipeline =
        msl::PipelineOptions { entry_point: Some((stage, name.to_owned())), ..Default::default() };
    let written = msl::write_string(module, info, &options, &pipeline);
    let (out, _) = written.unwrap_or_else(|error| panic!("MSL of {name}: {error}"));
    assert!(out.contains(name), "MSL lacks {name}");
    out
}

fn check_limits(module: &Module, used: &FunctionInfo, entry: usize, program: &Program) {
    let (mut uniform, mut storage, mut sampled, mut stored, mut samplers) = (0, 0, 0, 0, 0);
    let mut workgroup_bytes = 0;
    for (handle, variable) in module.global_variables.iter() {
        if used[handle].is_empty() {
            continue;
        }
        let inner = &module.types[variable.ty].inner;
        match (variable.space, inner) {
            (AddressSpace::Uniform, _) => uniform += 1,
            (AddressSpace::Storage { .. }, _) => storage += 1,
            (AddressSpace::WorkGroup, _) => workgroup_bytes += inner.size(module.to_ctx()),
            (_, TypeInner::Sampler { .. }) => samplers += 1,
            (_, TypeInner::Image { class: ImageClass::Storage { .. }, .. }) => stored += 1,
            (_, TypeInner::Image { .. }) => sampled += 1,
            _ => {}
        }
    }
    let at_most = |count, limit, name| assert!(count <= limit, "{program:?}: {count} {name}");
    at_most(uniform, LIMITS.uniform_buffers, "uniform buffers");
    at_most(storage, LIMITS.storage_buffers, "storage buffers");
    at_most(sampled, LIMITS.sampled_textures, "sampled textures");
    at_most(stored, LIMITS.storage_textures, "storage textures");
    at_most(samplers, LIMITS.samplers, "samplers");
    assert!(workgroup_bytes <= LIMITS.workgroup_bytes, "{program:?}: {workgroup_bytes} bytes");
    let invocations: u32 = module.entry_points[entry].workgroup_size.iter().product();
    assert!(invocations <= LIMITS.workgroup_invocations, "{program:?}: {invocations} invocations");
}

/// Creates every pipeline that the program can create, with each material flag alone and with all of them.
fn create_all_pipelines() {
    let gpu = super::checking_device();
    let renderer = Renderer::new(&gpu);
    let layouts = &renderer.kernels.layouts;
    let flags: Vec<_> = (0..15).map(|bit| 1 << bit).chain([0, (1 << 15) - 1]).collect();
    assert_eq!(MaterialInput::TRANSMISSIVE, 1 << 14, "flags were added");
    for msaa in [Msaa::Off, Msaa::X4] {
        renderer.make_all(&gpu, msaa);
        renderer.pipelines.make_materials(&gpu, layouts, msaa, &flags);
    }
    // Light and colours that aren't the defaults.
    let usual = FrameInput::default();
    for (shading, tone_mapping, coloring) in
        [(Shading::Physical, ToneMapping::Off, None), (Shading::Sdk, ToneMapping::Neutral, None)]
            .into_iter()
            .chain([(Shading::Plain, ToneMapping::Agx, Some(Coloring::Paint))])
    {
        let light = Light { shading, tone_mapping, ..Light::USUAL };
        let show = Show { light, coloring, ..usual.show };
        let input = FrameInput { show, ..usual };
        for pass in PASSES {
            for material in [0, (1 << 15) - 1] {
                let variant = Variant::of(pass, &input, material);
                renderer.pipelines.pass(&gpu, layouts, pass, Msaa::Off, variant);
            }
        }
    }
    for has_short_indices in [false, true] {
        for has_four_samples in [false, true] {
            renderer.kernels.cull(&gpu, CullKind { has_short_indices, has_four_samples });
        }
    }
    let white = image::RgbaImage::from_pixel(4, 2, image::Rgba([255; 4]));
    let mut png = std::io::Cursor::new(Vec::new());
    white.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let bytes = ByteView::whole(png.into_inner());
    let white = Image { name: "white.png".into(), bytes, is_embedded: false };
    renderer.lights.of_image(&gpu, &white).unwrap();
    compute_pipeline(&gpu, COPY, "main", &[&layouts.copy], &[]);
    for format in [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Rgba8UnormSrgb] {
        drop(Blit::new(&gpu, &renderer, format));
        drop(UiPainter::new(&gpu, &renderer, format).unwrap());
    }
}

#[test]
fn every_pipeline_is_translated_to_hlsl_and_msl() {
    create_all_pipelines();
    let programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    // Per entry point: number of variants and the longest translations.
    let mut rows: BTreeMap<(&str, &str), (usize, Translation)> = BTreeMap::new();
    for shader in SHADERS {
        let module = parsed(shader);
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
        let info = validator.validate(&module).unwrap();
        for program in programs.iter().filter(|program| program.shader == shader.name) {
            let made = translate(&module, &info, program);
            let empty = (0, Translation { hlsl_bytes: 0, msl_bytes: 0 });
            let (count, longest) =
                rows.entry((shader.name, program.entry.as_str())).or_insert(empty);
            *count += 1;
            longest.hlsl_bytes = longest.hlsl_bytes.max(made.hlsl_bytes);
            longest.msl_bytes = longest.msl_bytes.max(made.msl_bytes);
        }
        for entry in &module.entry_points {
            let key = (shader.name, entry.name.as_str());
            assert!(rows.contains_key(&key), "no pipeline runs {key:?}");
        }
    }
    println!(
        "| shader | entry point | variants | HLSL 6.0, bytes | MSL 2.3, bytes |\n|---|---|---|---|---|"
    );
    for ((shader, entry), (count, Translation { hlsl_bytes, msl_bytes })) in &rows {
        println!("| {shader} | {entry} | {count} | {hlsl_bytes} | {msl_bytes} |");
    }
    println!("{} programs in {} entry points", programs.len(), rows.len());
}
