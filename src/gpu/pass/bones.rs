//! The skeleton.

use glam::Affine3A;

use super::{Depth, Drawn, Group1, PassInfo};
use crate::gpu::frame::FrameInput;
use crate::gpu::gpu_data::Bone;
use crate::gpu::scene::Scene;
use crate::gpu::shaders;

pub(super) const PASS: PassInfo = PassInfo {
    shader: shaders::BONES,
    group1: Group1::List,
    has_material: false,
    depth: Depth::Written,
    is_blended: false,
};

/// Vertices of an octahedron and of the line in it.
const VERTICES: u32 = 24 + 6;

/// The bones of `input` in world space.
pub(in crate::gpu) fn gpu_bones(input: &FrameInput<'_>, world_from_file: &Affine3A) -> Vec<Bone> {
    let bone = |shape: &crate::pose::BoneShape| Bone {
        head: world_from_file.transform_point3(shape.head),
        is_selected: u32::from(input.selected_bone == Some(shape.bone)),
        tail: world_from_file.transform_point3(shape.tail),
        padding: 0,
    };
    input.bones.iter().map(bone).collect()
}

pub(super) fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene) -> Drawn {
    super::draw_list(pass, &scene.bones, VERTICES)
}
