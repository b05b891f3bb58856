//! Numbers in place of colours, for picking: triangles, lines, the dots of meshes without triangles
//! and of points, bones. A line is picked by its nearer end, as a point.
//!
//! Not one of the passes of the picture: they are drawn into an image of their own by
//! [`crate::gpu::pick`]. What is see-through or cut out hides like what is not: it can be picked.
//! Keep in sync with `ID_TRIANGLE` and the like in `shaders/common.wgsl`.

use super::{Depth, Group1, PassInfo, PassKind, bones, lines, points};
use crate::gpu::frame::FrameInput;
use crate::gpu::scene::Scene;
use crate::gpu::shaders;
use crate::gpu::textures::Paint;
use crate::model::LooseKind;

/// A pass that draws numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gpu) enum IdPass {
    Triangles,
    Points,
    Lines,
    Bones,
}

/// What the first word of a pixel says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gpu) enum IdKind {
    Nothing,
    Triangle,
    Bone,
    Point,
}

impl IdKind {
    /// Kind and draw of a pixel's first word.
    pub(in crate::gpu) fn of(word: u32) -> (Self, u32) {
        let kind = match word & 3 {
            0 => Self::Nothing,
            1 => Self::Triangle,
            2 => Self::Bone,
            _ => Self::Point,
        };
        (kind, word >> 2)
    }
}

impl IdPass {
    /// In the order of drawing, which is that of the picture.
    pub(in crate::gpu) const ALL: [Self; 4] =
        [Self::Triangles, Self::Points, Self::Lines, Self::Bones];

    pub(in crate::gpu) fn info(self) -> PassInfo {
        match self {
            Self::Triangles => PassInfo {
                shader: shaders::IDS,
                group1: Group1::Mesh,
                has_material: false,
                depth: Depth::Written,
                is_blended: false,
            },
            Self::Points => PassInfo {
                depth: Depth::Written,
                is_blended: false,
                ..points::PASS
            },
            Self::Lines => PassInfo {
                is_blended: false,
                ..lines::PASS
            },
            Self::Bones => bones::PASS,
        }
    }

    /// Whether `input` shows what the pass numbers. Triangles are there as soon as anything of
    /// them is shown: nobody can click on a line.
    pub(in crate::gpu) fn is_wanted(self, scene: &Scene, input: &FrameInput<'_>) -> bool {
        let show = &input.show;
        match self {
            Self::Triangles | Self::Points => show.surface || show.wireframe || show.points,
            Self::Lines => lines::is_wanted(scene, input),
            Self::Bones => scene.shows_bones(show),
        }
    }

    /// The part of the depth range that the pass draws into.
    pub(in crate::gpu) fn depth_range(self, input: &FrameInput<'_>) -> (f32, f32) {
        match self {
            Self::Triangles => PassKind::Surface.depth_range(input),
            Self::Points => PassKind::Points.depth_range(input),
            Self::Lines => PassKind::Lines.depth_range(input),
            Self::Bones => PassKind::Bones.depth_range(input),
        }
    }

    /// Draws with the pass's pipeline and the frame already bound.
    pub(in crate::gpu) fn draw(
        self,
        pass: &mut wgpu::RenderPass<'_>,
        scene: &Scene,
        input: &FrameInput<'_>,
    ) {
        match self {
            Self::Triangles => draw_triangles(pass, scene, input),
            Self::Points => draw_points(pass, scene, input),
            Self::Lines => {
                lines::draw(pass, scene, input);
            }
            Self::Bones => {
                bones::draw(pass, scene);
            }
        }
    }
}

/// In the order of the picture, which decides between triangles at the same depth.
fn draw_triangles(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) {
    let order = |paint: Paint| match paint {
        Paint::Plain => 0,
        Paint::Opaque(_) | Paint::Checker => 1,
        Paint::Blended(_) => 2,
    };
    for round in 0..3 {
        for (number, mesh) in scene.meshes.iter().enumerate() {
            pass.set_bind_group(1, &mesh.bind, &[]);
            for range in mesh.ranges(number, input) {
                let (paint, _) = scene.materials.of(range.material, &input.show);
                if order(paint) == round {
                    // The shader adds the first index.
                    pass.draw(0..range.num_indices, range.draw..range.draw + 1);
                }
            }
        }
    }
}

fn draw_points(pass: &mut wgpu::RenderPass<'_>, scene: &Scene, input: &FrameInput<'_>) {
    for (number, mesh) in scene.meshes.iter().enumerate() {
        let mut dots = |num: u32, draw: u32| {
            pass.set_bind_group(1, &mesh.bind, &[]);
            pass.draw(0..num.saturating_mul(points::QUAD), draw..draw + 1);
        };
        if mesh.is_cloud() {
            dots(mesh.num_vertices, mesh.whole_draw(number));
        }
        for range in mesh.loose_ranges(number, input, LooseKind::Points) {
            dots(range.num_indices, range.draw);
        }
    }
}
