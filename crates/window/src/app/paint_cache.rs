//! The last painted window, kept between frames on software adapters.
//!
//! Not for: painting it (`paint`).

use std::collections::HashSet;

use egui::{ClippedPrimitive, TextureId};

use rigscope_gpu::Blit;

/// The last painted window.
#[derive(Default)]
pub(super) struct PaintCache {
    pub(super) canvas: Option<wgpu::Texture>,
    /// The primitives it was painted from, and its pixels per point.
    pub(super) last: Vec<ClippedPrimitive>,
    pub(super) pixels_per_point: f32,
    /// Textures that have changed since then.
    pub(super) changed: HashSet<TextureId>,
    pub(super) blit: Option<Blit>,
}

impl PaintCache {
    /// Marks textures as changed.
    pub(super) fn changed(&mut self, textures: impl IntoIterator<Item = TextureId>) {
        self.changed.extend(textures);
    }
}
