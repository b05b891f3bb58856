//! Where each array lies in its file: which vertex, bone, key or name a byte belongs to, and back.
//!
//! For: views of a file's bytes, in both directions, of what was read whole or half way.
//! Not for: the values of a model; [`decode`] only spells out what one field's bytes say.
//!
//! Invariant: all offsets are of the main file. What a model has from other files has no span.

mod decode;
mod element;
mod layout;
mod map;
mod scalar;
mod span;

pub use decode::decode;
pub use element::Element;
pub use layout::Layout;
pub use map::{Hit, Provenance};
pub use scalar::{Number, Scalar};
pub use span::{Field, Span};

#[cfg(test)]
mod tests;
