//! Cube maps of environments, created by compute shaders.

use bytemuck::{Pod, Zeroable, bytes_of};

use super::Cubes;
use crate::Gpu;
use crate::bind::bind_resources;
use crate::shaders::{self, ENVIRONMENT, SPLIT_SUM, ShaderSource};

/// Side of the sharp cube, in texels.
pub(super) const SIZE: u32 = 128;
/// The same for image files, where blur would be noticed.
const IMAGE_SIZE: u32 = 256;
/// Side of the irradiance cube, which changes slowly.
pub(super) const IRRADIANCE_SIZE: u32 = 16;
/// Levels of the prefiltered cube, by increasing roughness, down to a side of 4 texels.
pub(super) const NUM_LEVELS: u32 = 6;
/// Samples per texel of the first rough level. Each further level has a quarter of the texels and twice the
/// samples.
const NUM_SAMPLES: u32 = 64;
/// Side of the split-sum table, in texels.
const TABLE_SIZE: u32 = 64;

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Side of the square that a workgroup writes, in texels.
const GROUP: u32 = 8;

/// The built-in environments, as numbered in the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BuiltIn {
    Neutral = 0,
    Studio = 1,
    Sunset = 2,
}

/// Keep in sync with `shaders/environment.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct EnvironmentInput {
    pub(super) size: u32,
    pub(super) kind: u32,
    pub(super) roughness: f32,
    pub(super) num_samples: u32,
    pub(super) source_size: u32,
    pub(super) has_seams: u32,
}

/// Pipelines that create cube maps.
#[derive(Debug)]
pub(super) struct CubeMaker {
    layout: wgpu::BindGroupLayout,
    make: wgpu::ComputePipeline,
    halve: wgpu::ComputePipeline,
    irradiance: wgpu::ComputePipeline,
    prefilter: wgpu::ComputePipeline,
    /// Filters between texels and levels; clamps at the edges.
    pub(super) sampler: wgpu::Sampler,
    /// Placeholders for unused bindings.
    no_cube: wgpu::TextureView,
    no_image: wgpu::TextureView,
}

