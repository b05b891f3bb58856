//! Compares `min` and `max` of accessors with the stored values (section 3.6.2.5).
//!
//! The specification requires them for positions and key times, and engines rely on them: they cull
//! meshes by the former and take the length of clips from the latter.

use gltf_json::accessor::{ComponentType, GenericComponentType};
use gltf_json::validation::Checked;
use serde_json::Value;

use super::asset::Asset;
use rigscope_core::model::{FindingKind, Place, numbers};

/// Allowed difference, relative to the range of the values: some exporters write decimals of seven
/// digits.
const ROUNDING: f64 = 1e-5;

/// As [`ROUNDING`], for positions in Draco data, which exporters round after they compute the bounds.
const DRACO_ROUNDING: f64 = 1.0 / 128.0;

/// Divisor that converts stored integers to fractions.
fn largest(component: Checked<GenericComponentType>, is_normalized: bool) -> f64 {
    let Checked::Valid(GenericComponentType(component)) = component else { return 1.0 };
    match (component, is_normalized) {
        (ComponentType::I8, true) => f64::from(i8::MAX),
        (ComponentType::U8, true) => f64::from(u8::MAX),
        (ComponentType::I16, true) => f64::from(i16::MAX),
        (ComponentType::U16, true) => f64::from(u16::MAX),
        _ => 1.0,
    }
}

/// Stored minimum and maximum per component, in the unit of the values.
fn stated<const N: usize>(asset: &Asset<'_>, index: usize) -> Option<([f64; N], [f64; N])> {
    let accessor = asset.root.accessors.get(index)?;
    let scale = largest(accessor.component_type, accessor.normalized);
    let read = |value: &Option<Value>| -> Option<[f64; N]> {
        let list = value.as_ref()?.as_array()?;
        let mut numbers = [0.0; N];
        if list.len() < N {
            return None;
        }
        for (number, value) in numbers.iter_mut().zip(list) {
            *number = value.as_f64()? / scale;
        }
        Some(numbers)
    };
    Some((read(&accessor.min)?, read(&accessor.max)?))
}

/// Actual minimum and maximum per component; `None` without finite values.
fn found<const N: usize>(values: &[[f32; N]]) -> Option<([f64; N], [f64; N])> {
    let (mut low, mut high) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
    for value in values.iter().filter(|value| value.iter().all(|v| v.is_finite())) {
        for ((low, high), value) in low.iter_mut().zip(&mut high).zip(value) {
            (*low, *high) = (low.min(*value), high.max(*value));
        }
    }
    let is_any = low.iter().zip(&high).all(|(low, high)| low <= high);
    is_any.then(|| (low.map(f64::from), high.map(f64::from)))
}

/// Reports stored bounds that differ from the positions.
pub(super) fn check_positions(
    asset: &mut Asset<'_>,
    index: usize,
    positions: &[[f32; 3]],
    mesh: u32,
    name: &str,
) {
    if !asset.is_first_check(index) {
        return;
    }
    let Some((low, high)) = found(positions) else { return };
    let place = Place::Mesh(mesh);
    let Some((min, max)) = stated::<3>(asset, index) else {
        asset.report.add_many(FindingKind::PositionBoundsMissing, place, 1, || {
            format!("{name}: its positions (accessor {index}) have no min and max")
        });
        return;
    };
    let axes = || low.iter().zip(&high).zip(min.iter().zip(&max));
    let size = axes().map(|((low, high), _)| (high - low).powi(2)).sum::<f64>().sqrt();
    let magnitude =
        axes().fold(0.0, |most: f64, ((low, high), _)| most.max(low.abs()).max(high.abs()));
    // Differences within the precision of the values are rounding, no matter how small the mesh is.
    let rounding = if asset.is_draco(index) { DRACO_ROUNDING } else { ROUNDING };
    let room = (size * rounding).max(magnitude * f64::from(f32::EPSILON));
    let outside = axes().map(|((low, high), (min, max))| (min - low).max(high - max));
    let outside = outside.fold(0.0, f64::max);
    let too_large = axes().map(|((low, high), (min, max))| (low - min).max(max - high));
    let too_large = too_large.fold(0.0, f64::max);
    if outside.max(too_large) <= room {
        return;
    }
    asset.report.add_many(FindingKind::PositionBoundsWrong, place, 1, || {
        let share = |distance: f64| {
            if size > 0.0 {
                format!("{} of the mesh's size", numbers::percent(distance / size))
            } else {
                numbers::length(distance, false)
            }
        };
        if outside > room { format!(
            "{name}: vertices are up to {} outside the stored bounds (accessor {index})",
            share(outside)
        ) } else { format!(
            "{name}: the stored bounds (accessor {index}) are up to {} larger than its vertices \
             need",
            share(too_large)
        ) }
    });
}

/// Reports a stored first or last time that differs from the keys'; `subject` names the channel.
pub(super) fn check_times(
    asset: &Asset<'_>,
    index: usize,
    times: &[f64],
    place: Place,
    subject: impl Fn() -> String,
) {
    let Some((&first, &last)) = times.first().zip(times.last()) else { return };
    let Some(([min], [max])) = stated::<1>(asset, index) else { return };
    let room = (last - first).abs().max(last.abs()) * ROUNDING;
    let is_wrong = (min - first).abs() > room || (max - last).abs() > room;
    asset.report.add_many(FindingKind::KeyTimeBoundsWrong, place, u64::from(is_wrong), || {
        // Differences may be small.
        let [min, max, first, last] =
            [min, max, first, last].map(|secs| numbers::significant(secs, 7));
        format!(
            "{}: min and max of accessor {index} are {min} s and {max} s, but the keys range from {first} s \
             to {last} s",
            subject()
        )
    });
}
