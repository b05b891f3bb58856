//! A picture of the whole window, for scripts and tests.

use std::path::Path;

use egui::ClippedPrimitive;
use egui_wgpu::ScreenDescriptor;

use super::graphics::Graphics;
use super::paint::paint_whole;
use crate::files::{Inputs, save};
use crate::gpu::{headless, readback};

/// Paints the panels into a picture of its own and writes it as PNG.
///
/// # Errors
/// When the GPU does not answer or the file cannot be written.
pub(super) fn write(
    graphics: &mut Graphics,
    jobs: &[ClippedPrimitive],
    screen: &ScreenDescriptor,
    path: &Path,
    inputs: &Inputs,
) -> anyhow::Result<()> {
    let [width, height] = screen.size_in_pixels;
    let format = graphics.surface.format();
    let texture = graphics.gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("screenshot"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    paint_whole(graphics, jobs, screen, &texture.create_view(&Default::default()));
    let mut rgba8 = readback::picture(&graphics.gpu, &texture)?;
    let is_bgra =
        matches!(format, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb);
    let (pixels, _) = rgba8.as_chunks_mut::<4>();
    for pixel in pixels {
        if is_bgra {
            pixel.swap(0, 2);
        }
        pixel[3] = u8::MAX;
    }
    let png = headless::write_png(&headless::Image { width, height, rgba8 })?;
    Ok(save(path, &png, true, inputs)?)
}
