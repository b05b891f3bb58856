//! `diagnose --image`: the model with and without the fault, side by side.

use std::path::Path;

use crate::graphics::studio;
use rigscope_core::diagnose::Diagnosis;
use rigscope_core::model::{Model, Report};
use rigscope_core::pose::PoseSpec;
use rigscope_gpu::headless::{Image, write_png};
use rigscope_gpu::{ImageRequest, ImageSequence, PendingDevice, Shot};

/// Width and height of each half.
const SIZE_PX: [u32; 2] = [640, 720];

/// Renders the model before and after undoing all causes, in the pose with the largest difference. Returns a PNG.
pub(super) fn before_and_after(diagnosis: &Diagnosis, path: &Path) -> anyhow::Result<Vec<u8>> {
    let undone = diagnosis.undone(diagnosis.causes.len());
    let pose = diagnosis.most_different_pose(&undone);
    let before = half(diagnosis.model(), pose, path)?;
    let after = half(&undone, pose, path)?;
    let row_bytes = SIZE_PX[0] as usize * 4;
    let rows = before.rgba8.chunks(row_bytes).zip(after.rgba8.chunks(row_bytes));
    let rgba8 = rows.flat_map(|(before, after)| [before, after].concat()).collect();
    Ok(write_png(&Image { width: SIZE_PX[0] * 2, height: SIZE_PX[1], rgba8 })?)
}

fn half(model: &Model, pose: PoseSpec, path: &Path) -> anyhow::Result<Image> {
    let request = ImageRequest {
        size_px: SIZE_PX,
        shots: vec![Shot { pose, ..Shot::default() }],
        ..ImageRequest::default()
    };
    let sequence = ImageSequence::new(request, model);
    let mut studio = studio(PendingDevice::begin(), model, path, &Report::new())?;
    Ok(sequence.image(&mut studio, model)?)
}
