//! What differs between two models, whatever formats they came from.
//!
//! For: `rigscope diff`, what a conversion lost (read back and compared with the source), the
//! window's comparison.
//! Not for: printing, reading files, or judging one model by itself (`model::check`).
//!
//! | file | is for |
//! |---|---|
//! | `options` | what is asked |
//! | `difference` | the table of kinds, one difference |
//! | `comparison` | the whole answer |
//! | `space` | one side's vertices in a row, in display space |
//! | `points` | nearest points |
//! | `vertices` | which vertex stands for which |
//! | `bones` | which bone stands for which, and how they differ |
//! | `attributes` | positions, normals, tangents, UVs, colours, weights |
//! | `triangles` | added, removed, flipped |
//! | `parts` | counts, subsets, materials, textures |
//! | `morphs`, `collision`, `clips` | what their names say |
//! | `heat` | a model that shows how far its vertices are off |
//! | `motion` | skinned positions over time |
//!
//! Invariant: everything is compared in display space ([`crate::model::Axes::display_from_file`]),
//! so that centimetres with Z up equal metres with Y up.
//! Invariant: a model equals itself: [`compare`] then finds nothing at tolerance 0.
//!
//! Not compared: where things lie in the file, images' bytes, [`crate::model::Model::details`] and
//! bytes kept for a rewrite.

mod attributes;
mod binds;
mod bones;
mod clips;
mod collision;
mod comparison;
mod difference;
mod found;
mod heat;
mod morphs;
mod motion;
mod options;
mod parts;
mod points;
mod space;
mod triangles;
mod vertices;

pub use bones::bone_of_source;
pub use clips::matched_clips;
pub use comparison::{Comparison, Maxima, compare};
pub use difference::{DIFFERENCES, Difference, DifferenceInfo, DifferenceKind};
pub use heat::{heat, heat_model};
pub use motion::{PoseError, WorstMoment, pose_error};
pub use options::{CompareOptions, MatchBy};
pub use space::ComparedPose;
pub use vertices::{Matched, Matching, match_vertices};

#[cfg(test)]
mod tests;
