//! Textures and samplers on the device, each made once.

use std::collections::HashMap;

use super::mips::chain;
use super::pixels::{Pixels, Space};
use crate::gpu::Gpu;
use crate::gpu::buffers::count;
use crate::model::Wrap;

/// Texels along the longer side of a slanted pixel's footprint: what 4 leaves blurred on a ground,
/// 8 shows; more is hardly seen.
const ANISOTROPY: u16 = 8;

/// What is written at once: the queue is locked meanwhile, and the window may want to draw.
const BAND_BYTES: usize = 4 << 20;

/// The samplers that are needed, one for each way to go on beyond the edges.
#[derive(Debug, Default)]
pub(super) struct Samplers(HashMap<[Wrap; 2], wgpu::Sampler>);

impl Samplers {
    pub(super) fn get(&mut self, gpu: &Gpu, wrap: [Wrap; 2]) -> &wgpu::Sampler {
        self.0.entry(wrap).or_insert_with(|| {
            let [u, v] = wrap.map(|wrap| match wrap {
                Wrap::Repeat => wgpu::AddressMode::Repeat,
                Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
                Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
            });
            gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("texture"),
                address_mode_u: u,
                address_mode_v: v,
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                anisotropy_clamp: ANISOTROPY,
                ..Default::default()
            })
        })
    }
}

/// A texture of `levels`, the largest first.
pub(super) fn texture(
    gpu: &Gpu,
    label: &str,
    levels: &[Pixels],
    space: Space,
) -> wgpu::TextureView {
    let extent = |level: &Pixels| wgpu::Extent3d {
        width: level.width,
        height: level.height,
        depth_or_array_layers: 1,
    };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: levels.first().map(extent).unwrap_or_default(),
        mip_level_count: count(levels.len()),
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: match space {
            Space::Srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
            Space::Linear => wgpu::TextureFormat::Rgba8Unorm,
        },
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (mip_level, level) in (0..).zip(levels) {
        let row_bytes = level.width as usize * 4;
        let num_rows = (BAND_BYTES / row_bytes.max(1)).max(1);
        for (band, rows) in level.rgba8.chunks(num_rows * row_bytes.max(1)).enumerate() {
            gpu.queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    texture: &texture,
                    mip_level,
                    origin: wgpu::Origin3d { y: count(band * num_rows), ..wgpu::Origin3d::ZERO },
                    aspect: wgpu::TextureAspect::All,
                },
                rows,
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(level.width * 4),
                    rows_per_image: None,
                },
                wgpu::Extent3d { height: count(rows.len() / row_bytes.max(1)), ..extent(level) },
            );
        }
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// A texture of a picture made here, with all its levels.
pub(super) fn picture(gpu: &Gpu, label: &str, pixels: Pixels) -> wgpu::TextureView {
    texture(gpu, label, &chain(pixels, Space::Srgb), Space::Srgb)
}
