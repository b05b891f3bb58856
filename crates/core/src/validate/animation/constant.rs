//! Finds constant data: whole clips, single keys, single bones.
//!
//! Stored keys are compared bit by bit: a key that was written twice is identical, and a slow motion isn't.
//! Tangents count: a cubic curve moves between equal keys if its tangents aren't flat. Sampled curves are
//! compared with a tolerance.

use glam::Affine3A;
use rayon::prelude::*;

use super::{WHAT, is_bind_pair};
use crate::model::{
    Bone, BoneId, BoneKind, BoneNoun, Cancelled, Clip, ClipId, FindingKind, IdVec,
    KEY_STRIDE_BYTES, Model, Motion, Place, Report, SampledMotion, Skin, Track, as_u32, counted,
    findings, singular_or_plural,
};
use crate::pose::{PoseSpec, sample};
use crate::validate::moments::{Moments, Posed};
use crate::validate::worst::spread;

findings! {
    pub(super) FINDINGS:
    ConstantClip, "constant-clip", Info, Animation,
        "a clip has several keys, but nothing moves",
        "the model stays still while the clip plays, and the extra keys cost memory",
        "check the exported action and frame range (Blender FBX: NLA Strips, All Actions; Maya: Bake Animation), or store one key",
        "nothing moves in clip \"idle\" at clips[0]";
    RepeatedKeys, "repeated-keys", Info, Animation,
        "a key is equal to the previous one for every bone",
        "none if the pose should pause; if a frame was written twice, the motion stutters",
        "no action needed if the pose should pause; if not, check that no frame was written twice",
        "4 keys of clip \"walk\" equal the previous key; the first is key 12 at clips[0]";
    ConstantBone, "constant-bone", Info, Animation,
        "all keys of a bone are equal in a clip that moves other bones",
        "costs memory, looks the same",
        "no action needed; formats that store keys per bone need at most two (Blender glTF: Optimize Animation Size)",
        "2 bones that move in other clips are still in clip \"walk\"; the first is hand_l at clips[1].keys[0].bones[6]";
    BoneNeverMoves, "bone-never-moves", Info, Animation,
        "no clip moves a bone relative to its parent",
        "none; the bone only follows its parent, and costs animation time",
        "no action needed for attachment points; for other bones, remove them or check that their curves were exported",
        "3 of 22 bones don't move in any clip; the first is hand_l_end at bones[16]";
}

/// Curves are computed, not stored: differences below this fraction of a matrix's largest entry are rounding
/// errors.
const ROUNDING: f32 = 1e-5;

/// The most keys of live curves to examine per clip: about a second for a hundred bones.
const MAX_KEYS: usize = 512;

/// The moving parts of a clip.
struct Moves {
    /// Whether the clip has several keys, and so could move.
    has_keys: bool,
    /// A flag per bone would take more memory than the file if many clips move few bones.
    bones: Vec<BoneId>,
    /// Anything else: morph targets, vertices of a vertex animation.
    others: bool,
    /// Number of keys that equal the previous one in every bone, and the first such key.
    repeated: (u64, usize),
}

/// Reports [`FindingKind::ConstantClip`], [`FindingKind::RepeatedKeys`], [`FindingKind::ConstantBone`] and
/// [`FindingKind::BoneNeverMoves`].
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let mut ever_moves = IdVec::filled(false, model.skeleton.bones());
    let mut clips = Vec::new();
    let moments = Moments::of(model, Posed::Vertices);
    let of_clips: Vec<Moves> = (model.clips.par_iter().enumerate())
        .map(|(index, clip)| {
            report.progress(WHAT, 0.1)?;
            Ok(moves(model, &moments, index, clip))
        })
        .collect::<Result<_, Cancelled>>()?;
    for (index, moves) in of_clips.into_iter().enumerate() {
        for &bone in &moves.bones {
            ever_moves[bone] = true;
        }
        clips.push((index, moves));
    }
    clips.retain(|(_, moves)| moves.has_keys);
    let moves_anything = |moves: &Moves| moves.others || !moves.bones.is_empty();
    let (moving, constant): (Vec<_>, Vec<_>) =
        clips.iter().partition(|(_, moves)| moves_anything(moves));
    if let Some((first, _)) = constant.first() {
        let place = Place::Clip(as_u32(*first));
        report.add_many(FindingKind::ConstantClip, place, constant.len() as u64, || {
            format!("nothing moves in clip {:?}", model.clips[ClipId::from_index(*first)].name)
        });
    }
    repeated(model, &moving, report);
    constant_bones(model, &moving, &ever_moves, report);
    let has_bone_motion = moving.iter().any(|(_, moves)| !moves.bones.is_empty());
    if has_bone_motion {
        never(model, &ever_moves, report);
    }
    Ok(())
}

