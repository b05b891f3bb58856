//! The skeleton.

use bytemuck::{Pod, Zeroable};
use glam::{Affine3A, Vec3, Vec4};

use super::{Depth, Geometry, Pass};
use crate::frame::FrameInput;
use crate::records::Records;
use rigscope_core::visual::DEFORMING_BONE;

pub(super) const PASS: Pass = Pass {
    name: "bones",
    shader: rigscope_shaders::BONES,
    geometry: Geometry::Records { vertices: VERTICES, make: bones, which: None },
    depth: Depth::Written,
    is_blended: false,
    condition: |scene, input| scene.shows_bones(&input.show),
    is_on_top: |input| input.show.bones_on_top,
};

/// One bone, in world space. Keep in sync with `shaders/bones.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Bone {
    head: Vec3,
    radius: f32,
    tail: Vec3,
    padding: u32,
    color: Vec4,
}

/// Vertices of an octahedron and of the line inside it.
const VERTICES: u32 = 24 + 6;

/// Largest radius of a bone, relative to its length.
const RADIUS: f32 = 0.085;
/// Upper bound of the radius, relative to the size of the model, so that long bones stay slender.
const MAX_RADIUS: f32 = 0.03;

/// The records of all bones.
fn bones(input: &FrameInput<'_>, world_from_file: &Affine3A) -> Records {
    let most =
        if input.bounds.is_empty() { f32::INFINITY } else { MAX_RADIUS * input.bounds.extent() };
    let bone = |shape: &rigscope_core::pose::BoneShape| {
        let head = world_from_file.transform_point3(shape.head);
        let tail = world_from_file.transform_point3(shape.tail);
        let color = input.bone_colors.get(shape.bone.index()).copied();
        Bone {
            head,
            radius: (RADIUS * head.distance(tail)).min(most) * input.bone_size,
            tail,
            padding: 0,
            color: Vec3::from(color.unwrap_or(DEFORMING_BONE)).extend(1.0),
        }
    };
    input.bones.iter().map(bone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::same_layout::same_layout;

    #[test]
    fn bones_have_the_layout_of_the_shader() {
        same_layout!(PASS.shader, Bone { head, radius, tail, padding, color });
    }
}
