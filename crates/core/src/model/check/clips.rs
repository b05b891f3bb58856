//! Checks clips: targets that exist, finite matrices and positions, plausible durations. Not for: curves ([`super::curves`]).

use std::sync::Arc;
use std::time::Duration;

use super::curves::{Curve, finite};
use crate::model::{
    AnimatedProperty, BoneNoun, ByteView, CurveAt, FindingKind, KEY_STRIDE_BYTES, MaterialTrack,
    Model, MorphTrack, Motion, PackedKeys, Place, Report, SampledMotion, as_u32, counted, numbered,
    numbers,
};

/// The exponent bits of an f32: all set means infinite or not a number.
const EXPONENT_BITS: u32 = 0x7f80_0000;
/// All bits of an f32 except the sign.
const MAGNITUDE_BITS: u32 = 0x7fff_ffff;

/// Checks all clips of the model.
pub(super) fn check(model: &mut Model, report: &Report) {
    // A static scene isn't expected to move.
    if model.clips.is_empty() && model.bone_noun() == BoneNoun::Bone {
        report.add(FindingKind::NoClips, Place::File, "the model has no clips");
    }
    let mesh_sizes: Vec<(usize, usize)> =
        model.meshes.iter().map(|mesh| (mesh.num_vertices(), mesh.morph_targets.len())).collect();
    let (bones, materials) = (model.skeleton.bones(), &model.materials);
    let num_bones = bones.len();
    let mut names = std::collections::HashSet::new();
    for (index, clip) in model.clips.iter_mut().enumerate() {
        let number = as_u32(index);
        let place = Place::Clip(number);
        if !names.insert(clip.name.clone()) {
            report.add_many(FindingKind::DuplicateName, place, 1, || {
                format!("clip {index} and an earlier clip are both named {:?}", clip.name)
            });
        }
        if !clip.start_secs.is_finite() || !clip.duration_secs.is_finite() {
            report.add_many(FindingKind::NotFinite, place, 1, || {
                let clip = numbered("clip", index, &clip.name);
                format!("the start or duration of {clip} isn't a finite number")
            });
            (clip.start_secs, clip.duration_secs) = (0.0, 0.0);
        }
        let start_secs = clip.start_secs;
        let mut unsorted = Vec::new();
        match &mut clip.motion {
            Motion::Sampled(motion) => sampled(motion, number, num_bones, report),
            Motion::Tracks(tracks) => {
                tracks.retain(|track| bones.contains_id(track.bone));
                let name = &clip.name;
                for track in tracks {
                    let bone = track.bone;
                    let curve = |property: AnimatedProperty, word| Curve {
                        clip: number,
                        start_secs,
                        at: Some(CurveAt { bone: Some(bone), morph: None, property }),
                        subject: move || {
                            let bone = numbered("bone", bone.index(), &bones[bone].name);
                            format!("{}, {word} of {bone}", numbered("clip", index, name))
                        },
                        report,
                    };
                    let own = curve(AnimatedProperty::Translation, "translation");
                    let translation = track.translation.take();
                    track.translation = translation.and_then(|t| own.checked(t, &mut unsorted));
                    let own = curve(AnimatedProperty::Rotation, "rotation");
                    let rotation = track.rotation.take();
                    track.rotation = rotation.and_then(|t| own.checked(t, &mut unsorted));
                    let own = curve(AnimatedProperty::Scale, "scale");
                    let scale = track.scale.take();
                    track.scale = scale.and_then(|t| own.checked(t, &mut unsorted));
                }
            }
            // The library that evaluates these curves checks them; `pose` doesn't index into
            // anything.
            Motion::Curves(_) => {}
            Motion::VertexAnimation(cache) if cache.mesh.index() >= mesh_sizes.len() => {
                let what = "the vertex animation refers to a mesh that doesn't exist";
                report.add(FindingKind::ClipWithoutKeys, place, what);
                clip.motion = Motion::Tracks(Vec::new());
            }
            Motion::VertexAnimation(cache) => {
                let positions: &mut Vec<_> = Arc::make_mut(&mut cache.positions);
                let num_vertices = mesh_sizes.get(cache.mesh.index()).map_or(0, |size| size.0);
                let clip = numbered("clip", index, &clip.name);
                finite(positions, report, |at| {
                    let (frame, vertex) = (at / num_vertices.max(1), at % num_vertices.max(1));
                    let what = format!(
                        "in frame {frame} of {clip}, the position of vertex {vertex} isn't finite"
                    );
                    (place, what)
                });
                let is_ordered =
                    cache.times_secs.iter().all(|t| t.is_finite()) && cache.times_secs.is_sorted();
                let num_positions = cache.times_secs.len().checked_mul(num_vertices);
                if num_positions != Some(cache.positions.len()) || !is_ordered {
                    report.add(
                        FindingKind::ClipWithoutKeys,
                        place,
                        "the vertex animation has unusable times, or too few or too many positions \
                         for its mesh",
                    );
                    cache.times_secs.clear();
                    cache.positions = Arc::default();
                }
            }
        }
        let tracks = std::mem::take(&mut clip.morph_tracks);
        let tracks = tracks.into_iter().filter_map(|track| {
            let (_, num_targets) = mesh_sizes.get(track.mesh.index())?;
            let (mesh, target) = (track.mesh.0, track.target);
            let subject = || {
                let clip = numbered("clip", index, &clip.name);
                format!("{clip}, weight of morph target {target} of mesh {mesh}")
            };
            let property = AnimatedProperty::Weight;
            let at = CurveAt { bone: None, morph: Some((track.mesh, track.target)), property };
            let curve = Curve { clip: number, start_secs, at: Some(at), subject, report };
            let weights = curve.checked(track.weights, &mut unsorted)?;
            (track.target < *num_targets).then_some(MorphTrack { weights, ..track })
        });
        clip.morph_tracks = tracks.collect();
        let tracks = std::mem::take(&mut clip.material_tracks);
        let tracks = tracks.into_iter().filter_map(|track| {
            let material = materials.get(track.material)?;
            let subject = || {
                let clip = numbered("clip", index, &clip.name);
                let material = numbered("material", track.material.index(), &material.name);
                format!("{clip}, {} of {material}", track.property)
            };
            let curve = Curve { clip: number, start_secs, at: None, subject, report };
            let values = curve.checked(track.values, &mut unsorted)?;
            Some(MaterialTrack { values, ..track })
        });
        clip.material_tracks = tracks.collect();
        clip.unsorted_curves.append(&mut unsorted);
        for event in &mut clip.events {
            if !event.time_secs.is_finite() {
                event.time_secs = clip.start_secs;
            }
            event.bone = event.bone.filter(|&bone| bones.contains_id(bone));
        }
    }
}

