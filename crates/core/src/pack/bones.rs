//! The packed bones: pairs of a bone and an inverse bind matrix.
//!
//! Two meshes that bind one bone differently give two packed bones, never an average. If a rigid
//! transform of a mesh's vertices makes all its binds equal to known ones, the mesh is transformed
//! instead, so that a character with several meshes has each bone once.

use std::collections::HashMap;

use glam::{Affine3A, Mat4};

use crate::model::{BoneId, Clip, KeySpace, Mesh, Model, Skin, as_u32};
use crate::pose::Pose;

/// Inverse bind matrices whose entries differ by more than this fraction are different.
const SAME_BIND: f32 = 1e-5;

/// A bone with one of its inverse bind matrices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    /// `None` for a bone that doesn't move.
    pub(super) bone: Option<BoneId>,
    /// In source space.
    pub(super) bone_from_mesh: Affine3A,
}

/// How a mesh is bound.
pub(super) struct Bound {
    /// Pair of each slot; `None` for unused slots. Has one slot more than the skin, for vertices
    /// without weights.
    pub(super) pair_of_slot: Vec<Option<u32>>,
    /// Transform of the mesh's vertices to the space in which the pairs are bound.
    pub(super) placed: Option<Affine3A>,
}

/// All pairs that vertices refer to.
#[derive(Default)]
pub(super) struct Pairs {
    list: Vec<Pair>,
    of_bone: HashMap<Option<BoneId>, Vec<u32>>,
}

impl Pairs {
    pub(super) fn list(&self) -> &[Pair] {
        &self.list
    }

    /// Binds all meshes, skinned ones first, because attached ones can reuse their binds.
    pub(super) fn bind(&mut self, model: &Model, default_pose: &Pose) -> Vec<Bound> {
        // Baked keys contain the binds of the meshes as they are.
        let is_finished = |clip: &Clip| {
            let motion = clip.as_sampled();
            motion.is_some_and(|motion| motion.space == KeySpace::Skin)
        };
        let may_place =
            default_pose.model_from_mesh.is_none() && !model.clips.iter().any(is_finished);
        let mut bound: Vec<Option<Bound>> = model.meshes.iter().map(|_| None).collect();
        for skinned in [true, false] {
            for (mesh, out) in model.meshes.iter().zip(&mut bound) {
                if matches!(mesh.skin, Skin::None) != skinned {
                    *out = Some(self.bind_mesh(mesh, default_pose, may_place));
                }
            }
        }
        bound.into_iter().flatten().collect()
    }

    fn bind_mesh(&mut self, mesh: &Mesh, default_pose: &Pose, may_place: bool) -> Bound {
        let slots = slots(mesh, default_pose);
        let used = used_slots(mesh, slots.len());
        let of_use = slots.iter().zip(&used).filter(|(_, used)| **used);
        let placed = self.placement(of_use.map(|(slot, _)| slot));
        let placed = placed.filter(|_| may_place);
        let mesh_from_placed = placed.map(|placed| placed.inverse());
        let pair_of_slot = slots.iter().zip(&used).map(|(&(bone, bind), &is_used)| {
            let bind = mesh_from_placed.map_or(bind, |back| bind * back);
            is_used.then(|| self.number(bone, bind))
        });
        Bound { pair_of_slot: pair_of_slot.collect(), placed }
    }

    fn known(&self, bone: Option<BoneId>, bind: &Affine3A) -> Option<u32> {
        let pairs = self.of_bone.get(&bone)?;
        let is_same = |&&pair: &&u32| {
            let known = self.list.get(pair as usize);
            known.is_some_and(|known| is_same(&known.bone_from_mesh, bind))
        };
        pairs.iter().find(is_same).copied()
    }

    fn number(&mut self, bone: Option<BoneId>, bone_from_mesh: Affine3A) -> u32 {
        if let Some(known) = self.known(bone, &bone_from_mesh) {
            return known;
        }
        let number = as_u32(self.list.len());
        self.list.push(Pair { bone, bone_from_mesh });
        self.of_bone.entry(bone).or_default().push(number);
        number
    }

