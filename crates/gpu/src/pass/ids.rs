//! IDs instead of colours, for picking: triangles, lines, bones, the dots of meshes without triangles and
//! of loose points. A line is picked by its nearer end, as a point.
//!
//! These aren't passes of the image: [`crate::pick`] draws them into a separate one. Translucent and
//! cut-out surfaces hide others like opaque ones, so they can be picked.
//! Keep in sync with `ID_TRIANGLE` and the like in `shaders/common.wgsl`.

use super::{Depth, DrawCounts, Geometry, Pass, bones, lines, never, points};
use crate::frame::FrameInput;
use crate::mesh_pass::MeshPass;
use crate::runs::DrawRun;
use crate::scene::Scene;
use crate::textures::Paint;
use rigscope_core::model::LooseKind;

/// Triangles, dots, lines and bones, in the drawing order of the image.
pub(crate) const ID_PASSES: [Pass; 4] = [
    Pass {
        name: "ids",
        shader: rigscope_shaders::IDS,
        geometry: Geometry::Meshes(draw_triangles),
        depth: Depth::Written,
        is_blended: false,
        condition: shows_triangles,
        is_on_top: never,
    },
    Pass {
        geometry: Geometry::Meshes(draw_points),
        depth: Depth::Written,
        is_blended: false,
        condition: shows_triangles,
        ..points::PASS
    },
    Pass { is_blended: false, ..lines::PASS },
    bones::PASS,
];

/// Triangles can be picked whenever anything of them is visible, since wireframe lines are too thin to
/// click on.
fn shows_triangles(_: &Scene, input: &FrameInput<'_>) -> bool {
    input.show.surface || input.show.wireframe || input.show.points
}

/// The kind in the first word of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdKind {
    Nothing,
    Triangle,
    Bone,
    Point,
}

impl IdKind {
    /// Kind and draw of a pixel's first word.
    pub(crate) fn of(word: u32) -> (Self, u32) {
        let kind = match word & 3 {
            0 => Self::Nothing,
            1 => Self::Triangle,
            2 => Self::Bone,
            _ => Self::Point,
        };
        (kind, word >> 2)
    }
}

/// In the order of the image, which decides between triangles at the same depth.
fn draw_triangles(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    _: &FrameInput<'_>,
) -> DrawCounts {
    let order = |paint: Paint| match paint {
        Paint::Plain | Paint::DepthOnly => 0,
        Paint::Opaque(_) | Paint::Checker => 1,
        Paint::Blended(_) => 2,
    };
    let mut pass = MeshPass::new(pass, scene);
    for round in 0..3 {
        for DrawRun { mesh, range, .. } in scene.runs.iter().filter(|run| order(run.paint) == round)
        {
            // The shader adds the first index.
            pass.draw_pulled(&scene.meshes[*mesh], range.num_indices, range.draw);
        }
    }
    pass.drawn
}

fn draw_points(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
) -> DrawCounts {
    let mut pass = MeshPass::new(pass, scene);
    for mesh in &scene.meshes {
        let mut dots = |num: u32, draw: u32| {
            pass.draw_pulled(mesh, num.saturating_mul(points::QUAD), draw);
        };
        if mesh.is_cloud {
            dots(mesh.num_own_vertices(), mesh.first_draw);
        }
        for range in mesh.loose_ranges(input, LooseKind::Points) {
            dots(range.num_indices, range.draw);
        }
    }
    pass.drawn
}
