//! The translucent surface of another moment or model.

use super::{Depth, DrawCounts, Geometry, Pass, never};
use crate::frame::FrameInput;
use crate::mesh_pass::MeshPass;
use crate::scene::Scene;
use crate::vertex_inputs::VertexInputs;

pub(super) const PASS: Pass = Pass {
    name: "ghost",
    shader: rigscope_shaders::GHOST,
    geometry: Geometry::Triangles(VertexInputs::Positions, draw),
    // Written, so that few of several overlapping triangles are visible.
    depth: Depth::Written,
    is_blended: true,
    condition: |_, _| true,
    is_on_top: never,
};

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, _: &FrameInput<'_>) -> DrawCounts {
    let mut pass = MeshPass::new(pass, scene);
    scene.runs.iter().for_each(|run| pass.draw_run(run));
    pass.drawn
}
