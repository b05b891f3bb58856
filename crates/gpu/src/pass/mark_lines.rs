//! Additional lines, such as those of hulls.

use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};

use super::{Depth, Geometry, Pass, never};
use crate::records::Records;
use rigscope_core::visual::Line;

pub(super) const PASS: Pass = Pass {
    name: "mark lines",
    shader: rigscope_shaders::MARK_LINES,
    geometry: Geometry::Records {
        vertices: 6,
        make: |input, _| records(&input.marks.lines),
        which: None,
    },
    depth: Depth::Tested,
    is_blended: true,
    condition: |_, input| !input.marks.lines.is_empty(),
    is_on_top: never,
};

/// A line, in world space. Keep in sync with `shaders/mark_lines.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct MarkLine {
    start: Vec3,
    width_points: f32,
    end: Vec3,
    padding: u32,
    color: Vec4,
}

/// The records as the shader reads them.
pub(super) fn records(lines: &[Line]) -> Records {
    let line = |line: &Line| MarkLine {
        start: line.from,
        width_points: line.width_points,
        end: line.to,
        padding: 0,
        color: Vec4::from(line.color),
    };
    lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::same_layout::same_layout;

    #[test]
    fn lines_have_the_layout_of_the_shader() {
        same_layout!(PASS.shader, MarkLine { start, width_points, end, padding, color });
    }
}
