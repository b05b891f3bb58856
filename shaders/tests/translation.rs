//! Every entry point of every shader is translated to HLSL and MSL, as on Windows and macOS, and stays within limits
//! that DirectX 12 and Metal guarantee.
//!
//! Not for: the compilers of these languages, which exist only on those systems.

use naga::back::{hlsl, msl, pipeline_constants};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, ImageClass, Module, ShaderStage, TypeInner};
use rigscope_shaders::{SHADERS, ShaderSource};

/// Bindings per stage and bytes of workgroup memory that every WebGPU implementation has (WebGPU, section 3.6.2,
/// "default" limits). wgpu maps them to DirectX 12 of feature level 11_0 and to Metal's `Apple4` and `Mac2` families.
const MAX_UNIFORM_BUFFERS: usize = 12;
const MAX_STORAGE_BUFFERS: usize = 8;
const MAX_SAMPLED_TEXTURES: usize = 16;
const MAX_STORAGE_TEXTURES: usize = 4;
const MAX_SAMPLERS: usize = 16;
const MAX_WORKGROUP_BYTES: u32 = 16_384;

/// The features that the program asks for if a device has them.
fn validator() -> Validator {
    Validator::new(ValidationFlags::all(), Capabilities::all())
}

/// A shader's module with all of its overrides set to `value`.
fn with_overrides(module: &Module, info: &ModuleInfo, value: f64) -> (Module, ModuleInfo) {
    let names = module.overrides.iter().filter_map(|(_, one)| one.name.clone());
    let constants = names.map(|name| (name, value)).collect();
    let processed = pipeline_constants::process_overrides(module, info, None, &constants);
    let (module, info) = processed.unwrap_or_else(|error| panic!("{error}"));
    (module.into_owned(), info.into_owned())
}

fn hlsl_of(module: &Module, info: &ModuleInfo, stage: ShaderStage, name: &str) -> String {
    let options = hlsl::Options { shader_model: hlsl::ShaderModel::V6_0, ..Default::default() };
    let pipeline = hlsl::PipelineOptions { entry_point: Some((stage, name.to_owned())) };
    let mut out = String::new();
    let mut writer = hlsl::Writer::new(&mut out, &options, &pipeline);
    writer.write(module, info, None).unwrap_or_else(|error| panic!("HLSL of {name}: {error}"));
    out
}

fn msl_of(module: &Module, info: &ModuleInfo, stage: ShaderStage, name: &str) -> String {
    let options = msl::Options { lang_version: (2, 3), ..Default::default() };
    let pipeline =
        msl::PipelineOptions { entry_point: Some((stage, name.to_owned())), ..Default::default() };
    let written = msl::write_string(module, info, &options, &pipeline);
    written.unwrap_or_else(|error| panic!("MSL of {name}: {error}")).0
}

/// Checks the resources that an entry point uses.
fn check_limits(shader: &ShaderSource, module: &Module, info: &ModuleInfo, entry: usize) {
    let used = info.get_entry_point(entry);
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
    let name = format!("{}, {}", shader.name, module.entry_points[entry].name);
    assert!(uniform <= MAX_UNIFORM_BUFFERS, "{name}: {uniform} uniform buffers");
    assert!(storage <= MAX_STORAGE_BUFFERS, "{name}: {storage} storage buffers");
    assert!(sampled <= MAX_SAMPLED_TEXTURES, "{name}: {sampled} textures");
    assert!(stored <= MAX_STORAGE_TEXTURES, "{name}: {stored} storage textures");
    assert!(samplers <= MAX_SAMPLERS, "{name}: {samplers} samplers");
    assert!(workgroup_bytes <= MAX_WORKGROUP_BYTES, "{name}: {workgroup_bytes} bytes");
}

#[test]
fn every_entry_point_is_translated_to_hlsl_and_msl() {
    let mut num_translated = 0;
    for shader in SHADERS {
        let module = naga::front::wgsl::parse_str(shader.text).unwrap_or_else(|error| {
            panic!("{}: {}", shader.name, error.emit_to_string(shader.text))
        });
        let info = validator().validate(&module).unwrap();
        assert!(!module.entry_points.is_empty(), "{} has no entry point", shader.name);
        for value in [0.0, 1.0] {
            let (module, info) = with_overrides(&module, &info, value);
            for (number, entry) in module.entry_points.iter().enumerate() {
                let hlsl = hlsl_of(&module, &info, entry.stage, &entry.name);
                let msl = msl_of(&module, &info, entry.stage, &entry.name);
                assert!(hlsl.contains(&entry.name) && msl.contains(&entry.name), "{}", entry.name);
                check_limits(shader, &module, &info, number);
                num_translated += 1;
            }
        }
    }
    println!("{num_translated} translations of {} shaders", SHADERS.len());
    assert!(num_translated >= 2 * SHADERS.len());
}
