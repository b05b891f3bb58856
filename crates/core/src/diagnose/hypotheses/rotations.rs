//! Faults of rotation keys.

use glam::{EulerRot, Quat};

use crate::diagnose::cause::{CauseInfo, causes};
use crate::diagnose::edit::{
    align_signs, map_rotations, map_tracks, map_translations, reflected_rotation, reflection,
};
use crate::diagnose::evidence::keys::clip_and_bone;
use crate::diagnose::evidence::{Evidence, from_reference, keys};
use crate::diagnose::specimen::Specimen;
use crate::diagnose::trial::{Hypothesis, Trial};
use crate::model::{BoneId, BoneTrack, ClipId, counted};

/// Computes the intended quaternion from a misread one.
pub(super) type Reading = fn(Quat) -> Quat;

/// Ways to misread the components of a quaternion, and how to read them instead.
pub(super) const READINGS: [(&str, Reading); 3] = [
    ("w first instead of last", |q| Quat::from_xyzw(q.y, q.z, q.w, q.x)),
    ("x, y, z, w read as w, x, y, z", |q| Quat::from_xyzw(q.w, q.x, q.y, q.z)),
    ("inverted", |q| q.conjugate()),
];

const EVIDENCE: &[&Evidence] = &[&keys::KEY_TURNS, &from_reference::KEYS];

const ORDERS: [(EulerRot, &str); 6] = [
    (EulerRot::XYZ, "XYZ"),
    (EulerRot::XZY, "XZY"),
    (EulerRot::YXZ, "YXZ"),
    (EulerRot::YZX, "YZX"),
    (EulerRot::ZXY, "ZXY"),
    (EulerRot::ZYX, "ZYX"),
];

