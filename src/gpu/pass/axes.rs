//! The compass in the corner.

use super::{Depth, Drawn, Group1, PassInfo};
use crate::gpu::shaders;

pub(super) const PASS: PassInfo = PassInfo {
    shader: shaders::AXES,
    group1: Group1::Nothing,
    has_material: false,
    depth: Depth::Written,
    is_blended: true,
};

/// Vertices of a line and a dot.
const VERTICES: u32 = 6 + 6;
/// Positive and negative ends of three axes.
const ENDS: u32 = 6;

pub(super) fn draw(pass: &mut wgpu::RenderPass<'_>) -> Drawn {
    pass.draw(0..VERTICES, 0..ENDS);
    Drawn {
        draws: 1,
        triangles: 0,
    }
}
