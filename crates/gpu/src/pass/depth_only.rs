//! Triangles of materials that are not seen and hide what is behind them. Before all else of the scene,
//! so that nothing that they hide is drawn.

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
    // What is laid over the picture is nothing.
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
