//! `diff --heat-map`: renders the model from `compare::heat_model`.

use std::path::Path;

use crate::graphics::studio;
use rigscope_core::model::{Model, Report};
use rigscope_gpu::headless::write_png;
use rigscope_gpu::{ImageRequest, ImageSequence, PendingDevice, Show};

/// Renders `model`, which is in display space, to PNG.
pub(crate) fn heat_map(model: &Model, path: &Path) -> anyhow::Result<Vec<u8>> {
    let request = ImageRequest {
        size_px: [1000, 600],
        show: Show { surface: true, textures: true, two_sided: true, ..Show::NOTHING },
        ..ImageRequest::default()
    };
    let sequence = ImageSequence::new(request, model);
    let mut studio = studio(PendingDevice::begin(), model, path, &Report::new())?;
    Ok(write_png(&sequence.image(&mut studio, model)?)?)
}
