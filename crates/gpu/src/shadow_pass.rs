//! Renders the model's shadow map, its height above the ground seen from above, and blurs it. The pose and
//! the hidden parts are those of the image.

use super::Scene;
use super::attachment::cleared_attachment;
use super::frame::FrameInput;
use super::mesh_pass::MeshPass;
use super::pass::GROUND_SHADOW;
use super::render_context::RenderContext;
use super::runs::DrawRun;
use super::shadow_map::ShadowMap;
use super::textures::Paint;

/// Draws the shadow map of `scene` if it has a shadow. The vertices must be skinned.
pub(super) fn draw(
    context: RenderContext<'_>,
    scene: &mut Scene,
    input: &FrameInput<'_>,
    encoder: &mut wgpu::CommandEncoder,
) {
    if !GROUND_SHADOW.is_wanted(scene, input) {
        return;
    }
    let layouts = &context.kernels.layouts;
    let shadow = scene.shadow_map.take().unwrap_or_else(|| ShadowMap::new(context.gpu, layouts));
    let [cast, across, down] = context.pipelines.shadow(context.gpu, layouts);
    {
        let mut pass = begin(context, encoder, &shadow.views[0]);
        pass.set_pipeline(&cast);
        pass.set_bind_group(0, &scene.frame_bind, &[]);
        let casting = scene.runs.iter().filter(|run| run.paint != Paint::DepthOnly);
        let mut pass = MeshPass::new(&mut pass, scene);
        for DrawRun { mesh, range, .. } in casting {
            pass.draw_stored(&scene.meshes[*mesh], range.indices(), range.draw);
        }
    }
    for (pipeline, from, to) in [(across, 0, 1), (down, 1, 0)] {
        let mut pass = begin(context, encoder, &shadow.views[to]);
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &scene.frame_bind, &[]);
        pass.set_bind_group(1, &shadow.binds[from], &[]);
        pass.draw(0..3, 0..1);
    }
    scene.shadow_map = Some(shadow);
}

fn begin<'a>(
    context: RenderContext<'_>,
    encoder: &'a mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("shadow"),
        color_attachments: &[cleared_attachment(view, wgpu::Color::TRANSPARENT)],
        depth_stencil_attachment: None,
        timestamp_writes: context.timestamps("shadow"),
        occlusion_query_set: None,
        multiview_mask: None,
    })
}
