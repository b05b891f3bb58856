//! Lit triangles of one colour.

use super::{Depth, Drawn, Geometry, Pass, never};
use crate::gpu::frame::FrameInput;
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

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) -> Drawn {
    let mut drawn = Drawn::default();
    for mesh in &scene.meshes {
        for range in mesh.ranges(input) {
            if scene.materials.of(range.material, &input.show).0 != Paint::Plain {
                continue;
            }
            mesh.draw(pass, range);
            drawn.draws += 1;
            drawn.triangles += u64::from(range.num_indices / 3);
        }
    }
    drawn
}
