//! The geometry buffer: textures with the lighting inputs of the nearest triangle per pixel, as large as
//! the image.
//!
//! Not for: filling them (`deferred`), their contents (`shaders/geometry_buffer.wgsl`).

use std::sync::{Mutex, PoisonError};

use crate::Gpu;
use crate::attachment::attachment;
use crate::bind::{Layouts, bind_resources};
use crate::image_formats::{GEOMETRY_FORMATS, GEOMETRY_TILES_FORMAT};

/// Side of a tile.
/// Keep in sync with `shaders/geometry_buffer.wgsl`.
const TILE_PX: u32 = 16;

/// The textures of one target, created on first use.
#[derive(Debug)]
pub(crate) struct GeometryBuffer {
    pub(crate) views: [wgpu::TextureView; 2],
    pub(crate) tiles_view: wgpu::TextureView,
    /// The input for finding the draws per tile.
    pub(crate) tiles_bind: wgpu::BindGroup,
    /// For the scene that was drawn last.
    bind: Mutex<Option<(wgpu::Buffer, wgpu::BindGroup)>>,
}

impl GeometryBuffer {
    pub(crate) fn new(gpu: &Gpu, layouts: &Layouts, size_px: [u32; 2]) -> Self {
        let texture = |format, size_px| attachment(gpu, "geometry buffer", format, size_px, 1);
        let views = GEOMETRY_FORMATS.map(|format| texture(format, size_px));
        let seen = [wgpu::BindingResource::TextureView(&views[0])];
        Self {
            tiles_view: texture(GEOMETRY_TILES_FORMAT, size_px.map(|side| side.div_ceil(TILE_PX))),
            tiles_bind: bind_resources(&gpu.device, "geometry", &layouts.geometry, seen),
            views,
            bind: Mutex::default(),
        }
    }

    /// The bind group for lighting, with the draws of a scene.
    pub(crate) fn bind(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        draws: &wgpu::Buffer,
    ) -> wgpu::BindGroup {
        let mut last = self.bind.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((of, bind)) if of == draws => bind.clone(),
            _ => {
                let views = self.views.iter().chain([&self.tiles_view]);
                let views = views.map(wgpu::BindingResource::TextureView);
                let resources = std::iter::once(draws.as_entire_binding()).chain(views);
                let bind = bind_resources(&gpu.device, "deferred", &layouts.deferred, resources);
                *last = Some((draws.clone(), bind.clone()));
                bind
            }
        }
    }
}

/// Number of tiles in an image.
pub(crate) fn num_tiles(size_px: [u32; 2]) -> u32 {
    size_px.map(|side| side.div_ceil(TILE_PX)).iter().product()
}
