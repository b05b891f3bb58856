//! A fault that each kind of evidence shows, and good models that none of it finds suspicious.

use std::collections::BTreeSet;

use super::models::{body, boxes, mirrored_prop, seam, with_normal_map};
use super::*;
use crate::diagnose::evidence::ALL;
use crate::model::{OutsideInfluence, linear_from_srgb};

/// A kind of evidence, a good model, and a fault that makes the evidence suspicious.
type Case = (&'static str, fn() -> Model, fn(&mut Model));

const TURN: f32 = std::f32::consts::FRAC_PI_2;

fn transposed(model: &mut Model) {
    binds(model, |_, bind| bind.transpose());
}

fn long_keys(model: &mut Model) {
    translations(model, |value| value * 100.0);
}

/// Moves every second box aside.
fn moved_boxes(model: &mut Model) {
    binds(model, |bone, bind| {
        let aside = if bone.0 % 2 == 0 { Vec3::ZERO } else { Vec3::X * 4.0 };
        Mat4::from_translation(aside) * bind
    });
}

fn wild_key(model: &mut Model) {
    rotation_of(model, 2)[5] *= Quat::from_axis_angle(Vec3::new(0.6, 0.64, 0.48), 2.8);
}

fn long_root_keys(model: &mut Model) {
    map_tracks(
        model,
        |_, bone| bone.0 == 0,
        |track| map_translations(track, |value| value * 100.0),
    );
}

fn four_clips() -> Model {
    let mut model = tube();
    for _ in 0..3 {
        let clip = model.clips[ClipId(0)].clone();
        model.clips.push(clip);
    }
    model
}

fn streams_of(model: &mut Model) -> &mut crate::model::Streams {
    streams_mut(&mut model.meshes[MeshId(0)])
}

const CASES: &[Case] = &[
    ("rest-to-bind", tube, transposed),
    ("bind-last-rows", tube, transposed),
    ("bone-distance", tube, moved_influences),
    ("mesh-from-bones", tube, |m| streams_of(m).positions.iter_mut().for_each(|at| *at *= 100.0)),
    ("weight-jumps", tube, |m| {
        let num = m.meshes[MeshId(0)].num_vertices();
        let mixed = influences(m).of_vertices((0..num).map(|at| at * 37 % num));
        *influences(m) = mixed;
    }),
    ("weight-sums", tube, |m| {
        influences_by_row(m, |_, row| row.iter_mut().for_each(|(_, weight)| *weight *= 0.5));
    }),
    ("influences-outside", tube, |m| {
        let outside =
            (0..40).map(|vertex| OutsideInfluence { vertex, entry: 0, slot: 99, weight: 1.0 });
        inverse_bind_mut(&mut m.meshes[MeshId(0)]).outside = outside.collect();
    }),
    ("vertices-without-weights", tube, |m| {
        influences_by_row(m, |vertex, row| {
            if vertex % 3 == 0 {
                row.clear();
            }
        });
    }),
    ("stretched-edges-at-rest", tube, transposed),
    ("stretched-edges", tube, long_keys),
    ("torn-edges-at-rest", tube, transposed),
    ("torn-edges", tube, long_keys),
    ("gaps-at-rest", boxes, moved_boxes),
    ("gaps", boxes, long_keys),
    ("splits-at-rest", boxes, moved_boxes),
    ("splits", boxes, long_keys),
    ("key-offsets", tube, long_keys),
    ("key-turns", tube, |m| rotations(m, |q| Quat::from_xyzw(q.w, q.x, q.y, q.z))),
    ("key-signs", tube, |m| {
        rotation_of(m, 2).iter_mut().step_by(2).for_each(|key| *key = -*key);
        rotation_of(m, 3).iter_mut().step_by(2).for_each(|key| *key = -*key);
    }),
    ("key-spikes", tube, wild_key),
    ("key-interval", tube, |m| retime(m, 0, 30.0, 0.0)),
    ("start", four_clips, |m| retime(m, 0, 1.0, 4.0)),
    ("travel", tube, long_root_keys),
    ("root-keys", tube, long_root_keys),
    ("facing", tube, |m| reverse_triangles(&mut m.meshes[MeshId(0)], |_| true)),
    ("inside-out", tube, |m| reverse_triangles(&mut m.meshes[MeshId(0)], |_| true)),
    ("edge-order", tube, |m| reverse_triangles(&mut m.meshes[MeshId(0)], |at| at % 5 == 0)),
    ("mirrored-fronts", mirrored_prop, |m| {
        reverse_triangles(&mut m.meshes[MeshId(0)], |_| true);
    }),
    ("normal-angle", tube, |m| {
        let turn = Quat::from_rotation_x(TURN);
        streams_of(m).normals.iter_mut().for_each(|normal| *normal = turn * *normal);
    }),
    ("tangent-signs", with_normal_map, |m| {
        streams_of(m).tangents.iter_mut().for_each(|tangent| tangent.w = -tangent.w);
    }),
    ("seam-colors", seam, |m| {
        streams_of(m).uv_sets[0].coords.iter_mut().for_each(|uv| uv.y = 1.0 - uv.y);
    }),
    ("morph-size", tube, long_offsets),
    ("morph-reach", tube, long_offsets),
    ("normal-map-mean", with_normal_map, |m| {
        recode_image(m, crate::model::ImageId(0), linear_from_srgb);
    }),
    ("upright", body, |m| place_whole(m, Affine3A::from_rotation_x(-TURN))),
    ("height", body, |m| place_whole(m, Affine3A::from_scale(Vec3::splat(100.0)))),
    ("drawing-from-reference", tube, transposed),
    ("bones-from-reference", tube, |m| map_rest(m, |_, trs| reflected(trs, 0))),
    ("binds-from-reference", tube, transposed),
    ("positions-from-reference", tube, |m| {
        streams_of(m).positions.iter_mut().for_each(|at| *at *= 1.5);
    }),
    ("normals-from-reference", tube, |m| {
        streams_of(m).normals.iter_mut().for_each(|normal| *normal = -*normal);
    }),
    ("tangents-from-reference", tube, |m| {
        streams_of(m).tangents.iter_mut().for_each(|tangent| tangent.w = -tangent.w);
    }),
    ("uvs-from-reference", tube, |m| {
        streams_of(m).uv_sets[0].coords.iter_mut().for_each(|uv| uv.y = 1.0 - uv.y);
    }),
    ("triangles-from-reference", tube, |m| {
        reverse_triangles(&mut m.meshes[MeshId(0)], |_| true);
    }),
    ("weights-from-reference", tube, moved_influences),
    ("morphs-from-reference", tube, long_offsets),
    ("keys-from-reference", tube, long_keys),
    ("wild-keys-from-reference", tube, wild_key),
    ("times-from-reference", tube, |m| retime(m, 0, 1.0, 4.0)),
];

fn long_offsets(model: &mut Model) {
    let shape = &mut model.meshes[MeshId(0)].morph_targets[0].shapes[0];
    shape.position_offsets.iter_mut().for_each(|offset| *offset *= 1000.0);
}

#[test]
fn every_kind_of_evidence_has_a_case() {
    let tested: BTreeSet<&str> = CASES.iter().map(|(name, ..)| *name).collect();
    let all: BTreeSet<&str> = ALL.iter().map(|evidence| evidence.name).collect();
    assert_eq!(tested, all);
}

#[test]
fn evidence_is_suspicious_in_its_case_only() {
    let mut failed = Vec::new();
    for (name, good, inject) in CASES {
        let good = good();
        let evidence = of_name(name);
        let mut sound = Specimen::new(&good);
        let (before, _) = measured(&mut sound, evidence, &good);
        if before.iter().any(|value| !value.is_nan() && evidence.is_extraordinary(*value)) {
            failed.push(format!("{name}: extraordinary in the good model: {before:?}"));
        }
        let mut faulty = good.clone();
        inject(&mut faulty);
        let (after, items) = measured(&mut Specimen::new(&faulty), evidence, &good);
        if items.is_empty() {
            failed.push(format!("{name}: not suspicious: {after:?}, before {before:?}"));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn good_models_have_no_extraordinary_evidence() {
    for good in [tube, boxes, body, seam, with_normal_map, mirrored_prop, four_clips] {
        let good = good();
        let mut case = Specimen::new(&good);
        for evidence in ALL {
            let (values, _) = measured(&mut case, evidence, &good);
            for value in values {
                assert!(
                    value.is_nan() || !evidence.is_extraordinary(value),
                    "{evidence:?} {value}"
                );
            }
        }
    }
}
