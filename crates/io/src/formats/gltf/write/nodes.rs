//! Nodes: one per bone with the bone's number, then additional ones that glTF requires.
//!
//! Additional nodes are: nodes of skinned meshes, and of meshes whose bone already has one; another
//! joint for a bone that one skin binds in two ways; a root above skeletons with several roots,
//! since the joints of a skin must have a common root (section 5.28); and one that never moves.
//! They are reported, and recognised when the file is read ([`rigscope_core::model::AddedBone`]).

use std::collections::HashSet;

use glam::Mat4;
use gltf_json::scene::{Scene, UnitQuaternion};
use gltf_json::{Index, Node};

use super::data::{FileData, index};
use crate::formats::added_bones::{
    SECOND_BIND, WITHOUT_WEIGHTS, report_added_bone, report_added_node,
};
use rigscope_core::model::{
    Bone, BoneId, LocalTransform, Mesh, Model, Motion, ROOT_NAME, Report, STILL_NAME, Skin, Trs,
    copy_name,
};

/// Matrices this close to the product of their translation, rotation and scale, relative to their
/// largest element, are written as matrices.
const MATRIX_TOLERANCE: f32 = 1e-6;

/// Nodes under construction.
pub(super) struct Nodes {
    list: Vec<Node>,
    parents: Vec<Option<usize>>,
    common_root: Option<usize>,
    unmoved: Option<usize>,
}

