//! Which bones become prims and which joints, and the prims of meshes.
//!
//! Nodes become prims, and bones joints of one skeleton. USD has one timeline, so that nodes which several clips move
//! are joints as well. If the roots of joints belong to different prims, all bones become joints, since a mesh has a
//! single skeleton.

use std::collections::HashMap;

use rigscope_core::model::{
    Bone, BoneId, BoneKind, IdVec, Mesh, MeshId, Model, Motion, Skin, VertexData,
};

/// More prims within one another than this aren't written, because readers have limits.
const MAX_DEPTH: usize = 100;

/// The type of a prim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PrimType {
    SkelRoot,
    Xform,
    Skeleton,
    Mesh,
}

impl PrimType {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::SkelRoot => "SkelRoot",
            Self::Xform => "Xform",
            Self::Skeleton => "Skeleton",
            Self::Mesh => "Mesh",
        }
    }
}

/// A prim with a transform.
#[derive(Clone, Debug)]
pub(super) struct PlannedPrim {
    pub(super) name: String,
    pub(super) kind: PrimType,
    /// Its place in the list; `None` for the root.
    pub(super) parent: Option<usize>,
    /// The bone with its transform; `None` for an added prim.
    pub(super) bone: Option<BoneId>,
    pub(super) mesh: Option<MeshId>,
}

/// The prims and joints of a model.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The root first, parents before children.
    pub(super) prims: Vec<PlannedPrim>,
    /// The place of the skeleton in the list.
    pub(super) skeleton: Option<usize>,
    /// The bones that are joints, parents first.
    pub(super) joints: Vec<BoneId>,
    /// Whether each mesh follows joints.
    pub(super) is_skinned: IdVec<MeshId, bool>,
}

/// Whether a mesh is written: the format stores no empty ones.
pub(super) fn has_vertices(mesh: &Mesh) -> bool {
    match &mesh.vertices {
        VertexData::Streams(streams) => !streams.positions.is_empty(),
        VertexData::Packed(packed) => packed.iter().next().is_some(),
    }
}

impl Layout {
    /// The layout of a model; `stem` is the name of a root that has no bone.
    pub(super) fn of(model: &Model, stem: &str) -> Self {
        let bones = model.skeleton.bones();
        let mut is_prim = nodes(model);
        let mut roots = roots_of_joints(model, &is_prim);
        if roots.len() > 1 || needs_still_space(model, &is_prim, roots.first().copied().flatten()) {
            is_prim = IdVec::filled(false, bones);
            roots = roots_of_joints(model, &is_prim);
        }
        let is_joint = |id: &BoneId| is_prim.get(*id) == Some(&false);
        let joints: Vec<BoneId> =
            model.skeleton.parents_first().iter().copied().filter(is_joint).collect();
        let follows_joints = |mesh: &Mesh| match &mesh.skin {
            Skin::None => {
                !mesh.morph_targets.is_empty() || mesh.attached_to.is_some_and(|id| is_joint(&id))
            }
            Skin::InverseBind(_) | Skin::BoneLocal(_) => true,
        };
        let is_skinned: IdVec<MeshId, bool> =
            model.meshes.iter().map(follows_joints).collect::<Vec<_>>().into();
        let has_skeleton = !joints.is_empty() || is_skinned.iter().any(|own| *own);
        let parent_of_joints = roots.first().copied().flatten();
        let mut planner = Planner {
            model,
            is_prim: &is_prim,
            is_skinned: &is_skinned,
            prims: Vec::new(),
            place: IdVec::filled(None, bones),
        };
        planner.add_root(stem, has_skeleton, !joints.is_empty() && parent_of_joints.is_none());
        planner.add_bones();
        let skeleton = has_skeleton.then(|| planner.add_skeleton(parent_of_joints));
        planner.add_meshes();
        Self { prims: planner.prims, skeleton, joints, is_skinned }
    }

    /// The bones and meshes in the order in which the reader finds them.
    pub(super) fn in_reading_order(&self) -> Vec<&PlannedPrim> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.prims.len()];
        for (at, prim) in self.prims.iter().enumerate() {
            if let Some(list) = prim.parent.and_then(|parent| children.get_mut(parent)) {
                list.push(at);
            }
        }
        let (mut open, mut out) = (vec![0], Vec::new());
        while let Some(at) = open.pop() {
            out.extend(self.prims.get(at));
            open.extend(children.get(at).into_iter().flatten().rev());
        }
        out
    }
}

