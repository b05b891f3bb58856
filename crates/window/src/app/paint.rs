//! Paints the UI onto a texture: the window's surface, or a screenshot.
//!
//! On software adapters, unchanged areas (`damage`) aren't painted again, and the view's image is copied
//! into place directly.

use std::ops::Range;

use egui::epaint::Primitive;
use egui::{ClippedPrimitive, Color32, Rect, TextureId};
use egui_wgpu::ScreenDescriptor;

use super::damage::damage;
use super::graphics::Graphics;
use rigscope_gpu::{Blit, Target, Timer, UiMesh, ui_image};

/// Paints the UI onto `surface`.
pub(super) fn paint_window(
    graphics: &mut Graphics,
    jobs: Vec<ClippedPrimitive>,
    screen: &ScreenDescriptor,
    surface: &wgpu::Texture,
) {
    if !graphics.surface.can_be_copied_to() {
        return paint_whole(graphics, &jobs, screen, &surface.create_view(&Default::default()));
    }
    let mut cache = std::mem::take(&mut graphics.paint_cache);
    let known = cache.canvas.take().filter(|canvas| {
        canvas.size() == surface.size() && cache.pixels_per_point == screen.pixels_per_point
    });
    let whole = Rect::EVERYTHING;
    let rects = match &known {
        Some(_) => damage(&cache.last, &jobs, |texture| cache.changed.contains(&texture)),
        None => vec![whole],
    };
    let canvas = known.unwrap_or_else(|| {
        let size_px = [surface.width(), surface.height()];
        ui_image(&graphics.gpu, "canvas", size_px, surface.format())
    });
    cache.changed.clear();
    cache.pixels_per_point = screen.pixels_per_point;
    let blit = cache.blit.get_or_insert_with(|| {
        Blit::new(&graphics.gpu, &graphics.renderer, graphics.surface.format())
    });
    paint_rects(graphics, &jobs, screen, &canvas, blit, &rects, surface);
    cache.canvas = Some(canvas);
    cache.last = jobs;
    graphics.paint_cache = cache;
}

/// Repaints those parts of the canvas, and copies all of it to the surface.
fn paint_rects(
    graphics: &mut Graphics,
    jobs: &[ClippedPrimitive],
    screen: &ScreenDescriptor,
    canvas: &wgpu::Texture,
    blit: &mut Blit,
    rects: &[Rect],
    surface: &wgpu::Texture,
) {
    let mut encoder = encoder(graphics);
    if !rects.is_empty() {
        write(graphics, jobs, screen);
        let load = if rects.contains(&Rect::EVERYTHING) {
            wgpu::LoadOp::Clear(graphics.surface.clear_color())
        } else {
            wgpu::LoadOp::Load
        };
        let view = canvas.create_view(&Default::default());
        let mut pass = begin(graphics.timer.as_ref(), &mut encoder, &view, load);
        let placed = graphics.view.texture().zip(graphics.view.picture());
        let placed = placed.and_then(|(id, picture)| place(jobs, id, picture, screen));
        for &rect in rects {
            // Anti-aliased edges blend with the background, so clear it.
            if let Some([x, y, width, height]) = scissors(rect, screen) {
                let [across, down] = screen.size_in_pixels.map(|side| side as f32);
                pass.set_viewport(0.0, 0.0, across, down, 0.0, 1.0);
                pass.set_scissor_rect(x, y, width, height);
                blit.clear(&mut pass);
            }
            let draw = |pass: &mut _, range| draw(graphics, pass, jobs, range, rect, screen);
            let Some(placed) = &placed else {
                draw(&mut pass, 0..jobs.len());
                continue;
            };
            draw(&mut pass, 0..placed.job);
            if let Some([x, y, width, height]) = scissors(rect.intersect(placed.clip), screen) {
                pass.set_scissor_rect(x, y, width, height);
                blit.draw(&graphics.gpu, &mut pass, placed.picture, placed.at_px);
            }
            draw(&mut pass, placed.job + 1..jobs.len());
        }
    }
    encoder.copy_texture_to_texture(canvas.as_image_copy(), surface.as_image_copy(), canvas.size());
    graphics.gpu.queue.submit([encoder.finish()]);
}

/// Position of the view's image in the UI.
struct ImagePlacement<'a> {
    job: usize,
    picture: &'a Target,
    at_px: [u32; 2],
    clip: Rect,
}

