//! Measurements by the user: two or three points that follow the pose, their distances and the
//! angle at the middle one, now and over the clip.
//!
//! Not for: the distances of vertices from their original positions, which are in
//! [`rigscope_core::measure`]. This module only uses its distance and angle functions.
//!
//! Invariant: every point exists in the current document. If a reload removes one, the measurement
//! ends with a message.

mod curves;
mod follow;
mod points;
mod view;

pub use curves::{MeasureCurves, MeasureKey};
pub use rigscope_core::pose::ModelPoint;
pub use view::{MAX_POINTS, MeasureAction, MeasureView};

#[cfg(test)]
mod tests;
