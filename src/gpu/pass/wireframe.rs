//! Edges of all triangles, by pulling indices and vertices.

use super::{Depth, Drawn, Geometry, Pass, never};
use crate::gpu::frame::FrameInput;
use crate::gpu::scene::Scene;
use crate::gpu::shaders::shader;

pub(super) const PASS: Pass = Pass {
    name: "wireframe",
    shader: shader!("frame", "mesh", "wireframe"),
    geometry: Geometry::Meshes(draw),
    // Not written: without a surface the far side's lines show through.
    depth: Depth::Tested,
    is_blended: true,
    asks: |_, input| input.show.wireframe,
    is_on_top: never,
};

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) -> Drawn {
    let mut drawn = Drawn::default();
    for mesh in &scene.meshes {
        pass.set_bind_group(1, &mesh.bind, &[]);
        for range in mesh.ranges(input) {
            // The shader adds the first index.
            pass.draw(0..range.num_indices, range.draw..range.draw + 1);
            drawn.draws += 1;
        }
    }
    drawn
}
