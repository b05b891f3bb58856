//! `diff --heat-map`: renders the model from `compare::heat_model`.

use std::path::Path;

use crate::graphics::studio;
use rigscope_core::camera::Camera;
use rigscope_core::model::{Model, Report};
use rigscope_core::pose::{PoseSpec, posed_bounds};
use rigscope_gpu::headless::write_png;
use rigscope_gpu::{FrameInput, PendingDevice, Show};

/// Width and height in pixels.
const SIZE_PX: [u32; 2] = [1000, 600];

/// Renders `model`, which is in display space, to PNG.
pub(super) fn heat_map(model: &Model, path: &Path) -> anyhow::Result<Vec<u8>> {
    let bounds = posed_bounds(model, &PoseSpec::default());
    let mut camera = Camera::default();
    let [width, height] = SIZE_PX;
    camera.frame(&bounds, width as f32 / height as f32);
    let input = FrameInput {
        camera,
        bounds,
        show: Show { surface: true, textures: true, two_sided: true, ..Show::NOTHING },
        ..FrameInput::default()
    };
    let image =
        studio(PendingDevice::begin(), model, path, &Report::new())?.image(SIZE_PX, &input)?;
    Ok(write_png(&image)?)
}
