//! The bytes of single values in a file.

use rigscope_core::model::{Field, Layout, pack_snorm1010102, unpack_snorm1010102};

/// The values can't be written in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotInPlace;

/// Stored numbers equal those of the model if they differ by less than this fraction.
const ROUNDING: f64 = 1e-6;

/// Whether two numbers are the same within rounding.
pub(super) fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * a.abs().max(b.abs()) || (a.is_nan() && b.is_nan())
}

/// The numbers that a field stores in the bytes of a record.
pub(super) fn decoded(field: &Field, record: &[u8]) -> Option<Vec<f64>> {
    let range = field.range(record.len() as u64);
    let bytes = record.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)?;
    match field.layout {
        Layout::Snorm10 { has_sign } => {
            let word = u32::from_le_bytes(*bytes.first_chunk()?);
            let value = unpack_snorm1010102(word).to_array().map(f64::from);
            Some(value.into_iter().take(if has_sign { 4 } else { 3 }).collect())
        }
        Layout::Numbers { scalar, is_big_endian, .. } => {
            let number = |bytes: &[u8]| {
                if is_big_endian { scalar.number_be(bytes) } else { scalar.number(bytes) }
            };
            let chunks = bytes.chunks_exact(scalar.num_bytes());
            chunks.map(|bytes| number(bytes).map(|number| number.to_f64())).collect()
        }
        Layout::Text(_) => None,
    }
}

/// Writes the numbers of a field into the bytes of a record, except unchanged ones.
pub(super) fn encode(
    field: &Field,
    record: &mut [u8],
    old: &[f64],
    new: &[f64],
) -> Result<(), NotInPlace> {
    let range = field.range(record.len() as u64);
    let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
    let bytes = record.get_mut(start..end).ok_or(NotInPlace)?;
    if old.len() != new.len() || new.iter().any(|value| !value.is_finite()) {
        return Err(NotInPlace);
    }
    match field.layout {
        Layout::Snorm10 { has_sign } => {
            let [x, y, z, ..] = *new else { return Err(NotInPlace) };
            #[expect(clippy::cast_possible_truncation, reason = "directions and signs")]
            let (xyz, sign) = (
                glam::Vec3::new(x as f32, y as f32, z as f32),
                new.get(3).map_or(0, |sign| *sign as i32),
            );
            let slot = bytes.first_chunk_mut().ok_or(NotInPlace)?;
            let kept = u32::from_le_bytes(*slot) & if has_sign { 0 } else { 0xc000_0000 };
            let word = pack_snorm1010102(xyz, sign) & if has_sign { u32::MAX } else { 0x3fff_ffff };
            *slot = (word | kept).to_le_bytes();
        }
        Layout::Numbers { scalar, is_big_endian, .. } => {
            let slots = bytes.chunks_exact_mut(scalar.num_bytes());
            for (slot, (old, new)) in slots.zip(old.iter().zip(new)) {
                let is_other_zero = *new == 0.0 && old.is_sign_negative() != new.is_sign_negative();
                if is_same(*old, *new) && !is_other_zero {
                    continue;
                }
                scalar.encode(*new, slot);
                if is_big_endian {
                    slot.reverse();
                }
            }
        }
        Layout::Text(_) => return Err(NotInPlace),
    }
    Ok(())
}