fn sampled(motion: &mut SampledMotion, clip: u32, num_bones: usize, report: &Report) {
    let place = Place::Clip(clip);
    let keys = &motion.keys;
    if keys.num_bones() as usize != num_bones {
        report.add(
            FindingKind::ClipWithoutKeys,
            place,
            format!(
                "the keys are for {}, but the skeleton has {}",
                counted(u64::from(keys.num_bones()), "bone"),
                numbers::grouped(num_bones as u64)
            ),
        );
        // An empty key list is valid for any number of bones.
        let num_bones = as_u32(num_bones);
        if let Some(none) = PackedKeys::from_matrices(num_bones, &[]) {
            motion.keys = none;
        }
        return;
    }
    let num_keys = keys.num_keys();
    if num_keys == 0 && num_bones > 0 {
        report.add(FindingKind::ClipWithoutKeys, place, "the clip has no keys");
    }
    if num_keys > 1 && motion.interval_ns == 0 {
        report.add(
            FindingKind::ZeroInterval,
            place,
            format!("the clip's {num_keys} keys all have the same time"),
        );
    }
    let keys_ns = u128::from(motion.interval_ns) * (num_keys as u128).saturating_sub(1);
    if keys_ns.abs_diff(u128::from(motion.duration_ns)) > u128::from(motion.interval_ns) {
        report.add(
            FindingKind::DurationMismatch,
            place,
            format!(
                "the duration is {}, but the last key is at {}",
                numbers::seconds(Duration::from_nanos(motion.duration_ns).as_secs_f64()),
                numbers::seconds(motion.key_secs(num_keys.saturating_sub(1)))
            ),
        );
    }
    matrices(motion, clip, num_bones, report);
}

/// Reports matrices that hide a bone or aren't finite, and replaces non-finite numbers by 0.
fn matrices(motion: &mut SampledMotion, clip: u32, num_bones: usize, report: &Report) {
    let (records, _) = motion.keys.bytes().as_chunks::<KEY_STRIDE_BYTES>();
    // A single pass that only accumulates: files of hundreds of megabytes consist mostly of keys,
    // so this loop dominates the load time. Places are only searched for if something was found.
    let (mut any_bad, mut any_hidden) = (false, false);
    for record in records {
        let (bad, hidden) = classify(record);
        any_bad |= bad;
        any_hidden |= hidden;
    }
    let place = |at: usize| Place::Key {
        clip,
        key: as_u32(at / num_bones.max(1)),
        bone: as_u32(at % num_bones.max(1)),
    };
    let report_all = |kind, message: &str, matches: fn((bool, bool)) -> bool| {
        let mut found =
            (0..records.len()).filter(|&at| records.get(at).is_some_and(|r| matches(classify(r))));
        if let Some(first) = found.next() {
            let count = 1 + found.count() as u64;
            report.add_many(kind, place(first), count, || {
                let (key, bone) = (first / num_bones.max(1), first % num_bones.max(1));
                format!("in key {key} of clip {clip}, bone {bone} {message}")
            });
        }
    };
    if any_hidden {
        report_all(FindingKind::ZeroScaleBone, "is scaled to 0", |c| c.1);
    }
    if any_bad {
        report_all(FindingKind::NotFinite, "has a matrix that isn't finite", |c| c.0);
        let mut bytes = motion.keys.bytes().to_vec();
        let (floats, _) = bytes.as_chunks_mut::<4>();
        for float in floats {
            if u32::from_le_bytes(*float) & EXPONENT_BITS == EXPONENT_BITS {
                *float = [0; 4];
            }
        }
        if let Some(keys) = PackedKeys::new(ByteView::whole(bytes), motion.keys.num_bones()) {
            motion.keys = keys;
        }
    }
}

/// Whether the matrix is (not finite, scaled to 0).
fn classify(record: &[u8; KEY_STRIDE_BYTES]) -> (bool, bool) {
    let (floats, _) = record.as_chunks::<4>();
    let (mut bad, mut linear) = (false, 0);
    for (at, &float) in floats.iter().enumerate() {
        let bits = u32::from_le_bytes(float);
        bad |= bits & EXPONENT_BITS == EXPONENT_BITS;
        // Column 3 of each row is the translation.
        linear |= if at % 4 == 3 { 0 } else { bits & MAGNITUDE_BITS };
    }
    (bad, linear == 0)
}