/// Reports keys that equal the previous one, at the clip with most of them.
fn repeated(model: &Model, clips: &[&(usize, Moves)], report: &Report) {
    let count = clips.iter().map(|(_, moves)| moves.repeated.0).sum();
    let most = clips.iter().max_by_key(|(_, moves)| moves.repeated.0);
    if let Some((index, moves)) = most {
        let (num, first) = moves.repeated;
        let place = Place::Clip(as_u32(*index));
        report.add_many(FindingKind::RepeatedKeys, place, count, || {
            let name = &model.clips[ClipId::from_index(*index)].name;
            let (keys, equal) = (counted(num, "key"), singular_or_plural(num, "equals", "equal"));
            format!("{keys} of clip {name:?} {equal} the previous key; the first is key {first}")
        });
    }
}

/// Reports bones that are constant in one clip and move in another.
fn constant_bones(
    model: &Model,
    clips: &[&(usize, Moves)],
    ever: &IdVec<BoneId, bool>,
    report: &Report,
) {
    let still = |moves: &Moves| -> Vec<BoneId> {
        let mut is_still = ever.clone();
        for &bone in &moves.bones {
            is_still[bone] = false;
        }
        is_still.ids().filter(|&bone| is_still[bone]).collect()
    };
    // Tracks need no more than a key at each end for a constant bone: some runtimes ignore a single key.
    let stored = clips.iter().filter(|(index, _)| {
        let motion = &model.clips[ClipId::from_index(*index)].motion;
        matches!(motion, Motion::Sampled(_) | Motion::Tracks(_))
    });
    let found: Vec<_> = stored
        .map(|(index, moves)| {
            let mut bones = still(moves);
            if let Motion::Tracks(tracks) = &model.clips[ClipId::from_index(*index)].motion {
                let mut has_keys = IdVec::filled(false, model.skeleton.bones());
                for track in tracks {
                    has_keys[track.bone] |= track.times().any(|times| times.len() > 2);
                }
                bones.retain(|&bone| has_keys[bone]);
            }
            (*index, bones)
        })
        .collect();
    let count: usize = found.iter().map(|(_, bones)| bones.len()).sum();
    let most = found.iter().max_by_key(|(_, bones)| bones.len());
    if let Some((index, bones)) = most
        && let Some(&first) = bones.first()
    {
        let place = Place::Key { clip: as_u32(*index), key: 0, bone: first.0 };
        report.add_many(FindingKind::ConstantBone, place, count as u64, || {
            let clip = &model.clips[ClipId::from_index(*index)].name;
            let bone = model.skeleton.display_name(first);
            let num = bones.len() as u64;
            let (bones, verb, are) = (
                counted(num, "bone"),
                singular_or_plural(num, "moves", "move"),
                singular_or_plural(num, "is", "are"),
            );
            format!("{bones} that {verb} in other clips {are} still in clip {clip:?}; the first is {bone}")
        });
    }
}

/// Reports bones that don't move in any clip.
fn never(model: &Model, ever_moves: &IdVec<BoneId, bool>, report: &Report) {
    let is_above = above_joints(model);
    // Nodes of a scene with a skeleton aren't meant to move, and neither is the node of an armature.
    let is_counted = |id: BoneId, bone: &Bone| match model.bone_noun() {
        BoneNoun::Bone => bone.kind == BoneKind::Bone && !is_above[id],
        BoneNoun::Node => !bone.is_helper(),
    };
    let bones = model.skeleton.bones().iter_enumerated();
    let bones: Vec<_> = bones.filter(|(id, bone)| is_counted(*id, bone)).collect();
    let num_bones = bones.len();
    let mut still = bones.into_iter().filter(|(id, _)| !ever_moves[*id]);
    if let Some((first, _)) = still.next() {
        let count = 1 + still.count() as u64;
        report.add_many(FindingKind::BoneNeverMoves, Place::Bone(first.0), count, || {
            let name = model.skeleton.display_name(first);
            let bones = model.bone_noun().many();
            let dont = singular_or_plural(count, "doesn't", "don't");
            format!("{count} of {num_bones} {bones} {dont} move in any clip; the first is {name}")
        });
    }
}

/// Which bones are above all joints that move vertices, without moving any themselves: armatures and groups
/// of a scene.
fn above_joints(model: &Model) -> IdVec<BoneId, bool> {
    let mut is_joint = IdVec::filled(false, model.skeleton.bones());
    for mesh in &model.meshes {
        let joints: &[BoneId] = match &mesh.skin {
            Skin::InverseBind(skin) => &skin.bones,
            Skin::None | Skin::BoneLocal(_) => &[],
        };
        for &joint in joints {
            is_joint[joint] = true;
        }
    }
    if !is_joint.contains(&true) {
        return is_joint;
    }
    // Bones below a joint count as joints.
    for &bone in model.skeleton.parents_first() {
        let parent = model.skeleton.bones()[bone].parent;
        is_joint[bone] |= parent.is_some_and(|parent| is_joint[parent]);
    }
    is_joint.iter().map(|is_joint| !is_joint).collect()
}

