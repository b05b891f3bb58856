//! Triangles with a material that hides what is behind, lit by an environment.

use super::textured::{self, draw_range, has_solid, ranges};
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
        is_lit(&input.show) && ranges(scene, input).any(|(_, _, paint)| has_solid(paint))
    },
    ..textured::PASS
};

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) -> Drawn {
    let mut drawn = Drawn::default();
    for each in ranges(scene, input).filter(|(_, _, paint)| has_solid(*paint)) {
        draw_range(pass, scene, each, &mut drawn);
    }
    drawn
}
