//! Removes bones, clips and empty meshes that a writer added for another format.
//!
//! Not for: recognising them (`model::added_bone`), or adding those that the next format needs.
//!
//! Invariant: every vertex is where it was, in every clip.
#![expect(clippy::indexing_slicing, reason = "ids of a checked model index its own tables")]

use std::borrow::Cow;
use std::sync::Arc;

use glam::{Affine3A, Mat4};

use super::float::{floats, forget_source};
use super::plain::plain;
use crate::model::{
    AddedBone, Avatar, Bone, BoneId, Clip, Curves, DefaultPose, IdVec, InverseBindSkin, LiveCurves,
    Mesh, Model, Motion, PackedKeys, SampledMotion, Skeleton, Skin, added_bones, as_u32,
    constant_local,
};

/// The name of the only clip of a packed model that doesn't move.
pub(crate) const STATIC: &str = "static";

/// `model` without the bones that [`added_bones`] recognises, without a clip that only stores the default pose, and
/// without meshes if they have no vertices. Roots lose their common parent, vertices on bones that don't move lose
/// their weights, and copies of a bone become that bone.
#[must_use]
pub fn without_additions(model: &Model) -> Cow<'_, Model> {
    let is_static = is_only_static(&model.clips) && model.default_pose == DefaultPose::FirstKey;
    let is_empty = model.num_vertices() == 0 && !model.meshes.is_empty();
    if !is_static && !is_empty {
        return without_bones(model);
    }
    let mut less = model.clone();
    if is_static {
        less = plain(&less, None);
        less.clips.as_mut_vec().clear();
    }
    if is_empty {
        less.meshes.as_mut_vec().clear();
        less.clips.iter_mut().for_each(|clip| clip.morph_tracks.clear());
        less.clips.as_mut_vec().retain(|clip| !matches!(clip.motion, Motion::VertexAnimation(_)));
    }
    match without_bones(&less) {
        Cow::Owned(model) => Cow::Owned(model),
        Cow::Borrowed(_) => Cow::Owned(less),
    }
}

/// Whether the only clip is the default pose, as written for models without clips.
fn is_only_static(clips: &[Clip]) -> bool {
    let [clip] = clips else { return false };
    let motion = clip.as_sampled().filter(|_| clip.name == STATIC);
    motion.is_some_and(|motion| {
        motion.keys.num_keys() == 1 && motion.duration_ns == 0 && !motion.is_bind_pair
    })
}

fn without_bones(model: &Model) -> Cow<'_, Model> {
    let added = added_bones(model);
    if added.iter().all(Option::is_none) {
        return Cow::Borrowed(model);
    }
    let map = BoneMap::new(&added);
    let mut out = floats(model);
    forget_source(&mut out);
    let folded = map.folded(model, &added);
    for mesh in &mut out.meshes {
        map.apply_to_mesh(mesh, &folded);
    }
    for clip in &mut out.clips {
        map.apply_to_clip(clip, model);
    }
    if let Some(avatar) = &mut out.avatar {
        map.apply_to_avatar(avatar);
    }
    let order = std::mem::take(&mut out.stored.depth_first);
    out.stored.depth_first = order.into_iter().filter_map(|id| map.get(id)).collect();
    let has_hierarchy = model.skeleton.has_hierarchy();
    // Removed bones have no children, or are roots.
    out.skeleton = Skeleton::new(map.bones(model), has_hierarchy).unwrap_or_default();
    Cow::Owned(out)
}

/// The new numbers of bones.
struct BoneMap {
    new_of: IdVec<BoneId, Option<BoneId>>,
    kept: Arc<[BoneId]>,
}

impl BoneMap {
    fn new(added: &IdVec<BoneId, Option<AddedBone>>) -> Self {
        let mut kept = Vec::new();
        let mut new_of = IdVec::filled(None, added);
        for (id, added) in added.iter_enumerated() {
            if added.is_none() {
                new_of[id] = Some(BoneId::from_index(kept.len()));
                kept.push(id);
            }
        }
        Self { new_of, kept: kept.into() }
    }