/// The bones that can be prims: nodes above all joints that no skin uses and at most one clip moves.
fn nodes(model: &Model) -> IdVec<BoneId, bool> {
    let bones = model.skeleton.bones();
    let mut is_prim = IdVec::filled(false, bones);
    let mut is_used = IdVec::filled(false, bones);
    for mesh in &model.meshes {
        let of_skin: &[BoneId] = match &mesh.skin {
            Skin::InverseBind(skin) => &skin.bones,
            Skin::None | Skin::BoneLocal(_) => &[],
        };
        // Blend shapes need a binding.
        let attached = mesh.attached_to.filter(|_| !mesh.morph_targets.is_empty());
        for id in of_skin.iter().chain(&attached) {
            if let Some(used) = is_used.get_mut(*id) {
                *used = true;
            }
        }
    }
    let num_clips = model.clips.iter().filter(|clip| has_tracks(&clip.motion)).count();
    if num_clips > 1 {
        for clip in &model.clips {
            let Motion::Tracks(tracks) = &clip.motion else { continue };
            for track in tracks {
                if let Some(used) = is_used.get_mut(track.bone) {
                    *used = true;
                }
            }
        }
    }
    let mut depth = IdVec::filled(0usize, bones);
    for &id in model.skeleton.parents_first() {
        let Some(bone) = bones.get(id) else { continue };
        let outer = bone.parent.and_then(|parent| depth.get(parent)).copied().unwrap_or_default();
        if let Some(own) = depth.get_mut(id) {
            *own = outer + 1;
        }
        let is_below = bone.parent.is_none_or(|parent| is_prim.get(parent) == Some(&true));
        let own = is_below
            && bone.kind != BoneKind::Bone
            && is_used.get(id) == Some(&false)
            && outer < MAX_DEPTH;
        if let Some(place) = is_prim.get_mut(id) {
            *place = own;
        }
    }
    is_prim
}

/// Whether vertices that don't move in the space of the model would be bound to a skeleton below a node that moves.
fn needs_still_space(
    model: &Model,
    is_prim: &IdVec<BoneId, bool>,
    parent_of_joints: Option<BoneId>,
) -> bool {
    if !model.meshes.iter().any(has_still_vertices) {
        return false;
    }
    let bones = model.skeleton.bones();
    let root = bones
        .iter_enumerated()
        .find(|(id, bone)| bone.parent.is_none() && is_prim.get(*id) == Some(&true));
    let first = parent_of_joints.or(root.map(|(id, _)| id));
    let chain = std::iter::successors(first, |id| bones.get(*id)?.parent);
    let is_moved = |id: BoneId| {
        let rest = bones.get(id).map(|bone| bone.rest_local.to_affine());
        let mut clips = model.clips.iter();
        rest != Some(glam::Affine3A::IDENTITY)
            || clips.any(|clip| match &clip.motion {
                Motion::Tracks(tracks) => tracks.iter().any(|track| track.bone == id),
                Motion::Sampled(_) | Motion::Curves(_) => true,
                Motion::VertexAnimation(_) => false,
            })
    };
    chain.take(bones.len()).any(is_moved)
}

/// Whether a mesh that is bound to joints has vertices without a bone.
pub(super) fn has_still_vertices(mesh: &Mesh) -> bool {
    match &mesh.skin {
        Skin::None => mesh.attached_to.is_none() && !mesh.morph_targets.is_empty(),
        Skin::InverseBind(skin) => (0..mesh.num_vertices())
            .any(|vertex| skin.influences.row(vertex).all(|(_, weight)| weight <= 0.0)),
        Skin::BoneLocal(_) => true,
    }
}

pub(super) fn has_tracks(motion: &Motion) -> bool {
    !matches!(motion, Motion::VertexAnimation(_))
}

/// The different parents of joints that have no joint as a parent.
fn roots_of_joints(model: &Model, is_prim: &IdVec<BoneId, bool>) -> Vec<Option<BoneId>> {
    let mut roots: Vec<Option<BoneId>> = Vec::new();
    for (bone, own) in model.skeleton.bones().iter().zip(is_prim) {
        let is_root = bone.parent.is_none_or(|parent| is_prim.get(parent) == Some(&true));
        if !own && is_root && !roots.contains(&bone.parent) {
            roots.push(bone.parent);
            // More than one rules out nodes in any case.
            if roots.len() > 1 {
                break;
            }
        }
    }
    roots
}

struct Planner<'a> {
    model: &'a Model,
    is_prim: &'a IdVec<BoneId, bool>,
    is_skinned: &'a IdVec<MeshId, bool>,
    prims: Vec<PlannedPrim>,
    /// The prim of each bone.
    place: IdVec<BoneId, Option<usize>>,
}

