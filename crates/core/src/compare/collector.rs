//! Collects differences.

use super::{DiffOptions, Difference, DifferenceKind};
use crate::model::{ClipId, Place};

pub(super) struct DifferenceCollector<'a> {
    pub(super) options: &'a DiffOptions,
    pub(super) differences: Vec<Difference>,
}

impl<'a> DifferenceCollector<'a> {
    pub(super) fn new(options: &'a DiffOptions) -> Self {
        Self { options, differences: Vec::new() }
    }

    /// Adds `count` differences to which no tolerance applies; nothing if `count` is 0.
    pub(super) fn structure(
        &mut self,
        kind: DifferenceKind,
        count: usize,
        what: impl FnOnce() -> String,
    ) {
        if count > 0 && self.options.wants(kind) {
            self.differences.push(Difference {
                kind,
                what: what(),
                count: count as u64,
                amount: None,
                exceeds: true,
                place: None,
                place_in_a: None,
                moment: None,
            });
        }
    }

    /// Adds the differences beyond the limit; nothing if both sides agree.
    pub(super) fn measured(
        &mut self,
        kind: DifferenceKind,
        measured: Measured,
        what: impl FnOnce() -> String,
    ) {
        let Measured { amount, limit, count } = measured;
        if amount > 0.0 && self.options.wants(kind) {
            self.differences.push(Difference {
                kind,
                what: what(),
                count,
                amount: Some(amount),
                exceeds: amount > limit,
                place: None,
                place_in_a: None,
                moment: None,
            });
        }
    }

    /// Sets the place in B of the last difference, if it is of `kind`.
    pub(super) fn locate(&mut self, kind: DifferenceKind, place: Place) {
        if let Some(last) = self.last(kind) {
            last.place = Some(place);
        }
    }

    /// Sets the place in A of the last difference, if it is of `kind`.
    pub(super) fn locate_in_a(&mut self, kind: DifferenceKind, place: Place) {
        if let Some(last) = self.last(kind) {
            last.place_in_a = Some(place);
        }
    }

    /// Sets the clip of A and the time in seconds since its beginning at which the last difference
    /// is largest, if it is of `kind`.
    pub(super) fn locate_in_time(&mut self, kind: DifferenceKind, clip: ClipId, time_secs: f64) {
        if let Some(last) = self.last(kind) {
            last.moment = Some((clip, time_secs));
        }
    }

    fn last(&mut self, kind: DifferenceKind) -> Option<&mut Difference> {
        self.differences.last_mut().filter(|difference| difference.kind == kind)
    }

    /// Compares a count that both sides have.
    pub(super) fn number(&mut self, kind: DifferenceKind, one: &str, a: usize, b: usize) {
        self.structure(kind, a.abs_diff(b), || format!("{a} {one} in A, {b} in B"));
    }
}

/// Measured differences of one kind.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    /// The largest.
    pub(super) amount: f64,
    pub(super) limit: f64,
    /// Number of differences beyond the limit.
    pub(super) count: u64,
}

impl Measured {
    /// No difference yet.
    pub(super) fn within(limit: f64) -> Self {
        Self { amount: 0.0, limit, count: 0 }
    }

    /// Adds a difference. Returns whether it is the largest so far.
    pub(super) fn add(&mut self, amount: f64) -> bool {
        self.count += u64::from(amount > self.limit);
        let is_largest = amount > self.amount;
        if is_largest {
            self.amount = amount;
        }
        is_largest
    }
}

/// Joins the first few items of a list for a message.
pub(super) fn first_names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MAX_LISTED: usize = 5;
    let mut names = names.into_iter().peekable();
    let mut out = String::new();
    for _ in 0..MAX_LISTED {
        let Some(name) = names.next() else { break };
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(name);
    }
    if names.peek().is_some() {
        out.push_str(", …");
    }
    out
}
