//! Nodes as bones. Limb nodes, the nodes of skin clusters and the ancestors of both are bones;
//! cameras, lights and nodes that the library adds are helpers; all others stay nodes.

use ufbx::{ElementType, Matrix, Node, Scene};

use super::math;
use crate::formats::{Failure, ReadError, ReadOptions};
use rigscope_core::model::{Bone, BoneId, BoneKind, LocalTransform, Place, Skeleton};

/// Maps nodes to bones.
pub(super) struct NodeBones {
    bone_of_node: Vec<Option<BoneId>>,
}

impl NodeBones {
    /// The bone of a node; `None` for a root that was left out.
    pub(super) fn of(&self, node: &Node) -> Option<BoneId> {
        let id = node.element.typed_id as usize;
        self.bone_of_node.get(id).copied().flatten()
    }
}

/// All nodes as bones, parents before children, since the library sorts them by depth.
///
/// The scene's root is left out if it is the identity and nothing is attached to it.
pub(super) fn skeleton(
    format: &'static str,
    scene: &Scene,
    options: &ReadOptions,
) -> Result<(Skeleton, NodeBones), ReadError> {
    let failure = |what: String| Box::new(Failure::new(format, "nodes", Place::File, what));
    let (num, max) = (scene.nodes.count, options.limits.max_bones);
    if num > max as usize {
        let what = format!("number of nodes {num} exceeds the {max} allowed");
        return Err(ReadError::Limit(failure(what)));
    }
    let keeps_root = needs_root(scene);
    let mut bones = Vec::with_capacity(num);
    let mut map = NodeBones { bone_of_node: vec![None; num] };
    let belongs = parts_of_model(scene);
    for (at, node) in scene.nodes.iter().enumerate() {
        if node.is_root && !keeps_root {
            continue;
        }
        if let Some(slot) = map.bone_of_node.get_mut(at) {
            *slot = Some(BoneId::from_index(bones.len()));
        }
        bones.push(Bone {
            name: node.element.name.to_string(),
            parent: node.parent.as_ref().and_then(|parent| map.of(parent)),
            rest_local: LocalTransform::Trs(math::trs(&node.local_transform)),
            kind: if is_helper(node) || !belongs.get(at).copied().unwrap_or(true) {
                BoneKind::Helper
            } else {
                BoneKind::Bone
            },
            ..Bone::default()
        });
    }
    let mut skeleton = Skeleton::new(bones, true)
        .map_err(|error| ReadError::Malformed(failure(error.to_string())))?;
    let joints: Vec<BoneId> = joints(scene).filter_map(|node| map.of(node)).collect();
    // An animation without limb nodes may consist of nulls: then all nodes are bones.
    if !joints.is_empty() || scene.meshes.count > 0 {
        skeleton.set_joints(joints);
    }
    Ok((skeleton, map))
}

/// The nodes that the file marks as bones: limb nodes, and those of skin clusters.
fn joints(scene: &Scene) -> impl Iterator<Item = &Node> {
    let limbs = scene.nodes.iter().map(|node| &**node);
    let limbs = limbs.filter(|node| node.attrib_type == ElementType::Bone);
    let clusters = scene.skin_clusters.iter();
    limbs.chain(clusters.filter_map(|cluster| cluster.bone_node.as_deref()))
}

/// Whether each node is part of the model: bones, their ancestors and descendants, and nodes with
/// meshes. Other nodes (camera targets, for example) aren't. If the file marks no bones, every node
/// may be one.
fn parts_of_model(scene: &Scene) -> Vec<bool> {
    let is_bone = |node: &Node| node.attrib_type == ElementType::Bone;
    let mut parts = vec![false; scene.nodes.count];
    if !scene.nodes.iter().any(|node| is_bone(node)) {
        return vec![true; scene.nodes.count];
    }
    let at = |node: &Node| node.element.typed_id as usize;
    let in_skins = scene.skin_clusters.iter().filter_map(|cluster| cluster.bone_node.as_ref());
    for node in in_skins {
        if let Some(part) = parts.get_mut(at(node)) {
            *part = true;
        }
    }
    // Parents precede children.
    for node in &scene.nodes {
        let parent = node.parent.as_ref();
        let hangs_on_bone = parent.is_some_and(|parent| {
            !parent.is_root && parts.get(at(parent)).copied().unwrap_or(false)
        });
        if let Some(part) = parts.get_mut(at(node)) {
            *part |= is_bone(node) || node.mesh.is_some() || hangs_on_bone;
        }
    }
    let mut nodes: Vec<&Node> = scene.nodes.iter().map(|node| &**node).collect();
    nodes.reverse();
    for node in nodes {
        let carries = parts.get(at(node)).copied().unwrap_or(false);
        if let Some(parent) = node.parent.as_ref().filter(|_| carries)
            && let Some(part) = parts.get_mut(at(parent))
        {
            *part = true;
        }
    }
    parts
}

/// Whether a node only passes on a transform, or isn't part of the model itself (like cameras and
/// lights).
fn is_helper(node: &Node) -> bool {
    let is_stage = matches!(
        node.attrib_type,
        ElementType::Camera
            | ElementType::CameraSwitcher
            | ElementType::StereoCamera
            | ElementType::Light
    );
    node.is_root
        || node.is_scale_helper
        || node.is_geometry_transform_helper
        || (is_stage && node.children.count == 0)
}

fn needs_root(scene: &Scene) -> bool {
    let root = &scene.root_node;
    let is_cluster =
        |cluster: &ufbx::SkinCluster| cluster.bone_node.as_ref().is_some_and(|node| node.is_root);
    root.attrib.is_some()
        || !is_identity(&root.node_to_parent)
        || scene.skin_clusters.into_iter().any(is_cluster)
}

fn is_identity(m: &Matrix) -> bool {
    math::affine(m).abs_diff_eq(glam::Affine3A::IDENTITY, 1e-9)
}