    fn get(&self, id: BoneId) -> Option<BoneId> {
        self.new_of.get(id).copied().flatten()
    }

    fn bones(&self, model: &Model) -> Vec<Bone> {
        let bones = model.skeleton.bones();
        let bone = |&id: &BoneId| {
            let bone = bones[id].clone();
            Bone { parent: bone.parent.and_then(|parent| self.get(parent)), ..bone }
        };
        self.kept.iter().map(bone).collect()
    }

    /// For each copy, the bone that it repeats, and its transform to that bone in clips, from which its rest
    /// transform may differ.
    fn folded(
        &self,
        model: &Model,
        added: &IdVec<BoneId, Option<AddedBone>>,
    ) -> IdVec<BoneId, Option<(BoneId, Affine3A)>> {
        let bones = model.skeleton.bones().iter_enumerated();
        let fold = |(id, bone): (BoneId, &Bone)| {
            let parent = self.get(bone.parent.filter(|_| added[id] == Some(AddedBone::Copy))?)?;
            Some((parent, constant_local(model, id)?))
        };
        bones.map(fold).collect()
    }

    fn apply_to_mesh(&self, mesh: &mut Mesh, folded: &IdVec<BoneId, Option<(BoneId, Affine3A)>>) {
        mesh.attached_to = mesh.attached_to.and_then(|bone| self.get(bone));
        if let Some(stored) = &mut mesh.stored {
            stored.node = stored.node.and_then(|node| self.get(node));
        }
        match &mut mesh.skin {
            Skin::None => {}
            Skin::BoneLocal(skin) => {
                for influence in &mut skin.influences {
                    // Bones of such skins are never removed.
                    influence.bone = self.get(influence.bone).unwrap_or(influence.bone);
                }
            }
            Skin::InverseBind(skin) => self.apply_to_skin(skin, folded),
        }
    }

    fn apply_to_skin(
        &self,
        skin: &mut InverseBindSkin,
        folded: &IdVec<BoneId, Option<(BoneId, Affine3A)>>,
    ) {
        let mut slot_of = Vec::with_capacity(skin.bones.len());
        let (mut bones, mut binds) = (Vec::new(), Vec::new());
        for (slot, &bone) in skin.bones.iter().enumerate() {
            let bind = skin.bone_from_mesh.get(slot).copied();
            let new = match folded.get(bone).copied().flatten() {
                Some((of, of_from_copy)) => {
                    Some((of, bind.map(|bind| Mat4::from(of_from_copy) * bind)))
                }
                None => self.get(bone).map(|new| (new, bind)),
            };
            slot_of.push(new.is_some().then(|| as_u32(bones.len())));
            if let Some((bone, bind)) = new {
                bones.push(bone);
                binds.extend(bind);
            }
        }
        let is_shorter = bones.len() < skin.bones.len();
        (skin.bones, skin.bone_from_mesh) = (bones, binds);
        if !is_shorter {
            return;
        }
        skin.influences.map_rows(|_, row| {
            row.retain_mut(|(slot, _)| {
                let new = slot_of.get(*slot as usize).copied().flatten();
                *slot = new.unwrap_or_default();
                new.is_some()
            });
        });
        // Facts about the slots of the file.
        skin.in_first_set.clear();
        skin.unweighted_slots.clear();
    }

    fn apply_to_clip(&self, clip: &mut Clip, model: &Model) {
        for event in &mut clip.events {
            event.bone = event.bone.and_then(|bone| self.get(bone));
        }
        match &mut clip.motion {
            Motion::VertexAnimation(_) => {}
            Motion::Tracks(tracks) => {
                tracks.retain(|track| self.get(track.bone).is_some());
                for track in tracks {
                    track.bone = self.get(track.bone).unwrap_or(track.bone);
                }
            }
            Motion::Sampled(motion) => self.apply_to_keys(motion),
            Motion::Curves(curves) => {
                *curves = LiveCurves(Arc::new(CurvesOfSome {
                    curves: curves.clone(),
                    rest: model.skeleton.rest_locals().clone(),
                    kept: Arc::clone(&self.kept),
                }));
            }
        }
    }

