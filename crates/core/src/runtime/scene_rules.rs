//! Kinds of facts about nodes, bounds and whole files. See `rules`.

#[cfg(doc)]
use crate::model::SkinNormals;

/// How a runtime finds the bones and the inverse bind matrices of a skinned mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    ByNode,
    /// Nodes with the same names from the top of the scene on share the motion of the last of them.
    ByPath,
    /// Bones are the first nodes with the name of a joint. Skins with the same joint names have the inverse bind
    /// matrices of the first one, and a mesh has the skin of the last node that shows it. Their matrices are computed
    /// once, for the first node that shows such a mesh.
    ByName,
}

impl Binding {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::ByNode => "",
            Self::ByPath => "moves nodes with the same path of names alike",
            Self::ByName => {
                "finds bones by name, and takes skins with the same joint names for one"
            }
        }
    }
}

/// The node whose transform a runtime applies to the normals of a skinned mesh, after the bones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalNode {
    None,
    /// The node of the mesh; see [`SkinNormals::ThenNode`].
    OfMesh,
    /// The parent of the skeleton's root: if it is scaled unevenly, normals are exact.
    AboveSkeleton,
}

/// Nodes whose transform is a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixNodes {
    AsStored,
    /// Decomposed into translation, rotation and scale, so that shear is lost. With shear, the rotation isn't of unit
    /// length, and is used as it is.
    Decomposed,
    /// The same with normalized rotations.
    DecomposedToUnit,
}

impl MatrixNodes {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::AsStored => "",
            Self::Decomposed | Self::DecomposedToUnit => "drops the shear of node matrices",
        }
    }
}

/// Rotations of nodes whose length isn't 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeRotations {
    /// They are normalized first.
    Normalized,
    /// They scale and shear the node.
    Raw,
    /// They scale the node by the square of their length.
    Homogeneous,
}

impl NodeRotations {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Normalized => "",
            Self::Raw | Self::Homogeneous => "doesn't normalize rotations of nodes",
        }
    }
}

/// Features of files that make a runtime fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faults {
    /// Channels with `KHR_animation_pointer`.
    pub pointer_channels: bool,
    /// Channels without a node.
    pub channels_without_node: bool,
    /// A mesh in nodes with a skin and in nodes without one.
    pub mixed_meshes: bool,
    /// Primitives of a mesh with different numbers of morph targets.
    pub different_targets: bool,
    /// Joints outside the shown scene.
    pub outside_joints: bool,
    /// Splines of morph weights.
    pub spline_weights: bool,
    /// Some primitives of a mesh with morph targets, and others without any.
    pub partial_targets: bool,
    /// Morph targets without positions, if the mesh has no others.
    pub targets_without_positions: bool,
    /// Channels of material factors with `KHR_animation_pointer`.
    pub material_channels: bool,
    /// Channels of nodes whose transform is a matrix.
    pub animated_matrices: bool,
    /// Splines with a single key.
    pub single_spline_keys: bool,
    /// Points, lines, strips and fans.
    pub other_modes: bool,
    /// A second set of vertex colours.
    pub second_colors: bool,
    /// Vertices without weights.
    pub unweighted: bool,
    /// Vertices that list joints beyond their skin, whatever their weight.
    pub unknown_joints: bool,
}

impl Faults {
    /// No feature makes the runtime fail.
    pub const NONE: Self = Self {
        pointer_channels: false,
        channels_without_node: false,
        mixed_meshes: false,
        different_targets: false,
        outside_joints: false,
        spline_weights: false,
        partial_targets: false,
        targets_without_positions: false,
        material_channels: false,
        animated_matrices: false,
        single_spline_keys: false,
        other_modes: false,
        second_colors: false,
        unweighted: false,
        unknown_joints: false,
    };

    pub(super) fn text(self) -> Option<String> {
        let all = [
            (self.pointer_channels, "KHR_animation_pointer"),
            (self.channels_without_node, "channels without a node"),
            (self.mixed_meshes, "a mesh in skinned and unskinned nodes"),
            (self.different_targets, "primitives with different morph targets"),
            (self.outside_joints, "joints outside the scene"),
            (self.spline_weights, "splines of morph weights"),
            (self.partial_targets, "primitives without morph targets next to others"),
            (self.targets_without_positions, "morph targets of normals only"),
            (self.material_channels, "animated materials"),
            (self.animated_matrices, "animated nodes with a matrix"),
            (self.single_spline_keys, "splines with a single key"),
            (self.other_modes, "points, lines, strips and fans"),
            (self.second_colors, "second sets of vertex colours"),
            (self.unweighted, "vertices without weights"),
            (self.unknown_joints, "joints beyond the skin"),
        ];
        let names: Vec<&str> = all.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
        (!names.is_empty()).then(|| format!("refuses, or fails on, {}", names.join(", ")))
    }
}

