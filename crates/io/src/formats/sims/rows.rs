//! Properties of a list of records.

use super::fields::Least;
use rigscope_core::model::{Element, Field};

#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// Name of the count.
    pub(super) field: &'static str,
    /// Minimum content of a record.
    pub(super) least: Least,
    /// Minimum number of records.
    pub(super) at_least: usize,
    /// The element for the byte map.
    pub(super) element: Option<Element>,
    /// The index from which records are another element.
    pub(super) then: Option<(usize, Element)>,
    /// Binary fields of a record; empty if it contains strings or lists.
    pub(super) fields: &'static [Field],
}

impl Rows {
    /// Sets the element and the fields of the records.
    pub(super) const fn of(self, element: Element, fields: &'static [Field]) -> Self {
        Self { element: Some(element), fields, ..self }
    }
}

/// A list with the count `field`, whose records have at least `least`.
pub(super) const fn rows(field: &'static str, least: Least) -> Rows {
    Rows { field, least, at_least: 0, element: None, then: None, fields: &[] }
}