    fn apply_to_keys(&self, motion: &mut SampledMotion) {
        let num_keys = motion.keys.num_keys();
        let mut matrices = Vec::with_capacity(num_keys * self.kept.len());
        for key in 0..num_keys {
            let of_bone = |bone: &BoneId| motion.keys.matrix(key, bone.index());
            matrices.extend(self.kept.iter().map(|bone| of_bone(bone).unwrap_or_default()));
        }
        let num_bones = as_u32(self.kept.len());
        if let Some(keys) = PackedKeys::from_matrices(num_bones, &matrices) {
            motion.keys = keys;
        }
    }

    fn apply_to_avatar(&self, avatar: &mut Avatar) {
        // Bones of avatars are never removed.
        let new = |bone: BoneId| self.get(bone).unwrap_or(bone);
        for (bone, _) in &mut avatar.humanoid {
            *bone = new(*bone);
        }
        avatar.gaze = avatar.gaze.map(new);
        for expression in &mut avatar.expressions {
            expression.driver = expression.driver.map(new);
        }
        for segment in avatar.springs.iter_mut().flat_map(|spring| &mut spring.segments) {
            segment.bone = new(segment.bone);
            segment.tail = segment.tail.map(new);
        }
        for collider in &mut avatar.colliders {
            collider.bone = new(collider.bone);
        }
    }
}

/// The curves of a model with more bones.
#[derive(Debug)]
struct CurvesOfSome {
    curves: LiveCurves,
    /// Of all bones that the curves know.
    rest: IdVec<BoneId, Affine3A>,
    kept: Arc<[BoneId]>,
}

impl Curves for CurvesOfSome {
    fn sample(&self, time_secs: f64, parent_from_bone: &mut IdVec<BoneId, Affine3A>) {
        let mut all = self.rest.clone();
        self.curves.0.sample(time_secs, &mut all);
        for (own, &id) in parent_from_bone.iter_mut().zip(self.kept.iter()) {
            *own = all[id];
        }
    }

    fn sample_morphs(&self, time_secs: f64, weights: &mut [Vec<f32>]) {
        self.curves.0.sample_morphs(time_secs, weights);
    }

    fn frames_per_sec(&self) -> Option<f64> {
        self.curves.0.frames_per_sec()
    }

    fn num_keys(&self) -> u64 {
        self.curves.0.num_keys()
    }

