//! How far a runtime places vertices from where the specification does.

use super::PlaybackDifference;
use crate::measure::{DeviationByVertex, FarthestVertex, MeasureOptions, PerPair, measure_same};
use crate::model::{Cancelled, Model, Report};

/// Both kinds of interpolation of rotations agree in the middle of an interval, and differ most near a fifth of it.
const INTERVAL_PARTS: &[f64] = &[0.2, 0.5];
/// Smaller deviations, relative to the size of the model, are due to rounding.
const ROUNDING: f64 = 1e-6;
/// About a second of work.
const MAX_VERTICES: usize = 60_000_000;

/// Positions that deviate by less, relative to the size of the model, aren't worth a message.
const MIN_ANNOUNCED: f64 = 1e-4;

/// The differences that are announced: without a vertex that deviates from the specification, only those that don't
/// concern positions.
#[must_use]
pub fn announced(
    differences: Vec<PlaybackDifference>,
    worst: Option<&FarthestVertex>,
) -> Vec<PlaybackDifference> {
    let is_visible = |worst: &FarthestVertex| {
        worst.of_extent().is_none_or(|share| share.is_nan() || share > MIN_ANNOUNCED)
    };
    let is_visible = worst.is_some_and(is_visible);
    let all = differences.into_iter();
    all.filter(|own| is_visible || !own.is_about_positions()).collect()
}

/// Compares a model with the same model as a runtime plays it. Without a worst vertex, no vertex deviates.
///
/// # Errors
/// [`Cancelled`] if `report` asks to stop.
pub fn playback_deviation(
    model: &Model,
    played: &Model,
    report: &Report,
) -> Result<DeviationByVertex, Cancelled> {
    let wants = MeasureOptions {
        per_pair: PerPair::Always,
        interval_parts: INTERVAL_PARTS,
        max_vertices: Some(MAX_VERTICES),
        ..MeasureOptions::default()
    };
    let mut measured = measure_same(model, played, wants, report)?.unwrap_or_default();
    let worst = measured.total.worst;
    measured.total.worst =
        worst.filter(|worst| worst.of_extent().is_none_or(|share| share > ROUNDING));
    let differs = measured.total.worst.is_some_and(|worst| worst.distance > 0.0);
    if !differs {
        measured.total.worst = None;
    }
    for distance in &mut measured.per_vertex {
        // The maximum of a number and NaN is the number.
        *distance = if differs { distance.max(0.0) } else { 0.0 };
    }
    Ok(measured)
}
