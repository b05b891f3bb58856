//! Writes changed array values into the bytes of a file, and leaves all other bytes unchanged.
//!
//! A field is only written if it stores the values of the model directly: they must equal those of the model before the
//! fix, or at least half of them if the reader may have fixed some. Otherwise the reader has transformed them, and the
//! file must be rewritten.

use std::collections::HashMap;
use std::ops::Range;

use super::claims::Claims;
use super::fields::{Array, array_of, arrays_of};
use super::influences;
use super::slot::{NotInPlace, decoded, is_same};
use rigscope_core::fix::Part;
use rigscope_core::model::{Field, Model, Motion, Span};

/// The parts in which a fix has changed values.
pub(super) fn changed_parts(before: &Model, after: &Model) -> Vec<Part> {
    let differs = |part: Part| match part {
        Part::Influences => influences::have_changed(before, after),
        Part::KeyTimes => times_differ(before, after),
        Part::Rest => before.skeleton.rest_locals() != after.skeleton.rest_locals(),
        Part::Names => names(before) != names(after),
        _ => arrays_of(before, part).into_iter().any(|(array, num)| {
            (0..num).any(|record| array.values(before, record) != array.values(after, record))
        }),
    };
    Part::ALL.iter().copied().filter(|part| differs(*part)).collect()
}

fn names(model: &Model) -> Vec<&str> {
    let clips = model.clips.iter().map(|clip| clip.name.as_str());
    clips.chain(model.skeleton.bones().iter().map(|bone| bone.name.as_str())).collect()
}

fn times_differ(before: &Model, after: &Model) -> bool {
    let times = |model: &Model| -> Vec<Vec<f64>> {
        let of_clip = |motion: &Motion| match motion {
            Motion::Tracks(tracks) => {
                tracks.iter().flat_map(|track| track.times().map(<[f64]>::to_vec)).collect()
            }
            _ => Vec::new(),
        };
        model.clips.iter().flat_map(|clip| -> Vec<Vec<f64>> { of_clip(&clip.motion) }).collect()
    };
    times(before) != times(after)
}

/// Returns `original` with the values of `parts` that differ between `before` and `after`. In the parts `stored`, also
/// writes those that the reader has changed. The offsets of `spans`, which are all of the file, refer to `original`.
pub(super) fn patch(
    original: &[u8],
    spans: &[&Span],
    models: [&Model; 2],
    parts: &[Part],
    stored: &[Part],
) -> Result<Vec<u8>, NotInPlace> {
    let [before, after] = models;
    let mut claims = Claims::new(original);
    let mut written: HashMap<Array, Vec<bool>> = HashMap::new();
    for span in spans {
        for field in span.fields.iter() {
            let Some(array) = array_of(span, field).filter(|array| parts.contains(&array.part()))
            else {
                continue;
            };
            let is_repaired = stored.contains(&array.part());
            let own = FieldAt { span, field, array, is_repaired };
            match array {
                Array::Joints(..) | Array::Weights(..) => {}
                Array::Times(..) => own.patch_times(&mut claims, models)?,
                Array::Indices(_) => own.patch_indices(&mut claims, models, &mut written)?,
                _ => own.patch(&mut claims, models, &mut written)?,
            }
        }
    }
    if parts.contains(&Part::Influences) {
        let is_repaired = stored.contains(&Part::Influences);
        influences::patch(&mut claims, spans, models, is_repaired)?;
    }
    for part in parts.iter().filter(|part| **part != Part::Influences) {
        for (array, num) in arrays_of(before, *part) {
            let covered = written.get(&array);
            let is_missing = |record: usize| {
                let is_written = covered.is_some_and(|c| c.get(record).copied().unwrap_or(false));
                !is_written && array.values(before, record) != array.values(after, record)
            };
            if (0..num).any(is_missing) {
                return Err(NotInPlace);
            }
        }
    }
    keep_others(&mut claims, spans, parts)?;
    Ok(claims.into_bytes())
}

/// Fails if a change affects bytes that are also read as something else.
fn keep_others(claims: &mut Claims<'_>, spans: &[&Span], parts: &[Part]) -> Result<(), NotInPlace> {
    for span in spans.iter().filter(|span| claims.has_changed(span.range())).collect::<Vec<_>>() {
        let is_changed =
            |field: &&Field| array_of(span, field).is_some_and(|own| parts.contains(&own.part()));
        for record in span.first..span.first.saturating_add(span.count) {
            let Some(range) = span.record(record) else { continue };
            if span.fields.is_empty() {
                claims.keep_bytes(range)?;
                continue;
            }
            for field in span.fields.iter().filter(|field| !is_changed(field)) {
                claims.keep(range.clone(), field)?;
            }
        }
    }
    Ok(())
}

/// A field of a span, and the array that it stores.
struct FieldAt<'a> {
    span: &'a Span,
    field: &'a Field,
    array: Array,
    /// Whether the reader may have changed values.
    is_repaired: bool,
}

