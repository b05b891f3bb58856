//! Lit triangles of one colour, or in the colours of a colouring.

use super::smooth::{draw_runs, of_one_color};
use super::{Depth, DrawCounts, Geometry, Pass, never};
use crate::frame::FrameInput;
use crate::scene::Scene;
use crate::vertex_inputs::VertexInputs;

pub(super) const PASS: Pass = Pass {
    name: "surface",
    shader: rigscope_shaders::SURFACE,
    geometry: Geometry::Triangles(VertexInputs::All, draw),
    depth: Depth::Written,
    is_blended: false,
    condition: |scene, input| of_one_color(scene, input, false).next().is_some(),
    is_on_top: never,
};

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) -> DrawCounts {
    draw_runs(pass, scene, of_one_color(scene, input, false))
}
