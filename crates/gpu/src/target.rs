//! Render targets.

use std::sync::{Arc, OnceLock};

use super::Gpu;
use super::image_formats::{COLOR_FORMAT, COLOR_VIEW_FORMAT, DEPTH_FORMAT};
use super::masks::Masks;
use super::occlusion_map::OcclusionMap;
use super::peel_targets::PeelTargets;
use super::software::geometry_buffer::GeometryBuffer;

/// Depth of the background.
pub(super) const DEPTH_CLEAR: f32 = 0.0;

/// Multisampling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Msaa {
    /// One sample per pixel: fast, and the same on every GPU.
    Off,
    /// Four samples per pixel: smooth edges.
    #[default]
    X4,
}

impl Msaa {
    /// Samples per pixel.
    pub fn samples(self) -> u32 {
        match self {
            Self::Off => 1,
            Self::X4 => 4,
        }
    }
}

/// Colour and depth textures of an image.
#[derive(Clone, Debug)]
pub struct Target {
    size_px: [u32; 2],
    msaa: Msaa,
    pub(super) color: wgpu::Texture,
    pub(super) resolved_view: wgpu::TextureView,
    pub(super) samples_view: Option<wgpu::TextureView>,
    pub(super) depth_view: wgpu::TextureView,
    shown_view: wgpu::TextureView,
    pub(super) masks: Arc<OnceLock<Masks>>,
    pub(super) occlusion: Arc<OnceLock<OcclusionMap>>,
    pub(super) peel_targets: Arc<OnceLock<PeelTargets>>,
    pub(super) geometry: Arc<OnceLock<GeometryBuffer>>,
}

impl Target {
    /// A target of `size_px`, clamped to 1 and the device's limit, without MSAA if the device doesn't
    /// support it.
    pub fn new(gpu: &Gpu, size_px: [u32; 2], msaa: Msaa) -> Self {
        let size_px = size_px.map(|side| side.clamp(1, gpu.caps.max_texture));
        let msaa = if gpu.caps.msaa4 { msaa } else { Msaa::Off };
        let texture = |label, format, samples, usage, view_formats: &[_]| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d {
                    width: size_px[0],
                    height: size_px[1],
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats,
            })
        };
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let color = texture(
            "target color",
            COLOR_FORMAT,
            1,
            drawn | wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC,
            &[COLOR_VIEW_FORMAT],
        );
        let resolved_view = color.create_view(&wgpu::TextureViewDescriptor {
            label: Some("target color, srgb"),
            format: Some(COLOR_VIEW_FORMAT),
            // Views inherit all usages, but this one isn't sampled.
            usage: Some(drawn),
            ..Default::default()
        });
        let shown_view = color.create_view(&wgpu::TextureViewDescriptor {
            label: Some("target color, as shown"),
            ..Default::default()
        });
        let samples_view = (msaa != Msaa::Off).then(|| {
            texture("target samples", COLOR_VIEW_FORMAT, msaa.samples(), drawn, &[])
                .create_view(&wgpu::TextureViewDescriptor::default())
        });
        let depth_view = texture(
            "target depth",
            DEPTH_FORMAT,
            msaa.samples(),
            drawn | wgpu::TextureUsages::TEXTURE_BINDING,
            &[],
        )
        .create_view(&wgpu::TextureViewDescriptor::default());
        Self {
            size_px,
            msaa,
            color,
            resolved_view,
            samples_view,
            depth_view,
            shown_view,
            masks: Arc::default(),
            occlusion: Arc::default(),
            peel_targets: Arc::default(),
            geometry: Arc::default(),
        }
    }

    pub fn size_px(&self) -> [u32; 2] {
        self.size_px
    }

    pub fn msaa(&self) -> Msaa {
        self.msaa
    }

    /// Width over height.
    pub fn aspect(&self) -> f32 {
        self.size_px[0] as f32 / self.size_px[1] as f32
    }

    /// The image as sRGB bytes (`Rgba8Unorm`), as egui expects.
    pub fn shown_view(&self) -> &wgpu::TextureView {
        &self.shown_view
    }

    /// The image, for copying.
    pub fn texture(&self) -> &wgpu::Texture {
        &self.color
    }
}
