//! Faults of translation keys, times and whole clips.

use glam::{Quat, Vec3};

use super::FACTORS;
use super::rotations::{each_scope, of_bones, of_clips};
use crate::diagnose::cause::causes;
use crate::diagnose::edit::{map_rotations, map_tracks, map_translations, retime};
use crate::diagnose::evidence::keys::{clip_and_bone, some_keys, tracks_of};
use crate::diagnose::evidence::shape::with_shape;
use crate::diagnose::evidence::{Evidence, from_reference, keys, pace, single, travel};
use crate::diagnose::specimen::{Specimen, is_root};
use crate::diagnose::trial::{Hypothesis, Trial};
use crate::model::{Aabb, BoneId, BoneTrack, Clip, ClipId, IdVec, Model, Motion, Trs};

const OF_OFFSETS: &[&Evidence] = &[&keys::KEY_OFFSETS, &from_reference::KEYS];

causes! {
    ADDITIVE_CLIP: "additive-clip",
        "the clip is additive: its keys are offsets from the rest pose, but are played as absolute transforms",
        "mark the clip as additive in the engine, or export absolute transforms relative to the parent bones",
        &["stretched-edge"];
    ABSOLUTE_CLIP: "absolute-clip",
        "the keys of the clip are absolute transforms instead of offsets from the rest pose",
        "export the clip as additive, as in the reference",
        &[];
    KEYS_UNIT: "keys-unit",
        "the translation keys are in a different unit from the bones",
        "scale the translation keys by the same factor as the bones",
        &["clip-leaves-default-bounds", "stretched-edge"];
    KEYS_SCALES: "keys-scale",
        "the scale keys are off by a constant factor",
        "export the scale of each bone relative to its parent",
        &[];
    CLIP_SHIFTED: "clip-shifted", is_guess: true,
        "the keys are shifted in time",
        "subtract the start of the frame range from the key times",
        &[];
    CLIP_RATE: "clip-rate", is_guess: true,
        "the clip plays at the wrong speed",
        "divide frame numbers by the frame rate of the scene",
        &["assumed-fps"];
    CLIP_CUT: "clip-cut",
        "the clip ends too early",
        "include the last frame of the range in the export",
        &["open-loop", "loop-gap"];
    ROOT_MOTION: "root-motion-removed",
        "the root motion of the clip is missing",
        "turn off root motion extraction, or export the translation keys of the root bone",
        &[];
    OTHER_SKELETON: "clip-of-another-skeleton",
        "the clip was made for a skeleton with different bone lengths",
        "retarget the clip, or use only its rotations",
        &["stretched-edge"];
}

