//! The gradient behind everything.

use super::{Depth, Drawn, Group1, PassInfo};
use crate::gpu::frame::{Background, FrameInput};
use crate::gpu::shaders;

pub(super) const PASS: PassInfo = PassInfo {
    shader: shaders::BACKGROUND,
    group1: Group1::Nothing,
    has_material: false,
    depth: Depth::Ignored,
    is_blended: false,
};

/// Plain backgrounds are what the image is cleared to.
pub(super) fn is_wanted(input: &FrameInput<'_>) -> bool {
    input.background == Background::Gradient && input.layer.has_background
}

pub(super) fn draw(pass: &mut wgpu::RenderPass<'_>) -> Drawn {
    pass.draw(0..3, 0..1);
    Drawn {
        draws: 1,
        triangles: 0,
    }
}