const fn row(
    cause: &'static CauseInfo,
    trials: fn(&Specimen, &'static Evidence, &[usize]) -> Vec<Trial>,
) -> Hypothesis {
    Hypothesis { cause, evidence: EVIDENCE, trials }
}

causes! {
    KEYS_WXYZ: "quaternion-order",
        "the quaternion components of the rotation keys are in the wrong order",
        "write quaternions in the component order of the format (glTF: x, y, z, w)",
        &["key-spike"];
    KEYS_CONJUGATED: "quaternions-conjugated",
        "the rotation keys are inverted: their quaternions are conjugated",
        "negate x, y and z of the quaternions, or don't transpose the rotation matrices that they are computed from",
        &[];
    KEYS_MIRRORED: "keys-mirrored",
        "the keys are in a coordinate system of the opposite handedness",
        "convert the keys with the same change of axes as the bones",
        &[];
    KEYS_EULER: "euler-order",
        "the Euler angles of the rotation keys were combined in the wrong order",
        "convert Euler angles in the rotation order of each bone (Maya: Rotate Order; Blender: rotation mode)",
        &["key-spike"];
    KEYS_DEGREES: "keys-in-degrees",
        "rotation angles in degrees were treated as radians",
        "convert angles to radians before computing quaternions from them",
        &["key-spike"];
    KEYS_RADIANS: "keys-in-radians",
        "rotation angles in radians were treated as degrees",
        "convert angles from degrees to radians only once",
        &[];
    KEY_SIGNS: "quaternion-signs",
        "consecutive rotation keys have opposite signs, so that simple runtimes interpolate the long way round",
        "negate each rotation key whose dot product with the previous key is negative",
        &["quaternion-flip"];
}

pub(super) const ROWS: &[Hypothesis] = &[
    row(KEYS_WXYZ, |case, _, items| {
        let of = |(name, read): &(&str, fn(Quat) -> Quat)| {
            let read = *read;
            each_scope(case, items, name, move |track| map_rotations(track, read))
        };
        READINGS[..2].iter().flat_map(of).collect()
    }),
    row(KEYS_CONJUGATED, |case, _, items| {
        each_scope(case, items, "", |track| map_rotations(track, |value| value.conjugate()))
    }),
    row(KEYS_MIRRORED, |case, _, items| {
        let names = ["mirrored along X", "mirrored along Y", "mirrored along Z"];
        let of = |(axis, name): (usize, &str)| {
            let both = each_scope(case, items, name, move |track| {
                map_rotations(track, |value| reflected_rotation(value, axis));
                map_translations(track, |value| value * reflection(axis));
            });
            let rotations = each_scope(case, items, &format!("rotations {name}"), move |track| {
                map_rotations(track, |value| reflected_rotation(value, axis));
            });
            both.into_iter().chain(rotations)
        };
        names.into_iter().enumerate().flat_map(of).collect()
    }),
    Hypothesis {
        cause: KEYS_EULER,
        evidence: EVIDENCE,
        trials: |case, _, items| {
            let mut trials = Vec::new();
            for (meant, meant_name) in ORDERS {
                for (used, used_name) in ORDERS.into_iter().filter(|(order, _)| *order != meant) {
                    let detail = format!("{used_name} instead of {meant_name}");
                    trials.extend(each_scope(case, items, &detail, move |track| {
                        map_rotations(track, |value| {
                            let (a, b, c) = value.normalize().to_euler(used);
                            let [a, b, c] = in_order(a, b, c, used, meant);
                            Quat::from_euler(meant, a, b, c)
                        });
                    }));
                }
            }
            trials
        },
    },
    Hypothesis {
        cause: KEYS_RADIANS,
        evidence: &[&from_reference::KEYS],
        trials: |case, _, items| {
            each_scope(case, items, "", |track| {
                map_rotations(track, |value| scaled_angle(value, 180.0 / std::f32::consts::PI));
            })
        },
    },
    Hypothesis {
        cause: KEYS_DEGREES,
        evidence: &[&from_reference::KEYS],
        trials: |case, _, items| degrees(case, items),
    },
    Hypothesis {
        cause: KEY_SIGNS,
        evidence: &[&keys::KEY_SIGNS],
        trials: |case, _, items| {
            let clips: Vec<usize> =
                items.iter().filter_map(|item| case.clips.get(*item).copied()).collect();
            let detail = of_clips(case, &clips);
            vec![Trial::new(detail, move |model| {
                map_tracks(
                    model,
                    |clip, _| clips.contains(&clip),
                    |track| track.rotation.iter_mut().for_each(align_signs),
                );
            })]
        },
    },
];

/// Rearranges the Euler angles of the order `used` for the order `meant`, so that each axis keeps its angle.
fn in_order(a: f32, b: f32, c: f32, used: EulerRot, meant: EulerRot) -> [f32; 3] {
    let axes = |order: EulerRot| match order {
        EulerRot::XZY => [0, 2, 1],
        EulerRot::YXZ => [1, 0, 2],
        EulerRot::YZX => [1, 2, 0],
        EulerRot::ZXY => [2, 0, 1],
        EulerRot::ZYX => [2, 1, 0],
        _ => [0, 1, 2],
    };
    let mut by_axis = [0.0; 3];
    for (axis, angle) in axes(used).into_iter().zip([a, b, c]) {
        by_axis[axis] = angle;
    }
    axes(meant).map(|axis| by_axis[axis])
}

/// A rotation about the same axis by a multiple of the angle.
fn scaled_angle(rotation: Quat, factor: f32) -> Quat {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let axis = rotation.xyz();
    let length = axis.length();
    if length < 1e-9 {
        return Quat::IDENTITY;
    }
    let angle_rad = 2.0 * length.atan2(rotation.w);
    Quat::from_axis_angle(axis / length, angle_rad * factor)
}

/// Degrees that were read as radians wrap around many times, so the original angles can't be recovered. Instead, the
/// reference is misread in the same way. If this gives the keys of a bone, the bone gets the reference's keys.
fn degrees(case: &Specimen, items: &[usize]) -> Vec<Trial> {
    let Some(reference) = &case.reference else { return Vec::new() };
    let mut found: Vec<(usize, BoneId, BoneTrack)> = Vec::new();
    for &item in items {
        let (clip, bone) = clip_and_bone(case, item);
        let track = |model: &crate::model::Model, clip: usize, bone: BoneId| {
            keys::tracks_of(model, clip).iter().find(|track| track.bone == bone).cloned()
        };
        let own = track(&case.model, clip, bone);
        let of = reference.clips.get(&clip).and_then(|clip| {
            let of_bone = reference.bones.get(bone).copied().flatten()?;
            track(&reference.model, *clip, of_bone)
        });
        let (Some(own), Some(mut other)) = (own, of) else { continue };
        let (Some(a), Some(b)) = (&own.rotation, &other.rotation) else { continue };
        if a.values.len() != b.values.len() {
            continue;
        }
        let factor = 180.0 / std::f32::consts::PI;
        let is_misread = |(a, b): (&Quat, &Quat)| {
            // The angle or the Euler angles of the reference, multiplied by 57.3.
            let whole = keys::angle_deg(scaled_angle(*b, factor), *a) < 6.0;
            whole
                || ORDERS.into_iter().any(|(order, _)| {
                    let (x, y, z) = b.to_euler(order);
                    let wrong = Quat::from_euler(order, x * factor, y * factor, z * factor);
                    keys::angle_deg(wrong, *a) < 6.0
                })
        };
        let num = a.values.iter().zip(&b.values).filter(|pair| is_misread(*pair)).count();
        if num * 10 >= a.values.len() * 9 {
            other.bone = bone;
            found.push((clip, bone, other));
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    let detail = of_bones(case, &found.iter().map(|(_, bone, _)| *bone).collect::<Vec<_>>());
    vec![Trial::new(detail, move |model| {
        for (clip, bone, other) in &found {
            let rotation = other.rotation.clone();
            map_tracks(
                model,
                |at, of| at == *clip && of == *bone,
                |track| track.rotation.clone_from(&rotation),
            );
        }
    })]
}

/// Changes all bones of the clips that have suspicious items, or only the suspicious bones.
pub(super) fn each_scope(
    case: &Specimen,
    items: &[usize],
    detail: &str,
    change: impl Fn(&mut BoneTrack) + Clone + Send + Sync + 'static,
) -> Vec<Trial> {
    let chosen: Vec<(usize, BoneId)> =
        items.iter().map(|item| clip_and_bone(case, *item)).collect();
    let mut clips: Vec<usize> = chosen.iter().map(|(clip, _)| *clip).collect();
    clips.dedup();
    let bones: Vec<BoneId> = chosen.iter().map(|(_, bone)| *bone).collect();
    let joined =
        |scope: String| if detail.is_empty() { scope } else { format!("{detail}, {scope}") };
    let (of_all, of_some) = (change.clone(), change);
    let all_clips = clips.clone();
    vec![
        Trial::new(joined(of_clips(case, &clips)), move |model| {
            map_tracks(model, |clip, _| all_clips.contains(&clip), &of_all);
        }),
        Trial::new(joined(of_bones(case, &bones)), move |model| {
            map_tracks(model, |clip, bone| chosen.contains(&(clip, bone)), &of_some);
        }),
    ]
}

/// Names clips for the detail of a cause.
pub(super) fn of_clips(case: &Specimen, clips: &[usize]) -> String {
    if clips.len() == case.model.clips.len() && clips.len() > 1 {
        return "in all clips".to_owned();
    }
    let name = |clip: &usize| &*case.model.clips[ClipId::from_index(*clip)].name;
    match clips {
        [clip] => format!("in clip {:?}", name(clip)),
        [clip, rest @ ..] => {
            format!("in clip {:?} and {}", name(clip), counted(rest.len() as u64, "other clip"))
        }
        [] => String::new(),
    }
}

/// Names bones for the detail of a cause.
pub(super) fn of_bones(case: &Specimen, bones: &[BoneId]) -> String {
    let mut bones = bones.to_vec();
    bones.sort_unstable_by_key(|bone| bone.0);
    bones.dedup();
    let name = |bone: &BoneId| case.model.skeleton.display_name(*bone);
    match &bones[..] {
        [bone] => format!("on {}", name(bone)),
        [bone, rest @ ..] => {
            format!("on {} and {}", name(bone), counted(rest.len() as u64, "other bone"))
        }
        [] => String::new(),
    }
}
