//! Additional faces, such as hulls.

use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};

use super::{Depth, Geometry, Pass, never};
use crate::records::Records;
use rigscope_core::visual::Face;

pub(super) const PASS: Pass = Pass {
    name: "mark faces",
    shader: rigscope_shaders::MARK_FACES,
    geometry: Geometry::Records {
        vertices: 3,
        make: |input, _| records(&input.marks.faces),
        which: None,
    },
    depth: Depth::Tested,
    is_blended: true,
    condition: |_, input| !input.marks.faces.is_empty(),
    is_on_top: never,
};

/// A triangle, in world space. Keep in sync with `shaders/mark_faces.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct MarkFace {
    a: Vec3,
    padding_a: u32,
    b: Vec3,
    padding_b: u32,
    c: Vec3,
    padding_c: u32,
    color: Vec4,
}

fn records(faces: &[Face]) -> Records {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::same_layout::same_layout;

    #[test]
    fn faces_have_the_layout_of_the_shader() {
        same_layout!(PASS.shader, MarkFace { a, padding_a, b, padding_b, c, padding_c, color });
    }
}
