//! The kinds of facts about runtimes. The `text` of each is a phrase whose subject is the runtime, or empty for the
//! value in [`Rules::EXACT`].

use super::{
    Binding, Culling, Extensions, Faults, FbxCurves, Influencing, Jointless, MatrixNodes,
    MorphOffsets, MorphWeights, NodeRotations, NormalNode, OutsideJoints, Rates, RepeatedKeys,
    Rotations, SparseTargets, Splines, Steps, Unpredicted, Weights,
};
#[cfg(doc)]
use crate::model::NodeTransform;
use crate::model::{AdditiveRotation, ClipBlending, NormalMatrix, RotationBlending};

/// The rules by which a runtime plays a model.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub influences: Influencing,
    /// Files with more joints in a skin are refused.
    pub max_joints: Option<usize>,
    /// Files with more morph targets in a mesh are refused.
    pub refused_morph_targets: Option<usize>,
    /// Files are refused if a mesh has more attributes, counting those of morph targets.
    pub max_attributes: Option<usize>,
    pub binding: Binding,
    pub weights: Weights,
    /// Whether vertices are skinned to a bind pose without scale and shear first, see `bind_poses`.
    pub skins_to_bind_pose: bool,
    /// The most morph targets per mesh. `None` without a limit.
    pub max_morph_targets: Option<usize>,
    pub morph_weights: MorphWeights,
    /// Weights of morph targets up to this count as 0.
    pub least_morph_weight: f32,
    /// Whether splines of morph weights are read as three targets per target.
    pub misreads_spline_weights: bool,
    /// Whether default weights of a node override those of its mesh.
    pub reads_node_weights: bool,
    pub morph_offsets: MorphOffsets,
    /// Morph targets that are sparse accessors without base values.
    pub sparse_targets: SparseTargets,
    /// Whether the scale of a skinned mesh's node is applied, see [`NodeTransform::RigidInverse`].
    pub applies_node_scale: bool,
    pub rotations: Rotations,
    pub fbx_curves: FbxCurves,
    /// Whether skins of FBX files may blend dual quaternions.
    pub blends_dual_quaternions: bool,
    /// Whether morph targets of FBX files have weights without clips.
    pub reads_fbx_weights: bool,
    /// The oldest version of text and binary FBX files that is opened.
    pub oldest_fbx: [u32; 2],
    /// Whether frames are poses in the space of the model, see `model_poses`.
    pub blends_in_model: bool,
    pub splines: Splines,
    pub steps: Steps,
    /// Whether tracks with a single key apply.
    pub reads_single_keys: bool,
    pub rates: Rates,
    /// The frames per second of a clock of single precision, to which times are rounded.
    pub frames_of_single_precision: Option<f64>,
    /// Whether tracks by `KHR_animation_pointer` apply.
    pub reads_pointers: bool,
    /// Whether points and lines are skinned.
    pub skins_loose: bool,
    /// Whether the weights of a node with several primitives also apply to the meshes of its children.
    pub shares_weights_with_children: bool,
    /// Whether a morph target without positions or normals adds those of the mesh, if other targets have them.
    pub adds_missing_offsets: bool,
    /// Whether a node with a skinned mesh becomes two: one for its children, which isn't animated, and one for the mesh
    /// next to the root of its skeleton.
    pub splits_skinned_nodes: bool,
    /// Whether rotations of nodes are used as stored, whatever their length.
    pub node_rotations: NodeRotations,
    /// Whether the last of several entries of a vertex for one joint replaces the others.
    pub replaces_repeated_joints: bool,
    /// Nodes with a matrix.
    pub matrix_nodes: MatrixNodes,
    /// Primitives without joints in the node of a skinned mesh.
    pub jointless: Jointless,
    /// Whether negative weights are used as stored.
    pub uses_negative_weights: bool,
    /// Whether the last of several channels for a property applies, else the first.
    pub last_channel_applies: bool,
    /// Whether keys that are integers are divided by their maximum.
    pub divides_integer_keys: bool,
    /// Tracks with several keys at the same time.
    pub repeated_keys: RepeatedKeys,
    /// Whether keys whose times aren't in order are searched for the first later one, else they are sorted.
    pub searches_unsorted_keys: bool,
    /// Whether splines with a single key have the value of its in-tangent.
    pub single_spline_keys_are_tangents: bool,
    /// Whether instances of `EXT_mesh_gpu_instancing` are drawn; else the mesh is drawn once.
    pub draws_instances: bool,
    /// Whether normals of morph targets count only if all targets of a mesh have them.
    pub morphs_all_normals_or_none: bool,
    /// Joints outside the shown scene.
    pub outside_joints: OutsideJoints,
    /// Files that make the runtime fail.
    pub fails_on: Faults,
    /// Features of files that the runtime plays differently, in ways that aren't predicted.
    pub unpredicted: &'static [Unpredicted],
    /// The matrix applied to normals and tangents.
    pub normals: NormalMatrix,
    /// The node whose transform applies to the normals of skinned meshes, too.
    pub normal_node: NormalNode,
    /// The most sets of UVs per mesh.
    pub max_uv_sets: Option<usize>,
    /// The bounds by which skinned meshes are culled.
    pub culling: Culling,
    pub extensions: Extensions,
    /// How poses of several clips are combined.
    pub clip_blending: ClipBlending,
}

