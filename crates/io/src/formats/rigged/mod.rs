//! A model as formats store it that have one mesh and one bind transform a bone.
//!
//! For: writers of IQM and BonesPro. Not for: formats with an inverse bind matrix a slot, which take
//! the plain form, of skins alone ([`as_skins`]).
//!
//! Invariant: `bone at a moment * inverse of its bind` is what moves vertices, as it was in the
//! model that was given.

mod bones;
mod grid;
mod skins;

pub(super) use bones::{Rigged, RiggedBone};
pub(super) use grid::Grid;
pub(super) use skins::{as_skins, note_turned};

#[cfg(test)]
mod tests;
