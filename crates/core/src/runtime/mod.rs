//! Runtimes: the engines that play files, and how each plays a model.
//!
//! A [`Runtime`] is a row of facts. [`Runtime::play`] changes a copy of the model so that Rigscope shows
//! it as the runtime does, and lists the differences from the format's specification.
//!
//! | file | contents |
//! |---|---|
//! | `rules` | the kinds of facts, and their texts |
//! | `table` | the runtimes |
//! | `play` | the model as a runtime plays it |
//! | `culling` | bounds by which a runtime culls meshes outside the view |
//! | `playback_difference` | one difference from the format's specification |
//! | `attributes` | morph targets, UVs and normals |
//! | `influences` | influences that a runtime reads, and its normalization of weights |
//! | `names` | bones found by name, and skins taken for one another |
//! | `keys` | interpolation and sampling of keys |
//! | `splines` | tracks with tangents |
//! | `curves` | clips that runtimes evaluate in ways that tracks can't store |
//! | `findings` | differences as findings of `validate --for` |
//! | `worst` | the deviations of vertices, and the largest |
//!
//! To add a runtime, add a row to `table`, and a program to `engines` that verifies it. To add a kind of fact, add a
//! field with its text to `rules`, and apply it in the file for that part of the model.
//!
//! Invariant: the reference runtimes change nothing.

mod attributes;
mod culling;
mod curves;
mod findings;
mod influences;
mod keys;
mod names;
mod play;
mod playback_difference;
mod rules;
mod splines;
mod table;
mod worst;

pub use findings::validate_for;
pub use play::Played;
pub use playback_difference::PlaybackDifference;
pub use rules::*;
pub use table::{BANUBA, GLTF, IQM, OZZ, RUNTIMES, THE_SIMS, THREE_DS_MAX, UFBX};
pub use worst::playback_deviation;

use crate::model::{Mesh, Model, MorphShape, Skin, VertexData};

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
    /// Number of compared files.
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

    /// The reason why it refuses a file whose format it opens, as a clause.
    pub fn refusal(&self, model: &Model) -> Option<String> {
        let names = &model.stored.required_extensions;
        if let Some(name) = names.iter().find(|name| !self.rules.extensions.contains(name)) {
            return Some(format!("it requires the extension {name}, which isn't supported"));
        }
        let joints = model.meshes.iter().map(|mesh| match &mesh.skin {
            Skin::InverseBind(skin) => skin.bones.len(),
            _ => 0,
        });
        let num_joints = joints.max().unwrap_or_default();
        if let Some(max) = self.rules.max_joints.filter(|max| num_joints > *max) {
            return Some(format!(
                "a skin has {num_joints} joints, and at most {max} are supported"
            ));
        }
        let num_attributes = model.meshes.iter().map(num_attributes).max().unwrap_or_default();
        if let Some(max) = self.rules.max_attributes.filter(|max| num_attributes > *max) {
            return Some(format!(
                "a mesh has {num_attributes} attributes with those of its morph targets, and at most {max} are supported"
            ));
        }
        let is_sparse =
            |mesh: &Mesh| mesh.stored.as_ref().is_some_and(|own| own.has_sparse_targets);
        let refuses = self.rules.sparse_targets == SparseTargets::Refused;
        (refuses && model.meshes.iter().any(is_sparse)).then(|| {
            "its morph targets are sparse accessors without base values, which aren't supported"
                .to_owned()
        })
    }
}

/// The number of stored vertex attributes of a mesh with morph targets, each of which has its own.
fn num_attributes(mesh: &Mesh) -> usize {
    let VertexData::Streams(streams) = &mesh.vertices else { return 0 };
    let num_influences = match &mesh.skin {
        Skin::InverseBind(skin) if skin.in_first_set.is_empty() => 2,
        Skin::InverseBind(_) => 4,
        _ => 0,
    };
    let has =
        [!streams.normals.is_empty(), !streams.tangents.is_empty(), !streams.colors.is_empty()];
    let of_shape = |shape: &MorphShape| 1 + usize::from(!shape.normal_offsets.is_empty());
    let shapes = mesh.morph_targets.iter().flat_map(|target| &target.shapes);
    let num_others = 1 + has.map(usize::from).iter().sum::<usize>() + streams.uv_sets.len();
    num_others + num_influences + shapes.map(of_shape).sum::<usize>()
}
