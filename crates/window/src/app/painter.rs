//! What the window shows, kept from frame to frame where the CPU draws.
//!
//! Not for: painting it (`paint`).

use std::collections::HashSet;

use egui::{ClippedPrimitive, TextureId};

use rigscope_gpu::Blit;

/// What the window shows, where that is kept.
#[derive(Default)]
pub(super) struct Painter {
    pub(super) canvas: Option<wgpu::Texture>,
    /// What it was painted from, and how many pixels a point has in it.
    pub(super) last: Vec<ClippedPrimitive>,
    pub(super) pixels_per_point: f32,
    /// Textures that look different since then.
    pub(super) changed: HashSet<TextureId>,
    pub(super) blit: Option<Blit>,
}

impl Painter {
    /// These textures look different from now on.
    pub(super) fn changed(&mut self, textures: impl IntoIterator<Item = TextureId>) {
        self.changed.extend(textures);
    }
}
