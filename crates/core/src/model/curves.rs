//! Curves that stay with the library that read them.
//!
//! For: formats whose curves are more than keys (pre-rotations, pivots, layers, Euler orders), so
//! that any time can be asked for and nothing is baked.
//! Not for: formats that store plain keys; those become tracks.

use std::fmt::Debug;
use std::sync::Arc;

use glam::Affine3A;

/// Something that can tell where all bones are at any time.
pub trait Curves: Send + Sync + Debug {
    /// Writes `parent_from_bone` of the bones that move at `time_secs`, on the file's own clock.
    ///
    /// `parent_from_bone` has one entry a bone of the model that the curves came with, holding the
    /// rest transform.
    fn sample(&self, time_secs: f64, parent_from_bone: &mut [Affine3A]);

    /// Writes the weights of the morph targets that move at `time_secs`; one list a mesh, holding
    /// the default weights.
    fn sample_morphs(&self, time_secs: f64, weights: &mut [Vec<f32>]) {
        let _ = (time_secs, weights);
    }

    /// Frames a second by which whoever made the curves counted, where the file says so; above 0.
    fn frames_per_sec(&self) -> Option<f64> {
        None
    }

    /// How many keys all curves have together, by which the length that a clip claims is judged.
    fn num_keys(&self) -> u64 {
        self.key_times_secs().len() as u64
    }

    /// Times at which somebody set a key, ascending; empty where that is not known.
    fn key_times_secs(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// Shared curves. Equal only to themselves.
#[derive(Clone, Debug)]
pub struct LiveCurves(pub Arc<dyn Curves>);

impl PartialEq for LiveCurves {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
