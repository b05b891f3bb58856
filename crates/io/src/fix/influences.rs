//! Writes changed influences in place.
//!
//! Formats store a fixed number of slots per vertex, in sets of four, each with a joint and a weight. A model only
//! lists the influences whose weight isn't 0.

use std::collections::BTreeMap;

use super::claims::Claims;
use super::fields::{Array, array_of};
use super::slot::{NotInPlace, decoded};
use rigscope_core::model::{Field, Layout, Mesh, Model, Scalar, Skin, Span, influence_row};

/// Weights that differ by less are the same: half a step of a 16-bit integer.
const SAME_WEIGHT: f64 = 0.5 / 65535.0;

/// Sums that differ from 1 by less are rounding.
const SUM_TOLERANCE: f64 = 1e-3;

type Row = Vec<(u32, f64)>;

fn row_of(mesh: &Mesh, vertex: usize) -> Row {
    let rows = mesh.inverse_bind().map(|skin| skin.influences.row(vertex));
    rows.into_iter().flatten().map(|(slot, weight)| (slot, f64::from(weight))).collect()
}

/// Whether a fix has changed any influence.
pub(super) fn have_changed(before: &Model, after: &Model) -> bool {
    before.meshes.iter().zip(&after.meshes).any(|(a, b)| {
        (0..a.num_vertices().max(b.num_vertices())).any(|at| row_of(a, at) != row_of(b, at))
    })
}

/// The arrays of one set of four influences.
#[derive(Clone, Copy, Default)]
struct Set<'a> {
    joints: Option<(&'a Span, &'a Field)>,
    weights: Option<(&'a Span, &'a Field)>,
}

/// Writes the influences that differ, and invalid ones that the reader has fixed if `is_repaired`.
pub(super) fn patch(
    claims: &mut Claims<'_>,
    spans: &[&Span],
    [before, after]: [&Model; 2],
    is_repaired: bool,
) -> Result<(), NotInPlace> {
    for (number, (old, new)) in before.meshes.iter().zip(&after.meshes).enumerate() {
        // Primitives of a mesh have separate arrays, which begin at different vertices.
        let mut groups: BTreeMap<u64, BTreeMap<usize, Set<'_>>> = BTreeMap::new();
        for span in spans {
            for field in span.fields.iter() {
                let (mesh, set, is_joints) = match array_of(span, field) {
                    Some(Array::Joints(mesh, set)) => (mesh, set, true),
                    Some(Array::Weights(mesh, set)) => (mesh, set, false),
                    _ => continue,
                };
                if mesh == number {
                    let slot = groups.entry(span.first).or_default().entry(set).or_default();
                    let own = if is_joints { &mut slot.joints } else { &mut slot.weights };
                    *own = Some((span, field));
                }
            }
        }
        let mut is_written = vec![false; old.num_vertices()];
        for sets in groups.values() {
            let sets: Vec<Set<'_>> = sets.values().copied().collect();
            let group = Group { sets, old, new, is_repaired };
            group.patch(claims, &mut is_written)?;
        }
        let is_missing = |(vertex, is_written): (usize, &bool)| {
            !is_written && row_of(old, vertex) != row_of(new, vertex)
        };
        if is_written.iter().enumerate().any(is_missing) {
            return Err(NotInPlace);
        }
    }
    Ok(())
}

/// The influence sets of some vertices of a mesh.
struct Group<'a> {
    sets: Vec<Set<'a>>,
    old: &'a Mesh,
    new: &'a Mesh,
    is_repaired: bool,
}

