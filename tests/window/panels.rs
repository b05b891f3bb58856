//! Compares the panes painted by our renderer with those painted by `egui_wgpu` from the same triangles.

use std::collections::HashSet;

use egui::epaint::Primitive;
use egui::{ClippedPrimitive, Pos2, RawInput, Rect, TextureOptions, TexturesDelta, vec2};
use egui_wgpu::{RendererOptions, ScreenDescriptor};
use rigscope_gpu::{Gpu, Renderer, UiMesh, UiPainter, readback, ui_image};
use rigscope_state::{AppState, Settings};
use rigscope_window::ui::{ViewTextures, theme, window_ui};

const SIZE_PX: [u32; 2] = [1000, 750];
const PIXELS_PER_POINT: f32 = 1.25;

/// The empty window with a card over it, whose shadow is soft, and an image of few texels.
fn jobs() -> (Vec<ClippedPrimitive>, TexturesDelta) {
    let ctx = egui::Context::default();
    ctx.set_pixels_per_point(PIXELS_PER_POINT);
    theme::install(&ctx);
    let state = AppState::new(Settings::default());
    let texels =
        egui::ColorImage::from_rgba_unmultiplied([2, 1], &[255, 0, 0, 255, 0, 90, 255, 99]);
    let nearest = ctx.load_texture("nearest", texels.clone(), TextureOptions::NEAREST);
    let linear = ctx.load_texture("linear", texels, TextureOptions::LINEAR_REPEAT);
    let mut textures = TexturesDelta::default();
    let mut jobs = Vec::new();
    // Layouts settle in the first frames.
    for _ in 0..3 {
        let [width, height] = SIZE_PX.map(|side| side as f32 / PIXELS_PER_POINT);
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(width, height)));
        let mut output = ctx.run_ui(RawInput { screen_rect, ..RawInput::default() }, |ui| {
            window_ui(ui, &state, ViewTextures::default(), &mut Vec::new());
            egui::Window::new("card").current_pos([300.0, 200.0]).show(ui.ctx(), |ui| {
                ui.label("A card");
                for image in [&nearest, &linear] {
                    ui.image((image.id(), vec2(150.0, 40.0)));
                }
            });
        });
        textures.append(std::mem::take(&mut output.textures_delta));
        jobs = ctx.tessellate(output.shapes, output.pixels_per_point);
    }
    (jobs, textures)
}

/// An image that is painted on, and its bytes then.
fn painted(
    gpu: &Gpu,
    format: wgpu::TextureFormat,
    paint: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::TextureView),
) -> Vec<u8> {
    let texture = ui_image(gpu, "painted", SIZE_PX, format);
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    paint(&mut encoder, &texture.create_view(&Default::default()));
    gpu.queue.submit([encoder.finish()]);
    readback::image(gpu, &texture).unwrap()
}

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            resolve_target: None,
            depth_slice: None,
            ops: wgpu::Operations::default(),
        })],
        ..Default::default()
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "held in the image")]
fn px(points: f32, most: u32) -> u32 {
    (points * PIXELS_PER_POINT).round().clamp(0.0, most as f32) as u32
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn panels_match_the_rendering_of_egui_wgpu() {
    let gpu = Gpu::headless().unwrap();
    let renderer = Renderer::new(&gpu);
    let (jobs, mut textures) = jobs();
    assert!(jobs.len() > 10, "{}", jobs.len());
    let screen = ScreenDescriptor { size_in_pixels: SIZE_PX, pixels_per_point: PIXELS_PER_POINT };
    for format in [wgpu::TextureFormat::Bgra8Unorm, wgpu::TextureFormat::Rgba8UnormSrgb] {
        let (device, queue) = (&gpu.device, &gpu.queue);
        let mut theirs = egui_wgpu::Renderer::new(device, format, RendererOptions::default());
        for (id, delta) in
            textures.set.iter().flat_map(|(id, all)| all.iter().map(move |d| (id, d)))
        {
            theirs.update_texture(device, queue, *id, delta);
        }
        let expected = painted(&gpu, format, |encoder, view| {
            theirs.update_buffers(device, queue, encoder, &jobs, &screen);
            theirs.render(&mut begin(encoder, view).forget_lifetime(), &jobs, &screen);
        });
        let mut panels = UiPainter::new(&gpu, &renderer, format).unwrap();
        let found = painted(&gpu, format, |encoder, view| {
            let meshes = jobs.iter().map(|job| {
                let Primitive::Mesh(mesh) = &job.primitive else { panic!("a callback") };
                let vertices = bytemuck::cast_slice(&mesh.vertices);
                UiMesh { vertices, indices: &mesh.indices }
            });
            let size_points = SIZE_PX.map(|side| side as f32 / PIXELS_PER_POINT);
            panels.write(&gpu, size_points, meshes).unwrap();
            let mut pass = begin(encoder, view);
            panels.begin(&mut pass, SIZE_PX);
            for (number, job) in jobs.iter().enumerate() {
                let Primitive::Mesh(mesh) = &job.primitive else { continue };
                let (min, max) = (job.clip_rect.min, job.clip_rect.max);
                let [left, right] = [min.x, max.x].map(|x| px(x, SIZE_PX[0]));
                let [top, bottom] = [min.y, max.y].map(|y| px(y, SIZE_PX[1]));
                pass.set_scissor_rect(left, top, right - left, bottom - top);
                let texture = theirs.texture(&mesh.texture_id).unwrap();
                panels.draw(&mut pass, number, &texture.bind_group);
            }
        });
        let texels: HashSet<&[u8; 4]> = expected.as_chunks().0.iter().collect();
        assert!(texels.len() > 100, "{}", texels.len());
        // Noise may round otherwise.
        let most = expected.iter().zip(&found).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(most <= Some(1), "{format:?}: {most:?} of 255");
        assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors().messages());
    }
    textures.clear();
}