pub(super) const ROWS: &[Hypothesis] = &[
    Hypothesis {
        cause: KEYS_UNIT,
        evidence: &[&travel::TRAVEL, &travel::ROOT_KEYS],
        trials: |case, _, items| {
            let clips: Vec<usize> =
                items.iter().filter_map(|item| case.clips.get(*item).copied()).collect();
            let roots = travel::moved_roots(&case.model);
            let of_factor = |(undo, factor): (f32, &str)| {
                let (own, roots) = (clips.clone(), roots.clone());
                let scope = [of_bones(case, &roots), of_clips(case, &clips)].join(", ");
                Trial::new(format!("scaled by {factor}, {scope}"), move |model| {
                    let is_chosen =
                        |clip: usize, bone: BoneId| own.contains(&clip) && roots.contains(&bone);
                    map_tracks(model, is_chosen, |track| {
                        map_translations(track, |value| value * undo);
                    });
                })
            };
            FACTORS.into_iter().map(of_factor).collect()
        },
    },
    Hypothesis {
        cause: ADDITIVE_CLIP,
        evidence: &[&keys::KEY_OFFSETS, &keys::KEY_TURNS, &from_reference::KEYS],
        trials: |case, _, items| {
            let rest = rest_of(&case.model);
            let (before, after) = (rest.clone(), rest);
            let mut trials = whole_clips(case, items, "", move |track| add(track, &before, false));
            trials.extend(whole_clips(case, items, "", move |track| add(track, &after, true)));
            trials
        },
    },
    Hypothesis {
        cause: ABSOLUTE_CLIP,
        evidence: &[&from_reference::KEYS],
        trials: |case, _, items| {
            let rest = rest_of(&case.model);
            whole_clips(case, items, "", move |track| {
                let own = rest[track.bone];
                map_translations(track, |value| value - own.translation);
                map_rotations(track, |value| own.rotation.conjugate() * value);
            })
        },
    },
    Hypothesis {
        cause: KEYS_UNIT,
        evidence: OF_OFFSETS,
        trials: |case, _, items| {
            let mut trials = Vec::new();
            for (undo, factor) in FACTORS {
                let detail = format!("scaled by {factor}");
                trials.extend(each_scope(case, items, &detail, move |track| {
                    map_translations(track, |value| value * undo);
                }));
                let roots = roots_of(&case.model);
                trials.extend(whole_clips(case, items, &detail, move |track| {
                    if !roots[track.bone] {
                        map_translations(track, |value| value * undo);
                    }
                }));
            }
            // The keys of a single bone may be wrong by any factor.
            if let Some(factor) = common_factor(case, items) {
                let detail = format!(
                    "scaled by {}",
                    crate::model::numbers::significant(f64::from(factor), 3)
                );
                trials.extend(each_scope(case, items, &detail, move |track| {
                    map_translations(track, |value| value / factor);
                }));
            }
            trials
        },
    },
    Hypothesis {
        cause: KEYS_SCALES,
        evidence: &[&from_reference::KEYS],
        trials: |case, _, items| {
            let mut trials = Vec::new();
            for (undo, factor) in FACTORS.into_iter().chain([(0.5, "2"), (2.0, "0.5")]) {
                let detail = format!("scaled by {factor}");
                trials.extend(each_scope(case, items, &detail, move |track| {
                    let values = track.scale.iter_mut().flat_map(|track| &mut track.values);
                    values.for_each(|value| *value *= undo);
                }));
            }
            trials
        },
    },
    Hypothesis {
        cause: CLIP_SHIFTED,
        evidence: &[&pace::START, &from_reference::KEYS, &from_reference::TIMES],
        trials: |case, evidence, items| {
            if evidence.name == pace::START.name {
                return each_alone(case, items, |clip| {
                    let start_secs = case.model.clips[ClipId::from_index(clip)].start_secs;
                    Some((1.0, -start_secs))
                });
            }
            each_clip(case, evidence, items, |own, other| {
                let shift = other.start_secs - own.start_secs;
                (shift.abs() > 1e-6).then_some((1.0, shift))
            })
        },
    },
    Hypothesis { cause: CLIP_CUT, evidence: &[&from_reference::TIMES], trials: cut },
    Hypothesis {
        cause: CLIP_RATE,
        evidence: &[&pace::KEY_INTERVAL, &from_reference::KEYS, &from_reference::TIMES],
        trials: |case, evidence, items| {
            if evidence.name == pace::KEY_INTERVAL.name {
                return rates(case, items);
            }
            each_clip(case, evidence, items, |own, other| {
                let factor = other.duration_secs / own.duration_secs;
                let is_other = (factor - 1.0).abs() > 1e-4 && factor.is_finite() && factor > 0.0;
                is_other.then_some((factor, other.start_secs - own.start_secs * factor))
            })
        },
    },
    Hypothesis { cause: ROOT_MOTION, evidence: &[&from_reference::KEYS], trials: root_motion },
    Hypothesis {
        cause: OTHER_SKELETON,
        evidence: with_shape![&keys::KEY_OFFSETS, &from_reference::KEYS],
        trials: |case, _, _| {
            let clips = foreign_clips(case);
            if clips.is_empty() {
                return Vec::new();
            }
            let detail = of_clips(case, &clips);
            let rest = rest_of(&case.model);
            let roots = roots_of(&case.model);
            vec![Trial::new(detail, move |model| {
                map_tracks(
                    model,
                    |clip, bone| clips.contains(&clip) && !roots[bone],
                    |track| {
                        let own = rest[track.bone].translation;
                        map_translations(track, |_| own);
                    },
                );
            })]
        },
    },
];

fn rest_of(model: &Model) -> IdVec<BoneId, Trs> {
    model.skeleton.bones().iter().map(|bone| bone.rest_local.to_trs()).collect()
}

fn roots_of(model: &Model) -> IdVec<BoneId, bool> {
    model.skeleton.bones().ids().map(|bone| is_root(model, bone)).collect()
}