impl CubeMaker {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        let layout = layout(device);
        let module = shaders::module(&ENVIRONMENT, device);
        let pipeline = |entry: &str| pipeline(device, &layout, (&ENVIRONMENT, &module), entry);
        Self {
            make: pipeline("make"),
            halve: pipeline("halve"),
            irradiance: pipeline("irradiance"),
            prefilter: pipeline("prefilter"),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("light"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..Default::default()
            }),
            no_cube: whole_cube(&cube(gpu, "no cube", 1, 1)),
            no_image: half_float_image(gpu, "no image", [1, 1]).create_view(&Default::default()),
            layout,
        }
    }

    /// The cubes of a built-in environment.
    pub(super) fn make(&self, gpu: &Gpu, kind: BuiltIn) -> Cubes {
        let base = self.base(gpu, kind);
        self.filtered(gpu, &base, SIZE)
    }

    /// The radiance cube of a built-in environment.
    pub(super) fn base(&self, gpu: &Gpu, kind: BuiltIn) -> wgpu::Texture {
        let base = cube(gpu, "environment", SIZE, num_base_levels(SIZE));
        let input = EnvironmentInput { size: SIZE, kind: kind as u32, ..Default::default() };
        self.run(gpu, &self.make, input, &self.no_cube, &level(&base, 0));
        self.halvings(gpu, &base, SIZE);
        base
    }

    /// The cubes of an environment whose radiance is in the first level of `cube`.
    pub(super) fn of_cube(&self, gpu: &Gpu, cube: &wgpu::Texture) -> Cubes {
        self.of_source(gpu, &self.halve, &level_cube(cube, 0), &self.no_image)
    }

    /// The cubes of an environment whose radiance is in an equirectangular image.
    pub(super) fn of_equirectangular(&self, gpu: &Gpu, image: &wgpu::TextureView) -> Cubes {
        let module = shaders::module(&ENVIRONMENT, &gpu.device);
        let shader = (&ENVIRONMENT, &module);
        let pipeline = pipeline(&gpu.device, &self.layout, shader, "from_equirectangular");
        self.of_source(gpu, &pipeline, &self.no_cube, image)
    }

    fn of_source(
        &self,
        gpu: &Gpu,
        pipeline: &wgpu::ComputePipeline,
        cube_source: &wgpu::TextureView,
        image: &wgpu::TextureView,
    ) -> Cubes {
        let size = IMAGE_SIZE;
        let base = cube(gpu, "environment of an image", size, num_base_levels(size));
        let input = EnvironmentInput { size, ..Default::default() };
        self.run_with(gpu, pipeline, input, [cube_source, image, &level(&base, 0)]);
        self.halvings(gpu, &base, size);
        self.filtered(gpu, &base, size)
    }

    /// Fills all levels of `base` except the first.
    fn halvings(&self, gpu: &Gpu, base: &wgpu::Texture, size: u32) {
        for number in 1..base.mip_level_count() {
            let source = level_cube(base, number - 1);
            let input = EnvironmentInput { size: size >> number, ..Default::default() };
            self.run(gpu, &self.halve, input, &source, &level(base, number));
        }
    }

    /// The irradiance and prefiltered cubes of `base`, whose side is `size` texels.
    pub(super) fn filtered(&self, gpu: &Gpu, base: &wgpu::Texture, size: u32) -> Cubes {
        let irradiance = cube(gpu, "irradiance", IRRADIANCE_SIZE, 1);
        let input = EnvironmentInput {
            size: IRRADIANCE_SIZE,
            source_size: IRRADIANCE_SIZE,
            ..Default::default()
        };
        let source = level_cube(base, (size / IRRADIANCE_SIZE).ilog2());
        self.run(gpu, &self.irradiance, input, &source, &level(&irradiance, 0));
        let prefiltered = cube(gpu, "prefiltered", size, NUM_LEVELS);
        let mirror = EnvironmentInput { size, ..Default::default() };
        self.run(gpu, &self.halve, mirror, &level_cube(base, 0), &level(&prefiltered, 0));
        let source = whole_cube(base);
        for number in 1..NUM_LEVELS {
            let input = EnvironmentInput {
                size: size >> number,
                roughness: number as f32 / (NUM_LEVELS - 1) as f32,
                num_samples: NUM_SAMPLES << (number - 1),
                source_size: size,
                ..Default::default()
            };
            self.run(gpu, &self.prefilter, input, &source, &level(&prefiltered, number));
        }
        Cubes {
            irradiance: whole_cube(&irradiance),
            prefiltered: whole_cube(&prefiltered),
            levels: (NUM_LEVELS - 1) as f32,
        }
    }

    /// The split-sum table: scale and bias of the reflection of uniform light.
    pub(super) fn split_sum(&self, gpu: &Gpu) -> wgpu::TextureView {
        let device = &gpu.device;
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("split sum"),
            entries: &[entry(0, written(wgpu::TextureViewDimension::D2))],
        });
        let shader = (&SPLIT_SUM, &shaders::module(&SPLIT_SUM, device));
        let pipeline = pipeline(device, &layout, shader, "main");
        let table = half_float_image(gpu, "split sum", [TABLE_SIZE; 2]);
        let view = table.create_view(&wgpu::TextureViewDescriptor::default());
        let bind = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("split sum"),
            layout: &layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&view),
            }],
        });
        dispatch(gpu, &pipeline, &bind, [TABLE_SIZE / GROUP, TABLE_SIZE / GROUP, 1]);
        view
    }

    fn run(
        &self,
        gpu: &Gpu,
        pipeline: &wgpu::ComputePipeline,
        input: EnvironmentInput,
        source: &wgpu::TextureView,
        written: &wgpu::TextureView,
    ) {
        self.run_with(gpu, pipeline, input, [source, &self.no_image, written]);
    }

    fn run_with(
        &self,
        gpu: &Gpu,
        pipeline: &wgpu::ComputePipeline,
        input: EnvironmentInput,
        [source, image, written]: [&wgpu::TextureView; 3],
    ) {
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("environment"),
            size: size_of::<EnvironmentInput>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let input = EnvironmentInput { has_seams: gpu.caps.has_cube_seams.into(), ..input };
        gpu.queue.write_buffer(&buffer, 0, bytes_of(&input));
        let resources = [
            buffer.as_entire_binding(),
            wgpu::BindingResource::TextureView(source),
            wgpu::BindingResource::TextureView(image),
            wgpu::BindingResource::Sampler(&self.sampler),
            wgpu::BindingResource::TextureView(written),
        ];
        let bind = bind_resources(&gpu.device, "environment", &self.layout, resources);
        let groups = input.size.div_ceil(GROUP);
        dispatch(gpu, pipeline, &bind, [groups, groups, 6]);
    }
}

