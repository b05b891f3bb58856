//! Facts about a glTF file that don't affect poses here, but those of some runtimes.

use super::BoneId;

/// Facts about a glTF file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredScene {
    /// The extensions without which it can't be shown (`extensionsRequired`).
    pub required_extensions: Vec<String>,
    /// The nodes of the shown scene, each followed by its descendants, in the order of `children`.
    pub depth_first: Vec<BoneId>,
}

/// Facts about a mesh of a glTF file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredMesh {
    /// Its number in the file.
    pub mesh: usize,
    /// The number of its skin in the file.
    pub skin: Option<usize>,
    /// The node of a skinned mesh, whose transform the specification ignores.
    pub node: Option<BoneId>,
    /// The default morph weights that the node overrides (`mesh.weights` of a node with `weights`).
    pub overridden_morph_weights: Option<Vec<f32>>,
    /// The integer that stands for a weight of 1; `None` if weights are floats.
    pub max_integer_weight: Option<u16>,
    /// Whether offsets of morph targets are sparse accessors without base values.
    pub has_sparse_targets: bool,
}