impl FieldAt<'_> {
    /// Calls `visit` with the number and byte range of each record of the span.
    fn for_each_record(
        &self,
        mut visit: impl FnMut(usize, Range<u64>) -> Result<(), NotInPlace>,
    ) -> Result<(), NotInPlace> {
        for record in self.span.first..self.span.first.saturating_add(self.span.count) {
            let Some(range) = self.span.record(record) else { continue };
            visit(usize::try_from(record).map_err(|_| NotInPlace)?, range)?;
        }
        Ok(())
    }

    /// Whether the field stores the values of the model directly.
    fn is_direct(&self, claims: &Claims<'_>, before: &Model) -> Result<bool, NotInPlace> {
        let (mut num, mut num_same) = (0u64, 0u64);
        self.for_each_record(|record, range| {
            let stored = claims.record(range).ok().and_then(|bytes| decoded(self.field, bytes));
            let (Some(stored), Some(own)) = (stored, self.array.values(before, record)) else {
                return Ok(());
            };
            if stored.len() == own.len() {
                num += own.len() as u64;
                num_same +=
                    stored.iter().zip(&own).filter(|(a, b)| is_same(**a, **b)).count() as u64;
            } else {
                num += 1;
            }
            Ok(())
        })?;
        Ok(if self.is_repaired { num_same * 2 >= num } else { num_same == num } && num > 0)
    }

    fn patch(
        &self,
        claims: &mut Claims<'_>,
        [before, after]: [&Model; 2],
        written: &mut HashMap<Array, Vec<bool>>,
    ) -> Result<(), NotInPlace> {
        let is_direct = self.is_direct(claims, before)?;
        let covered = written.entry(self.array).or_default();
        self.for_each_record(|record, range| {
            let own = [self.array.values(before, record), self.array.values(after, record)];
            let [Some(old), Some(new)] = own else { return Ok(()) };
            let stored = decoded(self.field, claims.record(range.clone())?).ok_or(NotInPlace)?;
            if covered.len() <= record {
                covered.resize(record + 1, false);
            }
            if is_direct || old == new {
                covered[record] = true;
            }
            if self.is_repaired && !is_direct && stored.iter().any(|value| !value.is_finite()) {
                return Err(NotInPlace);
            }
            let must_write = old != new || (self.is_repaired && is_direct);
            match (must_write, is_direct) {
                (true, true) => claims.write(range, self.field, [&stored, &new]),
                (true, false) => Err(NotInPlace),
                (false, _) => claims.keep(range, self.field),
            }
        })
    }

    /// Indices of a primitive are relative to its first vertex.
    fn patch_indices(
        &self,
        claims: &mut Claims<'_>,
        [before, after]: [&Model; 2],
        written: &mut HashMap<Array, Vec<bool>>,
    ) -> Result<(), NotInPlace> {
        let mut base = None;
        self.for_each_record(|record, range| {
            let stored = claims.record(range).ok().and_then(|bytes| decoded(self.field, bytes));
            let own = self.array.values(before, record);
            if let (Some([stored]), Some([own])) = (stored.as_deref(), own.as_deref()) {
                let difference = own - stored;
                if *base.get_or_insert(difference) != difference {
                    return Err(NotInPlace);
                }
            }
            Ok(())
        })?;
        let base = base.unwrap_or(0.0);
        let covered = written.entry(self.array).or_default();
        self.for_each_record(|record, range| {
            let own = [self.array.values(before, record), self.array.values(after, record)];
            let [Some(old), Some(new)] = own else { return Ok(()) };
            if covered.len() <= record {
                covered.resize(record + 1, false);
            }
            covered[record] = true;
            let relative = |list: Vec<f64>| -> Vec<f64> {
                list.into_iter().map(|index| index - base).collect()
            };
            let (old, new) = (relative(old), relative(new));
            if new.iter().any(|index| *index < 0.0) {
                return Err(NotInPlace);
            }
            claims.write(range, self.field, [&old, &new])
        })
    }

    /// Fails if curves of a bone share the stored times and their new times differ.
    fn patch_times(
        &self,
        claims: &mut Claims<'_>,
        [before, after]: [&Model; 2],
    ) -> Result<(), NotInPlace> {
        let (old, new) = (self.array.times(before), self.array.times(after));
        let mut stored = Vec::new();
        self.for_each_record(|_, range| {
            let own = claims.record(range).ok().and_then(|bytes| decoded(self.field, bytes));
            stored.extend(own.unwrap_or_default());
            Ok(())
        })?;
        let mut read = stored.clone();
        if self.is_repaired {
            // The reader sorts keys by time.
            read.sort_by(f64::total_cmp);
        }
        let is_stored = |times: &[f64]| {
            times.len() == read.len() && times.iter().zip(&read).all(|(a, b)| is_same(*a, *b))
        };
        let curves: Vec<usize> = (0..old.len()).filter(|curve| is_stored(old[*curve])).collect();
        let Some(times) = curves.first().and_then(|curve| new.get(*curve)) else {
            if old != new {
                return Err(NotInPlace);
            }
            return self.for_each_record(|_, range| claims.keep(range, self.field));
        };
        if curves.iter().any(|curve| new.get(*curve) != Some(times)) || times.len() != stored.len()
        {
            return Err(NotInPlace);
        }
        let mut values = times.iter().zip(&stored);
        self.for_each_record(|_, range| {
            let (new, old) = values.next().ok_or(NotInPlace)?;
            claims.write(range, self.field, [&[*old], &[*new]])
        })
    }
}
