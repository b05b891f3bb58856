//! Faults located without the library.

use rigscope_core::model::Place;

pub(super) struct FbxFault {
    pub(super) place: Place,
    pub(super) field: &'static str,
    pub(super) what: String,
}