impl Nodes {
    /// One node per bone. Animated nodes have translation, rotation and scale, as required (section
    /// 3.5.3).
    pub(super) fn of_bones(model: &Model) -> Self {
        let moved = moved_bones(model);
        let bones = model.skeleton.bones();
        let node = |(at, bone): (usize, &Bone)| {
            let is_moved = moved.contains(&BoneId::from_index(at));
            let mut node = transform(bone.rest_local, is_moved);
            node.name = name(&bone.name);
            node
        };
        Self {
            list: bones.iter().enumerate().map(node).collect(),
            parents: bones.iter().map(|b| b.parent.map(BoneId::index)).collect(),
            common_root: None,
            unmoved: None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    fn push(&mut self, called: &str, parent: Option<usize>) -> usize {
        self.parents.push(parent);
        self.list.push(Node { name: name(called), ..Node::default() });
        self.list.len() - 1
    }

    /// A node without a mesh for `mesh`: `wanted` if the mesh is skinned, or the node of its bone,
    /// if that is free; otherwise a new one.
    pub(super) fn mesh_node(
        &mut self,
        mesh: &Mesh,
        wanted: Option<usize>,
        report: &Report,
    ) -> usize {
        let is_skinned = !matches!(mesh.skin, Skin::None);
        let bone = mesh.attached_to.map(BoneId::index).filter(|_| !is_skinned);
        let own = if is_skinned { wanted } else { bone };
        let is_free = |at: &usize| self.list.get(*at).is_some_and(|node| node.mesh.is_none());
        match own.filter(is_free) {
            Some(at) => at,
            None => {
                report_added_node(&mesh.name, report);
                self.push(&mesh.name, bone.filter(|&at| at < self.list.len()))
            }
        }
    }

    /// Assigns a mesh and its skin to a node.
    pub(super) fn set_mesh(&mut self, node: usize, mesh: usize, skin: Option<usize>) {
        if let Some(node) = self.list.get_mut(node) {
            node.mesh = Some(index(mesh));
            node.skin = skin.map(index);
        }
    }

    /// Adds a joint at the place of node `of`.
    pub(super) fn duplicate_joint(&mut self, of: usize, report: &Report) -> usize {
        let called = self.list.get(of).and_then(|node| node.name.clone());
        let name = copy_name(&called.unwrap_or_default());
        report_added_bone(&name, SECOND_BIND, report);
        self.push(&name, Some(of))
    }

    /// A node that never moves, created on first use.
    pub(super) fn unmoved(&mut self, report: &Report) -> usize {
        let at = match self.unmoved {
            Some(at) => at,
            None => {
                report_added_bone(STILL_NAME, WITHOUT_WEIGHTS, report);
                self.push(STILL_NAME, None)
            }
        };
        self.unmoved = Some(at);
        at
    }

    /// Gives `joints` a common root.
    pub(super) fn add_common_root(&mut self, joints: &[usize], report: &Report) {
        let roots: HashSet<usize> = joints.iter().map(|&joint| self.root_of(joint)).collect();
        if roots.len() < 2 {
            return;
        }
        let above = match self.common_root {
            Some(at) => at,
            None => {
                report_added_bone(
                    ROOT_NAME,
                    "as the common parent of the joints of a skin",
                    report,
                );
                self.push(ROOT_NAME, None)
            }
        };
        self.common_root = Some(above);
        for root in roots.into_iter().filter(|&root| root != above) {
            if let Some(parent) = self.parents.get_mut(root) {
                *parent = Some(above);
            }
        }
    }

    fn root_of(&self, mut at: usize) -> usize {
        // Bones have no cycles.
        while let Some(Some(parent)) = self.parents.get(at) {
            at = *parent;
        }
        at
    }

    /// Stores all nodes and a scene that contains them.
    pub(super) fn finish(mut self, data: &mut FileData) {
        let mut children: Vec<Vec<Index<Node>>> = vec![Vec::new(); self.list.len()];
        let mut roots = Vec::new();
        for (at, parent) in self.parents.iter().enumerate() {
            match parent.and_then(|parent| children.get_mut(parent)) {
                Some(list) => list.push(index(at)),
                None => roots.push(index(at)),
            }
        }
        for (node, children) in self.list.iter_mut().zip(children) {
            node.children = (!children.is_empty()).then_some(children);
        }
        if !roots.is_empty() {
            data.root.scene = Some(Index::new(0));
            data.root.scenes = vec![Scene {
                extensions: None,
                extras: Default::default(),
                name: None,
                nodes: roots,
            }];
        }
        data.root.nodes = self.list;
    }
}

/// `None` for an empty name.
pub(super) fn name(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// The bones that clips animate.
fn moved_bones(model: &Model) -> HashSet<BoneId> {
    let tracks = model.clips.iter().filter_map(|clip| match &clip.motion {
        Motion::Tracks(tracks) => Some(tracks),
        _ => None,
    });
    let mut moved: HashSet<_> = tracks.flatten().map(|track| track.bone).collect();
    // Clips without bone tracks get a constant track for the first bone.
    moved.insert(BoneId(0));
    moved
}

fn transform(rest: LocalTransform, is_moved: bool) -> Node {
    let trs = rest.to_trs();
    if let LocalTransform::Matrix(matrix) = rest
        && !is_moved
    {
        let largest = |list: [f32; 12]| list.iter().fold(0.0f32, |a, b| a.max(b.abs()));
        let stored = matrix.to_cols_array();
        let rebuilt = trs.to_affine().to_cols_array();
        let off: [f32; 12] = std::array::from_fn(|at| {
            let of = |list: &[f32; 12]| list.get(at).copied().unwrap_or_default();
            of(&stored) - of(&rebuilt)
        });
        let is_shear_free = largest(off) <= MATRIX_TOLERANCE * largest(stored).max(1.0);
        if is_shear_free && matrix != glam::Affine3A::IDENTITY {
            return Node { matrix: Some(Mat4::from(matrix).to_cols_array()), ..Node::default() };
        }
    }
    let Trs { translation, rotation, scale } = trs;
    // Axis lengths may overflow even if their elements don't, and JSON has no infinity.
    let finite = |v: glam::Vec3, otherwise| if v.is_finite() { v } else { otherwise };
    let translation = finite(translation, glam::Vec3::ZERO);
    let scale = finite(scale, glam::Vec3::ONE);
    let is_moved_away = translation != glam::Vec3::ZERO;
    let is_rotated = rotation != glam::Quat::IDENTITY;
    Node {
        translation: is_moved_away.then(|| translation.to_array()),
        rotation: is_rotated.then(|| UnitQuaternion(unit(rotation).to_array())),
        scale: (scale != glam::Vec3::ONE).then(|| scale.to_array()),
        ..Node::default()
    }
}

/// A rotation of unit length: unchanged if its length is 1 within the rounding of text with few
/// decimals, since a change would affect the motion between two such keys.
pub(super) fn unit(rotation: glam::Quat) -> glam::Quat {
    /// Of the squared length; Khronos' validator allows ten times as much.
    const ROUNDING: f32 = 1e-3;
    rigscope_core::model::unit(rotation, ROUNDING)
}
