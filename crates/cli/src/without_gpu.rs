//! Replaces drawing in builds without the feature `gpu` by an error.

use std::path::Path;

use super::exit::{Exit, NoGpu};
use super::output::Output;
use super::{RenderArgs, ThumbnailArgs};
use rigscope_core::compare::Comparison;
use rigscope_core::diagnose::Diagnosis;
use rigscope_core::model::Model;
use rigscope_core::pose::{PoseSpec, SkinnedMesh};

pub(super) fn missing() -> anyhow::Error {
    NoGpu("this build was made without the feature `gpu` and can't draw".to_owned()).into()
}

/// `render`.
pub(super) fn render(_: &RenderArgs, _: &Output) -> anyhow::Result<Exit> {
    Err(missing())
}

/// `thumbnail`.
pub(super) fn thumbnail(_: &ThumbnailArgs, _: &Output) -> anyhow::Result<Exit> {
    Err(missing())
}

/// `diff --heat-map`.
pub(super) fn heat_map(_: &Model, _: &Comparison, _: &Path) -> anyhow::Result<(Vec<u8>, f32)> {
    Err(missing())
}

/// The images of `check`.
pub(super) fn plain_image(_: &Model, _: &Path) -> anyhow::Result<Vec<u8>> {
    Err(missing())
}

/// `diagnose --image`.
pub(super) fn before_and_after(_: &Diagnosis, _: &Path) -> anyhow::Result<Vec<u8>> {
    Err(missing())
}

/// `pose --skin gpu`.
pub(super) fn skin(_: &Model, _: &PoseSpec, _: &Path) -> anyhow::Result<Vec<SkinnedMesh>> {
    Err(missing())
}
