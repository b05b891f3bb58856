//! A model in the form of formats with a single mesh and one bind transform per bone.
//!
//! Used by the writers of IQM and BonesPro. Formats with an inverse bind matrix per slot take the
//! plain form with skins only ([`as_skins`]).
//!
//! Invariant: the matrix that moves vertices, `bone at a given time * inverse of its bind`, is the
//! same as in the original model.

mod bones;
mod key_grid;
mod skins;

pub(super) use bones::{RiggedBone, RiggedModel};
pub(super) use key_grid::KeyGrid;
pub(super) use skins::{as_skins, report_mirrored};

#[cfg(test)]
mod tests;