impl Rules {
    /// The rules of the glTF specification, which use everything.
    pub const EXACT: Self = Self {
        influences: Influencing::All,
        max_joints: None,
        refused_morph_targets: None,
        max_attributes: None,
        binding: Binding::ByNode,
        weights: Weights::Specified,
        skins_to_bind_pose: false,
        max_morph_targets: None,
        morph_weights: MorphWeights::AsStored,
        least_morph_weight: 0.0,
        misreads_spline_weights: false,
        reads_node_weights: true,
        morph_offsets: MorphOffsets::AsStored,
        sparse_targets: SparseTargets::Read,
        applies_node_scale: false,
        rotations: Rotations::Slerp,
        fbx_curves: FbxCurves::AsStored,
        blends_dual_quaternions: true,
        reads_fbx_weights: true,
        blends_in_model: false,
        oldest_fbx: [0, 0],
        splines: Splines::Cubic,
        steps: Steps::AtKey,
        reads_single_keys: true,
        rates: Rates::Exact,
        frames_of_single_precision: None,
        reads_pointers: true,
        skins_loose: true,
        shares_weights_with_children: false,
        adds_missing_offsets: false,
        splits_skinned_nodes: false,
        node_rotations: NodeRotations::Normalized,
        replaces_repeated_joints: false,
        matrix_nodes: MatrixNodes::AsStored,
        jointless: Jointless::InNode,
        uses_negative_weights: false,
        last_channel_applies: false,
        divides_integer_keys: true,
        repeated_keys: RepeatedKeys::AsStored,
        searches_unsorted_keys: false,
        single_spline_keys_are_tangents: false,
        draws_instances: true,
        morphs_all_normals_or_none: false,
        outside_joints: OutsideJoints::Played,
        fails_on: Faults::NONE,
        unpredicted: &[],
        normals: NormalMatrix::InverseTranspose,
        normal_node: NormalNode::None,
        max_uv_sets: None,
        culling: Culling::EveryFrame,
        extensions: Extensions::Any,
        clip_blending: ClipBlending {
            rotations: RotationBlending::Spherical,
            additive: AdditiveRotation::InParent,
        },
    };
    /// The rules that differ from [`Self::EXACT`], as phrases whose subject is the runtime.
    pub fn facts(&self) -> Vec<String> {
        let limits = [
            self.influences.text(),
            self.max_morph_targets.map(|max| match max {
                0 => "ignores morph targets".to_owned(),
                _ => format!("reads {max} morph targets"),
            }),
            self.max_joints.map(|max| format!("refuses skins with more than {max} joints")),
            self.refused_morph_targets
                .map(|max| format!("refuses meshes with more than {max} morph targets")),
            self.max_attributes.map(|max| {
                format!(
                    "refuses meshes with more than {max} attributes, with those of morph targets"
                )
            }),
            self.max_uv_sets.map(|max| format!("reads {max} UV sets")),
            self.rates.text(),
            self.extensions.text(),
            match self.oldest_fbx {
                [0, 0] => None,
                [text, binary] => Some(format!(
                    "refuses FBX files before version {text}, or {binary} if they are binary"
                )),
            },
            self.fails_on.text(),
        ];
        let treatments = [
            self.binding.text(),
            self.weights.text(),
            if self.skins_to_bind_pose {
                "drops the scale, shear and mirroring of inverse bind matrices, and makes missing ones from nodes"
            } else {
                ""
            },
            self.morph_weights.text(),
            if self.least_morph_weight > 0.0 { "ignores the smallest morph weights" } else { "" },
            if self.frames_of_single_precision.is_some() {
                "rounds times to frames of single precision"
            } else {
                ""
            },
            if self.misreads_spline_weights { "misreads splines of morph weights" } else { "" },
            if self.reads_node_weights { "" } else { "ignores morph weights of nodes" },
            self.morph_offsets.text(),
            self.rotations.text(),
            self.fbx_curves.text(),
            if self.blends_dual_quaternions { "" } else { "doesn't blend dual quaternions" },
            if self.reads_fbx_weights {
                ""
            } else {
                "ignores weights of morph targets in FBX files"
            },
            if self.blends_in_model {
                "blends frames in the space of the model, and multiplies scales per axis"
            } else {
                ""
            },
            self.splines.text(),
            self.steps.text(),
            if self.reads_single_keys { "" } else { "ignores tracks with a single key" },
            if self.applies_node_scale { "applies the scale of a skinned mesh's node" } else { "" },
            match self.clip_blending.rotations {
                RotationBlending::Spherical => "",
                RotationBlending::Componentwise => {
                    "blends rotations of two clips component by component"
                }
                RotationBlending::Replaced => "replaces clips by the last one instead of blending",
            },
            match self.clip_blending.additive {
                AdditiveRotation::InParent => "",
                AdditiveRotation::InBone => "adds rotations of additive clips in the bone's axes",
            },
            self.sparse_targets.text(),
            self.node_rotations.text(),
            if self.reads_pointers { "" } else { "ignores channels with KHR_animation_pointer" },
            if self.skins_loose { "" } else { "doesn't skin points and lines" },
            if self.shares_weights_with_children {
                "moves the meshes of child nodes by the morph weights of a node with several primitives"
            } else {
                ""
            },
            if self.adds_missing_offsets {
                "adds the positions of the mesh for a morph target without positions"
            } else {
                ""
            },
            if self.splits_skinned_nodes {
                "places skinned meshes next to the root of their skeleton, and drops the transform of their node"
            } else {
                ""
            },
            self.matrix_nodes.text(),
            self.jointless.text(),
            self.outside_joints.text(),
            if self.uses_negative_weights { "uses negative weights" } else { "" },
            if self.last_channel_applies {
                "plays the last of several channels for a property"
            } else {
                ""
            },
            if self.divides_integer_keys { "" } else { "doesn't divide keys stored as integers" },
            self.repeated_keys.text(),
            if self.searches_unsorted_keys {
                "plays keys that aren't in order as stored"
            } else {
                ""
            },
            if self.single_spline_keys_are_tangents {
                "reads the tangent of splines with a single key"
            } else {
                ""
            },
            if self.draws_instances { "" } else { "draws instanced meshes once" },
            if self.morphs_all_normals_or_none {
                "morphs normals only if all targets of a mesh have them"
            } else {
                ""
            },
            if self.replaces_repeated_joints {
                "counts only the last entry of a joint in a vertex"
            } else {
                ""
            },
            match self.normals {
                NormalMatrix::InverseTranspose => "",
                NormalMatrix::Cofactor => "transforms normals by cofactors",
                NormalMatrix::InverseTransposePerBone => {
                    "blends the inverse transposes of bone matrices for normals"
                }
                NormalMatrix::Same => "transforms normals like positions",
                NormalMatrix::SameIfSkinned => {
                    "transforms normals of skinned meshes like positions"
                }
            },
            self.culling.text(),
        ];
        let treatments = treatments.into_iter().filter(|text| !text.is_empty()).map(str::to_owned);
        limits.into_iter().flatten().chain(treatments).collect()
    }
}
