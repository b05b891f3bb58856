//! The inputs of a measurement.

use glam::Affine3A;

use crate::model::{ClipId, MeshOrigins, Model};
use crate::pose::Pose;

/// A model and its transform to display space.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    pub model: &'a Model,
    /// The transform to the space in which both sides are compared.
    pub display_from_file: Affine3A,
}

impl<'a> Side<'a> {
    /// The side of a model as it is displayed.
    pub fn new(model: &'a Model) -> Self {
        Self { model, display_from_file: model.axes.display_from_file() }
    }
}

/// One of the models that were made from the source.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredPart<'a> {
    pub made: Side<'a>,
    /// The origin of the vertices of each mesh.
    pub origins: &'a [MeshOrigins],
}

/// A clip of the source and the clip made from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClipPair<'a> {
    /// `None` is the default pose of the source.
    pub source: Option<ClipId>,
    /// The same in all parts; `None` if the clip wasn't written, and for the default pose.
    pub made: Option<ClipId>,
    /// The source's poses at equal intervals from the clip's beginning, if they are known; otherwise empty.
    pub posed: &'a [Pose],
    /// Seconds between those poses.
    pub posed_secs: f64,
}

/// A model and the models made from it.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    pub source: Side<'a>,
    pub parts: Vec<MeasuredPart<'a>>,
    /// The clips to compare.
    pub clips: Vec<ClipPair<'a>>,
}

/// Optional outputs and limits.
#[derive(Clone, Copy, Debug)]
pub struct MeasureOptions {
    /// Whether to record the largest distance of each pair.
    pub per_pair: PerPair,
    /// The parts of the interval between two keys at which probes are compared first.
    pub interval_parts: &'static [f64],
    /// The most vertices to pose, over all moments and both sides; `None` for the limits of [`crate::pose::PoseBudget`].
    pub max_vertices: Option<usize>,
    /// The most keys of a clip at which all pairs are compared, evenly chosen; at the others only probes are.
    pub max_keys: Option<usize>,
    /// The fraction of the caller's work that is already done, 0..=1, from which progress continues.
    pub done_before: f32,
}

impl Default for MeasureOptions {
    fn default() -> Self {
        Self {
            per_pair: PerPair::No,
            interval_parts: &[0.5],
            max_vertices: None,
            max_keys: None,
            done_before: 0.0,
        }
    }
}

/// The moments of which the largest distance of each pair is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PerPair {
    #[default]
    No,
    AtKeys,
    /// All moments at which all pairs are compared.
    Always,
}
