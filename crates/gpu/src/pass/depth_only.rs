//! Triangles of invisible materials that hide surfaces behind them. Drawn before the rest of the scene,
//! which is then rejected by the depth test.

use super::textured::surface;
use super::{Depth, DrawCounts, Geometry, Pass, never};
use crate::frame::FrameInput;
use crate::mesh_pass::MeshPass;
use crate::scene::Scene;
use crate::textures::Paint;
use crate::vertex_inputs::VertexInputs;

pub(super) const PASS: Pass = Pass {
    name: "depth_only",
    shader: rigscope_shaders::DEPTH_ONLY,
    geometry: Geometry::Triangles(VertexInputs::Positions, draw),
    depth: Depth::Written,
    // Blending leaves the image unchanged.
    is_blended: true,
    condition: |scene, input| surface(scene, input).any(|run| run.paint == Paint::DepthOnly),
    is_on_top: never,
};

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) -> DrawCounts {
    let mut pass = MeshPass::new(pass, scene);
    for run in surface(scene, input).filter(|run| run.paint == Paint::DepthOnly) {
        pass.draw_run(run);
    }
    pass.drawn
}
