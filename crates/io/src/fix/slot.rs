//! The bytes of single values in a file.

use rigscope_core::model::{Field, Layout, pack_snorm1010102, unpack_snorm1010102};

/// The values can't be written in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotInPlace;

/// Stored numbers equal those of the model if they differ by less than this fraction.
const ROUNDING: f64 = 1e-6;

/// The bytes of a record while arrays that may share them are changed.
pub(super) struct Slot<'a> {
    pub(super) original: &'a [u8],
    pub(super) current: &'a mut [u8],
}

impl<'a> Slot<'a> {
    pub(super) fn new(
        original: &'a [u8],
        bytes: &'a mut [u8],
        range: std::ops::Range<usize>,
    ) -> Result<Self, NotInPlace> {
        let original = original.get(range.clone()).ok_or(NotInPlace)?;
        Ok(Self { original, current: bytes.get_mut(range).ok_or(NotInPlace)? })
    }

    /// Writes the numbers of a field. Fails if another array that shares the bytes needs different ones.
    pub(super) fn write(self, field: &Field, old: &[f64], new: &[f64]) -> Result<(), NotInPlace> {
        let range = field.range(self.original.len() as u64);
        let to = |at: u64| usize::try_from(at).map_err(|_| NotInPlace);
        let range = to(range.start)?..to(range.end)?;
        let mut record = self.original.to_vec();
        encode(field, &mut record, old, new)?;
        let own = |bytes: &[u8]| bytes.get(range.clone()).map(<[u8]>::to_vec);
        let (before, wanted, now) = (own(self.original), own(&record), own(self.current));
        if now != before && now != wanted {
            return Err(NotInPlace);
        }
        let slot = self.current.get_mut(range.clone()).ok_or(NotInPlace)?;
        slot.copy_from_slice(record.get(range).ok_or(NotInPlace)?);
        Ok(())
    }
}

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
fn encode(field: &Field, record: &mut [u8], old: &[f64], new: &[f64]) -> Result<(), NotInPlace> {
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
                if is_same(*old, *new) {
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