    fn key_times_secs(&self) -> Vec<f64> {
        self.curves.0.key_times_secs()
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::testing::*;
    use crate::model::{COPY_SUFFIX, ROOT_NAME, STILL_NAME};
    use crate::pose::{PoseSpec, skin_model};

    const ALONE: &[(u32, f32)] = &[(0, 1.0)];

    fn names(model: &Model) -> Vec<&str> {
        model.skeleton.bones().iter().map(|bone| bone.name.as_str()).collect()
    }

    fn moves(bone: u32) -> Model {
        let keys = linear([(0.0, Vec3::ZERO), (1.0, Vec3::Y)]);
        let bones = [
            (ROOT_NAME, None, Vec3::ZERO),
            ("a", Some(0), Vec3::X),
            (STILL_NAME, None, Vec3::ZERO),
        ];
        let lists: [&[(u32, f32)]; 3] = [&[(1, 1.0)], &[(1, 1.0)], &[(2, 1.0)]];
        let model = ModelBuilder::new().bones(&bones).triangle().bound(lists);
        model.clip("wave", 1.0).translation(bone, keys).build()
    }

    fn is_posed_as_before(before: &Model, after: &Model) {
        for secs in [0.0, 0.5, 1.0] {
            let spec = PoseSpec::linear(crate::model::ClipId(0), secs);
            let (a, b) = (skin_model(before, &spec), skin_model(after, &spec));
            for (a, b) in a.iter().zip(&b) {
                let mut pairs = a.positions.iter().zip(&b.positions);
                assert!(pairs.all(|(a, b)| a.distance(*b) < 1e-5), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn roots_and_static_bones_that_a_writer_added_are_removed() {
        let before = moves(1);
        let after = without_additions(&before);
        assert_eq!(names(&after), ["a"]);
        assert!(after.skeleton.bones()[BoneId(0)].parent.is_none());
        assert_eq!(tracks(&after.clips[ClipId(0)])[0].bone, BoneId(0));
        is_posed_as_before(&before, &after);
    }

    #[test]
    fn bones_of_such_names_that_move_are_ordinary_bones() {
        assert_eq!(names(&without_additions(&moves(0))), [ROOT_NAME, "a"]);
        assert_eq!(names(&without_additions(&moves(2))), ["a", STILL_NAME]);
        let mut shared = moves(1);
        let lists: [&[(u32, f32)]; 3] = [ALONE, ALONE, &[(1, 0.5), (2, 0.5)]];
        inverse_bind_mut(&mut shared.meshes[MeshId(0)]).influences = Influences::from_lists(lists);
        assert!(names(&without_additions(&shared)).contains(&STILL_NAME));
    }

    #[test]
    fn names_of_earlier_versions_are_recognised_only_after_all_joints() {
        let bones = |names: [&str; 2]| {
            let lists: [&[(u32, f32)]; 3] = [ALONE, ALONE, &[(1, 1.0)]];
            let bones = names.map(|name| (name, None, Vec3::ZERO));
            ModelBuilder::new().bones(&bones).triangle().bound(lists).build()
        };
        assert_eq!(names(&without_additions(&bones(["hips", "unweighted"]))), ["hips"]);
        let first = bones(["unweighted", "hips"]);
        assert_eq!(names(&without_additions(&first)), ["unweighted", "hips"]);
    }

    #[test]
    fn a_copy_of_a_bone_becomes_that_bone() {
        let copy = format!("a{COPY_SUFFIX}");
        let bones = [("a", None, Vec3::ZERO), (&copy, Some(0), Vec3::Z)];
        let binds = [(0, Mat4::IDENTITY), (1, Mat4::from_translation(Vec3::X))];
        let keys = linear([(0.0, Vec3::ZERO), (1.0, Vec3::Y)]);
        let skin = skin(&binds, [ALONE, &[(1, 1.0)], &[(0, 0.5), (1, 0.5)]]);
        let model = ModelBuilder::new().bones(&bones).triangle().skin(skin);
        let before = model.clip("wave", 1.0).translation(0, keys).build();
        let after = without_additions(&before);
        assert_eq!(names(&after), ["a"]);
        assert_eq!(inverse_bind(&after.meshes[MeshId(0)]).bones, [BoneId(0), BoneId(0)]);
        is_posed_as_before(&before, &after);
    }

    #[test]
    fn a_clip_that_only_stores_the_default_pose_is_removed() {
        let up = Affine3A::from_translation(Vec3::Y);
        let mut before = moves(1);
        before.default_pose = DefaultPose::FirstKey;
        let key =
            |space| [sampled(STATIC, space, 0, 3, &[Affine3A::IDENTITY, up, Affine3A::IDENTITY])];
        before.clips = key(crate::model::KeySpace::Local).to_vec().into();
        let after = without_additions(&before);
        assert!(after.clips.is_empty());
        let pose = |model: &Model| skin_model(model, &PoseSpec::default())[0].positions.clone();
        assert_eq!(pose(&before), pose(&after));
        before.clips[ClipId(0)].name = "pose".to_owned();
        assert_eq!(without_additions(&before).clips.len(), 1, "a clip of the user");
    }

    #[test]
    fn sampled_keys_lose_the_columns_of_removed_bones() {
        let mut before = moves(1);
        let up = Affine3A::from_translation(Vec3::Y);
        let key = |a: Affine3A| [Affine3A::IDENTITY, a, Affine3A::IDENTITY];
        let keys = [key(Affine3A::IDENTITY), key(up)].concat();
        before.clips =
            vec![sampled("wave", crate::model::KeySpace::Local, 1_000_000_000, 3, &keys)].into();
        let after = without_additions(&before);
        let motion = after.clips[ClipId(0)].as_sampled().unwrap();
        assert_eq!((motion.keys.num_bones(), motion.keys.num_keys()), (1, 2));
        assert_eq!(motion.keys.matrix(1, 0), Some(up));
    }
}
