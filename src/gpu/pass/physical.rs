//! Triangles with a material that hides what is behind, lit by an environment.

use super::deferred::is_deferred;
use super::textured::{self, Painted, draw_ranges, has_solid, ranges};
use super::{Drawn, Geometry, Pass, PipelineOf};
use crate::gpu::frame::FrameInput;
use crate::gpu::scene::Scene;
use crate::gpu::shaders::shader;
use crate::gpu::textures::is_lit;

pub(super) const PASS: Pass = Pass {
    name: "physical",
    shader: shader!("frame", "mesh", "material", "fragment", "light", "shading", "physical"),
    geometry: Geometry::Lit(draw),
    asks: |scene, input| is_lit(&input.show) && solid(scene, input).next().is_some(),
    ..textured::PASS
};

/// What `deferred` leaves.
fn solid<'a>(
    scene: &'a Scene,
    input: &'a FrameInput<'_>,
) -> impl Iterator<Item = Painted<'a>> + 'a {
    let solid = ranges(scene, input).filter(|(_, _, paint)| has_solid(*paint));
    solid.filter(|painted| scene.num_deferred_tiles == 0 || !is_deferred(scene, painted))
}

fn draw(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
    pipeline: PipelineOf<'_>,
) -> Drawn {
    draw_ranges(pass, scene, solid(scene, input), pipeline)
}
