//! Vertices as dots, and points of the file.

use super::{Depth, Drawn, Geometry, Pass, never};
use crate::gpu::Show;
use crate::gpu::draws::SceneMesh;
use crate::gpu::frame::FrameInput;
use crate::gpu::scene::Scene;
use crate::gpu::shaders::shader;
use crate::model::LooseKind;

pub(super) const PASS: Pass = Pass {
    name: "points",
    shader: shader!("frame", "mesh", "points"),
    geometry: Geometry::Meshes(draw),
    depth: Depth::Tested,
    is_blended: true,
    asks: is_wanted,
    is_on_top: never,
};

/// Vertices of the quad that carries a dot.
pub(super) const QUAD: u32 = 6;

fn is_wanted(scene: &Scene, input: &FrameInput<'_>) -> bool {
    scene.meshes.iter().any(|mesh| is_shown(mesh, input))
}

/// Whether all vertices are shown: a mesh of nothing else has no other surface.
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

fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) -> Drawn {
    let mut drawn = Drawn::default();
    for mesh in &scene.meshes {
        if !is_shown(mesh, input) {
            continue;
        }
        pass.set_bind_group(1, &mesh.bind, &[]);
        let mut dots = |num: u32, draw: u32| {
            pass.draw(0..num.saturating_mul(QUAD), draw..draw + 1);
            drawn.draws += 1;
        };
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
        }
        // Where subsets are hidden, dots come by corners of what is left, several times each.
        for range in mesh.ranges(input).filter(|_| !mesh.is_whole(input)) {
            dots(range.num_indices, range.draw);
        }
    }
    drawn
}
