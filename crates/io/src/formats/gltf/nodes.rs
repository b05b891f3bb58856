//! Reads nodes as bones, and finds the ones that are shown.
//!
//! The joints of all skins and their ancestors are bones; other nodes stay nodes. A file with
//! neither skins nor meshes is an animation of a skeleton: all of its nodes are bones.

use glam::{Affine3A, Mat4, Quat, Vec3};
use gltf_json::Node;

use super::asset::Asset;
use super::fault::{malformed, nth, over_limit};
use crate::formats::ReadError;
use rigscope_core::model::{
    Bone, BoneId, FindingKind, LocalTransform, Place, Skeleton, SkeletonError, Trs, unit,
};

const FIELD: &str = "nodes";
/// Rotations whose squared length is within this distance of 1 are kept as stored.
const UNIT_TOLERANCE: f32 = 2e-4;

/// All nodes as bones, in file order.
pub(super) fn skeleton(asset: &Asset<'_>, max_bones: u32) -> Result<Skeleton, ReadError> {
    let nodes = &asset.root.nodes;
    if nodes.len() > max_bones as usize {
        let what = format!("{} nodes exceed the {max_bones} allowed", nodes.len());
        return Err(over_limit(FIELD, what));
    }
    let mut bones: Vec<Bone> = nodes.iter().map(bone).collect();
    for (parent, node) in nodes.iter().enumerate() {
        for child in node.children.iter().flatten() {
            let child = child.value();
            let Some(bone) = bones.get_mut(child) else {
                let what = format!("child {child} of node {parent} exceeds {}", nodes.len());
                return Err(malformed(FIELD, what));
            };
            // Section 3.5.2: nodes form strict trees.
            if let Some(other) = bone.parent {
                let what =
                    format!("node {child} is a child of node {} and of node {parent}", other.0);
                return Err(malformed(FIELD, what));
            }
            bone.parent = Some(BoneId::from_index(parent));
        }
    }
    let mut skeleton = Skeleton::new(bones, true).map_err(|error| {
        malformed(
            FIELD,
            match error {
                SkeletonError::Cycle { bone } => format!("node {} is its own ancestor", bone.0),
                other => other.to_string(),
            },
        )
    })?;
    let joints = asset.root.skins.iter().flat_map(|skin| &skin.joints);
    let joints: Vec<_> = joints.map(|joint| BoneId::from_index(joint.value())).collect();
    if !joints.is_empty() || !asset.root.meshes.is_empty() {
        skeleton.set_joints(joints);
    }
    Ok(skeleton)
}

fn bone(node: &Node) -> Bone {
    Bone {
        name: node.name.clone().unwrap_or_default(),
        rest_local: rest_local(node),
        ..Bone::default()
    }
}

fn rest_local(node: &Node) -> LocalTransform {
    if let Some(matrix) = &node.matrix {
        return LocalTransform::Matrix(Affine3A::from_mat4(Mat4::from_cols_array(matrix)));
    }
    let rotation = node
        .rotation
        .map_or(Quat::IDENTITY, |rotation| unit(Quat::from_array(rotation.0), UNIT_TOLERANCE));
    LocalTransform::Trs(Trs {
        translation: node.translation.map_or(Vec3::ZERO, Vec3::from_array),
        rotation,
        scale: node.scale.map_or(Vec3::ONE, Vec3::from_array),
    })
}

/// The rotations of nodes that [`skeleton`] normalizes, as stored.
pub(super) fn raw_rotations(asset: &Asset<'_>) -> Vec<(BoneId, Quat)> {
    let nodes = asset.root.nodes.iter().enumerate().filter(|(_, node)| node.matrix.is_none());
    let stored = nodes.filter_map(|(at, node)| {
        Some((BoneId::from_index(at), Quat::from_array(node.rotation?.0)))
    });
    stored.filter(|(_, rotation)| unit(*rotation, UNIT_TOLERANCE) != *rotation).collect()
}

/// The nodes of the shown scene: the default one, or else the first.
pub(super) struct Shown {
    /// Whether each node belongs to it.
    pub(super) is_shown: Vec<bool>,
    /// Its nodes, each followed by its descendants, in the order of `children`.
    pub(super) depth_first: Vec<BoneId>,
}

/// Finds the nodes of the shown scene.
pub(super) fn shown(asset: &Asset<'_>) -> Result<Shown, ReadError> {
    let root = asset.root;
    let num = root.nodes.len();
    let all = || {
        let depth_first = (0..num).map(BoneId::from_index).collect();
        Shown { is_shown: vec![true; num], depth_first }
    };
    let scene = match (root.scene, root.scenes.first()) {
        (None, None) => return Ok(all()),
        (None, Some(first)) => first,
        (Some(scene), _) => nth(&root.scenes, scene.value(), "scene")?,
    };
    if scene.nodes.is_empty() && num > 0 {
        asset.report.add(
            FindingKind::PartShown,
            Place::File,
            "the scene has no nodes; the nodes of all scenes are shown",
        );
        return Ok(all());
    }
    let mut shown = Shown { is_shown: vec![false; num], depth_first: Vec::new() };
    let mut open: Vec<usize> = scene.nodes.iter().rev().map(|node| node.value()).collect();
    while let Some(at) = open.pop() {
        let node = nth(&root.nodes, at, "node")?;
        if let Some(is_shown) = shown.is_shown.get_mut(at)
            && !std::mem::replace(is_shown, true)
        {
            shown.depth_first.push(BoneId::from_index(at));
            open.extend(node.children.iter().flatten().rev().map(|child| child.value()));
        }
    }
    Ok(shown)
}
