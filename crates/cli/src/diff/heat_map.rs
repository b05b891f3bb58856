//! `diff --heat-map`, and the images of `check`.

use std::path::Path;

use crate::graphics::studio;
use rigscope_core::compare::Comparison;
use rigscope_core::model::{Model, Report};
use rigscope_gpu::headless::write_png;
use rigscope_gpu::{ImageRequest, ImageSequence, PendingDevice, Show};

const SIZE_PX: [u32; 2] = [1000, 600];

/// Renders the model to PNG.
pub(crate) fn plain_image(model: &Model, path: &Path) -> anyhow::Result<Vec<u8>> {
    let show = Show { surface: true, textures: true, two_sided: true, ..Show::NOTHING };
    render(ImageRequest { show, ..ImageRequest::default() }, model, path)
}

/// Renders the second model of a comparison to PNG, with the deviation of its vertices as colours, and returns the
/// largest one, display units.
pub(crate) fn heat_map(
    model: &Model,
    comparison: &Comparison,
    path: &Path,
) -> anyhow::Result<(Vec<u8>, f32)> {
    let (request, most) = ImageRequest::heat_map(comparison);
    Ok((render(request, model, path)?, most))
}

fn render(request: ImageRequest, model: &Model, path: &Path) -> anyhow::Result<Vec<u8>> {
    let sequence = ImageSequence::new(ImageRequest { size_px: SIZE_PX, ..request }, model);
    let mut studio = studio(PendingDevice::begin(), model, path, &Report::new())?;
    Ok(write_png(&sequence.image(&mut studio, model)?)?)
}
