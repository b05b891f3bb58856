//! Bones that writers add because a format needs them, and how they are recognised in files.
//!
//! For: conversions, which remove them before another format is written, so that a round trip adds
//! nothing; readers, which mark them as helpers. Not for: adding them, which writers do.
//!
//! | added | name | recognised by |
//! |---|---|---|
//! | parent of several roots | [`ROOT_NAME`] | identity, never moves, no vertices |
//! | bone of vertices without weights | [`STILL_NAME`] | identity, never moves, no children, only such vertices |
//! | second bind of a bone | name of the bone and [`COPY_SUFFIX`] | child of that bone, never moves relative to it |
//! | node of a skinned mesh (glTF) | name of the mesh | it has no other purpose |
//!
//! Versions up to 0.3 used names that a user's bone may have (`EARLIER_NAMES`). These are only
//! recognised after all bones that they could be mistaken for.
//!
//! Invariant: without a recognised bone, every vertex is where it was.

use glam::{Affine3A, Quat, Vec3};

use super::{
    BoneId, BoneKind, BoneTrack, Detail, IdVec, KeySpace, Model, Motion, Skin, Track, Trs,
};

/// The common parent of several roots.
pub const ROOT_NAME: &str = "_rigscope_root";
/// A bone that doesn't move, for vertices without weights.
pub const STILL_NAME: &str = "_rigscope_still";
/// End of the name of a bone that repeats its parent, because meshes bind that in different poses.
pub const COPY_SUFFIX: &str = "_rigscope_copy";

/// Names that earlier versions gave to bones that don't move.
const EARLIER_STILL_NAMES: [&str; 3] = ["unmoved", "unweighted", "still"];
/// The name that earlier versions gave to the common root in glTF files.
const EARLIER_ROOT_NAME: &str = "root";
/// Elements of matrices that differ less are equal: keys may be quantized.
const TOLERANCE: f32 = 1e-4;
/// Number of times at which curves are examined.
const NUM_MOMENTS: u32 = 5;

/// The reason why a writer added a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddedBone {
    /// Joints need a common root.
    Root,
    /// Vertices need a weight.
    Still,
    /// A bone has a single bind pose, and meshes bind it in several. It is a child of that bone.
    Copy,
    /// A skinned mesh needs a node.
    MeshNode,
}

/// The name of a bone that repeats the bone `name`.
pub fn copy_name(name: &str) -> String {
    format!("{name}{COPY_SUFFIX}")
}

/// The bones of `model` that a writer added, or that don't belong to its skeleton for the same
/// reason.
#[must_use]
pub fn added_bones(model: &Model) -> IdVec<BoneId, Option<AddedBone>> {
    let mut added = IdVec::filled(None, model.skeleton.bones());
    let finder = Finder::new(model);
    for &id in model.skeleton.parents_first() {
        if finder.is_root(id) {
            added[id] = Some(AddedBone::Root);
        } else if finder.is_still_bone(id, &added) {
            added[id] = Some(AddedBone::Still);
        } else if finder.is_copy(id) {
            added[id] = Some(AddedBone::Copy);
        }
    }
    for node in model.meshes.iter().filter_map(|mesh| mesh.stored.as_ref()?.node) {
        if finder.is_only_for_mesh(node) {
            added[node] = Some(AddedBone::MeshNode);
        }
    }
    added
}

/// Marks bones that a writer added as helpers, so that lists and counts are those of the original.
pub fn mark_added_bones(model: &mut Model) {
    for (id, added) in added_bones(model).iter_enumerated() {
        if added.is_some_and(|added| added != AddedBone::MeshNode) {
            model.skeleton.set_kind(id, BoneKind::Helper);
        }
    }
}

struct Finder<'a> {
    model: &'a Model,
    has_children: IdVec<BoneId, bool>,
    is_written_by_us: bool,
}

impl<'a> Finder<'a> {
    fn new(model: &'a Model) -> Self {
        let mut has_children = IdVec::filled(false, model.skeleton.bones());
        for parent in model.skeleton.bones().iter().filter_map(|bone| bone.parent) {
            has_children[parent] = true;
        }
        let is_written_by_us = model.details.iter().any(|(name, detail)| {
            let generator = if let Detail::Text(text) = detail { text.as_str() } else { "" };
            *name == "generator" && generator.starts_with("Rigscope ")
        });
        Self { model, has_children, is_written_by_us }
    }

