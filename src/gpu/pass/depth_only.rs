//! Triangles of materials that are not seen and hide what is behind them. Before all else of the scene,
//! so that nothing that they hide is drawn.

use super::textured::ranges;
use super::{Depth, Drawn, Geometry, Pass, never};
use crate::gpu::frame::FrameInput;
use crate::gpu::scene::Scene;
use crate::gpu::shaders::shader;
use crate::gpu::textures::Paint;

pub(super) const PASS: Pass = Pass {
    name: "depth_only",
    shader: shader!("frame", "mesh", "depth_only"),
    geometry: Geometry::Meshes(draw),
    depth: Depth::Written,
    // What is laid over the picture is nothing.
    is_blended: true,
    asks: |scene, input| ranges(scene, input).any(|(_, _, paint)| paint == Paint::DepthOnly),
    is_on_top: never,
};

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) -> Drawn {
    let mut drawn = Drawn::default();
    for (mesh, range, paint) in ranges(scene, input) {
        if paint == Paint::DepthOnly {
            mesh.draw(pass, range);
            drawn.draws += 1;
        }
    }
    drawn
}
