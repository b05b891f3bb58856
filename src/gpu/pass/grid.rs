//! The ground.

use super::{Depth, Drawn, Group1, PassInfo};
use crate::gpu::shaders;

pub(super) const PASS: PassInfo = PassInfo {
    shader: shaders::GRID,
    group1: Group1::Nothing,
    has_material: false,
    depth: Depth::Tested,
    is_blended: true,
};

pub(super) fn draw(pass: &mut wgpu::RenderPass<'_>) -> Drawn {
    pass.draw(0..6, 0..1);
    Drawn {
        draws: 1,
        triangles: 0,
    }
}
