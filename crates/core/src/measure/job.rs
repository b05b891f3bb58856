//! What is compared with what.

use glam::Affine3A;

use crate::model::{ClipId, MeshOrigins, Model};
use crate::pose::Pose;

/// A model and how it is shown.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The model.
    pub model: &'a Model,
    /// What leads to the space that both sides are compared in.
    pub display_from_file: Affine3A,
}

impl<'a> Side<'a> {
    /// The side of a model as it is shown.
    pub fn new(model: &'a Model) -> Self {
        Self { model, display_from_file: model.axes.display_from_file() }
    }
}

/// One of the models that were made of the source.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// What was made.
    pub made: Side<'a>,
    /// Where the vertices of its meshes come from, a mesh each.
    pub origins: &'a [MeshOrigins],
}

/// A clip of the source and what became of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClipPair<'a> {
    /// In the source; `None` for its default pose.
    pub source: Option<ClipId>,
    /// In what was made, the same in all parts; `None` where it was not written, and for the
    /// default pose.
    pub made: Option<ClipId>,
    /// The source's poses at equal intervals from the clip's beginning, where they are known; else
    /// none.
    pub posed: &'a [Pose],
    /// Seconds between these.
    pub posed_secs: f64,
}

/// A model and all that was made of it.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// What it was made of.
    pub source: Side<'a>,
    /// What was made.
    pub parts: Vec<Part<'a>>,
    /// When both are compared.
    pub clips: Vec<ClipPair<'a>>,
}

/// What is asked for beyond the largest distance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wants {
    /// The largest distance of each pair among keys.
    pub per_pair: bool,
    /// All pairs are compared at so many keys of a clip at most, evenly chosen; at others probes tell.
    pub max_keys: Option<usize>,
    /// What part of the caller's work is done before, 0..=1: progress goes on from there.
    pub done_before: f32,
}
