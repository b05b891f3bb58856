//! Clips, and meshes, of one model put on another.
//!
//! For: animation files beside mesh files, in any two formats. Bones are matched by name, then by
//! order where counts agree; values are turned from the one file's axes and unit into the other's.
//! Where both skeletons have the same parents, curves and keys are copied; where the one has bones
//! between that the other lacks, they are replayed: each matched bone goes where the other
//! skeleton has it.
//! Not for: skeletons of other proportions; lengths are taken as they are.

mod bones;
mod change;
mod clips;
mod meshes;
mod replayed;

pub use bones::{Matching, match_bones, matching};
pub use clips::add_clips;
pub use meshes::{add_meshes, fit_of_meshes};

#[cfg(test)]
mod tests;