impl Group<'_> {
    fn patch(&self, claims: &mut Claims<'_>, is_written: &mut [bool]) -> Result<(), NotInPlace> {
        let Some((span, _)) = self.sets.first().and_then(|set| set.weights) else { return Ok(()) };
        let num_bones = match &self.old.skin {
            Skin::InverseBind(skin) => skin.bones.len(),
            _ => return Ok(()),
        };
        for record in span.first..span.first + span.count {
            let vertex = usize::try_from(record).map_err(|_| NotInPlace)?;
            let (old, new) = (row_of(self.old, vertex), row_of(self.new, vertex));
            if old == new && !self.is_repaired {
                self.keep(claims, record)?;
                continue;
            }
            let stored = self.stored(claims, record)?;
            let is_used = |(_, weight): &&(u32, f64)| *weight != 0.0;
            let used: Vec<_> = stored.iter().filter(is_used).copied().collect();
            // The reader normalizes the weights of packed vertices.
            let sum: f64 = used.iter().map(|(_, weight)| weight).sum();
            let is_off = (sum - 1.0).abs() > SUM_TOLERANCE && sum > 0.0;
            let is_same_weight = |stored: f64, own: f64| {
                let is_same = |stored: f64| (stored - own).abs() <= SAME_WEIGHT;
                is_same(stored) || (is_off && self.is_repaired && is_same(stored / sum))
            };
            // The reader drops slots without weight, and keeps the order of the others.
            let is_direct = used.len() == old.len()
                && used.iter().zip(&old).all(|(stored, own)| {
                    let is_same = is_same_weight(stored.1, own.1);
                    // The reader sets influences of bones that don't exist to 0.
                    let is_removed = stored.0 as usize >= num_bones && own.1 == 0.0;
                    is_same && stored.0 == own.0
                        || is_removed
                        || self.is_repaired && is_invalid(*stored, num_bones)
                });
            let has_invalid = stored.iter().any(|slot| is_invalid(*slot, num_bones));
            let has_gap = stored.iter().skip_while(|slot| is_used(slot)).any(|slot| is_used(&slot));
            let must_write = old != new || (self.is_repaired && (has_invalid || has_gap || is_off));
            if let Some(flag) = is_written.get_mut(vertex) {
                *flag |= is_direct;
            }
            if !must_write {
                self.keep(claims, record)?;
                continue;
            }
            if !is_direct {
                return Err(NotInPlace);
            }
            self.write(claims, record, &stored, &new, num_bones)?;
        }
        Ok(())
    }

    /// Declares that a vertex needs its influences as they are.
    fn keep(&self, claims: &mut Claims<'_>, record: u64) -> Result<(), NotInPlace> {
        for (span, field) in self.sets.iter().flat_map(|set| [set.joints, set.weights]).flatten() {
            if let Some(range) = span.record(record) {
                claims.keep(range, field)?;
            }
        }
        Ok(())
    }

    /// All slots of a vertex, including those without weight.
    fn stored(&self, claims: &Claims<'_>, record: u64) -> Result<Row, NotInPlace> {
        let mut row = Row::new();
        for set in &self.sets {
            let numbers = |array: Option<(&Span, &Field)>| {
                let (span, field) = array?;
                let range = span.record(record)?;
                decoded(field, claims.record(range).ok()?)
            };
            let joints = numbers(set.joints).ok_or(NotInPlace)?;
            let weights = numbers(set.weights).ok_or(NotInPlace)?;
            #[expect(clippy::cast_possible_truncation, reason = "decoded from an integer")]
            #[expect(clippy::cast_sign_loss, reason = "decoded from an unsigned integer")]
            row.extend(joints.iter().zip(&weights).map(|(joint, weight)| (*joint as u32, *weight)));
        }
        Ok(row)
    }

    fn write(
        &self,
        claims: &mut Claims<'_>,
        record: u64,
        stored: &[(u32, f64)],
        new: &[(u32, f64)],
        num_bones: usize,
    ) -> Result<(), NotInPlace> {
        let new: Row = new.iter().copied().filter(|(_, weight)| *weight > 0.0).collect();
        if new.len() > stored.len() {
            return Err(NotInPlace);
        }
        // If only joints differ, everything else stays as it is.
        let used: Vec<usize> = (0..stored.len()).filter(|slot| stored[*slot].1 != 0.0).collect();
        let has_same_weights = used.len() == new.len()
            && used
                .iter()
                .zip(&new)
                .all(|(slot, own)| (stored[*slot].1 - own.1).abs() <= SAME_WEIGHT);
        if has_same_weights && !self.is_repaired {
            let mut slots = stored.to_vec();
            for (slot, (joint, _)) in used.iter().zip(&new) {
                slots[*slot].0 = *joint;
            }
            return self.write_slots(claims, record, stored, &slots);
        }
        // Weights stay in their slots if the same joints remain in the same order.
        let used: Vec<usize> = (0..stored.len())
            .filter(|slot| {
                new.iter().any(|(joint, _)| stored[*slot].0 == *joint && stored[*slot].1 != 0.0)
            })
            .collect();
        let has_gap = used.iter().enumerate().any(|(at, slot)| at != *slot);
        let is_same_order = used.len() == new.len()
            && used.iter().zip(&new).all(|(slot, (joint, _))| stored[*slot].0 == *joint);
        let mut slots: Row = stored
            .iter()
            .map(|(joint, _)| (if (*joint as usize) < num_bones { *joint } else { 0 }, 0.0))
            .collect();
        if is_same_order && !(has_gap && self.is_repaired) {
            for (slot, (_, weight)) in used.iter().zip(&new) {
                slots[*slot].1 = *weight;
            }
        } else {
            for (at, slot) in slots.iter_mut().enumerate() {
                *slot = new.get(at).copied().unwrap_or((0, 0.0));
            }
        }
        self.quantize(&mut slots);
        self.write_slots(claims, record, stored, &slots)
    }

    fn write_slots(
        &self,
        claims: &mut Claims<'_>,
        record: u64,
        stored: &[(u32, f64)],
        slots: &[(u32, f64)],
    ) -> Result<(), NotInPlace> {
        for (number, set) in self.sets.iter().enumerate() {
            let first = number * 4;
            let of = |list: &[(u32, f64)]| -> (Vec<f64>, Vec<f64>) {
                let own = list.iter().skip(first).take(4);
                own.map(|(joint, weight)| (f64::from(*joint), *weight)).unzip()
            };
            let (old, new) = (of(stored), of(slots));
            for (array, old, new) in [(set.joints, old.0, new.0), (set.weights, old.1, new.1)] {
                let Some((span, field)) = array else { return Err(NotInPlace) };
                let range = span.record(record).ok_or(NotInPlace)?;
                claims.write(range, field, [&old, &new])?;
            }
        }
        Ok(())
    }

    /// Rounds weights to multiples of the step of their type, so that their sum is exactly 1.
    fn quantize(&self, slots: &mut Row) {
        let layout = self.sets.first().and_then(|set| set.weights).map(|(_, field)| field.layout);
        let Some(Layout::Numbers { scalar, .. }) = layout else { return };
        let Some(steps) = Scalar::steps(scalar).map(f64::from) else { return };
        let sum: f64 = slots.iter().map(|(_, weight)| weight).sum();
        if sum <= 0.0 {
            return;
        }
        let mut shares: Vec<f64> = slots.iter().map(|(_, weight)| weight / sum * steps).collect();
        influence_row::round_to_sum(&mut shares, steps);
        for (slot, share) in slots.iter_mut().zip(shares) {
            slot.1 = share / steps;
        }
    }
}

/// Whether the reader removes such an influence.
fn is_invalid((joint, weight): (u32, f64), num_bones: usize) -> bool {
    joint as usize >= num_bones || weight < 0.0 || !weight.is_finite()
}