fn moves(model: &Model, moments: &Moments<'_>, index: usize, clip: &Clip) -> Moves {
    let mut is_moving = IdVec::filled(false, model.skeleton.bones());
    let mut moves = Moves {
        has_keys: false,
        bones: Vec::new(),
        others: clip.morph_tracks.iter().any(|track| track.weights.varies())
            || clip.material_tracks.iter().any(|track| track.values.varies()),
        repeated: (0, 0),
    };
    match &clip.motion {
        motion if is_bind_pair(motion) => {}
        Motion::Sampled(motion) => sampled(motion, &mut moves, &mut is_moving),
        Motion::Tracks(tracks) => {
            let has_several = |times: &[f64]| times.len() > 1;
            for track in tracks {
                moves.has_keys |= track.times().any(has_several);
                is_moving[track.bone] |= track.translation.as_ref().is_some_and(Track::varies)
                    || track.rotation.as_ref().is_some_and(Track::varies)
                    || track.scale.as_ref().is_some_and(Track::varies);
            }
        }
        Motion::Curves(_) => curves(model, moments, index, clip, &mut moves, &mut is_moving),
        Motion::VertexAnimation(cache) => {
            moves.has_keys = cache.times_secs.len() > 1;
            // A vertex animation exists because vertices move; comparing all of them would take too long.
            moves.others = true;
        }
    }
    moves.has_keys |= moves.others;
    moves.bones = is_moving.ids().filter(|&bone| is_moving[bone]).collect();
    moves
}

fn sampled(motion: &SampledMotion, moves: &mut Moves, is_moving: &mut IdVec<BoneId, bool>) {
    let num_bones = is_moving.len();
    let (records, _) = motion.keys.bytes().as_chunks::<KEY_STRIDE_BYTES>();
    let keys: Vec<_> = records.chunks_exact(num_bones.max(1)).collect();
    moves.has_keys = keys.len() > 1 && motion.interval_ns > 0;
    let Some(first) = keys.first() else { return };
    for (number, pair) in keys.windows(2).enumerate() {
        if pair[0] == pair[1] {
            if moves.repeated.0 == 0 {
                moves.repeated.1 = number + 1;
            }
            moves.repeated.0 += 1;
            continue;
        }
        for (flag, (now, begin)) in is_moving.iter_mut().zip(pair[1].iter().zip(*first)) {
            *flag |= now != begin;
        }
    }
}

fn curves(
    model: &Model,
    moments: &Moments<'_>,
    index: usize,
    clip: &Clip,
    moves: &mut Moves,
    is_moving: &mut IdVec<BoneId, bool>,
) {
    let mut first = None;
    let num_keys = moments.num(index, MAX_KEYS);
    if num_keys == 0 {
        // Nothing is known about the clip, so nothing is reported as still.
        is_moving.iter_mut().for_each(|flag| *flag = true);
    }
    let moments = moments.of_clip(index, clip);
    moves.has_keys = moments.len() > 1;
    let specs = moments.iter().map(|at| at.spec).chain(keys_and_middles(index, clip, num_keys));
    for spec in specs {
        let pose = sample(model, &spec);
        let (begin, weights) = first
            .get_or_insert_with(|| (pose.parent_from_bone.clone(), pose.morph_weights.clone()));
        let pairs = pose.parent_from_bone.iter().zip(begin);
        for (flag, (now, begin)) in is_moving.iter_mut().zip(pairs) {
            *flag |= !is_same(now, begin);
        }
        moves.others |= pose.morph_weights != *weights;
    }
}

/// Keys of live curves and the middles between them, so that a short motion isn't missed between evenly
/// spread moments.
fn keys_and_middles(index: usize, clip: &Clip, most: usize) -> Vec<PoseSpec> {
    let Motion::Curves(curves) = &clip.motion else { return Vec::new() };
    let keys = curves.0.key_times_secs();
    let times = spread(keys.len(), most).filter_map(|at| {
        let key = *keys.get(at)?;
        let next = keys.get(at + 1).copied().unwrap_or(key);
        Some([key, 0.5 * (key + next)])
    });
    let spec = |secs| PoseSpec::linear(ClipId::from_index(index), secs);
    times.flatten().map(spec).collect()
}

