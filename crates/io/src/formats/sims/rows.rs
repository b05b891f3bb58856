//! A list of records in a file: what there is to know of it before it is read.

use super::fields::Least;
use rigscope_core::model::{Element, Field};

/// What a list of records is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// Name of the count.
    pub(super) field: &'static str,
    /// What a record holds at least.
    pub(super) least: Least,
    /// Records that there must be.
    pub(super) at_least: usize,
    /// What the records are to who looks at the file's bytes.
    pub(super) element: Option<Element>,
    /// From which record on they are another element.
    pub(super) then: Option<(usize, Element)>,
    /// Fields of a record in bytes; empty where it has strings or lists in it.
    pub(super) fields: &'static [Field],
}

impl Rows {
    /// With records that are `element`.
    pub(super) const fn of(self, element: Element, fields: &'static [Field]) -> Self {
        Self { element: Some(element), fields, ..self }
    }
}

/// `field`, whose records have `least`, of any number.
pub(super) const fn rows(field: &'static str, least: Least) -> Rows {
    Rows { field, least, at_least: 0, element: None, then: None, fields: &[] }
}
