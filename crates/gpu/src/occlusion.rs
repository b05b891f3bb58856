//! Ambient occlusion: estimates from the depth buffer how much ambient light arrives at each pixel. Without
//! it, nothing of this is created or drawn.

use super::attachment::cleared_attachment;
use super::occlusion_map::OcclusionMap;
use super::render_context::RenderContext;
use super::{Scene, Target};

/// Draws the occlusion map of `target`, whose depth buffer holds all opaque surfaces. Returns the bind
/// group of the map. `set_area` sets a pass's scissor rectangle, viewport and depth range.
pub(super) fn draw(
    context: RenderContext<'_>,
    scene: &Scene,
    target: &Target,
    set_area: impl Fn(&mut wgpu::RenderPass<'_>, (f32, f32)),
    encoder: &mut wgpu::CommandEncoder,
) -> wgpu::BindGroup {
    let RenderContext { gpu, kernels, pipelines, .. } = context;
    let layouts = &kernels.layouts;
    let map = target.occlusion.get_or_init(|| {
        let samples = target.msaa().samples();
        OcclusionMap::new(gpu, layouts, target.size_px(), samples, &target.depth_view)
    });
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("occlusion"),
        color_attachments: &[cleared_attachment(&map.view, wgpu::Color::RED)],
        depth_stencil_attachment: None,
        timestamp_writes: context.timestamps("occlusion"),
        occlusion_query_set: None,
        multiview_mask: None,
    });
    set_area(&mut pass, (0.0, 1.0));
    pass.set_pipeline(&pipelines.occlusion(gpu, layouts, target.msaa()));
    pass.set_bind_group(0, &scene.frame_bind, &[]);
    pass.set_bind_group(1, &map.depth_bind, &[]);
    pass.draw(0..3, 0..1);
    drop(pass);
    map.bind.clone()
}
