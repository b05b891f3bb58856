//! Lit triangles of one colour.

use super::{Depth, Drawn, Geometry, Pass, never};
use crate::gpu::frame::FrameInput;
use crate::gpu::mesh_pass::MeshPass;
use crate::gpu::scene::Scene;
use crate::gpu::shaders::shader;
use crate::gpu::textures::Paint;

pub(super) const PASS: Pass = Pass {
    name: "surface",
    shader: shader!("frame", "mesh", "surface"),
    geometry: Geometry::Meshes(draw),
    depth: Depth::Written,
    is_blended: false,
    asks: |_, input| input.show.surface,
    is_on_top: never,
};

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, _: &FrameInput<'_>) -> Drawn {
    let mut pass = MeshPass::new(pass, scene);
    for run in scene.runs.iter().filter(|run| run.paint == Paint::Plain) {
        pass.draw_run(run);
        pass.drawn.triangles += u64::from(run.range.num_indices / 3);
    }
    pass.drawn
}
