//! Adds clips and meshes of one model to another.
//!
//! For: animation files next to mesh files, in any two formats. Bones are matched by
//! [`match_bones`](crate::model::match_bones) (whether their structure agrees too is for the caller to judge, by
//! [`BoneMatching`]); values are converted from one file's axes and unit to the other's. If
//! both skeletons have the same parents, curves and keys are copied. If one has intermediate bones
//! that the other lacks, they are replayed: each matched bone follows its counterpart in model
//! space. Animations whose rest pose has no rotations, such as motion capture, are applied relative to
//! the rest pose and scaled ([`retarget`]). [`retarget_clips`] does so for any two skeletons, and [`retarget_quality`]
//! measures the result; [`retarget_and_measure`] also pairs the bones. Expressions and the gaze of animations for avatars ([`Avatar`](crate::model::Avatar)) become morph
//! weights, colours and rotations of eyes.

mod alignment;
mod bones;
mod clips;
mod expressions;
mod feet;
mod gaze;
mod limb_quality;
mod measured;
mod meshes;
mod quality;
mod replay;
mod retarget;
mod rigs;

pub use bones::{BoneMatching, matching};
pub use clips::{ClipTransfer, add_clips, add_clips_of_bones, retarget_clips};
pub use limb_quality::{BentJoint, HandQuality};
pub use measured::{RetargetedClips, retarget_and_measure};
pub use meshes::{add_meshes, fit_of_meshes};
pub use quality::{ClipQuality, FootQuality, WorstAngle, retarget_quality};
pub use retarget::{RetargetOptions, RootMotion};

#[cfg(test)]
mod expression_tests;
#[cfg(test)]
mod retarget_tests;
#[cfg(test)]
mod tests;
