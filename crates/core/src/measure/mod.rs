//! Measures how far the vertices of a model deviate from those of the model it was made from.
//!
//! For: every place that reports such a number: `convert`, `fbx_bsm2`, `diff`, `fix`, `runtimes`, the window's "As
//! BSM2" and comparison, the check of the GPU, tests. Not for: matching vertices. A conversion
//! provides the mapping ([`crate::model::Origins`]), and `compare` finds it for unrelated files.
//!
//! | file | is for |
//! |---|---|
//! | `job` | inputs of a measurement |
//! | `pairs` | vertices of both sides, numbered consecutively, and their pairing |
//! | `instants` | moments: keys of both, the middles between them, parts of the worst intervals |
//! | `probes` | a few vertices that show which moments to compare completely |
//! | `posed` | positions of a side in a pose |
//! | `run` | all moments of all clips |
//! | `same` | two models with the same vertices |
//! | `single_pose` | one pose |
//! | `skinned` | vertices that were skinned in two ways |
//! | `vertex_values` | values of pairs as values of vertices |
//! | `values` | normals, texture coordinates, weights of the same pairs |
//! | `outcome` | results |
//! | `sums` | sums of distances |
//!
//! Every vertex is compared at all keys of both sides. Between keys, only probes (the outermost
//! vertices of each bone, and those that differed most at keys) are compared, at the middle of
//! every interval and at eighths of the worst ones. Then all vertices are compared at the moments
//! with the largest probe distances.
//!
//! If the clips of a model have so many keys that this would take far longer than reading it
//! ([`crate::pose::PoseBudget`]), fewer keys are compared, or fewer clips; the [`Deviation`] counts the rest.
//!
//! Invariant: positions are compared in display space, each side posed as in its own runtime, and
//! measured relative to one size of the source ([`Job::size`]), as in `compare`.
//! Invariant: a clip that wasn't written counts: the source moves and the result doesn't.
//! Invariant: the result is the same with any number of threads.

mod instants;
mod job;
mod outcome;
mod pairs;
mod posed;
mod probes;
mod run;
mod same;
mod single_pose;
mod skinned;
mod sums;
#[cfg(test)]
mod tests;
mod values;
mod vertex_values;

pub use instants::{key_moments, shared_key_moments};
pub use job::{ClipPair, Job, MeasureOptions, MeasuredPart, PerPair, Side};
pub use outcome::{Deviation, DeviationByVertex, FarthestVertex, PairValues};
pub use pairs::NumUnpaired;
pub use posed::{angle_deg, distance, extent_of};
pub use run::measure;
pub use same::measure_same;
pub use single_pose::{SinglePose, measure_pose};
pub use skinned::{SkinningDeviation, skinning_deviation};
pub use values::{normals, texture_from_uv, uvs, weights};
pub use vertex_values::VertexValues;

pub use crate::pose::Pose;
