//! A GPU device with one model.

use std::path::Path;

use super::exit::{NoGpu, at_path};
use super::timings;
use rigscope_core::model::{Model, Report};
use rigscope_core::pose::{PoseSpec, SkinnedMesh};
use rigscope_gpu::{PendingDevice, Studio, StudioError};

/// Opens a device and uploads the model, which was read from `path`. Parts of the model that can't be shown are
/// reported to `report`.
pub(super) fn studio(
    opening: PendingDevice,
    model: &Model,
    path: &Path,
    report: &Report,
) -> anyhow::Result<Studio> {
    timings::at("uploading the model");
    let studio = opening.upload(model, report).map_err(|error| match error {
        StudioError::NoGpu(error) => NoGpu(error.to_string()).into(),
        error => at_path(error, path),
    })?;
    tracing::debug!(adapter = studio.device_name(), "drawing");
    Ok(studio)
}

/// The vertices of a model in the pose `spec`, computed on the GPU, in file space.
pub(super) fn skin(
    model: &Model,
    spec: &PoseSpec,
    path: &Path,
) -> anyhow::Result<Vec<SkinnedMesh>> {
    Ok(studio(PendingDevice::begin(), model, path, &timings::report())?.skin(spec)?)
}
