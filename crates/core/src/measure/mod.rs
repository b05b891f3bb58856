//! How far the vertices of a model are from where they were in the model it was made of.
//!
//! For: everything that says such a number: `convert`, `fbx_bsm2`, `diff`, the window's "As BSM2"
//! and comparison, the check of the GPU, tests.
//! Not for: which vertex stands for which: a conversion hands that on ([`crate::model::Origins`]),
//! and `compare` finds it for files that have nothing to do with each other.
//!
//! | file | is for |
//! |---|---|
//! | `job` | what is compared with what |
//! | `pairs` | vertices of both sides, numbered through, and which belong together |
//! | `instants` | when: keys of both, the middles between them, parts of the worst intervals |
//! | `probes` | the few vertices that tell which moments are worth a look at all |
//! | `posed` | positions of a side in a pose |
//! | `run` | all moments of all clips |
//! | `still` | one pose |
//! | `skinned` | vertices that were moved in two ways |
//! | `spread` | values of pairs as values of vertices |
//! | `values` | normals, texture coordinates, weights of the same pairs |
//! | `outcome` | what is found |
//! | `sums` | distances being added up |
//!
//! How: every vertex is compared at all keys of both sides. Between keys the middle of every
//! interval and eighths of the worst ones are looked at with probes (of each bone the outermost
//! vertices, and those that were farthest off at keys); then all vertices are compared at the
//! moments where probes are farthest off.
//!
//! Invariant: positions are compared in display space, each side posed as its own player does, and
//! measured against the extent of the source's pose at that moment.
//! Invariant: a clip that was not written counts: the source moves and what was made of it stands.
//! Invariant: the outcome is the same with any number of threads.

mod instants;
mod job;
mod outcome;
mod pairs;
mod posed;
mod probes;
mod run;
mod skinned;
mod spread;
mod still;
mod sums;
#[cfg(test)]
mod tests;
mod values;

pub use instants::key_moments;
pub use job::{ClipPair, Job, Part, Side, Wants};
pub use outcome::{Measured, PairValues, Worst};
pub use pairs::NumUnpaired;
pub use posed::{angle_deg, distance, extent_of};
pub use run::measure;
pub use skinned::{Moved, moved};
pub use spread::Spread;
pub use still::{Still, still};
pub use values::{normals, texture_from_uv, uvs, weights};

pub use crate::pose::Pose;
