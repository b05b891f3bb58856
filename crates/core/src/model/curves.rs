//! Curves that are evaluated by the library that read them.
//!
//! For: formats whose curves are more than keys (pre-rotations, pivots, layers, Euler orders), so
//! that they can be sampled at any time and nothing is baked.
//! Not for: formats that store plain keys, which become tracks.

use std::fmt::Debug;
use std::sync::Arc;

use glam::Affine3A;

use super::{BoneId, IdVec};

/// A source of bone transforms at any time.
pub trait Curves: Send + Sync + Debug {
    /// Writes `parent_from_bone` for the bones that move at `time_secs`, on the file's own clock.
    ///
    /// `parent_from_bone` has one entry per bone of the model that the curves came with,
    /// initialized to the rest transform.
    fn sample(&self, time_secs: f64, parent_from_bone: &mut IdVec<BoneId, Affine3A>);

    /// Writes the weights of the morph targets that move at `time_secs`; one list per mesh,
    /// initialized to the default weights.
    fn sample_morphs(&self, time_secs: f64, weights: &mut [Vec<f32>]) {
        let _ = (time_secs, weights);
    }

    /// Frame rate of the project that the curves were made in, if the file states it; above 0.
    fn frames_per_sec(&self) -> Option<f64> {
        None
    }

    /// Number of keys in all curves, used to judge whether a clip's stated length is plausible.
    fn num_keys(&self) -> u64 {
        self.key_times_secs().len() as u64
    }

    /// Times of authored keys, ascending; empty if they aren't known.
    fn key_times_secs(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// Shared curves. Equal only to clones of themselves.
#[derive(Clone, Debug)]
pub struct LiveCurves(pub Arc<dyn Curves>);

impl PartialEq for LiveCurves {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
