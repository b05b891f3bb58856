//! Outline masks, as large as the image.
//!
//! Not for: drawing the masks and the outlines (`outline`).

use std::sync::atomic::AtomicBool;

use super::Gpu;
use super::image_formats::MASK_FORMAT;
use super::kernels::Kernels;

/// The smallest side of a tile, for which the texture is allocated. Keep in sync with
/// `shaders/outline.wgsl`.
pub(super) const MIN_TILE_PX: u32 = 8;

/// The textures of one target, created when something is first outlined in it.
#[derive(Debug)]
pub(super) struct Masks {
    /// Some layer of the current image has drawn them. Otherwise, they are those of an earlier image.
    pub(super) are_current: AtomicBool,
    pub(super) samples_view: Option<wgpu::TextureView>,
    pub(super) mask_view: wgpu::TextureView,
    pub(super) tiles_view: wgpu::TextureView,
    /// For the pass that draws the tiles. The mask is bound in place of the tiles.
    pub(super) tiles_bind: wgpu::BindGroup,
    pub(super) ring_bind: wgpu::BindGroup,
}

impl Masks {
    pub(super) fn new(gpu: &Gpu, kernels: &Kernels, size_px: [u32; 2], samples: u32) -> Self {
        let texture = |label, [width, height]: [u32; 2], samples, usage| {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format: MASK_FORMAT,
                usage,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let read = drawn | wgpu::TextureUsages::TEXTURE_BINDING;
        let mask_view = texture("mask", size_px, 1, read);
        let tiles_view =
            texture("tiles of masks", size_px.map(|side| side.div_ceil(MIN_TILE_PX)), 1, read);
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("masks"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let bind = |label, tiles| {
            let entries: Vec<_> = (0..)
                .zip([
                    wgpu::BindingResource::TextureView(&mask_view),
                    wgpu::BindingResource::TextureView(tiles),
                    wgpu::BindingResource::Sampler(&sampler),
                ])
                .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
                .collect();
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout: &kernels.layouts.masks,
                entries: &entries,
            })
        };
        Self {
            are_current: AtomicBool::new(false),
            tiles_bind: bind("masks for tiles", &mask_view),
            ring_bind: bind("masks for rings", &tiles_view),
            samples_view: (samples > 1).then(|| texture("mask samples", size_px, samples, drawn)),
            mask_view,
            tiles_view,
        }
    }
}
