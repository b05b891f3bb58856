//! The location of each array in its file, to map bytes to vertices, bones, keys and names, and
//! back.
//!
//! For: views of a file's bytes, whether it was read completely or partially.
//! Not for: the values of a model; [`decode`] only formats the bytes of one field.
//!
//! Invariant: the spans of a [`Provenance`] refer to one file: [`crate::model::Model::provenance`] to the main one, and
//! each
//! [`RelatedBytes`], such as a glTF buffer, to itself.

mod decode;
mod element;
mod layout;
mod map;
mod related;
mod scalar;
mod span;

pub use decode::decode;
pub use element::Element;
pub use layout::Layout;
pub use map::{Hit, NO_SPANS, Provenance};
pub use related::RelatedBytes;
pub use scalar::{Number, Scalar};
pub use span::{Field, Span};

#[cfg(test)]
mod tests;
