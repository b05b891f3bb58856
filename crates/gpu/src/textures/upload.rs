//! Textures and samplers, each created once.

use std::collections::HashMap;

use super::mips::chain;
use super::pixels::{ColorSpace, Levels, MipLevel};
use crate::Gpu;
use crate::buffers::count;
use rigscope_core::model::{AlphaMode, Wrap};

/// Anisotropy: 8 sharpens a ground that 4 leaves blurred; more makes little difference.
const ANISOTROPY: u16 = 8;

/// Bytes per write: the queue is locked meanwhile, and the window may want to draw.
const BAND_BYTES: u32 = 4 << 20;

/// The samplers in use: by wrap mode, and separately for colours and for data, on which the blur of slanted
/// surfaces isn't visible.
#[derive(Debug, Default)]
pub(super) struct Samplers(HashMap<([Wrap; 2], bool), wgpu::Sampler>);

impl Samplers {
    pub(super) fn get(&mut self, gpu: &Gpu, wrap: [Wrap; 2], is_seen: bool) -> &wgpu::Sampler {
        self.0.entry((wrap, is_seen)).or_insert_with(|| {
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
                // Filtering between levels doubles the work.
                mipmap_filter: if gpu.caps.is_software && !is_seen {
                    wgpu::MipmapFilterMode::Nearest
                } else {
                    wgpu::MipmapFilterMode::Linear
                },
                // llvmpipe visits every texel below a pixel: up to seconds for the pixel of a triangle seen
                // from its edge, which can cover half the texture.
                anisotropy_clamp: if is_seen && !gpu.caps.is_software { ANISOTROPY } else { 1 },
                ..Default::default()
            })
        })
    }
}

/// Uploads `levels`, the largest first.
pub(super) fn texture(gpu: &Gpu, label: &str, levels: &Levels) -> wgpu::TextureView {
    let format = levels.format;
    let extent =
        |[width, height]: [u32; 2]| wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: levels.levels.first().map(|(size, _)| extent(*size)).unwrap_or_default(),
        mip_level_count: count(levels.levels.len()),
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let (x, y) = format.block_dimensions();
    let block_bytes = format.block_copy_size(None).unwrap_or(1);
    for (mip_level, (size, bytes)) in (0..).zip(&levels.levels) {
        // Copies consist of whole blocks, even for levels smaller than a block.
        let [width, height] = [size[0].next_multiple_of(x), size[1].next_multiple_of(y)];
        let row_bytes = width / x * block_bytes;
        let num_rows = (BAND_BYTES / row_bytes.max(1)).max(1);
        for (band, rows) in bytes.chunks((num_rows * row_bytes.max(1)) as usize).enumerate() {
            let first = count(band) * num_rows * y;
            gpu.queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    texture: &texture,
                    mip_level,
                    origin: wgpu::Origin3d { y: first, ..wgpu::Origin3d::ZERO },
                    aspect: wgpu::TextureAspect::All,
                },
                rows,
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row_bytes),
                    rows_per_image: None,
                },
                extent([width, (height - first).min(num_rows * y)]),
            );
        }
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// A texture of a generated image, with all mip levels.
pub(super) fn srgb_texture(gpu: &Gpu, label: &str, pixels: MipLevel) -> wgpu::TextureView {
    texture(
        gpu,
        label,
        &Levels::of(chain(pixels, ColorSpace::Srgb, AlphaMode::Opaque), ColorSpace::Srgb),
    )
}
