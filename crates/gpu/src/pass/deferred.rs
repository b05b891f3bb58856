//! Deferred shading: opaque triangles that are lit by an environment are drawn into the geometry buffer
//! first, and each pixel is lit once afterwards.
//!
//! For software adapters and triangles of a few pixels: such adapters shade blocks of 4x4 pixels for each
//! triangle, so most of the shading is discarded. Not for materials with alpha cutoff, blending or
//! transmission, nor for vertex colours: `physical` draws those.

use super::textured::{self, draw_runs, has_solid, surface};
use super::{Depth, DrawCounts, Geometry, Pass, PipelineOf, never};
use crate::buffers::count;
use crate::frame::FrameInput;
use crate::runs::DrawRun;
use crate::scene::Scene;
use crate::software::geometry_buffer::num_tiles;
use crate::textures::{MaterialInput, is_lit};
use crate::{Gpu, Msaa, Target};

/// Lights the contents of the geometry buffer.
pub(crate) const PASS: Pass = Pass {
    name: "deferred",
    shader: rigscope_shaders::DEFERRED,
    geometry: Geometry::Deferred(light),
    depth: Depth::Ignored,
    is_blended: false,
    condition: |scene, _| scene.num_deferred_tiles > 0,
    is_on_top: never,
};

/// Fills the geometry buffer. Not a pass of the image.
pub(crate) const GEOMETRY: Pass = Pass {
    name: "geometry",
    shader: rigscope_shaders::GEOMETRY,
    geometry: Geometry::Stored(store),
    depth: Depth::Written,
    ..textured::PASS
};

/// With fewer pixels per triangle, deferred shading is faster; measured with llvmpipe.
const MOST_PIXELS_A_TRIANGLE: u64 = 8;

/// Each draw visits all tiles and takes one bit per tile. Keep in sync with `shaders/geometry_buffer.wgsl`.
const MOST_SUBSETS: usize = 32;

/// Whether deferred shading is used at all.
pub(crate) fn may_be_deferred(gpu: &Gpu, msaa: Msaa) -> bool {
    gpu.caps.is_software && msaa == Msaa::Off
}

/// Number of tiles in the image if deferred shading is faster, otherwise 0.
pub(crate) fn num_deferred_tiles(
    gpu: &Gpu,
    scene: &Scene,
    target: &Target,
    input: &FrameInput<'_>,
) -> u32 {
    if !may_be_deferred(gpu, target.msaa()) || !is_lit(&input.show) {
        return 0;
    }
    let (num_subsets, num_triangles) = deferred(scene, input)
        .map(|DrawRun { range, .. }| (range.num_subsets, u64::from(range.num_indices / 3)))
        .fold((0, 0), |all, run| (all.0 + run.0, all.1 + run.1));
    let [width, height] = target.size_px().map(u64::from);
    let pays =
        num_subsets <= MOST_SUBSETS && num_triangles * MOST_PIXELS_A_TRIANGLE > width * height;
    if pays { num_tiles(target.size_px()) } else { 0 }
}

/// Whether the run can be lit after the nearest triangle is known.
pub(super) fn is_deferred(scene: &Scene, run: &DrawRun) -> bool {
    const CUT_BY_TEXTURE: u32 =
        MaterialInput::CUT | MaterialInput::BLENDED | MaterialInput::TRANSMISSIVE;
    let may_be = has_solid(run.paint) && !scene.meshes[run.mesh].is_tinted;
    let bound = scene.materials.bind(run.paint).filter(|_| may_be);
    bound.is_some_and(|bound| bound.flags & CUT_BY_TEXTURE == 0)
}

fn deferred<'a>(
    scene: &'a Scene,
    input: &FrameInput<'_>,
) -> impl Iterator<Item = &'a DrawRun> + 'a {
    surface(scene, input).filter(|run| is_deferred(scene, run))
}

fn store(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
    pipeline: PipelineOf<'_>,
) -> DrawCounts {
    draw_runs(pass, scene, deferred(scene, input), pipeline)
}

fn light(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
    pipeline: PipelineOf<'_>,
) -> DrawCounts {
    let mut drawn = DrawCounts::default();
    for DrawRun { mesh, range, paint } in deferred(scene, input) {
        let Some(material) = scene.materials.bind(*paint) else { continue };
        pass.set_pipeline(&pipeline(material.flags));
        pass.set_bind_group(2, &material.group, &[]);
        // A culled mesh has a draw per subset.
        let is_culled = scene.meshes[*mesh].culled_in_frame().is_some();
        let num_draws = if is_culled { count(range.num_subsets) } else { 1 };
        let end = range.draw + num_draws;
        pass.draw(range.draw * 6..end * 6, 0..scene.num_deferred_tiles);
        drawn.draws += 1;
    }
    drawn
}
