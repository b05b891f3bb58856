//! A few numbers by which two versions of a model can be compared in shape and motion, regardless of the order of
//! vertices, subsets and bones.
//!
//! For: baselines, which store a signature per file instead of the file. Not for: measuring how far two models deviate
//! if both are available (`compare`, `measure`).
//!
//! A signature consists of *prints* of poses: the bind pose, the rest pose, and four segments of each clip. A print
//! contains
//!
//! - **samples**: the positions of a few vertices, those farthest out in the bind pose along fixed directions. They show
//!   how far a model moved, but miss most vertices;
//! - **waves**: sums over all vertices of `exp(i k·p)` for three wave vectors `k` whose wavelength is a few
//!   ten-thousandths of the model's size. A vertex that moves by a quarter of that changes the sum by about its weight,
//!   the number of triangle corners at it, whereas rounding errors of all vertices nearly cancel out. The sums don't
//!   depend on order, and splitting a vertex changes nothing, because corners are counted.
//!
//! The print of a segment sums the waves of many moments, so that a single changed key is noticed. A model with many
//! clips is posed at fewer moments of each; if these numbers differ, only the samples of the clip are compared.
//!
//! Positions are in display space, in units of the model's size.

mod compare;
mod make;
mod waves;

pub use compare::{Changes, ClipChange, ShapeShift, Tolerance};

use std::collections::BTreeMap;

/// The numbers of a model that its file's baseline stores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signature {
    /// Diagonal of the bounding box in the bind pose, display units.
    pub size: f64,
    /// Names and parents of all bones, as a hash without order.
    pub skeleton: u32,
    /// Influences of all vertices, as a wave: real and imaginary part.
    pub skin: [f64; 2],
    /// Root of the sum of the squared weights of all vertices, which determines the rounding error of waves.
    pub weight: f64,
    /// Each vertex at its stored position.
    pub bind: Fingerprint,
    /// Outside clips.
    pub rest: Fingerprint,
    /// By name; clips with the same name get a number.
    pub clips: BTreeMap<String, ClipFingerprint>,
}

/// The print of a pose, or of several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fingerprint {
    /// Real and imaginary parts for each wave vector.
    pub waves: [f64; 6],
    /// The same for the origins of all bones, shifted by a phase per name.
    pub bones: [f64; 2],
    /// Positions of the samples.
    pub samples: Vec<[f64; 3]>,
}

/// The prints of a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipFingerprint {
    pub start_secs: f64,
    pub duration_secs: f64,
    /// Consecutive parts of equal length. Samples are in the middle of each. Empty if the clip wasn't posed.
    pub segments: Vec<Fingerprint>,
    /// The moments per segment, if the number of clips allowed fewer than usual ([`crate::pose::PoseBudget`]).
    pub limited_to: Option<u32>,
}

#[cfg(test)]
mod tests;
