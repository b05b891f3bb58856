//! Adds clips and meshes of one model to another.
//!
//! For: animation files next to mesh files, in any two formats. Bones are matched by name, or by
//! index if the counts agree; values are converted from one file's axes and unit to the other's. If
//! both skeletons have the same parents, curves and keys are copied. If one has intermediate bones
//! that the other lacks, they are replayed: each matched bone follows its counterpart in model
//! space. Not for: skeletons of other proportions; lengths aren't adjusted.

mod axes_change;
mod bones;
mod clips;
mod meshes;
mod replay;

pub use bones::{Matching, match_bones, matching};
pub use clips::add_clips;
pub use meshes::{add_meshes, fit_of_meshes};

#[cfg(test)]
mod tests;