/// The bounds by which a runtime decides whether a skinned mesh is in the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culling {
    /// They follow the pose, or everything is drawn.
    EveryFrame,
    /// Those of the pose in which the file was loaded. A mesh that moves away from them disappears near the edges of
    /// the view.
    AsLoaded,
    /// As [`Self::AsLoaded`], by a sphere around the centre of the bounds, which follows the node of the mesh.
    SphereAsLoaded,
    /// Those of the stored vertices, transformed by the node of the mesh.
    Stored,
}

impl Culling {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::EveryFrame => "",
            Self::AsLoaded => "culls by the bounds as loaded",
            Self::SphereAsLoaded => "culls by a sphere around the bounds as loaded",
            Self::Stored => "culls by the bounds of stored vertices",
        }
    }
}

/// The required extensions of files that a runtime opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extensions {
    /// It opens files whatever they require.
    Any,
    /// It refuses files that require other extensions.
    Only(&'static [&'static str]),
    /// It refuses files that require these.
    AllBut(&'static [&'static str]),
}

impl Extensions {
    pub(super) fn text(self) -> Option<String> {
        match self {
            Self::Any => None,
            Self::Only(_) => Some("refuses files that require an unknown extension".to_owned()),
            Self::AllBut(names) => {
                Some(format!("refuses files that require {}", names.join(" or ")))
            }
        }
    }

    /// Whether files that require this extension are opened.
    pub fn contains(self, name: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Only(names) => names.contains(&name),
            Self::AllBut(names) => !names.contains(&name),
        }
    }
}

/// Joints outside the scene that shows the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutsideJoints {
    /// They move like others.
    Played,
    /// They stay at rest.
    AtRest,
    /// They stay at rest, without the transform of the nodes above the root of the skeleton, and the mesh is mirrored.
    AtRestInSkeleton,
    /// The node of the mesh takes their place.
    NodeOfMesh,
}

impl OutsideJoints {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Played => "",
            Self::AtRest | Self::AtRestInSkeleton => "leaves joints outside the scene at rest",
            Self::NodeOfMesh => "replaces joints outside the scene by the node of the mesh",
        }
    }
}

/// A feature of files that a runtime plays differently, in ways that aren't predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpredicted {
    /// Key values between other data (`byteStride`).
    InterleavedKeys,
    /// Sparse accessors with base values.
    SparseAccessors,
    /// Keys whose times aren't in order.
    UnsortedKeys,
    /// Animated nodes whose transform is a matrix.
    AnimatedMatrices,
    /// Primitives of a mesh with different numbers of morph targets.
    DifferentTargets,
    /// Morph targets of a mesh without normals.
    MorphsWithoutNormals,
    /// A mesh with morph targets in several nodes.
    SharedMorphs,
    /// Primitives without joints in a skinned node, if no other primitive has any.
    Jointless,
    /// Clips of FBX files with several layers.
    FbxLayers,
    /// Animated nodes of FBX files that are turned or scaled about another point than their origin.
    FbxPivots,
    /// Axes of a property in an FBX file whose keys are at different times.
    FbxAxes,
    /// Curves with tangents in FBX files, if another property of their node has keys at other times.
    FbxProperties,
    /// Rotation keys of FBX files that are half a turn apart, or more.
    FbxWideTurns,
    /// Shapes of FBX files with weights per vertex.
    FbxWeightedShapes,
}

impl Unpredicted {
    /// The effect, as a phrase.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::InterleavedKeys => "key values between other data are misread",
            Self::SparseAccessors => "sparse accessors show only their base values",
            Self::UnsortedKeys => "keys whose times aren't in order are played differently",
            Self::AnimatedMatrices => "animated nodes with a matrix are placed differently",
            Self::DifferentTargets => {
                "primitives of a mesh with different numbers of morph targets are morphed differently"
            }
            Self::MorphsWithoutNormals => {
                "morph targets of meshes without normals move other vertices"
            }
            Self::SharedMorphs => {
                "only one of several nodes with the same morph targets is morphed"
            }
            Self::Jointless => "primitives without joints in a skinned node are placed differently",
            Self::FbxLayers => "only one of several layers of a clip is played",
            Self::FbxPivots => "nodes with a pivot move differently between keys",
            Self::FbxAxes => "axes whose keys are at different times move differently",
            Self::FbxProperties => "properties whose keys are at different times move differently",
            Self::FbxWideTurns => "rotation keys that are half a turn apart are played differently",
            Self::FbxWeightedShapes => "weights of the vertices of morph targets are ignored",
        }
    }
}
