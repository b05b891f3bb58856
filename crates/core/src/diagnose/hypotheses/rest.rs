//! Faults of the rest pose.

use glam::Quat;

use super::FACTORS;
use super::rotations::READINGS;
use crate::diagnose::cause::{BIND_FINDINGS, causes};
use crate::diagnose::edit::{map_rest, map_tracks, map_translations, reflected};
use crate::diagnose::evidence::shape::with_shape;
use crate::diagnose::evidence::{Evidence, binds, from_reference, keys};
use crate::diagnose::specimen::is_root;
use crate::diagnose::trial::{Hypothesis, Trial};
use crate::model::{Model, Trs};

const EVIDENCE: &[&Evidence] = with_shape![&binds::REST_TO_BIND, &from_reference::BONES];
/// If the clips start in the bind pose, only the keys show that the rest pose is wrong.
const WITH_OFFSETS: &[&Evidence] =
    with_shape![&binds::REST_TO_BIND, &keys::KEY_OFFSETS, &from_reference::BONES];
const WITH_TURNS: &[&Evidence] =
    with_shape![&binds::REST_TO_BIND, &keys::KEY_TURNS, &from_reference::BONES];

causes! {
    REST_UNIT: "rest-pose-unit",
        "the rest translations of the bones are in a different unit from the mesh",
        "scale bones and vertices alike (Blender: Object > Apply > All Transforms on armature and mesh)",
        BIND_FINDINGS;
    REST_ROTATIONS: "rest-pose-rotations",
        "the quaternions of the rest pose are stored incorrectly",
        "check the order and signs of the quaternion components (glTF: x, y, z, w)",
        BIND_FINDINGS;
    REST_MIRRORED: "rest-pose-mirrored",
        "the rest pose is in a coordinate system of the opposite handedness",
        "convert the bones with the same change of axes as the inverse bind matrices and vertices",
        BIND_FINDINGS;
}

pub(super) const ROWS: &[Hypothesis] = &[
    Hypothesis {
        cause: REST_UNIT,
        evidence: WITH_OFFSETS,
        trials: |_, _, _| {
            let mut trials = Vec::new();
            for (undo, factor) in FACTORS {
                for (with_keys, with_roots) in
                    [(true, true), (false, true), (true, false), (false, false)]
                {
                    let trial = Trial::new(format!("scaled by {factor}"), move |model| {
                        scale_translations(model, undo, with_keys, with_roots);
                    });
                    trials.push(trial.with_rival(move |model| {
                        scale_translations(model, 0.0, with_keys, with_roots);
                    }));
                }
            }
            trials
        },
    },
    Hypothesis {
        cause: REST_ROTATIONS,
        evidence: WITH_TURNS,
        trials: |_, _, _| {
            let of = |(name, read): (&'static str, fn(Quat) -> Quat)| {
                Trial::new(name, move |model| {
                    map_rest(model, |_, trs| Trs { rotation: read(trs.rotation), ..trs });
                })
            };
            READINGS.into_iter().map(of).collect()
        },
    },
    Hypothesis {
        cause: REST_MIRRORED,
        evidence: EVIDENCE,
        trials: |_, _, _| {
            let names = ["mirrored along X", "mirrored along Y", "mirrored along Z"];
            let of = |(axis, name): (usize, &'static str)| {
                Trial::new(name, move |model| map_rest(model, |_, trs| reflected(trs, axis)))
            };
            names.into_iter().enumerate().map(of).collect()
        },
    },
];

fn scale_translations(model: &mut Model, factor: f32, with_keys: bool, with_roots: bool) {
    let is_root: Vec<bool> =
        model.skeleton.bones().ids().map(|bone| is_root(model, bone)).collect();
    let is_scaled = |bone: crate::model::BoneId| with_roots || !is_root[bone.index()];
    map_rest(model, |bone, trs| {
        if is_scaled(bone) { Trs { translation: trs.translation * factor, ..trs } } else { trs }
    });
    if with_keys {
        map_tracks(
            model,
            |_, bone| is_scaled(bone),
            |track| map_translations(track, |value| value * factor),
        );
    }
}
