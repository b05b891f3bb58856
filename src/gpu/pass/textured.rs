//! Triangles whose material has textures, or light or alpha of its own, and hides what is behind, under
//! plain light.

use super::{Depth, Drawn, Geometry, Pass, PipelineOf, never};
use crate::gpu::draws::{DrawRange, SceneMesh};
use crate::gpu::frame::FrameInput;
use crate::gpu::scene::Scene;
use crate::gpu::shaders::shader;
use crate::gpu::textures::{Paint, is_lit};

/// What hides what is behind it.
pub(super) const PASS: Pass = Pass {
    name: "textured",
    shader: shader!("frame", "mesh", "material", "fragment", "textured"),
    geometry: Geometry::Materials(draw),
    depth: Depth::Written,
    is_blended: false,
    asks: |scene, input| {
        !is_lit(&input.show) && ranges(scene, input).any(|(_, _, paint)| has_solid(paint))
    },
    is_on_top: never,
};

/// Whether some of it may hide what is behind it: of blended materials the texels that are opaque.
pub(super) fn has_solid(paint: Paint) -> bool {
    matches!(paint, Paint::Opaque(_) | Paint::Checker | Paint::Blended(_))
}

pub(super) fn draw(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
    pipeline: PipelineOf<'_>,
) -> Drawn {
    let solid = ranges(scene, input).filter(|(_, _, paint)| has_solid(*paint));
    draw_ranges(pass, scene, solid, pipeline)
}

pub(super) type Painted<'a> = (&'a SceneMesh, DrawRange, Paint);

/// The visible subsets where the surface is shown.
pub(super) fn ranges<'a>(
    scene: &'a Scene,
    input: &'a FrameInput<'_>,
) -> impl Iterator<Item = Painted<'a>> + 'a {
    let meshes = scene.meshes.iter().filter(|_| input.show.surface);
    meshes.flat_map(move |mesh| {
        mesh.ranges(input).map(move |range| {
            let (paint, _) = scene.materials.of(range.material, &input.show);
            (mesh, range, paint)
        })
    })
}

/// Draws subsets with their materials, each with the pipeline that is made for its own.
pub(super) fn draw_ranges<'a>(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    ranges: impl Iterator<Item = Painted<'a>>,
    pipeline: PipelineOf<'_>,
) -> Drawn {
    let mut drawn = Drawn::default();
    let mut set_for = None;
    for (mesh, range, paint) in ranges {
        let Some(material) = scene.materials.bind(paint) else { continue };
        if set_for.replace(material.flags) != Some(material.flags) {
            pass.set_pipeline(&pipeline(material.flags));
        }
        pass.set_bind_group(2, &material.group, &[]);
        mesh.draw(pass, range);
        drawn.draws += 1;
        drawn.triangles += u64::from(range.num_indices / 3);
    }
    drawn
}
