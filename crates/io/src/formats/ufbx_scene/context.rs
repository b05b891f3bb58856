//! State of a conversion.

use std::collections::BTreeMap;

use crate::formats::{Budget, Failure, ReadError};
use rigscope_core::model::{Place, Report};

pub(super) struct Context<'a> {
    pub(super) format: &'static str,
    pub(super) report: &'a Report,
    pub(super) budget: Budget,
    /// Number of objects left out, by description.
    pub(super) dropped: BTreeMap<&'static str, usize>,
}

impl Context<'_> {
    /// Charges `count` values of `T` to the budget.
    pub(super) fn take<T>(&mut self, count: usize, what: &'static str) -> Result<(), ReadError> {
        let taken = self.budget.take::<T>(count);
        taken.map_err(|left| self.over_budget(what, left))
    }

    /// The error if `what` exceeds the budget.
    pub(super) fn over_budget(&self, what: &'static str, left_bytes: u64) -> ReadError {
        let message = format!("{what} need more than the {left_bytes} bytes left");
        ReadError::Limit(Box::new(Failure::new(self.format, what, Place::File, message)))
    }

    /// Counts objects that are left out.
    pub(super) fn drop(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            *self.dropped.entry(what).or_default() += count;
        }
    }
}