/// Changes all bones of the clips that have suspicious items.
fn whole_clips(
    case: &Specimen,
    items: &[usize],
    detail: &str,
    change: impl Fn(&mut BoneTrack) + Clone + Send + Sync + 'static,
) -> Vec<Trial> {
    let mut clips: Vec<usize> = items.iter().map(|item| clip_and_bone(case, *item).0).collect();
    clips.dedup();
    let scope = of_clips(case, &clips);
    let detail = if detail.is_empty() { scope } else { format!("{detail}, {scope}") };
    vec![Trial::new(detail, move |model| {
        map_tracks(model, |clip, _| clips.contains(&clip), &change);
    })]
}

/// Composes keys with the rest transform: in the axes of the bone if `is_local` is set, otherwise in the axes of its
/// parent.
fn add(track: &mut BoneTrack, rest: &IdVec<BoneId, Trs>, is_local: bool) {
    let own = rest[track.bone];
    map_translations(track, |value| {
        if is_local { own.translation + own.rotation * value } else { own.translation + value }
    });
    map_rotations(
        track,
        |value| if is_local { own.rotation * value } else { value * own.rotation },
    );
}

/// The ratio between translation keys and rest translations, if it is the same for most of the suspicious bones.
fn common_factor(case: &Specimen, items: &[usize]) -> Option<f32> {
    let mut factors: Vec<f64> = Vec::new();
    let mut last = (usize::MAX, Vec::new());
    for &item in items {
        let (clip, bone) = clip_and_bone(case, item);
        if last.0 != clip {
            last = (clip, keys::offset_pairs(&case.model, clip));
        }
        let pair = last.1.iter().find(|(of, ..)| *of == bone);
        let Some((_, rest, keyed)) = pair else { continue };
        if rest.length() > 0.0 && rest.dot(*keyed) > 0.99 * rest.length() * keyed.length() {
            factors.push(f64::from(keyed.length() / rest.length()));
        }
    }
    let num = factors.len();
    let middle = crate::diagnose::evidence::median(factors.clone())?;
    let agree = factors.iter().filter(|factor| (*factor / middle - 1.0).abs() < 0.02).count();
    let is_common = num * 2 >= items.len() && agree * 10 >= num * 9 && middle > 0.0;
    is_common.then_some(single(middle))
}

/// Scales and shifts the times of each suspicious clip, by the factor and the shift that `fit` computes from the clip
/// and its reference.
fn each_clip(
    case: &Specimen,
    evidence: &Evidence,
    items: &[usize],
    fit: impl Fn(&Clip, &Clip) -> Option<(f64, f64)>,
) -> Vec<Trial> {
    let Some(reference) = &case.reference else { return Vec::new() };
    let clips = clips_of(case, evidence, items);
    let fits: Vec<(usize, f64, f64)> = clips
        .into_iter()
        .filter_map(|clip| {
            let other = &reference.model.clips[ClipId::from_index(*reference.clips.get(&clip)?)];
            let (factor, shift) = fit(&case.model.clips[ClipId::from_index(clip)], other)?;
            Some((clip, factor, shift))
        })
        .collect();
    retimed(case, fits)
}

/// Like `each_clip`, without a reference; the items have one value per examined clip.
fn each_alone(
    case: &Specimen,
    items: &[usize],
    fit: impl Fn(usize) -> Option<(f64, f64)>,
) -> Vec<Trial> {
    let clips = items.iter().filter_map(|item| case.clips.get(*item).copied());
    let fits = clips.filter_map(|clip| fit(clip).map(|(factor, shift)| (clip, factor, shift)));
    retimed(case, fits.collect())
}

/// Gives clips the key interval of their neighbours; without neighbours, reads frame numbers or milliseconds as such.
fn rates(case: &Specimen, items: &[usize]) -> Vec<Trial> {
    let of_neighbours = |clip: usize| {
        let own = case.paces.get(clip)?.interval_secs?;
        let factor = pace::interval_of_neighbours(case, clip)? / own;
        ((factor - 1.0).abs() > 1e-3).then_some((factor, 0.0))
    };
    let mut trials = each_alone(case, items, of_neighbours);
    if trials.is_empty() {
        const USUAL: [f64; 4] = [1.0 / 30.0, 1e-3, 1e3, 30.0];
        trials.extend(
            USUAL
                .into_iter()
                .flat_map(|factor| each_alone(case, items, move |_| Some((factor, 0.0)))),
        );
    }
    trials
}

