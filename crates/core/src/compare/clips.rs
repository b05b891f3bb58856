//! Compares clips: names, durations, keys, events, and matrices of bones that both sides have.

use std::collections::HashSet;

use glam::Affine3A;

use super::DifferenceKind as Kind;
use super::bones::BoneMap;
use super::collector::{DifferenceCollector, Measured, first_names};
use super::side::{ComparedSide, Sides, matrix_difference};
use crate::measure::{self, key_moments};
use crate::model::{BoneId, Cancelled, Clip, ClipId, Place, Report, counted};
use crate::pose::Pose;

/// Events closer than this are at the same time.
const SAME_TIME_SECS: f64 = 1e-6;

/// Compares clips, except for their effect on vertices.
pub(super) fn compare(
    a: &[Clip],
    b: &[Clip],
    map: &BoneMap,
    pairs: &[(ClipId, ClipId)],
    found: &mut DifferenceCollector<'_>,
) {
    let alone = |clips: &[Clip], is_matched: &dyn Fn(usize) -> bool| -> Vec<String> {
        let alone = clips.iter().enumerate().filter(|(at, _)| !is_matched(*at));
        alone.map(|(_, clip)| clip.name.clone()).collect()
    };
    let of_a: HashSet<usize> = pairs.iter().map(|(a, _)| a.index()).collect();
    let of_b: HashSet<usize> = pairs.iter().map(|(_, b)| b.index()).collect();
    let removed = alone(a, &|at| of_a.contains(&at));
    found.structure(Kind::ClipsRemoved, removed.len(), || {
        let names = first_names(removed.iter().map(String::as_str));
        format!("clips only in A: {names}")
    });
    let added = alone(b, &|at| of_b.contains(&at));
    found.structure(Kind::ClipsAdded, added.len(), || {
        let names = first_names(added.iter().map(String::as_str));
        format!("clips only in B: {names}")
    });
    let pairs: Vec<_> =
        pairs.iter().filter_map(|(m, n)| Some((a.get(m.index())?, b.get(n.index())?))).collect();
    let differing = |differs: &dyn Fn(&Clip, &Clip) -> bool| -> Vec<(&Clip, &Clip)> {
        pairs.iter().copied().filter(|(a, b)| differs(a, b)).collect()
    };
    let renamed = differing(&|a, b| a.name != b.name);
    found.structure(Kind::ClipsRenamed, renamed.len(), || {
        renamed
            .first()
            .map_or(String::new(), |(a, b)| format!("{:?} in A is {:?} in B", a.name, b.name))
    });
    for (a, b) in &pairs {
        let apart = (a.duration_secs - b.duration_secs).abs();
        let limit = found.options.tolerance * a.duration_secs.abs();
        let mut measured = Measured::within(limit);
        measured.add(apart);
        found.measured(Kind::ClipDuration, measured, || {
            format!(
                "clip {:?}: {:.4} s in A, {:.4} s in B",
                a.name, a.duration_secs, b.duration_secs
            )
        });
        if let (Some((keys_a, _)), Some((keys_b, _))) = (a.uniform_keys(), b.uniform_keys()) {
            found.structure(Kind::ClipKeys, keys_a.abs_diff(keys_b), || {
                let keys = counted(keys_a as u64, "key");
                format!("clip {:?}: {keys} in A, {keys_b} in B", a.name)
            });
        }
        let num = num_other_events(a, b, map);
        found.structure(Kind::Events, num, || format!("clip {:?}: {num} events differ", a.name));
    }
}

fn num_other_events(a: &Clip, b: &Clip, map: &BoneMap) -> usize {
    let same = a.events.iter().zip(&b.events).filter(|(m, n)| {
        let (at_m, at_n) = (m.time_secs - a.start_secs, n.time_secs - b.start_secs);
        let is_same_bone = n.bone.and_then(|bone| map.a_of(bone)) == m.bone;
        let is_same_time = (at_m - at_n).abs() <= SAME_TIME_SECS;
        m.name == n.name && m.value == n.value && is_same_bone && is_same_time
    });
    a.events.len().max(b.events.len()) - same.count()
}

