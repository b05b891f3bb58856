//! Lit triangles of one colour whose vertices have normals.
//!
//! Not for: colourings, vertex colours, flat shading, and meshes without normals: `surface` draws those.
//! The image is the same, but software adapters need only a third of the memory.

use super::{Depth, DrawCounts, Geometry, Pass, never};
use crate::frame::FrameInput;
use crate::mesh_pass::MeshPass;
use crate::runs::DrawRun;
use crate::scene::Scene;
use crate::textures::Paint;
use crate::vertex_inputs::VertexInputs;

pub(super) const PASS: Pass = Pass {
    name: "smooth",
    shader: rigscope_shaders::SMOOTH,
    geometry: Geometry::Triangles(VertexInputs::Normals, draw),
    depth: Depth::Written,
    is_blended: false,
    condition: |scene, input| of_one_color(scene, input, true).next().is_some(),
    is_on_top: never,
};

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) -> DrawCounts {
    draw_runs(pass, scene, of_one_color(scene, input, true))
}

/// The visible runs of one colour: those that this pass draws if `is_smooth`, otherwise those of `surface`.
pub(super) fn of_one_color<'a>(
    scene: &'a Scene,
    input: &FrameInput<'_>,
    is_smooth: bool,
) -> impl Iterator<Item = &'a DrawRun> + 'a {
    let (is_shown, may_be_smooth) = (input.show.surface, input.is_smooth());
    scene.runs.iter().filter(move |run| {
        let mesh = scene.meshes.get(run.mesh);
        let own = may_be_smooth && mesh.is_some_and(|mesh| mesh.has_normals && !mesh.is_tinted);
        is_shown && run.paint == Paint::Plain && own == is_smooth
    })
}

pub(super) fn draw_runs<'a>(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    runs: impl Iterator<Item = &'a DrawRun>,
) -> DrawCounts {
    let mut pass = MeshPass::new(pass, scene);
    for run in runs {
        pass.draw_run(run);
        pass.drawn.triangles += u64::from(run.range.num_indices / 3);
    }
    pass.drawn
}