    fn name(&self, id: BoneId) -> &'a str {
        self.model.skeleton.bones().get(id).map_or("", |bone| &bone.name)
    }

    fn is_root(&self, id: BoneId) -> bool {
        let is_named = self.name(id) == ROOT_NAME
            || self.is_written_by_us
                && self.name(id) == EARLIER_ROOT_NAME
                && self.is_after_children(id);
        let bone = self.model.skeleton.bones().get(id);
        is_named
            && bone.is_some_and(|bone| bone.parent.is_none())
            && self.is_identity(id)
            && !self.is_used_otherwise(id)
            && self.never_moves(id)
            && !self.moves_vertices(id)
    }

    /// Roots were added after all bones of the model; in other files they precede their children.
    fn is_after_children(&self, id: BoneId) -> bool {
        let mut bones = self.model.skeleton.bones().iter_enumerated();
        self.has_children[id] && bones.all(|(child, bone)| bone.parent != Some(id) || child < id)
    }

    fn is_still_bone(&self, id: BoneId, added: &IdVec<BoneId, Option<AddedBone>>) -> bool {
        let is_named = self.name(id) == STILL_NAME
            || EARLIER_STILL_NAMES.contains(&self.name(id)) && self.is_last_joint(id);
        if !is_named || self.has_children[id] {
            return false;
        }
        let bone = self.model.skeleton.bones().get(id);
        let parent = bone.and_then(|bone| bone.parent);
        parent.is_none_or(|parent| added[parent] == Some(AddedBone::Root))
            && self.is_identity(id)
            && !self.is_used_otherwise(id)
            && self.never_moves(id)
            && self.moves_only_its_own(id)
    }

    /// Whether no joint of a skin follows.
    fn is_last_joint(&self, id: BoneId) -> bool {
        let joints = self.model.meshes.iter().filter_map(|mesh| match &mesh.skin {
            Skin::InverseBind(skin) => skin.bones.iter().max(),
            Skin::None | Skin::BoneLocal(_) => None,
        });
        self.is_in_skin(id) && joints.max().is_some_and(|last| *last == id)
    }

    fn is_copy(&self, id: BoneId) -> bool {
        let Some(bone) = self.model.skeleton.bones().get(id) else { return false };
        // A format in which names are unique appends a number.
        let name = bone.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
        let Some(of) = name.strip_suffix(COPY_SUFFIX) else { return false };
        bone.parent.is_some_and(|parent| self.name(parent) == of)
            && !self.has_children[id]
            && !self.is_used_otherwise(id)
            && constant_local(self.model, id).is_some()
    }

    /// Whether a node carries a skinned mesh, which isn't affected by its transform, and nothing
    /// else.
    fn is_only_for_mesh(&self, id: BoneId) -> bool {
        let bone = self.model.skeleton.bones().get(id);
        bone.is_some_and(|bone| bone.kind == BoneKind::Node)
            && !self.has_children[id]
            && !self.is_in_skin(id)
            && !self.is_used_otherwise(id)
            && self.never_moves(id)
    }

    fn is_identity(&self, id: BoneId) -> bool {
        let rest = self.model.skeleton.rest_locals().get(id);
        rest.is_some_and(|rest| is_same(rest, &Affine3A::IDENTITY))
    }

    /// Whether anything but a skin with inverse binds refers to the bone.
    fn is_used_otherwise(&self, id: BoneId) -> bool {
        let model = self.model;
        let by_mesh = model.meshes.iter().any(|mesh| {
            let is_in_bone_space = match &mesh.skin {
                Skin::BoneLocal(skin) => skin.influences.iter().any(|own| own.bone == id),
                Skin::None | Skin::InverseBind(_) => false,
            };
            mesh.attached_to == Some(id) || is_in_bone_space
        });
        by_mesh
            || model.avatar.as_ref().is_some_and(|avatar| avatar.uses(id))
            || model.clips.iter().flat_map(|clip| &clip.events).any(|event| event.bone == Some(id))
    }

    fn is_in_skin(&self, id: BoneId) -> bool {
        self.model.meshes.iter().any(|mesh| match &mesh.skin {
            Skin::InverseBind(skin) => skin.bones.contains(&id),
            Skin::None | Skin::BoneLocal(_) => false,
        })
    }

    fn moves_vertices(&self, id: BoneId) -> bool {
        // In some formats the skin lists all bones.
        self.is_in_skin(id)
            && self.model.meshes.iter().any(|mesh| {
                (0..mesh.num_vertices()).any(|vertex| {
                    let mut moves = false;
                    mesh.for_each_influence(vertex, |bone, weight| {
                        moves |= bone == id && weight > 0.0;
                    });
                    moves
                })
            })
    }

    /// Whether every vertex that follows the bone follows only this one, from the space of the model.
    fn moves_only_its_own(&self, id: BoneId) -> bool {
        self.model.meshes.iter().all(|mesh| {
            let Skin::InverseBind(skin) = &mesh.skin else { return true };
            if !skin.bones.contains(&id) {
                return true;
            }
            let mut binds = skin.bones.iter().zip(&skin.bone_from_mesh);
            let is_bound_here = binds.all(|(bone, bind)| {
                *bone != id || is_same(&Affine3A::from_mat4(*bind), &Affine3A::IDENTITY)
            });
            let is_alone = |vertex: usize| {
                let (mut own, mut others) = (false, false);
                mesh.for_each_influence(vertex, |bone, weight| {
                    own |= bone == id && weight > 0.0;
                    others |= bone != id && weight > 0.0;
                });
                !(own && others)
            };
            is_bound_here && (0..mesh.num_vertices()).all(is_alone)
        })
    }

    /// Whether the bone keeps its rest transform in all clips.
    fn never_moves(&self, id: BoneId) -> bool {
        let rest = self.model.skeleton.rest_locals().get(id);
        let constant = constant_local(self.model, id);
        rest.zip(constant).is_some_and(|(rest, constant)| is_same(&constant, rest))
    }
}