/// Position of the view's image, if it is shown unscaled and completely.
fn place<'a>(
    jobs: &[ClippedPrimitive],
    id: TextureId,
    picture: &'a Target,
    screen: &ScreenDescriptor,
) -> Option<ImagePlacement<'a>> {
    let is_it = |job: &ClippedPrimitive| matches!(&job.primitive, Primitive::Mesh(mesh) if mesh.texture_id == id);
    let at = jobs.iter().position(is_it)?;
    let Primitive::Mesh(mesh) = &jobs[at].primitive else { return None };
    let rect = mesh.calc_bounds();
    let scale = screen.pixels_per_point;
    let [x, y] = [rect.min.x * scale, rect.min.y * scale].map(f32::round);
    let size = rect.size() * scale;
    let [width, height] = picture.size_px();
    let is_as_large = (size.x - width as f32).abs() < 1.0 && (size.y - height as f32).abs() < 1.0;
    let is_plain = mesh.vertices.len() == 4
        && mesh.vertices.iter().all(|vertex| vertex.color == Color32::WHITE);
    let [across, down] = screen.size_in_pixels;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 0")]
    let at_px = [x.max(0.0) as u32, y.max(0.0) as u32];
    let is_inside = x >= 0.0 && y >= 0.0 && at_px[0] + width <= across && at_px[1] + height <= down;
    let clip = jobs[at].clip_rect.intersect(rect);
    (is_as_large && is_plain && is_inside).then_some(ImagePlacement {
        job: at,
        picture,
        at_px,
        clip,
    })
}

/// Left, top, width and height of `rect` in pixels, rounded as in egui's renderer; `None` if it's empty.
fn scissors(rect: Rect, screen: &ScreenDescriptor) -> Option<[u32; 4]> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the window"
    )]
    let px = |points: f32, most: u32| {
        (points * screen.pixels_per_point).round().clamp(0.0, most as f32) as u32
    };
    let [across, down] = screen.size_in_pixels;
    let [left, right] = [rect.min.x, rect.max.x].map(|x| px(x, across));
    let [top, bottom] = [rect.min.y, rect.max.y].map(|y| px(y, down));
    (right > left && bottom > top).then(|| [left, top, right - left, bottom - top])
}

/// Paints the whole UI onto `view`.
pub(super) fn paint_whole(
    graphics: &mut Graphics,
    jobs: &[ClippedPrimitive],
    screen: &ScreenDescriptor,
    view: &wgpu::TextureView,
) {
    write(graphics, jobs, screen);
    let mut encoder = encoder(graphics);
    let clear = wgpu::LoadOp::Clear(graphics.surface.clear_color());
    let mut pass = begin(graphics.timer.as_ref(), &mut encoder, view, clear);
    draw(graphics, &mut pass, jobs, 0..jobs.len(), Rect::EVERYTHING, screen);
    drop(pass);
    graphics.gpu.queue.submit([encoder.finish()]);
}

fn encoder(graphics: &Graphics) -> wgpu::CommandEncoder {
    let label = Some("window");
    graphics.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label })
}

/// Uploads the triangles.
fn write(graphics: &mut Graphics, jobs: &[ClippedPrimitive], screen: &ScreenDescriptor) {
    let meshes = jobs.iter().map(|job| match &job.primitive {
        Primitive::Mesh(mesh) => {
            UiMesh { vertices: bytemuck::cast_slice(&mesh.vertices), indices: &mesh.indices }
        }
        // Rigscope doesn't use paint callbacks.
        Primitive::Callback(_) => UiMesh::default(),
    });
    let size_points = screen.size_in_pixels.map(|side| side as f32 / screen.pixels_per_point);
    if let Err(error) = graphics.ui_painter.write(&graphics.gpu, size_points, meshes) {
        tracing::error!("can't paint the interface: {error}");
    }
}

/// Draws the written triangles of `range`, clipped to `rect`.
fn draw(
    graphics: &Graphics,
    pass: &mut wgpu::RenderPass<'_>,
    jobs: &[ClippedPrimitive],
    range: Range<usize>,
    rect: Rect,
    screen: &ScreenDescriptor,
) {
    graphics.ui_painter.begin(pass, screen.size_in_pixels);
    for (number, job) in jobs.iter().enumerate().take(range.end).skip(range.start) {
        let Primitive::Mesh(mesh) = &job.primitive else { continue };
        let Some([x, y, width, height]) = scissors(job.clip_rect.intersect(rect), screen) else {
            continue;
        };
        let Some(texture) = graphics.egui_renderer.texture(&mesh.texture_id) else {
            tracing::warn!("there is no texture {:?}", mesh.texture_id);
            continue;
        };
        pass.set_scissor_rect(x, y, width, height);
        graphics.ui_painter.draw(pass, number, &texture.bind_group);
    }
}

fn begin<'a>(
    timer: Option<&Timer>,
    encoder: &'a mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("panels"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            resolve_target: None,
            depth_slice: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        })],
        timestamp_writes: timer.and_then(|timer| timer.render("interface")),
        ..Default::default()
    })
}