/// Scales and shifts the times of clips.
fn retimed(case: &Specimen, fits: Vec<(usize, f64, f64)>) -> Vec<Trial> {
    let Some(&(_, factor, shift)) = fits.first() else { return Vec::new() };
    let clips: Vec<usize> = fits.iter().map(|(clip, ..)| *clip).collect();
    let scope = of_clips(case, &clips);
    let detail = match factor {
        1.0 => format!("by {}, {scope}", crate::model::numbers::seconds(-shift)),
        _ => format!("{} times as fast, {scope}", crate::model::numbers::significant(factor, 4)),
    };
    vec![Trial::new(detail, move |model| {
        for &(clip, factor, shift) in &fits {
            retime(model, clip, factor, shift);
        }
    })]
}

/// The clips of some items, for evidence with one item per clip, or per clip and bone.
fn clips_of(case: &Specimen, evidence: &Evidence, items: &[usize]) -> Vec<usize> {
    let mut clips: Vec<usize> = if evidence.name == from_reference::TIMES.name {
        items.iter().filter_map(|item| case.clips.get(*item).copied()).collect()
    } else {
        items.iter().map(|item| clip_and_bone(case, *item).0).collect()
    };
    clips.dedup();
    clips
}

/// Restores clips that start like the clip of the reference, but end earlier.
fn cut(case: &Specimen, evidence: &'static Evidence, items: &[usize]) -> Vec<Trial> {
    let Some(reference) = &case.reference else { return Vec::new() };
    let is_cut = |own: &Clip, other: &Clip| {
        let starts_alike = (own.start_secs - other.start_secs).abs() < 1e-3;
        starts_alike && own.duration_secs < other.duration_secs
    };
    let found: Vec<(usize, Clip)> = clips_of(case, evidence, items)
        .into_iter()
        .filter_map(|clip| {
            let other = &reference.model.clips[ClipId::from_index(*reference.clips.get(&clip)?)];
            let own = &case.model.clips[ClipId::from_index(clip)];
            is_cut(own, other).then(|| (clip, other.clone()))
        })
        .collect();
    let Some((first, other)) = found.first() else { return Vec::new() };
    let missing = other.duration_secs - case.model.clips[ClipId::from_index(*first)].duration_secs;
    let frames = (missing / other.frame_secs()).round();
    let clips: Vec<usize> = found.iter().map(|(clip, _)| *clip).collect();
    let amount = match frames {
        1.0 => "by one frame".to_owned(),
        _ => format!("by {}", crate::model::numbers::seconds(missing)),
    };
    let detail = format!("{amount}, {}", of_clips(case, &clips));
    let bones = reference.bones.clone();
    vec![Trial::new(detail, move |model| {
        for (clip, other) in &found {
            take_tracks(model, *clip, other, &bones, |_| true);
        }
    })]
}

/// Replaces tracks of a clip by those of the reference.
fn take_tracks(
    model: &mut Model,
    clip: usize,
    other: &Clip,
    bones: &IdVec<BoneId, Option<BoneId>>,
    is_chosen: impl Fn(BoneId) -> bool,
) {
    let own = &mut model.clips[ClipId::from_index(clip)];
    (own.start_secs, own.duration_secs) = (other.start_secs, other.duration_secs);
    let (Motion::Tracks(tracks), Motion::Tracks(theirs)) = (&mut own.motion, &other.motion) else {
        own.motion = other.motion.clone();
        return;
    };
    for track in tracks.iter_mut().filter(|track| is_chosen(track.bone)) {
        let of = bones.get(track.bone).copied().flatten();
        if let Some(other) = theirs.iter().find(|other| Some(other.bone) == of) {
            *track = BoneTrack { bone: track.bone, ..other.clone() };
        }
    }
}

