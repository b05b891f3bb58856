//! Normals, tangents and bitangents as lines.

use super::{Depth, DrawCounts, Geometry, Pass, never};
use crate::Show;
use crate::frame::FrameInput;
use crate::mesh_pass::MeshPass;
use crate::runs::DrawRun;
use crate::scene::Scene;

pub(super) const PASS: Pass = Pass {
    name: "glyphs",
    shader: rigscope_shaders::GLYPHS,
    geometry: Geometry::Meshes(draw),
    depth: Depth::Tested,
    is_blended: true,
    condition: |_, input| num_wanted(&input.show) > 0,
    is_on_top: never,
};

/// Vertices per line.
const QUAD: u32 = 6;

/// Lines per vertex.
fn num_wanted(show: &Show) -> u32 {
    let wanted = [show.normals, show.tangents, show.bitangents];
    wanted.into_iter().map(u32::from).sum()
}

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) -> DrawCounts {
    let vertices_each = QUAD * num_wanted(&input.show);
    let mut pass = MeshPass::new(pass, scene);
    for (number, mesh) in scene.meshes.iter().enumerate() {
        let mut lines = |num: u32, draw: u32| {
            pass.draw_pulled(mesh, num.saturating_mul(vertices_each), draw);
        };
        if mesh.is_whole(input) {
            lines(mesh.num_own_vertices(), mesh.first_draw);
            continue;
        }
        // If subsets are hidden, lines are drawn per triangle corner of the visible ones, so some several
        // times.
        for DrawRun { range, .. } in scene.runs_of(number) {
            lines(range.num_indices, range.draw);
        }
    }
    pass.drawn
}
