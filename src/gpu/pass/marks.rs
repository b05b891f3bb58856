//! Lines and faces beside the model.

use glam::Vec4;

use super::{Depth, Drawn, Group1, PassInfo, draw_list};
use crate::gpu::gpu_data::{MarkFace, MarkLine};
use crate::gpu::list::List;
use crate::gpu::scene::Scene;
use crate::gpu::shaders;
use crate::visual::{Face, Line};

pub(super) const LINES: PassInfo = PassInfo {
    shader: shaders::MARK_LINES,
    group1: Group1::List,
    has_material: false,
    depth: Depth::Tested,
    is_blended: true,
};

pub(super) const FACES: PassInfo = PassInfo {
    shader: shaders::MARK_FACES,
    group1: Group1::List,
    has_material: false,
    depth: Depth::Tested,
    is_blended: true,
};

/// As the GPU sees them.
pub(in crate::gpu) fn gpu_lines(lines: &[Line]) -> Vec<MarkLine> {
    let line = |line: &Line| MarkLine {
        start: line.from,
        width_points: line.width_points,
        end: line.to,
        padding: 0,
        color: Vec4::from(line.color),
    };
    lines.iter().map(line).collect()
}

/// As the GPU sees them.
pub(in crate::gpu) fn gpu_faces(faces: &[Face]) -> Vec<MarkFace> {
    let face = |face: &Face| {
        let [a, b, c] = face.corners;
        MarkFace {
            a,
            padding_a: 0,
            b,
            padding_b: 0,
            c,
            padding_c: 0,
            color: Vec4::from(face.color),
        }
    };
    faces.iter().map(face).collect()
}

pub(super) fn draw_lines(pass: &mut wgpu::RenderPass<'_>, lines: &List<MarkLine>) -> Drawn {
    draw_list(pass, lines, 6)
}

pub(super) fn draw_faces(pass: &mut wgpu::RenderPass<'_>, scene: &Scene) -> Drawn {
    draw_list(pass, &scene.mark_faces, 3)
}
