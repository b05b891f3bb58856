//! Measuring by hand: two or three points that go with the pose, the distances between them and the
//! angle at the middle one, now and over the clip.
//!
//! Not for: how far vertices are from where they were; that is [`rigscope_core::measure`], which only lends
//! its distances and angles.
//!
//! Invariant: every point exists in the document shown. What a reload leaves no point for is not
//! measured any more, and that is said.

mod curves;
mod follow;
mod points;
mod view;

pub use curves::{MeasureCurves, MeasureKey};
pub use rigscope_core::pose::ModelPoint;
pub use view::{MAX_POINTS, MeasureAction, MeasureView};

#[cfg(test)]
mod tests;
