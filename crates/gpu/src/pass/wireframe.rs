//! Edges of all triangles. The shader pulls indices and vertices from storage.

use super::{Depth, DrawCounts, Geometry, Pass, never};
use crate::frame::FrameInput;
use crate::mesh_pass::MeshPass;
use crate::runs::DrawRun;
use crate::scene::Scene;

pub(super) const PASS: Pass = Pass {
    name: "wireframe",
    shader: rigscope_shaders::WIREFRAME,
    geometry: Geometry::Meshes(draw),
    // Not written: without a surface, lines on the far side show through.
    depth: Depth::Tested,
    is_blended: true,
    condition: |_, input| input.show.wireframe,
    is_on_top: never,
};

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, _: &FrameInput<'_>) -> DrawCounts {
    let mut pass = MeshPass::new(pass, scene);
    for DrawRun { mesh, range, .. } in &scene.runs {
        // The shader adds the first index.
        pass.draw_pulled(&scene.meshes[*mesh], range.num_indices, range.draw);
    }
    pass.drawn
}
