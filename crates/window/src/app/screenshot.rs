//! An image of the whole window, for scripts and tests.

use std::path::Path;

use egui::ClippedPrimitive;
use egui_wgpu::ScreenDescriptor;

use super::graphics::Graphics;
use super::paint::paint_whole;
use rigscope_gpu::{headless, readback, ui_image};
use rigscope_io::files::{Inputs, save};

/// Paints the UI into an image and writes it as PNG.
///
/// # Errors
/// If the GPU doesn't respond or the file can't be written.
pub(super) fn write(
    graphics: &mut Graphics,
    jobs: &[ClippedPrimitive],
    screen: &ScreenDescriptor,
    path: &Path,
    inputs: &Inputs,
) -> anyhow::Result<()> {
    let [width, height] = screen.size_in_pixels;
    let format = graphics.surface.format();
    let texture = ui_image(&graphics.gpu, "screenshot", [width, height], format);
    paint_whole(graphics, jobs, screen, &texture.create_view(&Default::default()));
    let mut rgba8 = readback::image(&graphics.gpu, &texture)?;
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
