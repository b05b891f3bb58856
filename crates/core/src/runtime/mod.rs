//! Runtimes: the engines that play files, and how each plays a model.
//!
//! A [`Runtime`] is a row of facts. [`Runtime::play`] changes a copy of the model so that Rigscope shows
//! it as the runtime does, and lists the differences from the format's specification.
//!
//! | file | contents |
//! |---|---|
//! | `rules` | all facts about a runtime |
//! | `vertex_rules`, `track_rules`, `scene_rules` | the kinds of facts, and their texts |
//! | `table` | the runtimes |
//! | `play` | the model as a runtime plays it |
//! | `culling` | bounds by which a runtime culls meshes outside the view |
//! | `playback_difference` | one difference from the format's specification |
//! | `attributes` | morph targets, UVs and normals |
//! | `bind_poses` | bind poses without scale and shear |
//! | `influences` | influences that a runtime reads, and its normalization of weights |
//! | `instances` | meshes that are drawn once instead of several times |
//! | `jointless` | primitives without joints in the node of a skinned mesh |
//! | `loose` | skinned points and lines |
//! | `model_poses` | frames that are blended in the space of the model |
//! | `morphs` | attributes of morph targets, and meshes that follow others' weights |
//! | `nodes` | rotations of nodes whose length isn't 1, and matrices |
//! | `normals` | the matrix of normals, and whether it tilts them |
//! | `outside_joints` | joints outside the shown scene |
//! | `paths` | nodes with the same path of names |
//! | `refusals` | files that a runtime refuses, or that make it fail |
//! | `split_nodes` | nodes of skinned meshes that become two |
//! | `tracks` | tracks that a runtime doesn't read, or reads differently |
//! | `unpredicted` | features that a runtime plays differently, in ways that aren't predicted |
//! | `untested` | features that no compared file has |
//! | `names` | bones found by name, and skins taken for one another |
//! | `keys` | interpolation and sampling of keys |
//! | `splines` | tracks with tangents |
//! | `curves` | clips that runtimes evaluate in ways that tracks can't store |
//! | `fbx` | skins and morph targets of FBX files |
//! | `fbx_curves` | curves that runtimes rebuild from the keys of FBX files |
//! | `findings` | differences as findings of `validate --for` |
//! | `worst` | the deviations of vertices, and the largest |
//!
//! To add a runtime, add a row to `table`, and a program to `engines` that verifies it. To add a kind of fact, add a
//! field to `rules` with its text, and apply it in the file for that part of the model.
//!
//! Invariant: the reference runtimes change nothing.

mod attributes;
mod bind_poses;
mod culling;
mod curves;
mod fbx;
mod fbx_curves;
mod findings;
mod influences;
mod instances;
mod jointless;
mod keys;
mod loose;
mod model_poses;
mod morphs;
mod names;
mod nodes;
mod normals;
mod outside_joints;
mod paths;
mod play;
mod playback_difference;
mod refusals;
mod rules;
mod scene_rules;
mod splines;
mod split_nodes;
mod table;
mod track_rules;
mod tracks;
mod unpredicted;
mod untested;
mod vertex_rules;
mod worst;

pub use findings::validate_for;
pub use play::Played;
pub use playback_difference::PlaybackDifference;
pub use rules::Rules;
pub use scene_rules::*;
pub use table::{BANUBA, GLTF, IQM, OPENUSD, OZZ, RUNTIMES, THE_SIMS, THREE_DS_MAX, UFBX};
pub use track_rules::*;
pub use vertex_rules::*;
pub use worst::{announced, playback_deviation};

use crate::model::Model;

#[cfg(test)]
mod tests;

/// An engine, library or reference that plays files of some formats.
#[derive(Debug)]
pub struct Runtime {
    /// Stable identifier in lower case, as written on the command line.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// The version that the facts are from.
    pub version: &'static str,
    /// Ids of the formats that it opens, and that the rules apply to.
    pub formats: &'static [&'static str],
    /// Ids of other formats that it opens.
    pub unpredicted: &'static [&'static str],
    /// Where the facts are from.
    pub source: &'static str,
    /// Whether the facts were measured, and the known exceptions.
    pub verified: Verified,
    /// The facts.
    pub rules: Rules,
}

/// Whether posed vertices of the runtime itself were compared with the prediction, by `make engines`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verified {
    /// It defines the correct result.
    Reference,
    /// All deviations are exceptions.
    Measured(Measured),
    /// There are other deviations, or exceptions in most files.
    No(Measured),
}

/// The result of a comparison of posed vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Number of files whose vertices are all within 1e-5 of the size of the model.
    pub num_exact: u32,
    /// Number of compared files; 0 if the runtime isn't predicted.
    pub num_files: u32,
    /// Known differences that aren't predicted, as phrases.
    pub exceptions: &'static [&'static str],
}

impl Verified {
    /// Whether the facts were verified.
    pub fn is_verified(self) -> bool {
        !matches!(self, Self::No(_))
    }

    /// The comparison; `None` for references.
    pub fn measured(self) -> Option<Measured> {
        match self {
            Self::Measured(measured) | Self::No(measured) => Some(measured),
            Self::Reference => None,
        }
    }

    /// Known differences that aren't predicted, as phrases.
    pub fn exceptions(self) -> &'static [&'static str] {
        self.measured().map_or(&[], |measured| measured.exceptions)
    }
}

impl PartialEq for Runtime {
    /// Compares identifiers, which are unique.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Runtime {}

impl Runtime {
    /// All runtimes.
    pub fn all() -> &'static [Self] {
        RUNTIMES
    }

    /// The runtime with this identifier.
    pub fn of_id(id: &str) -> Option<&'static Self> {
        RUNTIMES.iter().find(|runtime| runtime.id.eq_ignore_ascii_case(id))
    }

    /// Whether it opens files of a format, and the rules apply to them.
    pub fn opens(&self, format: &str) -> bool {
        self.formats.contains(&format)
    }

    /// Checks that it opens a file of a format.
    ///
    /// # Errors
    /// If it doesn't; the message states why, and names the runtimes that do.
    pub fn check_opens(&self, format: &str, model: &Model) -> Result<(), String> {
        if let Some(why) = self.refusal(model).filter(|_| self.opens(format)) {
            return Err(format!("{} can't open the file: {why}", self.name));
        }
        if self.opens(format) {
            return Ok(());
        }
        let others: Vec<&str> =
            RUNTIMES.iter().filter(|other| other.opens(format)).map(|other| other.id).collect();
        let hint = if others.is_empty() {
            "no runtime for this format is known".to_owned()
        } else {
            format!("runtimes for this format: {}", others.join(", "))
        };
        Err(if self.unpredicted.contains(&format) {
            format!("how {} plays {format} files isn't known; {hint}", self.name)
        } else {
            format!("{} doesn't open {format} files; {hint}", self.name)
        })
    }
}