    /// The transform of vertices that makes the binds of known bones equal to the known ones;
    /// `None` if it doesn't exist or isn't needed.
    fn placement<'a>(
        &self,
        slots: impl Iterator<Item = &'a (Option<BoneId>, Affine3A)> + Clone,
    ) -> Option<Affine3A> {
        let shared = slots.filter(|(bone, _)| bone.is_some() && self.of_bone.contains_key(bone));
        let differing = shared.clone().find(|(bone, bind)| self.known(*bone, bind).is_none());
        let (bone, bind) = differing?;
        let known = self.list.get(*self.of_bone.get(bone)?.first()? as usize)?;
        let placed = known.bone_from_mesh.inverse() * *bind;
        let back = placed.inverse();
        let is_sound = placed.is_finite()
            && back.is_finite()
            && is_same(&(placed * back), &Affine3A::IDENTITY);
        let mut all = shared;
        let fits = is_sound && all.all(|(bone, bind)| self.known(*bone, &(*bind * back)).is_some());
        fits.then_some(placed)
    }
}

fn is_same(a: &Affine3A, b: &Affine3A) -> bool {
    let entries = a.to_cols_array();
    let largest = entries.iter().fold(1.0f32, |most, x| most.max(x.abs()));
    a.abs_diff_eq(*b, SAME_BIND * largest)
}

/// Bone and inverse bind of each slot, followed by one slot that doesn't move.
fn slots(mesh: &Mesh, default_pose: &Pose) -> Vec<(Option<BoneId>, Affine3A)> {
    let mut slots: Vec<_> = match &mesh.skin {
        Skin::None => vec![(mesh.attached_to, Affine3A::IDENTITY)],
        Skin::InverseBind(skin) => {
            let bind = |slot| skin.bone_from_mesh.get(slot).copied().unwrap_or(Mat4::IDENTITY);
            let bones = skin.bones.iter().enumerate();
            bones.map(|(slot, &bone)| (Some(bone), Affine3A::from_mat4(bind(slot)))).collect()
        }
        // Positions are those of the default pose, so bones are bound in that pose.
        Skin::BoneLocal(_) => default_pose
            .model_from_bone
            .iter_enumerated()
            .map(|(bone, model_from_bone)| {
                let inverse = model_from_bone.inverse();
                let bind = if inverse.is_finite() { inverse } else { Affine3A::IDENTITY };
                (Some(bone), bind)
            })
            .collect(),
    };
    slots.push((None, Affine3A::IDENTITY));
    slots
}

/// Calls `visit` with the slot and weight of each positive influence of a vertex; a vertex without
/// influences uses the last slot.
pub(super) fn for_each_slot(
    mesh: &Mesh,
    num_slots: usize,
    vertex: usize,
    mut visit: impl FnMut(usize, f32),
) {
    let mut any = false;
    let mut own = |slot: usize, weight: f32| {
        if weight > 0.0 && slot + 1 < num_slots {
            any = true;
            visit(slot, weight);
        }
    };
    match &mesh.skin {
        Skin::None => own(0, 1.0),
        Skin::InverseBind(skin) => {
            mesh.for_each_slot(skin, vertex, |slot, weight| own(slot as usize, weight));
        }
        Skin::BoneLocal(_) => {
            mesh.for_each_influence(vertex, |bone, weight| own(bone.index(), weight));
        }
    }
    if !any {
        visit(num_slots.saturating_sub(1), 1.0);
    }
}

fn used_slots(mesh: &Mesh, num_slots: usize) -> Vec<bool> {
    let mut used = vec![false; num_slots];
    if matches!(mesh.skin, Skin::None) {
        // All vertices are alike.
        if let Some(first) = used.first_mut() {
            *first = true;
        }
        return used;
    }
    for vertex in 0..mesh.num_vertices() {
        for_each_slot(mesh, num_slots, vertex, |slot, _| {
            if let Some(flag) = used.get_mut(slot) {
                *flag = true;
            }
        });
    }
    used
}
