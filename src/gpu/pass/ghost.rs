//! The surface of another moment or model, see-through.

use super::{Depth, Drawn, Group1, PassInfo};
use crate::gpu::frame::FrameInput;
use crate::gpu::scene::Scene;
use crate::gpu::shaders;

pub(super) const PASS: PassInfo = PassInfo {
    shader: shaders::GHOST,
    group1: Group1::Mesh,
    has_material: false,
    // Written, so that of several triangles behind each other few are seen.
    depth: Depth::Written,
    is_blended: true,
};

pub(super) fn draw(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &Scene,
    input: &FrameInput<'_>,
) -> Drawn {
    let mut drawn = Drawn::default();
    for (number, mesh) in scene.meshes.iter().enumerate() {
        pass.set_bind_group(1, &mesh.bind, &[]);
        pass.set_index_buffer(mesh.indices.slice(..), mesh.index_format);
        for range in mesh.ranges(number, input) {
            let indices = range.first_index..range.first_index + range.num_indices;
            pass.draw_indexed(indices, 0, range.draw..range.draw + 1);
            drawn.draws += 1;
        }
    }
    drawn
}
