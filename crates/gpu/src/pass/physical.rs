//! Opaque triangles with a material, lit by an environment.

use super::deferred::is_deferred;
use super::textured::{self, draw_runs, has_solid, surface};
use super::{DrawCounts, Geometry, Pass, PipelineOf};
use crate::frame::FrameInput;
use crate::runs::DrawRun;
use crate::scene::Scene;
use crate::textures::is_lit;

pub(super) const PASS: Pass = Pass {
    name: "physical",
    shader: rigscope_shaders::PHYSICAL,
    geometry: Geometry::Lit(draw),
    condition: |scene, input| is_lit(&input.show) && solid(scene, input).next().is_some(),
    ..textured::PASS
};

fn solid<'a>(scene: &'a Scene, input: &FrameInput<'_>) -> impl Iterator<Item = &'a DrawRun> + 'a {
    surface(scene, input).filter(|run| is_lit_at_once(scene, run))
}

/// Whether the run is opaque and isn't left to the deferred pass.
pub(super) fn is_lit_at_once(scene: &Scene, run: &DrawRun) -> bool {
    has_solid(run.paint) && (scene.num_deferred_tiles == 0 || !is_deferred(scene, run))
}

fn draw(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
    pipeline: PipelineOf<'_>,
) -> DrawCounts {
    draw_runs(pass, scene, solid(scene, input), pipeline)
}
