//! Nodes: one a bone with the bone's number, then those that only glTF needs.
//!
//! Those are: nodes of skinned meshes, and of meshes whose bone carries one already; a joint more
//! for a bone that one skin binds in two ways; a root above skeletons of several roots, as joints
//! of a skin must have one in common (section 5.28); and one that never moves.

use std::collections::HashSet;

use glam::Mat4;
use gltf_json::scene::{Scene, UnitQuaternion};
use gltf_json::{Index, Node};

use super::data::{Data, index};
use rigscope_core::model::{Bone, BoneId, LocalTransform, Mesh, Model, Motion, Skin, Trs};

/// A matrix this near to its three parts, as a part of its largest number, is written as it is.
const MATRIX_TOLERANCE: f32 = 1e-6;

/// Nodes being made.
pub(super) struct Nodes {
    list: Vec<Node>,
    parents: Vec<Option<usize>>,
    common_root: Option<usize>,
    unmoved: Option<usize>,
}

impl Nodes {
    /// One node a bone. Those that some clip moves have three parts, as they must (section 3.5.3).
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

    /// A free node for `mesh`: `wanted` where it is one and the mesh has a skin, the node of its
    /// bone, else a new one.
    pub(super) fn carrier(&mut self, mesh: &Mesh, wanted: Option<usize>) -> usize {
        let is_skinned = !matches!(mesh.skin, Skin::None);
        let bone = mesh.attached_to.map(BoneId::index).filter(|_| !is_skinned);
        let own = if is_skinned { wanted } else { bone };
        let is_free = |at: &usize| self.list.get(*at).is_some_and(|node| node.mesh.is_none());
        match own.filter(is_free) {
            Some(at) => at,
            None => self.push(&mesh.name, bone.filter(|&at| at < self.list.len())),
        }
    }

    /// Puts a mesh, and the skin that moves it, on a node.
    pub(super) fn set_mesh(&mut self, node: usize, mesh: usize, skin: Option<usize>) {
        if let Some(node) = self.list.get_mut(node) {
            node.mesh = Some(index(mesh));
            node.skin = skin.map(index);
        }
    }

    /// One more joint that is where node `of` is.
    pub(super) fn twin(&mut self, of: usize) -> usize {
        let called = self.list.get(of).and_then(|node| node.name.clone());
        self.push(&called.unwrap_or_default(), Some(of))
    }

    /// A node that never moves.
    pub(super) fn unmoved(&mut self) -> usize {
        let at = match self.unmoved {
            Some(at) => at,
            None => self.push("unmoved", None),
        };
        self.unmoved = Some(at);
        at
    }

    /// Brings all of `joints` below one root.
    pub(super) fn join(&mut self, joints: &[usize]) {
        let roots: HashSet<usize> = joints.iter().map(|&joint| self.root_of(joint)).collect();
        if roots.len() < 2 {
            return;
        }
        let above = match self.common_root {
            Some(at) => at,
            None => self.push("root", None),
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

    /// All nodes and the scene that shows them.
    pub(super) fn finish(mut self, data: &mut Data) {
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

/// A name, where there is one.
pub(super) fn name(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// The bones that some clip moves.
fn moved_bones(model: &Model) -> HashSet<BoneId> {
    let tracks = model.clips.iter().filter_map(|clip| match &clip.motion {
        Motion::Tracks(tracks) => Some(tracks),
        _ => None,
    });
    let mut moved: HashSet<_> = tracks.flatten().map(|track| track.bone).collect();
    // Clips that move no bone hold the first one still.
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
    // Lengths of axes may overflow where their entries do not, and JSON has no infinity.
    let finite = |v: glam::Vec3, otherwise| if v.is_finite() { v } else { otherwise };
    let translation = finite(translation, glam::Vec3::ZERO);
    let scale = finite(scale, glam::Vec3::ONE);
    let is_moved_away = translation != glam::Vec3::ZERO;
    let is_turned = rotation != glam::Quat::IDENTITY;
    Node {
        translation: is_moved_away.then(|| translation.to_array()),
        rotation: is_turned.then(|| UnitQuaternion(unit(rotation).to_array())),
        scale: (scale != glam::Vec3::ONE).then(|| scale.to_array()),
        ..Node::default()
    }
}

/// A rotation of unit length: as it is where it has that already, as far as text of few decimals
/// can say; a change would move what lies between two such keys.
pub(super) fn unit(rotation: glam::Quat) -> glam::Quat {
    /// Of the squared length; Khronos' validator allows ten times as much.
    const ROUNDING: f32 = 1e-3;
    rigscope_core::model::unit(rotation, ROUNDING)
}
