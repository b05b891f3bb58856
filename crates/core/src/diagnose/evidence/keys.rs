//! Keys that disagree with the rest pose or with each other.

use glam::{Quat, Vec3};

use super::{Evidence, Items, Kind};
use crate::diagnose::specimen::{Specimen, is_root};
use crate::model::{
    BoneId, BoneTrack, Clip, ClipId, Interpolation, Model, Motion, Track, numbers, spread,
};
use crate::validate::spiked_keys;

pub(super) const ALL: &[&Evidence] = &[&KEY_OFFSETS, &KEY_TURNS, &KEY_SIGNS, &SPIKES];

/// Difference between a bone's mean translation key and its rest translation, as a fraction of the longer one; one
/// item per clip and bone. Bones rotate, but rarely change their length. Roots move freely and aren't measured.
pub(crate) const KEY_OFFSETS: Evidence = Evidence {
    name: "key-offsets",
    meaning: "the difference between translation keys and rest translations",
    unit: "fraction",
    kind: Kind::Stored,
    items: Items::BonesOfClips,
    noise: 0.1,
    weight: 1.0,
    measure: |case, model| offsets(case, model),
    text: |value| format!("{} of the bone length", numbers::percent(value)),
};

/// The smallest angle between a bone's rotation keys and its rest rotation, in degrees; one item per clip and bone.
/// Roots rotate freely and aren't measured.
pub(crate) const KEY_TURNS: Evidence = Evidence {
    name: "key-turns",
    meaning: "the smallest angle between a bone's rotation keys and its rest rotation",
    unit: "degrees",
    kind: Kind::Drawn,
    items: Items::BonesOfClips,
    noise: 10.0,
    weight: 1.0,
    measure: |case, model| turns(case, model),
    text: |value| numbers::degrees(value),
};

/// Share of consecutive rotation keys with opposite signs; one item per clip.
pub(crate) const KEY_SIGNS: Evidence = Evidence {
    name: "key-signs",
    meaning: "the share of consecutive rotation keys with opposite signs",
    unit: "fraction",
    kind: Kind::Stored,
    items: Items::Clips,
    noise: 0.0,
    weight: 0.2,
    measure: |case, model| case.clips.iter().map(|&clip| signs(model, clip)).collect(),
    text: |value| numbers::percent(value),
};

/// The number of keys that are far from both of their neighbours, as the rule `key-spike` finds them; one item per
/// examined clip.
pub(crate) const SPIKES: Evidence = Evidence {
    name: "key-spikes",
    meaning: "the number of keys that are far from both of their neighbours",
    unit: "keys",
    kind: Kind::Drawn,
    items: Items::Clips,
    noise: 0.5,
    weight: 1.0,
    measure: |case, model| {
        // Changes of other parts rarely make spikes, and the search takes long.
        if case.spikes().is_empty() {
            return vec![0.0; case.clips.len()];
        }
        let all = spiked_keys(model);
        let of_clip =
            |clip: &usize| all.iter().filter(|key| key.clip.index() == *clip).count() as f64;
        case.clips.iter().map(of_clip).collect()
    },
    text: |value| numbers::significant(value, 3),
};

/// The most keys to examine per track.
const MAX_KEYS: usize = 24;
/// The most items of evidence with one item per clip and bone.
const MAX_ITEMS: usize = 1 << 20;
/// Bones that rotate by less are considered still.
const MIN_TURN_DEG: f64 = 0.5;
/// Translations shorter than this fraction of the longest may be rounding errors.
const SHORTEST: f32 = 0.02;

pub(in crate::diagnose) fn tracks_of(model: &Model, clip: usize) -> &[BoneTrack] {
    match model.clips.get(ClipId::from_index(clip)).map(|clip: &Clip| &clip.motion) {
        Some(Motion::Tracks(tracks)) => tracks,
        _ => &[],
    }
}

/// Some keys of a track, without tangents.
pub(in crate::diagnose) fn some_keys<T: Copy>(track: &Track<T>) -> impl Iterator<Item = T> + '_ {
    let (first, step) = if track.interpolation == Interpolation::Cubic { (1, 3) } else { (0, 1) };
    let num = track.values.len() / step;
    spread(num, MAX_KEYS).filter_map(move |at| track.values.get(first + at * step).copied())
}

/// The rest translation and the mean translation key of each bone that isn't a root.
pub(in crate::diagnose) fn offset_pairs(model: &Model, clip: usize) -> Vec<(BoneId, Vec3, Vec3)> {
    let mut pairs = Vec::new();
    for track in tracks_of(model, clip) {
        let Some(translation) = &track.translation else { continue };
        if is_root(model, track.bone) {
            continue;
        }
        let rest = model.skeleton.bones()[track.bone].rest_local.to_trs().translation;
        let (mut sum, mut num) = (Vec3::ZERO, 0.0);
        for value in some_keys(translation) {
            sum += value;
            num += 1.0;
        }
        if num > 0.0 {
            pairs.push((track.bone, rest, sum / num));
        }
    }
    pairs
}

