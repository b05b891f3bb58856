//! Which bone of one skeleton corresponds to which bone of another, whatever they are called.
//!
//! For: clips on skeletons that they weren't made for. Not for: two versions of a file, whose bones have the same names
//! ([`match_bones`](crate::model::match_bones)).
//!
//! | file | contents |
//! |---|---|
//! | `words` | the words of a bone's name, its side and its numbers |
//! | `body` | the bones of a body, and the words for them |
//! | `map` | pairs that the user states |
//! | `limbs` | which bone of a skeleton is which bone of a body |
//! | `pairs` | the pairs of two skeletons, with reasons |
//! | `vrm_bones` | the names of VRM for the bones of a model |
//!
//! Invariant: a bone is never paired with one of the other side.
//! Invariant: each bone is in at most one pair.

mod body;
mod limbs;
mod map;
mod pairs;
mod vrm_bones;
mod words;

pub use body::{BodyBone, BodyPart, Finger, Side};
pub use limbs::BodyBones;
pub use map::{BoneMap, BoneMapEntry, ResolvedMap};
pub use pairs::{BonePair, BonePairs, PairReason, pair_bones};
pub use vrm_bones::{VrmBone, vrm_bones};

#[cfg(test)]
mod tests;
