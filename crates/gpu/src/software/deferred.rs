//! Fills the geometry buffer for deferred shading. If deferred shading isn't worthwhile (see
//! `pass/deferred`), nothing of this is created or drawn.

use super::geometry_buffer::GeometryBuffer;
use crate::attachment::cleared_attachment;
use crate::frame::FrameInput;
use crate::mesh_pass::DrawCounts;
use crate::pass::GEOMETRY;
use crate::render_context::RenderContext;
use crate::variant::Variant;
use crate::{Scene, Target};

/// Draws into the geometry buffer and the depth buffer of `target`. Returns the bind group for lighting.
/// `set_area` sets a pass's scissor rectangle, viewport and depth range.
pub(crate) fn draw(
    context: RenderContext<'_>,
    scene: &Scene,
    target: &Target,
    input: &FrameInput<'_>,
    set_area: impl Fn(&mut wgpu::RenderPass<'_>, (f32, f32)),
    encoder: &mut wgpu::CommandEncoder,
) -> (wgpu::BindGroup, DrawCounts) {
    let RenderContext { gpu, kernels, pipelines, .. } = context;
    let layouts = &kernels.layouts;
    let buffer =
        target.geometry.get_or_init(|| GeometryBuffer::new(gpu, layouts, target.size_px()));
    let attachments =
        buffer.views.each_ref().map(|view| cleared_attachment(view, wgpu::Color::TRANSPARENT));
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("geometry"),
        color_attachments: &attachments,
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &target.depth_view,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Load,
                store: wgpu::StoreOp::Store,
            }),
            stencil_ops: None,
        }),
        timestamp_writes: context.timestamps("geometry"),
        occlusion_query_set: None,
        multiview_mask: None,
    });
    set_area(&mut pass, GEOMETRY.depth_range(input));
    pass.set_bind_group(0, &scene.frame_bind, &[]);
    let pipeline = |material| {
        let variant = Variant::of(&GEOMETRY, input, material);
        pipelines.pass(gpu, layouts, &GEOMETRY, target.msaa(), variant)
    };
    let drawn = GEOMETRY.draw(&mut pass, scene, input, &pipeline);
    drop(pass);
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("geometry tiles"),
        color_attachments: &[cleared_attachment(&buffer.tiles_view, wgpu::Color::TRANSPARENT)],
        depth_stencil_attachment: None,
        timestamp_writes: context.timestamps("geometry tiles"),
        occlusion_query_set: None,
        multiview_mask: None,
    });
    pass.set_pipeline(&pipelines.geometry_tiles(gpu, layouts));
    pass.set_bind_group(0, &scene.frame_bind, &[]);
    pass.set_bind_group(1, &buffer.tiles_bind, &[]);
    pass.draw(0..3, 0..1);
    drop(pass);
    (buffer.bind(gpu, layouts, &scene.draws), drawn)
}
