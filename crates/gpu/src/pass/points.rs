//! Vertices as dots, and loose points.

use super::{Depth, DrawCounts, Geometry, Pass, never};
use crate::Show;
use crate::draws::SceneMesh;
use crate::frame::FrameInput;
use crate::mesh_pass::MeshPass;
use crate::runs::DrawRun;
use crate::scene::Scene;
use rigscope_core::model::LooseKind;

pub(super) const PASS: Pass = Pass {
    name: "points",
    shader: rigscope_shaders::POINTS,
    geometry: Geometry::Meshes(draw),
    depth: Depth::Tested,
    is_blended: true,
    condition: is_wanted,
    is_on_top: never,
};

/// Vertices per dot.
pub(super) const QUAD: u32 = 6;

fn is_wanted(scene: &Scene, input: &FrameInput<'_>) -> bool {
    scene.meshes.iter().any(|mesh| is_shown(mesh, input))
}

/// Whether all vertices are shown: a mesh of only vertices has no other surface.
fn is_all_shown(mesh: &SceneMesh, show: &Show) -> bool {
    show.points || (has_surface(show) && mesh.is_cloud)
}

fn is_shown(mesh: &SceneMesh, input: &FrameInput<'_>) -> bool {
    let show = &input.show;
    is_all_shown(mesh, show) || (has_surface(show) && mesh.has(LooseKind::Points))
}

fn has_surface(show: &Show) -> bool {
    show.surface || show.wireframe
}

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) -> DrawCounts {
    let mut pass = MeshPass::new(pass, scene);
    for (number, mesh) in scene.meshes.iter().enumerate() {
        if !is_shown(mesh, input) {
            continue;
        }
        let mut dots = |num: u32, draw: u32| pass.draw_pulled(mesh, num.saturating_mul(QUAD), draw);
        if has_surface(&input.show) {
            for range in mesh.loose_ranges(input, LooseKind::Points) {
                dots(range.num_indices, range.draw);
            }
        }
        if !is_all_shown(mesh, &input.show) {
            continue;
        }
        if mesh.is_whole(input) {
            dots(mesh.num_own_vertices(), mesh.first_draw);
            continue;
        }
        // If subsets are hidden, dots are drawn per triangle corner of the visible ones, so some several
        // times.
        for DrawRun { range, .. } in scene.runs_of(number) {
            dots(range.num_indices, range.draw);
        }
    }
    pass.drawn
}