fn is_same(a: &Affine3A, b: &Affine3A) -> bool {
    let (a, b) = (a.to_cols_array(), b.to_cols_array());
    let largest = a.iter().fold(1.0f32, |most, value| most.max(value.abs()));
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= ROUNDING * largest)
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::model::testing::{ModelBuilder, morph};
    use crate::model::{Interpolation, MeshId, MorphTrack};
    use crate::validate::fixtures::bar::{
        bar, bending, bent, clip, found, is_silent, the, with_keys, with_rotations,
    };

    #[test]
    fn constant_clip_is_reported_once_and_not_per_key() {
        let model = with_keys(&[bent(0.1, 0.2); 5]);
        let finding = the(&model, FindingKind::ConstantClip);
        assert_eq!((finding.place, finding.count), (Place::Clip(0), 1));
        assert!(is_silent(&model, FindingKind::RepeatedKeys));
        assert!(is_silent(&model, FindingKind::BoneNeverMoves));
        let rotated = Quat::from_rotation_z(0.3);
        the(&with_rotations(vec![rotated; 3]), FindingKind::ConstantClip);
    }

    #[test]
    fn tangents_between_equal_keys_count_as_motion() {
        let moves = |tangent: f32| Track {
            times_secs: vec![0.0, 1.0],
            values: [0.0, 1.0, tangent, -tangent, 1.0, 0.0].map(|x| Vec3::X * x).to_vec(),
            interpolation: Interpolation::Cubic,
        };
        let with = |tangent| {
            let clip = ModelBuilder::new().clip("sway", 1.0).translation(1, moves(tangent));
            Model { clips: vec![clip.into_clip()].into(), ..bar() }
        };
        assert!(is_silent(&with(0.5), FindingKind::ConstantClip));
        the(&with(0.0), FindingKind::ConstantClip);
        let mut weighted = with(0.0);
        let values = vec![0.0, 0.0, 2.0, -2.0, 0.0, 0.0];
        let weights =
            Track { times_secs: vec![0.0, 1.0], values, interpolation: Interpolation::Cubic };
        weighted.meshes[MeshId(0)].morph_targets.push(morph("smile", &[(0, Vec3::X)]));
        weighted.clips[ClipId(0)].morph_tracks =
            vec![MorphTrack { mesh: MeshId(0), target: 0, weights }];
        assert!(is_silent(&weighted, FindingKind::ConstantClip));
    }

    #[test]
    fn repeated_keys_are_counted() {
        let keys = [0.0, 0.1, 0.1, 0.1, 0.2].map(|angle| bent(angle, angle));
        let finding = the(&with_keys(&keys), FindingKind::RepeatedKeys);
        assert_eq!(finding.count, 2);
        assert!(finding.message.contains("the first is key 2"), "{}", finding.message);
    }

    #[test]
    fn bones_constant_in_all_clips_and_in_one_clip_are_distinguished() {
        let mut model = with_keys(&[bent(0.0, 0.0), bent(0.0, 0.1), bent(0.0, 0.0)]);
        let finding = the(&model, FindingKind::BoneNeverMoves);
        assert_eq!((finding.place, finding.count), (Place::Bone(0), 1));
        assert!(is_silent(&model, FindingKind::ConstantBone));
        model.clips.push(clip(&[bent(0.0, 0.0), bent(0.1, 0.0)]));
        assert!(is_silent(&model, FindingKind::BoneNeverMoves));
        assert_eq!(the(&model, FindingKind::ConstantBone).count, 2);
    }

    #[test]
    fn armatures_above_the_joints_are_not_counted() {
        let bones = [
            ("armature", None, Vec3::ZERO),
            ("hip", Some(0), Vec3::ZERO),
            ("tip", Some(1), Vec3::Y),
        ];
        let moved = crate::model::testing::linear([(0.0, Vec3::ZERO), (1.0, Vec3::X)]);
        let model = ModelBuilder::new()
            .bones(&bones)
            .triangle()
            .skin(crate::model::testing::skin(&[(1, glam::Mat4::IDENTITY)], [&[(0, 1.0)]; 3]))
            .clip("walk", 1.0)
            .translation(1, moved)
            .checked();
        let finding = the(&model, FindingKind::BoneNeverMoves);
        assert_eq!(finding.message, "1 of 2 bones doesn't move in any clip; the first is tip");
    }

    #[test]
    fn moving_bones_are_not_reported() {
        let still = [
            FindingKind::ConstantClip,
            FindingKind::RepeatedKeys,
            FindingKind::ConstantBone,
            FindingKind::BoneNeverMoves,
        ];
        let findings = found(&bending());
        assert!(findings.iter().all(|finding| !still.contains(&finding.kind)), "{findings:#?}");
    }
}
