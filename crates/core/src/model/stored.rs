//! Facts about a glTF or FBX file that don't affect poses here, but those of some runtimes.

use glam::{Affine3A, Quat};

use super::{BoneId, BoneTrack, ClipId, MeshId};

/// Facts about a glTF or FBX file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredScene {
    /// The extensions without which it can't be shown (`extensionsRequired`).
    pub required_extensions: Vec<String>,
    /// All extensions that it uses (`extensionsUsed`).
    pub used_extensions: Vec<String>,
    /// The nodes of the shown scene, each followed by its descendants, in the order of `children`.
    pub depth_first: Vec<BoneId>,
    /// The tracks whose channels name their property by `KHR_animation_pointer`, which some runtimes ignore.
    pub pointer_tracks: Vec<StoredTrack>,
    /// The tracks whose values are integers, and the integer that stands for 1.
    pub integer_tracks: Vec<(StoredTrack, u16)>,
    /// The tracks of channels for a property that an earlier channel of the clip animates, too.
    pub repeated_tracks: Vec<(ClipId, BoneTrack)>,
    /// The tracks whose times aren't in order, as stored; `model::check` sorts them.
    pub unsorted_tracks: Vec<(ClipId, BoneTrack)>,
    /// Whether a channel has `KHR_animation_pointer`, also for a property that isn't a track here.
    pub has_pointer_channels: bool,
    /// Whether values of keys are between other data (`byteStride`).
    pub has_interleaved_keys: bool,
    /// Whether vertex attributes, morph targets or keys are sparse accessors with base values.
    pub has_sparse_accessors: bool,
    /// Whether a channel has no node.
    pub has_channels_without_node: bool,
    /// The rotations of nodes whose length isn't 1, as stored.
    pub raw_rotations: Vec<(BoneId, Quat)>,
    /// Facts about an FBX file; `None` for others.
    pub fbx: Option<Box<StoredFbx>>,
}

/// Facts about an FBX file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredFbx {
    /// The version of the format, such as 7400.
    pub version: u32,
    /// Whether it is the text variant of the format.
    pub is_text: bool,
    /// Whether some nodes inherit the scale of their parents in another way than by matrices (`RrSs` or `Rrs`).
    pub has_other_inheritance: bool,
    /// Whether shapes have weights per vertex.
    pub has_weighted_shapes: bool,
    /// The keys of each clip.
    pub clips: Vec<FbxClip>,
}

/// The keys of a clip in an FBX file.
#[derive(Clone, Debug, PartialEq)]
pub struct FbxClip {
    /// The clip.
    pub clip: ClipId,
    /// Whether it has several layers.
    pub has_layers: bool,
    /// The animated nodes.
    pub nodes: Vec<FbxNode>,
    /// The animated morph targets.
    pub weights: Vec<FbxWeight>,
}

/// The keys of a node in an FBX file.
#[derive(Clone, Debug, PartialEq)]
pub struct FbxNode {
    /// The node.
    pub bone: BoneId,
    /// Whether it is a joint, else an object.
    pub is_joint: bool,
    /// Whether it is turned or scaled about another point than its origin.
    pub has_pivot: bool,
    /// The keys of its translation.
    pub translation: FbxKeys,
    /// The keys of its rotation.
    pub rotation: FbxKeys,
    /// The keys of its scale.
    pub scale: FbxKeys,
}

/// The keys of a property in an FBX file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FbxKeys {
    /// The times of all axes, ascending.
    pub times_secs: Vec<f64>,
    /// Whether the keys of an axis have different values.
    pub is_moving: bool,
    /// Whether each axis whose values differ has a key at each time.
    pub is_even: bool,
    /// Whether all axes are linear between keys.
    pub is_linear: bool,
    /// The largest difference of consecutive values of an axis, in the unit of the file.
    pub largest_step: f64,
}

/// The keys of a morph target in an FBX file.
#[derive(Clone, Debug, PartialEq)]
pub struct FbxWeight {
    /// The mesh.
    pub mesh: MeshId,
    /// The index of the morph target in the mesh.
    pub target: usize,
    /// The keys.
    pub keys: FbxKeys,
}

/// A track of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredTrack {
    /// Its clip.
    pub clip: ClipId,
    /// The animated node.
    pub node: BoneId,
    /// The animated property of the node.
    pub property: NodeProperty,
}

/// A property of a node that clips animate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeProperty {
    /// See [`BoneTrack::translation`](super::BoneTrack::translation).
    Translation,
    /// See [`BoneTrack::rotation`](super::BoneTrack::rotation).
    Rotation,
    /// See [`BoneTrack::scale`](super::BoneTrack::scale).
    Scale,
    /// The weights of all morph targets of the node's meshes.
    MorphWeights,
}

/// Facts about a mesh of a glTF file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredMesh {
    /// Its number in the file.
    pub mesh: usize,
    /// How many primitives the mesh has in the file; several meshes of the model can come from one.
    pub num_primitives: usize,
    /// The number of its skin in the file.
    pub skin: Option<usize>,
    /// The node of a skinned mesh, whose transform the specification ignores.
    pub node: Option<BoneId>,
    /// The node that its skin names as the root of the skeleton (`skin.skeleton`).
    pub skeleton_root: Option<BoneId>,
    /// Whether its skin has inverse bind matrices.
    pub has_inverse_binds: bool,
    /// The default morph weights that the node overrides (`mesh.weights` of a node with `weights`).
    pub overridden_morph_weights: Option<Vec<f32>>,
    /// The integer that stands for a weight of 1; `None` if weights are floats.
    pub max_integer_weight: Option<u16>,
    /// Whether offsets of morph targets are sparse accessors without base values.
    pub has_sparse_targets: bool,
    /// Whether primitives of the mesh have different numbers of morph targets, not counting those without any.
    pub has_different_targets: bool,
    /// Whether only some primitives of the mesh have morph targets.
    pub has_partial_targets: bool,
    /// Whether a primitive consists of points, lines, triangle strips or fans.
    pub has_other_modes: bool,
    /// Number of vertex colour sets.
    pub num_color_sets: usize,
    /// Which morph targets have positions, and which have normals.
    pub targets: Vec<StoredTarget>,
    /// Whether the primitive has joints and weights.
    pub has_joints: bool,
    /// Whether the mesh is shown by nodes with a skin and by nodes without one.
    pub is_mixed: bool,
    /// Number of instances of `EXT_mesh_gpu_instancing`, and the transform of the first; `None` without the extension.
    pub instances: Option<(usize, Affine3A)>,
}

/// Attributes of a morph target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredTarget {
    /// Whether it has offsets of positions.
    pub has_positions: bool,
    /// Whether it has offsets of normals.
    pub has_normals: bool,
}