fn offsets(case: &Specimen, model: &Model) -> Vec<f64> {
    if !case.has_bones {
        return Vec::new();
    }
    let num_bones = model.skeleton.len();
    let clips = clips_of_items(case);
    let mut all = vec![f64::NAN; num_bones * clips.len()];
    // The examined model decides which bones are long enough, so that all changes are measured with the same
    // bones.
    let bones = case.model.skeleton.bones();
    let resting = |bone: BoneId| bones[bone].rest_local.to_trs().translation.length();
    let longest =
        bones.ids().filter(|bone| !is_root(model, *bone)).map(resting).fold(0.0, f32::max);
    let examined = clips.into_iter().enumerate().filter(|(_, clip)| case.clips.contains(clip));
    for (at, clip) in examined {
        for (bone, rest, keyed) in offset_pairs(model, clip) {
            if resting(bone) <= longest * SHORTEST {
                continue;
            }
            let longer = rest.length().max(keyed.length()).max(f32::MIN_POSITIVE);
            if let Some(item) = all.get_mut(at * num_bones + bone.index()) {
                *item = f64::from(rest.distance(keyed) / longer).min(1.0);
            }
        }
    }
    all
}

/// The time of the key of a bone; `None` for keys of morph targets, or if the model doesn't have the key.
pub(in crate::diagnose) fn key_secs(model: &Model, key: &crate::model::KeyAt) -> Option<f64> {
    let bone = key.bone?;
    let track = tracks_of(model, key.clip.index()).iter().find(|track| track.bone == bone)?;
    let times = match key.property {
        crate::model::AnimatedProperty::Rotation => &track.rotation.as_ref()?.times_secs,
        crate::model::AnimatedProperty::Scale => &track.scale.as_ref()?.times_secs,
        _ => &track.translation.as_ref()?.times_secs,
    };
    times.get(key.key).copied()
}

/// The angle between two rotations, regardless of the signs of the quaternions.
pub(in crate::diagnose) fn angle_deg(a: Quat, b: Quat) -> f64 {
    f64::from(a.dot(b).abs().min(1.0).acos() * 2.0).to_degrees()
}

fn turns(case: &Specimen, model: &Model) -> Vec<f64> {
    if !case.has_bones {
        return Vec::new();
    }
    let num_bones = model.skeleton.len();
    let clips = clips_of_items(case);
    let mut all = vec![f64::NAN; num_bones * clips.len()];
    for (at, clip) in clips.into_iter().enumerate() {
        for track in tracks_of(model, clip) {
            let Some(rotation) = &track.rotation else { continue };
            if is_root(model, track.bone) {
                continue;
            }
            // A bone that never rotates, such as the end of a chain, may have any angle.
            let mut values = some_keys(rotation);
            let first = values.next().unwrap_or_default();
            if values.all(|value| angle_deg(first, value) < MIN_TURN_DEG) {
                continue;
            }
            let rest = model.skeleton.bones()[track.bone].rest_local.to_trs().rotation;
            let least = some_keys(rotation).map(|key| angle_deg(key, rest)).reduce(f64::min);
            if let (Some(least), Some(item)) =
                (least, all.get_mut(at * num_bones + track.bone.index()))
            {
                *item = least;
            }
        }
    }
    all
}

/// Whether evidence with one item per clip and bone has items for all clips; otherwise only for the examined ones.
fn has_items_of_all_clips(model: &Model) -> bool {
    model.clips.len().saturating_mul(model.skeleton.len()) <= MAX_ITEMS
}

/// The clips of evidence with one item per clip and bone.
pub(super) fn clips_of_items(case: &Specimen) -> Vec<usize> {
    if has_items_of_all_clips(&case.model) {
        (0..case.model.clips.len()).collect()
    } else {
        case.clips.clone()
    }
}

/// The clip and bone of an item, for evidence with one item per clip and bone.
pub(in crate::diagnose) fn clip_and_bone(case: &Specimen, item: usize) -> (usize, BoneId) {
    let num_bones = case.model.skeleton.len().max(1);
    let at = item / num_bones;
    let clip = if has_items_of_all_clips(&case.model) {
        at
    } else {
        case.clips.get(at).copied().unwrap_or_default()
    };
    (clip, BoneId::from_index(item % num_bones))
}

fn signs(model: &Model, clip: usize) -> f64 {
    let (mut num, mut num_opposite) = (0u64, 0u64);
    for track in tracks_of(model, clip).iter().filter_map(|track| track.rotation.as_ref()) {
        let (first, step) = match track.interpolation {
            // Stepped keys aren't interpolated.
            Interpolation::Step => continue,
            Interpolation::Cubic => (1, 3),
            Interpolation::Linear | Interpolation::Nlerp | Interpolation::Matrix => (0, 1),
        };
        let keys = || track.values.iter().skip(first).step_by(step);
        for (before, after) in keys().zip(keys().skip(1)) {
            num += 1;
            num_opposite += u64::from(before.dot(*after) < 0.0);
        }
    }
    if num == 0 { f64::NAN } else { num_opposite as f64 / num as f64 }
}
