//! What is wrong where, as found without the library.

use rigscope_core::model::Place;

/// One thing wrong.
pub(super) struct Fault {
    pub(super) place: Place,
    pub(super) field: &'static str,
    pub(super) what: String,
}