fn dispatch(
    gpu: &Gpu,
    pipeline: &wgpu::ComputePipeline,
    bind: &wgpu::BindGroup,
    [x, y, z]: [u32; 3],
) {
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.set_pipeline(pipeline);
    pass.set_bind_group(0, bind, &[]);
    pass.dispatch_workgroups(x, y, z);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
}

fn texture(
    gpu: &Gpu,
    label: &str,
    [width, height]: [u32; 2],
    layers: u32,
    levels: u32,
) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: layers },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::STORAGE_BINDING
            | wgpu::TextureUsages::COPY_DST
            | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

pub(super) fn cube(gpu: &Gpu, label: &str, size: u32, levels: u32) -> wgpu::Texture {
    texture(gpu, label, [size; 2], 6, levels)
}

/// A half-float 2D texture.
pub(super) fn half_float_image(gpu: &Gpu, label: &str, size: [u32; 2]) -> wgpu::Texture {
    texture(gpu, label, size, 1, 1)
}

pub(super) fn whole_cube(cube: &wgpu::Texture) -> wgpu::TextureView {
    cube.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::Cube),
        ..Default::default()
    })
}

/// Levels of a radiance cube, down to a side of 2 texels: filtering a single texel reads other faces.
fn num_base_levels(size: u32) -> u32 {
    size.ilog2()
}

/// A view for reading one level: exactly that level is filtered, and another one can be written meanwhile.
fn level_cube(cube: &wgpu::Texture, number: u32) -> wgpu::TextureView {
    cube.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::Cube),
        base_mip_level: number,
        mip_level_count: Some(1),
        ..Default::default()
    })
}

/// A view for writing one level.
fn level(cube: &wgpu::Texture, number: u32) -> wgpu::TextureView {
    cube.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        base_mip_level: number,
        mip_level_count: Some(1),
        ..Default::default()
    })
}

fn entry(binding: u32, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility: wgpu::ShaderStages::COMPUTE, ty, count: None }
}

fn written(view_dimension: wgpu::TextureViewDimension) -> wgpu::BindingType {
    wgpu::BindingType::StorageTexture {
        access: wgpu::StorageTextureAccess::WriteOnly,
        format: FORMAT,
        view_dimension,
    }
}

fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let read = |view_dimension| wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension,
        multisampled: false,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("environment"),
        entries: &[
            entry(
                0,
                wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
            ),
            entry(1, read(wgpu::TextureViewDimension::Cube)),
            entry(2, read(wgpu::TextureViewDimension::D2)),
            entry(3, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)),
            entry(4, written(wgpu::TextureViewDimension::D2Array)),
        ],
    })
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    (shader, module): (&ShaderSource, &wgpu::ShaderModule),
    entry: &str,
) -> wgpu::ComputePipeline {
    shaders::list_pipeline(shader, &[entry], &[]);
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(entry),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(entry),
        layout: Some(&layout),
        module,
        entry_point: Some(entry),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    })
}