/// The largest difference between matrices of matched bones, over all moments of matched clips.
/// `None` if only one side has baked skinning matrices.
pub(super) fn compare_keys(
    sides: &Sides<'_>,
    map: &BoneMap,
    pairs: &[(ClipId, ClipId)],
    extent: f64,
    found: &mut DifferenceCollector<'_>,
    report: &Report,
) -> Result<Option<f64>, Cancelled> {
    let Sides { a, b, .. } = sides;
    let bones = Pairs::of(a, b, map);
    let limit = found.options.tolerance;
    let mut largest: Option<f64> = None;
    let mut worst = None;
    let mut count = 0;
    for (done, &(clip_a, clip_b)) in pairs.iter().enumerate() {
        let (side_a, side_b) = (measure::Side::new(a.model), measure::Side::new(b.model));
        let own_a = a.model.clip(clip_a);
        let own_b = b.model.clip(clip_b);
        let moments = key_moments(own_a, own_b);
        let step = moments.len().div_ceil(found.options.max_moments.max(1)).max(1);
        let last = moments.len() - 1;
        let chosen = moments.iter().enumerate();
        let chosen = chosen.filter(|(at, _)| at.is_multiple_of(step) || *at == last);
        for (_, &(time_secs, secs_b)) in chosen {
            report.progress("comparing keys", done as f32 / pairs.len() as f32)?;
            let pose_a = side_a.pose_at(Some(clip_a), time_secs);
            let pose_b = side_b.pose_at(Some(clip_b), secs_b);
            let Some((amount, bone)) = bones.worst(sides, &pose_a, &pose_b, extent) else {
                continue;
            };
            count += u64::from(amount > limit);
            if largest.is_none_or(|so_far| amount > so_far) {
                worst = Some((bone, clip_a, own_a.start_secs + time_secs));
                largest = Some(amount);
            }
        }
    }
    let measured = Measured { amount: largest.unwrap_or(0.0), limit, count };
    let Some((bone, clip, time_secs)) = worst else { return Ok(largest) };
    found.measured(Kind::Keys, measured, || {
        let name = a.model.skeleton.display_name(bone);
        let clip = &a.model.clip(clip).name;
        format!("bone {name:?} at {time_secs:.3} s of clip {clip:?}")
    });
    found.locate_in_a(Kind::Keys, Place::Bone(bone.0));
    found.locate_in_time(Kind::Keys, clip, time_secs);
    Ok(largest)
}

/// Bones to compare, each with its nearest ancestor that both sides have.
struct Pairs(Vec<(Link, Link)>);

#[derive(Clone, Copy)]
struct Link {
    bone: BoneId,
    ancestor: Option<BoneId>,
    is_parent: bool,
}

impl Pairs {
    fn of(a: &ComparedSide<'_>, b: &ComparedSide<'_>, map: &BoneMap) -> Self {
        let b_of_a = map.b_of_a(&a.model.skeleton);
        let link = |side: &ComparedSide<'_>, bone: BoneId, is_known: &dyn Fn(BoneId) -> bool| {
            let bones = side.model.skeleton.bones();
            let parent = bones[bone].parent;
            let mut ancestor = parent;
            while let Some(at) = ancestor.filter(|&at| !is_known(at)) {
                ancestor = bones[at].parent;
            }
            Link { bone, ancestor, is_parent: ancestor == parent }
        };
        let pairs = b_of_a.iter_enumerated().filter_map(|(bone_a, bone_b)| {
            let of_a = link(a, bone_a, &|at| b_of_a[at].is_some());
            let of_b = link(b, (*bone_b)?, &|at| map.a_of(at).is_some());
            // Bones with different parents are reported separately.
            let is_same = of_b.ancestor.and_then(|at| map.a_of(at)) == of_a.ancestor;
            is_same.then_some((of_a, of_b))
        });
        Self(pairs.collect())
    }

    fn worst(
        &self,
        Sides { a, b, .. }: &Sides<'_>,
        pose_a: &Pose,
        pose_b: &Pose,
        extent: f64,
    ) -> Option<(f64, BoneId)> {
        let is_skin = pose_a.model_from_mesh.is_some();
        if is_skin != pose_b.model_from_mesh.is_some() {
            return None;
        }
        let matrix = |side: &ComparedSide<'_>, pose: &Pose, link: Link| -> Option<Affine3A> {
            let matrix = match (&pose.model_from_mesh, link.ancestor) {
                (Some(finished), _) => finished[link.bone],
                (None, _) if link.is_parent => pose.parent_from_bone[link.bone],
                (None, None) => pose.model_from_bone[link.bone],
                (None, Some(ancestor)) => {
                    pose.model_from_bone[ancestor].inverse() * pose.model_from_bone[link.bone]
                }
            };
            // A hidden parent has no inverse.
            Some(side.space.matrix(matrix)).filter(Affine3A::is_finite)
        };
        let mut worst: Option<(f64, BoneId)> = None;
        for &(of_a, of_b) in &self.0 {
            let (Some(m), Some(n)) = (matrix(a, pose_a, of_a), matrix(b, pose_b, of_b)) else {
                continue;
            };
            let amount = matrix_difference(&m, &n, extent);
            if worst.is_none_or(|(so_far, _)| amount > so_far) {
                worst = Some((amount, of_a.bone));
            }
        }
        worst
    }
}