/// The transform of a bone to its parent, if it is the same at all times of all clips; at rest without
/// clips.
#[must_use]
pub fn constant_local(model: &Model, id: BoneId) -> Option<Affine3A> {
    let rest = *model.skeleton.rest_locals().get(id)?;
    let mut known: Option<Affine3A> = None;
    let mut is_known = |matrix: Affine3A| is_same(&matrix, known.get_or_insert(matrix));
    let is_constant = model.clips.iter().all(|clip| match &clip.motion {
        Motion::VertexAnimation(_) => true,
        Motion::Tracks(tracks) => match tracks.iter().find(|track| track.bone == id) {
            Some(track) => constant_track(track, model, id).is_some_and(&mut is_known),
            None => is_known(rest),
        },
        Motion::Sampled(motion) => {
            let keys = 0..motion.keys.num_keys();
            let mut keys = keys.filter_map(|key| motion.keys.matrix(key, id.index()));
            motion.space == KeySpace::Local && keys.all(&mut is_known)
        }
        Motion::Curves(curves) => (0..NUM_MOMENTS).all(|moment| {
            let share = f64::from(moment) / f64::from(NUM_MOMENTS - 1);
            let mut pose = model.skeleton.rest_locals().clone();
            curves.0.sample(clip.start_secs + share * clip.duration_secs, &mut pose);
            pose.get(id).copied().is_some_and(&mut is_known)
        }),
    });
    is_constant.then(|| known.unwrap_or(rest))
}

/// The transform that all keys of a track give.
fn constant_track(track: &BoneTrack, model: &Model, id: BoneId) -> Option<Affine3A> {
    let rest = model.skeleton.bones().get(id)?.rest_local.to_trs();
    let near = |a: Vec3, b: Vec3| a.abs_diff_eq(b, TOLERANCE * b.abs().max_element().max(1.0));
    let turned = |a: Quat, b: Quat| a.abs_diff_eq(b, TOLERANCE) || a.abs_diff_eq(-b, TOLERANCE);
    let trs = Trs {
        translation: constant(&track.translation, rest.translation, near)?,
        rotation: constant(&track.rotation, rest.rotation, turned)?,
        scale: constant(&track.scale, rest.scale, near)?,
    };
    Some(trs.to_affine())
}

fn constant<T: Copy>(
    track: &Option<Track<T>>,
    rest: T,
    is_same: impl Fn(T, T) -> bool,
) -> Option<T> {
    let Some(track) = track else { return Some(rest) };
    let (first, step) = track.key_layout();
    let mut values = track.values.iter().skip(first).step_by(step).copied();
    let first = values.next().unwrap_or(rest);
    values.all(|value| is_same(value, first)).then_some(first)
}

fn is_same(a: &Affine3A, b: &Affine3A) -> bool {
    let size = b.to_cols_array().iter().fold(1.0f32, |most, x| most.max(x.abs()));
    a.abs_diff_eq(*b, TOLERANCE * size)
}
