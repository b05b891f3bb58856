//! Compares two models, regardless of their formats.
//!
//! For: `rigscope diff`, losses of a conversion (read back and compared with the source), the
//! window's comparison. Not for: printing, reading files, or checking a single model
//! (`model::check`).
//!
//! | file | is for |
//! |---|---|
//! | `options` | options of a comparison |
//! | `difference` | the table of kinds, one difference |
//! | `comparison` | the complete result |
//! | `side` | one side's vertices in one list, in display space |
//! | `vertices` | matching of vertices |
//! | `by_position`, `fans` | the same if their order differs: the nearest vertex, and which of several at one place |
//! | `bones` | matching and comparison of bones |
//! | `attributes` | positions, normals, tangents, UVs, colours, weights |
//! | `triangles` | added, removed, flipped |
//! | `parts` | counts, subsets, materials, textures |
//! | `morphs`, `collision`, `clips` | the same for these parts |
//! | `heat` | the deviation of each vertex |
//! | `motion` | skinned positions over time |
//! | `drawing` | whether two versions with the same vertices are drawn the same |
//!
//! Invariant: everything is compared in display space ([`crate::model::Axes::display_from_file`]),
//! so that centimetres with Z up equal metres with Y up.
//! Invariant: a model equals itself: [`compare`] then finds no difference at tolerance 0.
//!
//! Not compared: offsets in the file, image bytes, [`crate::model::Model::details`] and bytes that are
//! preserved for writing.

mod attributes;
mod binds;
mod bones;
mod by_position;
mod clips;
mod collector;
mod collision;
mod comparison;
mod difference;
mod drawing;
mod fans;
mod heat;
mod morphs;
mod motion;
mod options;
mod parts;
mod side;
mod triangles;
mod vertices;

pub use bones::bone_of_source;
pub use comparison::{Comparison, Maxima, compare};
pub use difference::{DIFFERENCES, Difference, DifferenceInfo, DifferenceKind};
pub use drawing::{DrawingDifference, drawing_difference};
pub use heat::heat;
pub use motion::clip_deviation;
pub use options::{DiffOptions, MatchBy};
pub use side::ComparedPose;
pub use vertices::{MatchMethod, VertexMatching, match_vertices};

#[cfg(test)]
mod tests;