/// Restores the motion of bones near the root that move less than in the reference.
fn root_motion(case: &Specimen, _: &'static Evidence, items: &[usize]) -> Vec<Trial> {
    let Some(reference) = &case.reference else { return Vec::new() };
    // How far the bone moves along each axis.
    let travel = |model: &Model, clip: usize, bone: BoneId| -> Option<Vec3> {
        let track = tracks_of(model, clip).iter().find(|track| track.bone == bone)?;
        let keys = some_keys(track.translation.as_ref()?);
        let bounds = Aabb::from_points(keys);
        Some(bounds.max - bounds.min)
    };
    let rotations = |model: &Model, clip: usize, bone: BoneId| -> Vec<Quat> {
        let track = tracks_of(model, clip).iter().find(|track| track.bone == bone);
        let rotation = track.and_then(|track| track.rotation.as_ref());
        rotation.map_or(Vec::new(), |rotation| some_keys(rotation).collect())
    };
    let depth = |bone: BoneId| {
        let up =
            |bone: &BoneId| case.model.skeleton.bones().get(*bone).and_then(|bone| bone.parent);
        std::iter::successors(Some(bone), up).count()
    };
    const MAX_DEPTH: usize = 4;
    let found: Vec<(usize, BoneId, Clip)> = items
        .iter()
        .filter_map(|item| {
            let (clip, bone) = clip_and_bone(case, *item);
            let of_clip = *reference.clips.get(&clip)?;
            let of = reference.bones.get(bone).copied().flatten()?;
            let theirs = travel(&reference.model, of_clip, of)?;
            let own = travel(&case.model, clip, bone).unwrap_or_default();
            let stays = (0..3).any(|axis| {
                let moves = theirs[axis] > theirs.max_element() * 0.25 && theirs[axis] > 0.0;
                moves && own[axis] < theirs[axis] * 0.05
            });
            let (a, b) =
                (rotations(&case.model, clip, bone), rotations(&reference.model, of_clip, of));
            let turn_alike = a.iter().zip(&b).all(|(a, b)| keys::angle_deg(*a, *b) < 1.0);
            let is_removed = stays && turn_alike && depth(bone) <= MAX_DEPTH;
            is_removed
                .then(|| (clip, bone, reference.model.clips[ClipId::from_index(of_clip)].clone()))
        })
        .collect();
    let Some((_, bone, _)) = found.first() else { return Vec::new() };
    let mut clips: Vec<usize> = found.iter().map(|(clip, ..)| *clip).collect();
    clips.dedup();
    let name = case.model.skeleton.display_name(*bone);
    let detail = format!("{name} stays in place, {}", of_clips(case, &clips));
    let bones = reference.bones.clone();
    vec![Trial::new(detail, move |model| {
        for (clip, bone, other) in &found {
            take_tracks(model, *clip, other, &bones, |own| own == *bone);
        }
    })]
}

/// Clips in which most bones are longer or shorter than in the rest pose.
fn foreign_clips(case: &Specimen) -> Vec<usize> {
    const MIN_BONES: usize = 6;
    const MAX_ANGLE_RAD: f32 = 0.8;
    const USUAL_RATIOS: std::ops::Range<f32> = 0.25..4.0;
    let is_foreign = |clip: &usize| {
        let pairs = keys::offset_pairs(&case.model, *clip);
        let longest = pairs.iter().map(|(_, rest, _)| rest.length()).fold(0.0, f32::max);
        let long: Vec<(f32, f32)> = pairs
            .iter()
            .filter(|(_, rest, _)| rest.length() > longest * 0.05)
            .map(|(_, rest, keyed)| (keyed.length() / rest.length(), keyed.angle_between(*rest)))
            .collect();
        // Bones of another skeleton are longer or shorter, but have about the same directions.
        let is_other = |(ratio, angle_rad): &&(f32, f32)| {
            (ratio - 1.0).abs() > 0.15 && *angle_rad < MAX_ANGLE_RAD
        };
        let num_other = long.iter().filter(is_other).count();
        let mut ratios: Vec<f32> = long.iter().map(|(ratio, _)| *ratio).collect();
        ratios.sort_by(f32::total_cmp);
        let part = |share: usize| ratios.get(ratios.len() * share / 10).copied().unwrap_or(1.0);
        // A common factor is a unit, and so is a large one.
        let is_unit = part(9) < part(1) * 1.1 || !USUAL_RATIOS.contains(&part(5));
        long.len() >= MIN_BONES && num_other * 2 > long.len() && !is_unit
    };
    case.clips.iter().copied().filter(is_foreign).collect()
}
