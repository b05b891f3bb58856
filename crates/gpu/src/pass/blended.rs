//! Translucent triangles under plain light. Drawn once for each layer of `gpu/depth_peeling.rs`,
//! with only the surfaces at the depth of that layer.

use super::textured::{self, draw_runs, surface};
use super::{Depth, DrawCounts, Geometry, Pass, PipelineOf, never};
use crate::frame::FrameInput;
use crate::runs::DrawRun;
use crate::scene::Scene;
use crate::textures::{Paint, is_lit};

pub(super) const PASS: Pass = Pass {
    name: "blended",
    geometry: Geometry::Materials(draw),
    depth: Depth::Same,
    is_blended: true,
    condition: |scene, input| !is_lit(&input.show) && is_any(scene, input),
    ..textured::PASS
};

/// The pass that finds the depth of a layer: single-sampled, multisampled.
pub(crate) const PEEL: [Pass; 2] = {
    let single = Pass {
        name: "peel",
        shader: rigscope_shaders::PEEL_SINGLE,
        geometry: Geometry::Peel(draw),
        depth: Depth::Written,
        is_blended: false,
        condition: is_any,
        is_on_top: never,
    };
    let shader = rigscope_shaders::PEEL_SAMPLES;
    [single, Pass { shader, ..single }]
};

/// Whether anything is blended, under any light.
pub(super) fn is_any(scene: &Scene, input: &FrameInput<'_>) -> bool {
    blended(scene, input).next().is_some()
}

fn blended<'a>(scene: &'a Scene, input: &FrameInput<'_>) -> impl Iterator<Item = &'a DrawRun> + 'a {
    surface(scene, input).filter(|run| is_layered(scene, run))
}

/// Whether the run is blended and somewhere translucent: exporters often mark opaque bodies as blended.
pub(super) fn is_layered(scene: &Scene, run: &DrawRun) -> bool {
    let is_tinted = scene.meshes[run.mesh].is_tinted;
    matches!(run.paint, Paint::Blended(_))
        && scene.materials.bind(run.paint).is_some_and(|bound| bound.is_thin || is_tinted)
}

pub(super) fn draw(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
    pipeline: PipelineOf<'_>,
) -> DrawCounts {
    let mut blended: Vec<_> = blended(scene, input).collect();
    // At equal depth the first surface is on top: the one with the highest draw order in the file,
    // otherwise the last one.
    blended.sort_by_key(|DrawRun { range, .. }| {
        let order = scene.materials.draw_order(range.material).unwrap_or(u32::MAX);
        std::cmp::Reverse((order, range.draw))
    });
    let drawn = draw_runs(pass, scene, blended.into_iter(), pipeline);
    // Triangles are counted along with their opaque parts.
    DrawCounts { triangles: 0, ..drawn }
}
