//! Opaque triangles under plain light whose material has textures, alpha or its own lighting.

use super::{Depth, DrawCounts, Geometry, Pass, PipelineOf, never};
use crate::frame::FrameInput;
use crate::mesh_pass::MeshPass;
use crate::runs::DrawRun;
use crate::scene::Scene;
use crate::textures::{Paint, is_lit};

/// The opaque part of materials.
pub(super) const PASS: Pass = Pass {
    name: "textured",
    shader: rigscope_shaders::TEXTURED,
    geometry: Geometry::Materials(draw),
    depth: Depth::Written,
    is_blended: false,
    condition: |scene, input| {
        !is_lit(&input.show) && surface(scene, input).any(|run| has_solid(run.paint))
    },
    is_on_top: never,
};

/// Whether some of it may be opaque, including opaque texels of blended materials.
pub(super) fn has_solid(paint: Paint) -> bool {
    matches!(paint, Paint::Opaque(_) | Paint::Checker | Paint::Blended(_))
}

/// Like [`has_solid`], for a run.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn is_solid(_: &Scene, run: &DrawRun) -> bool {
    has_solid(run.paint)
}

pub(super) fn draw(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
    pipeline: PipelineOf<'_>,
) -> DrawCounts {
    let solid = surface(scene, input).filter(|run| has_solid(run.paint));
    draw_runs(pass, scene, solid, pipeline)
}

/// The visible runs, if the surface is shown.
pub(super) fn surface<'a>(
    scene: &'a Scene,
    input: &FrameInput<'_>,
) -> impl Iterator<Item = &'a DrawRun> + 'a {
    let is_shown = input.show.surface;
    scene.runs.iter().filter(move |_| is_shown)
}

/// Draws runs with their materials, each with the pipeline for its material flags.
pub(super) fn draw_runs<'a>(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    runs: impl Iterator<Item = &'a DrawRun>,
    pipeline: PipelineOf<'_>,
) -> DrawCounts {
    let mut pass = MeshPass::new(pass, scene);
    let (mut flags, mut paint) = (None, None);
    for run in runs {
        let Some(material) = scene.materials.bind(run.paint) else { continue };
        if flags.replace(material.flags) != Some(material.flags) {
            pass.pass.set_pipeline(&pipeline(material.flags));
        }
        if paint.replace(run.paint) != Some(run.paint) {
            pass.pass.set_bind_group(2, &material.group, &[]);
        }
        pass.draw_run(run);
        pass.drawn.triangles += u64::from(run.range.num_indices / 3);
    }
    pass.drawn
}
