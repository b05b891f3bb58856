//! Panels onto a texture: the window's surface, or a picture of it.

use egui::ClippedPrimitive;
use egui_wgpu::ScreenDescriptor;

use super::graphics::Graphics;

/// Paints the panels into `view`.
pub(super) fn paint(
    graphics: &mut Graphics,
    jobs: &[ClippedPrimitive],
    screen: &ScreenDescriptor,
    view: &wgpu::TextureView,
) {
    let (device, queue) = (&graphics.gpu.device, &graphics.gpu.queue);
    let mut encoder =
        device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("window") });
    let renderer = &mut graphics.egui_renderer;
    let mut commands = renderer.update_buffers(device, queue, &mut encoder, jobs, screen);
    {
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("panels"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                resolve_target: None,
                depth_slice: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        renderer.render(&mut pass.forget_lifetime(), jobs, screen);
    }
    commands.push(encoder.finish());
    queue.submit(commands);
}
