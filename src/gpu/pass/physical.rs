//! Triangles with a material that hides what is behind, lit by surroundings.

use super::textured::{self, draw_range, is_opaque, ranges};
use super::{Drawn, Geometry, Pass};
use crate::gpu::frame::FrameInput;
use crate::gpu::scene::Scene;
use crate::gpu::shaders::shader;
use crate::gpu::textures::is_lit;

pub(super) const PASS: Pass = Pass {
    name: "physical",
    shader: shader!("frame", "mesh", "material", "light", "physical"),
    geometry: Geometry::Lit(draw),
    asks: |scene, input| {
        is_lit(&input.show) && ranges(scene, input).any(|(_, _, paint)| is_opaque(paint))
    },
    ..textured::PASS
};

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) -> Drawn {
    let mut drawn = Drawn::default();
    for each in ranges(scene, input).filter(|(_, _, paint)| is_opaque(*paint)) {
        draw_range(pass, scene, each, &mut drawn);
    }
    drawn
}
