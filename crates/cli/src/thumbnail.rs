//! `thumbnail`: an image of the model for file managers, without grid and axes.
//!
//! Not for: options of the image; see `render`.

use glam::Vec2;

use super::exit::{Exit, at_path};
use super::graphics::studio;
use super::input;
use super::output::Output;
use super::standard_output::check_target;
use super::{LightArgs, ThumbnailArgs, timings};
use rigscope_core::camera::{Camera, Projection};
use rigscope_core::model::Report;
use rigscope_core::visual::Show;
use rigscope_gpu::headless::{Image, write_small_png};
use rigscope_gpu::{Background, ImageRequest, ImageSequence, PendingDevice};
use rigscope_io::OpenOptions;
use rigscope_io::files::save;

/// Findings are not reported here.
pub(super) fn run(args: &ThumbnailArgs, _: &Output) -> anyhow::Result<Exit> {
    // A file manager asks for thumbnails of files that the user hasn't opened.
    let opener = input::opener_without_programs(&OpenOptions::default())?
        .with_images()
        .with_inputs([&args.file]);
    // File managers often create an empty output file first.
    check_target(&args.output, true, opener.inputs())?;
    let opening = PendingDevice::begin();
    let document = input::open(&opener, &args.file, &timings::report());
    let model = document.map_err(|error| at_path(error, &args.file))?.model;
    let light = LightArgs::default().light(&model);
    let show = Show { grid: false, axes: false, light, ..Show::default() };
    let request = ImageRequest {
        size_px: [args.size_px; 2],
        // Without perspective, zooming in only scales the image.
        projection: Projection::Orthographic,
        show,
        background: Background::Transparent,
        ..ImageRequest::default()
    };
    let mut sequence = ImageSequence::new(request, &model);
    let mut graphics = studio(opening, &model, &args.file, &Report::new())?;
    let loose = sequence.image(&mut graphics, &model)?;
    let image = match filled(sequence.camera, &loose) {
        Some(camera) => {
            sequence.camera = camera;
            sequence.image(&mut graphics, &model)?
        }
        None => loose,
    };
    save(&args.output, &write_small_png(&image)?, true, opener.inputs())?;
    Ok(Exit::Done)
}

/// Fraction of the image that the model fills along its longer side.
const FILLED: f32 = 0.94;

/// Zooms and centres the camera so that the visible pixels of `image` fill the square; bounding boxes are larger
/// than the visible model. `None` if nothing is visible.
fn filled(camera: Camera, image: &Image) -> Option<Camera> {
    let (pixels, _) = image.rgba8.as_chunks::<4>();
    let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for (row, pixels) in pixels.chunks_exact(image.width.max(1) as usize).enumerate() {
        let is_drawn = |[.., alpha]: &[u8; 4]| *alpha > 0;
        let ends = pixels.iter().position(is_drawn).zip(pixels.iter().rposition(is_drawn));
        if let Some((first, last)) = ends {
            low = low.min(Vec2::new(first as f32, row as f32));
            high = high.max(Vec2::new(last as f32 + 1.0, row as f32 + 1.0));
        }
    }
    let side = image.height as f32;
    let drawn = (high - low).max_element();
    if !drawn.is_finite() || drawn <= 0.0 {
        return None;
    }
    let mut filled = camera;
    filled.pan(Vec2::splat(side * 0.5) - (low + high) * 0.5, side);
    filled.distance *= drawn / (FILLED * side);
    Some(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_model_off_centre_is_zoomed_and_centred() {
        let mut rgba8 = vec![0; 40 * 40 * 4];
        for (x, y) in [(20, 4), (29, 13)] {
            rgba8[(y * 40 + x) * 4 + 3] = 255;
        }
        let mut image = Image { width: 40, height: 40, rgba8 };
        let camera = Camera { projection: Projection::Orthographic, ..Camera::default() };
        let filled = filled(camera, &image).unwrap();
        assert!((filled.distance / camera.distance - 0.25 / FILLED).abs() < 1e-6);
        let moved = (filled.target - camera.target) / (camera.view_height() / 40.0);
        assert!((moved.dot(camera.right()) - 5.0).abs() < 1e-3, "{moved}");
        assert!((moved.dot(camera.up()) - 11.0).abs() < 1e-3, "{moved}");
        image.rgba8.fill(0);
        assert!(super::filled(camera, &image).is_none());
    }
}
