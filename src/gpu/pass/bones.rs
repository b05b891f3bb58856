//! The skeleton.

use glam::{Affine3A, Vec3};

use super::{Depth, Drawn, Group1, PassInfo};
use crate::gpu::frame::FrameInput;
use crate::gpu::gpu_data::Bone;
use crate::gpu::scene::Scene;
use crate::gpu::shaders;
use crate::visual::{DEFORMING_BONE, SELECTED_BONE};

pub(super) const PASS: PassInfo = PassInfo {
    shader: shaders::BONES,
    group1: Group1::List,
    has_material: false,
    depth: Depth::Written,
    is_blended: false,
};

/// Vertices of an octahedron and of the line in it.
const VERTICES: u32 = 24 + 6;

/// Radius where a bone is widest, as a part of its length.
const RADIUS: f32 = 0.085;
/// Greatest radius as a part of the model's extent: long bones stay slender.
const MAX_RADIUS: f32 = 0.03;

/// The bones of `input` in world space.
pub(in crate::gpu) fn gpu_bones(input: &FrameInput<'_>, world_from_file: &Affine3A) -> Vec<Bone> {
    let most = match input.bounds.is_empty() {
        true => f32::INFINITY,
        false => MAX_RADIUS * input.bounds.extent(),
    };
    let bone = |shape: &crate::pose::BoneShape| {
        let head = world_from_file.transform_point3(shape.head);
        let tail = world_from_file.transform_point3(shape.tail);
        let color = match input.selected_bone == Some(shape.bone) {
            true => SELECTED_BONE,
            false => {
                let own = input.bone_colors.get(shape.bone.index());
                own.copied().unwrap_or(DEFORMING_BONE)
            }
        };
        Bone {
            head,
            radius: (RADIUS * head.distance(tail)).min(most) * input.bone_size,
            tail,
            padding: 0,
            color: Vec3::from(color).extend(1.0),
        }
    };
    input.bones.iter().map(bone).collect()
}

pub(super) fn draw(pass: &mut wgpu::RenderPass<'_>, scene: &Scene) -> Drawn {
    super::draw_list(pass, &scene.bones, VERTICES)
}
