//! Compares the block decoders of `images` with the driver's.

use wgpu::util::DeviceExt;

use super::super::pixels::Levels;
use super::super::upload::texture;
use super::*;
use crate::Gpu;
use rigscope_core::images::{TEXEL_FORMATS, decode, header};
use rigscope_core::model::ByteView;
use rigscope_testing::images::{ktx2, random_numbers};

/// In texels: whole blocks of most formats, and mip levels smaller than any block.
const SIDE: u32 = 240;

/// All levels as the driver decodes them, four floats per texel.
fn read(gpu: &Gpu, levels: &Levels) -> Vec<Vec<f32>> {
    const SHADER: &str = "
        @group(0) @binding(0) var texels: texture_2d<f32>;
        @group(0) @binding(1) var<storage, read_write> out: array<vec4<f32>>;
        @group(0) @binding(2) var<uniform> level: vec4<u32>;
        @compute @workgroup_size(1)
        fn main(@builtin(global_invocation_id) at: vec3<u32>) {
            let width = textureDimensions(texels, level.x).x;
            out[at.y * width + at.x] = textureLoad(texels, at.xy, level.x);
        }";
    let device = &gpu.device;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(SHADER.into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: None,
        compilation_options: Default::default(),
        cache: None,
    });
    let view = texture(gpu, "blocks", levels);
    let level = |(level, (size, _)): (u32, &([u32; 2], Vec<u8>))| {
        let [width, height] = *size;
        let num_bytes = u64::from(width) * u64::from(height) * 16;
        let buffer = |usage| {
            let size = num_bytes;
            let descriptor =
                wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
            device.create_buffer(&descriptor)
        };
        let out = buffer(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let back = buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        let number = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: None,
            contents: bytemuck::bytes_of(&[level, 0, 0, 0]),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let resources = [
            wgpu::BindingResource::TextureView(&view),
            out.as_entire_binding(),
            number.as_entire_binding(),
        ];
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        let bind = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &bind, &[]);
            pass.dispatch_workgroups(width, height, 1);
        }
        encoder.copy_buffer_to_buffer(&out, 0, &back, 0, num_bytes);
        gpu.queue.submit([encoder.finish()]);
        back.slice(..).map_async(wgpu::MapMode::Read, |mapped| mapped.unwrap());
        device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        let mapped = back.slice(..).get_mapped_range().unwrap();
        bytemuck::cast_slice(&mapped).to_vec()
    };
    (0..).zip(&levels.levels).map(level).collect()
}

/// A file of random blocks of `format`. ASTC blocks have a single colour, since most random bits aren't a
/// valid block.
fn random_file(format: TexelFormat, vk: u32) -> Vec<u8> {
    let mut random = random_numbers();
    let mut levels = Vec::new();
    let mut side = SIDE;
    while side > 0 {
        let num_bytes = format.surface_bytes([side, side]);
        let mut bytes: Vec<u8> =
            (0..num_bytes.div_ceil(8)).flat_map(|_| random().to_le_bytes()).collect();
        bytes.truncate(num_bytes);
        if format.is_astc() {
            let head = [0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
            bytes.chunks_mut(16).for_each(|block| block[..8].copy_from_slice(&head));
        }
        if format == TexelFormat::Bc3 {
            // If the first colour isn't the greater, Mesa's decoder treats BC3 like BC1, which is against
            // the format's rule and its own BC2. Encoders don't write such blocks.
            bytes
                .chunks_mut(16)
                .for_each(|block| (block[9], block[11]) = (block[9] | 0x80, block[11] & 0x7f));
        }
        if format == TexelFormat::Bc7 {
            // A block without a mode is invalid.
            bytes.chunks_mut(16).for_each(|block| block[0] |= 0x80);
        }
        levels.push((bytes, 0));
        side /= 2;
    }
    ktx2(vk, [SIDE, SIDE], 1, 0, &levels)
}

/// Tolerance for a driver, in byte steps: the formats BC1 to BC5 don't specify rounding between the end
/// colours.
fn max_off(format: TexelFormat) -> f32 {
    match format {
        TexelFormat::Bc7 => 0.01,
        // An NVIDIA H200 differs by up to 6.
        TexelFormat::Bc1 | TexelFormat::Bc2 | TexelFormat::Bc3 => 6.01,
        _ if format.is_astc() => 1.01,
        _ => 2.01,
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn decoded_blocks_match_the_driver() {
    let gpu = Gpu::headless_preferring_software().unwrap();
    let features = gpu.device.features();
    let mut tried = Vec::new();
    for row in TEXEL_FORMATS {
        let numbers = 0..200;
        let vk = numbers.rev().find(|&vk| TexelFormat::linear_of_vk(vk) == Some(row.format));
        let Some(vk) = vk.filter(|_| row.format.is_compressed()) else { continue };
        let bytes = random_file(row.format, vk);
        let header = header(&bytes, "").unwrap();
        let image =
            Image { name: String::new(), bytes: ByteView::whole(bytes), is_embedded: false };
        let levels = levels(&image, header, 0, ColorSpace::Linear, features).unwrap();
        let Some(levels) = levels else { continue };
        assert_eq!(levels.levels.len(), 8);
        tried.push(row.name);
        let decoded = decode(&image.bytes, header).unwrap();
        for (driver, own) in read(&gpu, &levels).iter().zip(&decoded.levels) {
            let rigscope_core::images::Texels::Rgba8(own) = &own[0].texels else { panic!() };
            let off = driver.iter().zip(own);
            let off = off.map(|(driver, own)| (driver * 255.0 - f32::from(*own)).abs());
            let most = off.fold(0.0, f32::max);
            assert!(most < max_off(row.format), "{}: {most} of {}", row.name, own.len());
        }
    }
    assert!(tried.is_empty() || tried.len() > 5, "{tried:?}");
}
