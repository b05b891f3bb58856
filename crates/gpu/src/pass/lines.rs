//! Loose lines, which belong to no triangle.

use super::{Depth, DrawCounts, Geometry, Pass, never};
use crate::frame::FrameInput;
use crate::mesh_pass::MeshPass;
use crate::scene::Scene;
use rigscope_core::model::LooseKind;

/// They hide surfaces behind them, as triangles do.
pub(super) const PASS: Pass = Pass {
    name: "lines",
    shader: rigscope_shaders::LINES,
    geometry: Geometry::Meshes(draw),
    depth: Depth::Written,
    is_blended: true,
    condition: is_wanted,
    is_on_top: never,
};

/// Vertices per line.
pub(super) const QUAD: u32 = 6;

/// Visible with the surface, to which they belong, and with the wireframe.
fn is_wanted(scene: &Scene, input: &FrameInput<'_>) -> bool {
    let mut meshes = scene.meshes.iter();
    (input.show.surface || input.show.wireframe) && meshes.any(|mesh| mesh.has(LooseKind::Lines))
}

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) -> DrawCounts {
    let mut pass = MeshPass::new(pass, scene);
    for mesh in &scene.meshes {
        for range in mesh.loose_ranges(input, LooseKind::Lines) {
            let num_lines = range.num_indices / 2;
            pass.draw_pulled(mesh, num_lines.saturating_mul(QUAD), range.draw);
        }
    }
    pass.drawn
}