impl Planner<'_> {
    fn push(&mut self, prim: PlannedPrim) -> usize {
        if let Some(place) = prim.bone.and_then(|bone| self.place.get_mut(bone)) {
            *place = Some(self.prims.len());
        }
        self.prims.push(prim);
        self.prims.len() - 1
    }

    fn bone(&self, id: BoneId) -> Option<&Bone> {
        self.model.skeleton.bones().get(id)
    }

    fn of_bone(&self, id: Option<BoneId>) -> Option<usize> {
        self.place.get(id?).copied().flatten()
    }

    /// Adds the root: the only root node, unless something in the space of the model would be below it.
    fn add_root(&mut self, stem: &str, has_skeleton: bool, has_root_joints: bool) {
        let kind = if has_skeleton { PrimType::SkelRoot } else { PrimType::Xform };
        let bones = self.model.skeleton.bones().iter_enumerated();
        let mut roots = bones.filter(|(_, bone)| bone.parent.is_none()).map(|(id, _)| id);
        let only = roots.next().filter(|_| roots.next().is_none());
        let is_free = |mesh: &Mesh| match &mesh.skin {
            Skin::None => mesh.attached_to.is_none() || mesh.attached_to == only,
            Skin::InverseBind(_) | Skin::BoneLocal(_) => false,
        };
        let reused = only.filter(|id| {
            !has_root_joints
                && self.is_prim.get(*id) == Some(&true)
                && !self.model.meshes.iter().any(is_free)
        });
        let name = reused.and_then(|id| self.bone(id)).map_or(stem, |bone| &bone.name).to_owned();
        self.push(PlannedPrim { name, kind, parent: None, bone: reused, mesh: None });
    }

    /// Adds the other nodes.
    fn add_bones(&mut self) {
        for &id in self.model.skeleton.parents_first() {
            let is_left = self.is_prim.get(id) == Some(&true) && self.of_bone(Some(id)).is_none();
            let Some(bone) = self.bone(id).filter(|_| is_left) else { continue };
            let prim = PlannedPrim {
                name: bone.name.clone(),
                kind: PrimType::Xform,
                parent: Some(self.of_bone(bone.parent).unwrap_or(0)),
                bone: Some(id),
                mesh: None,
            };
            self.push(prim);
        }
    }

    /// The prim of the skeleton: the parent of joints, unless it has another use.
    fn add_skeleton(&mut self, parent: Option<BoneId>) -> usize {
        let place = self.of_bone(parent).unwrap_or(0);
        let has_mesh = |mesh: &Mesh| mesh.attached_to == parent;
        let has_others = self.prims.iter().any(|prim| prim.parent == Some(place))
            || self.model.meshes.iter().any(has_mesh);
        if place != 0 && !has_others {
            if let Some(prim) = self.prims.get_mut(place) {
                prim.kind = PrimType::Skeleton;
            }
            return place;
        }
        self.push(PlannedPrim {
            name: "Skeleton".to_owned(),
            kind: PrimType::Skeleton,
            parent: Some(place),
            bone: None,
            mesh: None,
        })
    }

    fn add_meshes(&mut self) {
        let has_children = {
            let mut list = vec![false; self.prims.len()];
            for parent in self.prims.iter().filter_map(|prim| prim.parent) {
                if let Some(place) = list.get_mut(parent) {
                    *place = true;
                }
            }
            list
        };
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, prim) in self.prims.iter().enumerate().rev() {
            if prim.bone.is_some() && prim.kind == PrimType::Xform {
                by_name.entry(prim.name.clone()).or_default().push(at);
            }
        }
        let mut is_taken = vec![false; self.prims.len()];
        for (id, mesh) in self.model.meshes.iter_enumerated() {
            if !has_vertices(mesh) {
                continue;
            }
            let is_skinned = self.is_skinned.get(id) == Some(&true);
            let attached = self.of_bone(mesh.attached_to.filter(|_| !is_skinned));
            let is_free = |place: usize| {
                let prim = self.prims.get(place);
                prim.is_some_and(|prim| prim.kind == PrimType::Xform)
                    && has_children.get(place) == Some(&false)
                    && is_taken.get(place) == Some(&false)
            };
            let own = match attached {
                Some(place) => Some(place).filter(|place| is_free(*place)),
                // A skinned mesh takes the node that it came from: one with its name.
                None => by_name.get_mut(&mesh.name).filter(|_| is_skinned).and_then(|places| {
                    places.retain(|place| is_free(*place));
                    places.pop()
                }),
            };
            if let Some(place) = own {
                if let Some(prim) = self.prims.get_mut(place) {
                    (prim.kind, prim.mesh) = (PrimType::Mesh, Some(id));
                }
                if let Some(taken) = is_taken.get_mut(place) {
                    *taken = true;
                }
                continue;
            }
            self.prims.push(PlannedPrim {
                name: mesh.name.clone(),
                kind: PrimType::Mesh,
                parent: Some(attached.unwrap_or(0)),
                bone: None,
                mesh: Some(id),
            });
        }
    }
}
