//! Deferred shading: triangles that hide what is behind and are lit by an environment go into the geometry
//! buffer first, and light is worked out afterwards, once for each pixel.
//!
//! For software adapters and triangles of a few pixels: such adapters shade blocks of four by four pixels
//! for each triangle, so that most of what is worked out is never seen. Not for what is cut or
//! blended by its texture, nor for vertices with colours of their own: `physical` draws those.

use super::textured::{self, Painted, draw_ranges, has_solid, ranges};
use super::{Depth, Drawn, Geometry, Pass, PipelineOf, never};
use crate::gpu::frame::FrameInput;
use crate::gpu::geometry_buffer::num_tiles;
use crate::gpu::scene::Scene;
use crate::gpu::shaders::shader;
use crate::gpu::textures::{MaterialInput, is_lit};
use crate::gpu::{Gpu, Msaa, Target};

/// Light on what the buffer holds.
pub(in crate::gpu) const PASS: Pass = Pass {
    name: "deferred",
    shader: shader!("frame", "material", "geometry_buffer", "light", "shading", "deferred"),
    geometry: Geometry::Deferred(light),
    depth: Depth::Ignored,
    is_blended: false,
    asks: |scene, _| scene.num_deferred_tiles > 0,
    is_on_top: never,
};

/// Fills the buffer; no pass of the picture.
pub(in crate::gpu) const GEOMETRY: Pass = Pass {
    name: "geometry",
    shader: shader!("frame", "mesh", "material", "fragment", "geometry_buffer", "geometry"),
    geometry: Geometry::Stored(store),
    depth: Depth::Written,
    ..textured::PASS
};

/// Fewer pixels a triangle, and light is worked out afterwards: measured with llvmpipe.
const MOST_PIXELS_A_TRIANGLE: u64 = 8;

/// More draws look at more tiles, and are as many bits of each. Keep in sync with
/// `shaders/geometry_buffer.wgsl`.
const MOST_DRAWS: usize = 32;

/// Whether light is ever worked out afterwards.
pub(in crate::gpu) fn may_be_deferred(gpu: &Gpu, msaa: Msaa) -> bool {
    gpu.caps.is_software && msaa == Msaa::Off
}

/// Number of tiles of the picture where light afterwards costs less than at once, else 0.
pub(in crate::gpu) fn num_deferred_tiles(
    gpu: &Gpu,
    scene: &Scene,
    target: &Target,
    input: &FrameInput<'_>,
) -> u32 {
    if !may_be_deferred(gpu, target.msaa()) || !is_lit(&input.show) {
        return 0;
    }
    let triangles = deferred(scene, input).map(|(_, range, _)| u64::from(range.num_indices / 3));
    let (num_draws, num_triangles) =
        triangles.fold((0, 0), |(draws, all), of_draw| (draws + 1, all + of_draw));
    let [width, height] = target.size_px().map(u64::from);
    let pays = num_draws <= MOST_DRAWS && num_triangles * MOST_PIXELS_A_TRIANGLE > width * height;
    if pays { num_tiles(target.size_px()) } else { 0 }
}

/// Whether light can wait for the nearest of all triangles.
pub(super) fn is_deferred(scene: &Scene, (mesh, _, paint): &Painted<'_>) -> bool {
    const CUT_BY_TEXTURE: u32 =
        MaterialInput::CUT | MaterialInput::BLENDED | MaterialInput::TRANSMISSIVE;
    let bound = scene.materials.bind(*paint).filter(|_| has_solid(*paint) && !mesh.is_tinted);
    bound.is_some_and(|bound| bound.flags & CUT_BY_TEXTURE == 0)
}

fn deferred<'a>(
    scene: &'a Scene,
    input: &'a FrameInput<'_>,
) -> impl Iterator<Item = Painted<'a>> + 'a {
    ranges(scene, input).filter(|painted| is_deferred(scene, painted))
}

fn store(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
    pipeline: PipelineOf<'_>,
) -> Drawn {
    draw_ranges(pass, scene, deferred(scene, input), pipeline)
}

fn light(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
    pipeline: PipelineOf<'_>,
) -> Drawn {
    let mut drawn = Drawn::default();
    for (_, range, paint) in deferred(scene, input) {
        let Some(material) = scene.materials.bind(paint) else { continue };
        pass.set_pipeline(&pipeline(material.flags));
        pass.set_bind_group(2, &material.group, &[]);
        pass.draw(range.draw * 6..range.draw * 6 + 6, 0..scene.num_deferred_tiles);
        drawn.draws += 1;
    }
    drawn
}
