//! Casts the shadow of a model on the ground: draws it from above as how near it is to the ground, and blurs
//! that. Pose and what is hidden are those of the picture.

use super::Scene;
use super::attachment::drawn_anew;
use super::frame::FrameInput;
use super::mesh_pass::MeshPass;
use super::outline::Tools;
use super::pass::GROUND_SHADOW;
use super::runs::Run;
use super::shadow::Shadow;
use super::textures::Paint;

/// Draws the shadow of `scene`, whose vertices have been moved already, where it is wanted.
pub(super) fn cast(
    tools: Tools<'_>,
    scene: &mut Scene,
    input: &FrameInput<'_>,
    encoder: &mut wgpu::CommandEncoder,
) {
    if !GROUND_SHADOW.is_wanted(scene, input) {
        return;
    }
    let layouts = &tools.kernels.layouts;
    let shadow = scene.shadow.take().unwrap_or_else(|| Shadow::new(tools.gpu, layouts));
    let [cast, across, down] = tools.pipelines.shadow(tools.gpu, layouts);
    {
        let mut pass = begin(tools, encoder, &shadow.views[0]);
        pass.set_pipeline(cast);
        pass.set_bind_group(0, &scene.frame_bind, &[]);
        let casting = scene.runs.iter().filter(|run| run.paint != Paint::DepthOnly);
        let mut pass = MeshPass::new(&mut pass, scene);
        for Run { mesh, range, .. } in casting {
            pass.draw_stored(&scene.meshes[*mesh], range.indices(), range.draw);
        }
    }
    for (pipeline, from, to) in [(across, 0, 1), (down, 1, 0)] {
        let mut pass = begin(tools, encoder, &shadow.views[to]);
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &scene.frame_bind, &[]);
        pass.set_bind_group(1, &shadow.binds[from], &[]);
        pass.draw(0..3, 0..1);
    }
    scene.shadow = Some(shadow);
}

fn begin<'a>(
    tools: Tools<'_>,
    encoder: &'a mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("shadow"),
        color_attachments: &[drawn_anew(view, wgpu::Color::TRANSPARENT)],
        depth_stencil_attachment: None,
        timestamp_writes: tools.times("shadow"),
        occlusion_query_set: None,
        multiview_mask: None,
    })
}
