//! Each fault, put into a small good model: its evidence becomes suspicious, and undoing it restores the model.

use std::collections::BTreeSet;

use glam::EulerRot;

use super::models::{mirrored_prop, with_reversed_joints};
use super::*;
use crate::diagnose::hypotheses;
use crate::model::{Influences, influence_row};

/// A fault of an exporter.
struct Fault {
    cause: &'static str,
    /// A kind of evidence that shows it. If it is a deviation from the reference, that is the good model.
    evidence: &'static str,
    good: fn() -> Model,
    inject: fn(&mut Model),
}

const fn fault(cause: &'static str, evidence: &'static str, inject: fn(&mut Model)) -> Fault {
    Fault { cause, evidence, good: tube, inject }
}

/// Makes keys relative to the rest pose.
fn make_relative(model: &mut Model) {
    let rest: Vec<Trs> =
        model.skeleton.bones().iter().map(|bone| bone.rest_local.to_trs()).collect();
    map_tracks(
        model,
        |_, _| true,
        |track| {
            let own = rest[track.bone.index()];
            map_translations(track, |value| value - own.translation);
            map_rotations(track, |value| own.rotation.conjugate() * value);
        },
    );
}

fn root_translations(model: &mut Model) -> &mut Vec<Vec3> {
    let track = &mut tracks_mut(&mut model.clips[ClipId(0)])[0];
    &mut track.translation.as_mut().unwrap().values
}

/// Causes whose undoing is only approximate: an image has 8 bits per channel.
const NOT_EXACT: &[&str] = &["normal-map-color-space"];

const FAULTS: &[Fault] = &[
    fault("inverse-binds-transposed", "rest-to-bind", |m| binds(m, |_, bind| bind.transpose())),
    fault("inverse-binds-transposed", "bind-last-rows", |m| binds(m, |_, bind| bind.transpose())),
    fault("inverse-binds-not-inverted", "rest-to-bind", |m| binds(m, |_, bind| bind.inverse())),
    fault("inverse-binds-mirrored", "rest-to-bind", |m| {
        let mirror = Mat4::from_scale(reflection(0));
        binds(m, |_, bind| mirror * bind * mirror);
    }),
    fault("inverse-binds-unit", "rest-to-bind", |m| {
        binds(m, |_, mut bind| {
            bind.w_axis = (bind.w_axis.truncate() * 100.0).extend(1.0);
            bind
        });
    }),
    fault("inverse-binds-scale", "binds-from-reference", |m| {
        binds(m, |_, bind| Mat4::from_scale(Vec3::splat(100.0)) * bind);
    }),
    fault("inverse-binds-axes", "rest-to-bind", |m| {
        binds(m, |_, bind| Mat4::from_rotation_x(std::f32::consts::FRAC_PI_2) * bind);
    }),
    fault("inverse-binds-missing", "rest-to-bind", |m| binds(m, |_, _| Mat4::IDENTITY)),
    fault("inverse-binds-order", "rest-to-bind", |m| {
        inverse_bind_mut(&mut m.meshes[MeshId(0)]).bone_from_mesh.rotate_left(1);
    }),
    fault("joints-order", "rest-to-bind", |m| {
        inverse_bind_mut(&mut m.meshes[MeshId(0)]).bones.rotate_left(1)
    }),
    fault("some-inverse-binds-wrong", "binds-from-reference", |m| {
        binds(m, |bone, bind| if bone.0 == 2 { Mat4::from_rotation_z(1.0) * bind } else { bind });
    }),
    fault("rest-pose-unit", "bones-from-reference", |m| {
        map_rest(m, |_, trs| Trs { translation: trs.translation * 100.0, ..trs });
    }),
    fault("rest-pose-rotations", "bones-from-reference", |m| {
        map_rest(m, |_, trs| Trs { rotation: trs.rotation.conjugate(), ..trs });
    }),
    fault("rest-pose-mirrored", "bones-from-reference", |m| {
        map_rest(m, |_, trs| reflected(trs, 0))
    }),
    fault("mesh-unit", "mesh-from-bones", |m| {
        let streams = streams_mut(&mut m.meshes[MeshId(0)]);
        streams.positions.iter_mut().for_each(|at| *at *= 100.0);
    }),
    fault("up-axis", "bones-from-reference", |m| {
        place_whole(m, Affine3A::from_rotation_x(-std::f32::consts::FRAC_PI_2));
    }),
    fault("unit-scale", "bones-from-reference", |m| {
        place_whole(m, Affine3A::from_scale(Vec3::splat(100.0)));
    }),
    fault("joint-indices-shifted", "weights-from-reference", |m| {
        inverse_bind_mut(&mut m.meshes[MeshId(0)]).influences = {
            let own = inverse_bind(&m.meshes[MeshId(0)]);
            let shifted = |(slot, weight)| ((slot + 1) % NUM_BONES, weight);
            let row = |vertex| own.influences.row(vertex).map(shifted).collect::<Vec<_>>();
            Influences::from_lists((0..m.meshes[MeshId(0)].num_vertices()).map(row))
        };
    }),
    fault("weights-not-normalized", "weight-sums", |m| {
        if let Influences::Rows { weights, .. } =
            &mut inverse_bind_mut(&mut m.meshes[MeshId(0)]).influences
        {
            weights.iter_mut().for_each(|weight| *weight *= 0.5);
        }
    }),
    fault("keys-unit", "key-offsets", |m| translations(m, |value| value * 100.0)),
    fault("keys-scale", "keys-from-reference", |m| {
        map_tracks(
            m,
            |_, _| true,
            |track| {
                track
                    .scale
                    .iter_mut()
                    .flat_map(|own| &mut own.values)
                    .for_each(|value| *value *= 2.0);
            },
        );
    }),
    fault("quaternion-order", "keys-from-reference", |m| {
        rotations(m, |q| Quat::from_xyzw(q.w, q.x, q.y, q.z));
    }),
    fault("quaternions-conjugated", "keys-from-reference", |m| rotations(m, |q| q.conjugate())),
    fault("keys-mirrored", "keys-from-reference", |m| rotations(m, |q| reflected_rotation(q, 0))),
    fault("quaternion-signs", "key-signs", |m| {
        for track in tracks_mut(&mut m.clips[ClipId(0)]) {
            let keys = track.rotation.iter_mut().flat_map(|own| &mut own.values);
            keys.skip(1).step_by(2).for_each(|key| *key = -*key);
        }
    }),
    fault("clip-shifted", "times-from-reference", |m| retime(m, 0, 1.0, 4.0)),
    fault("clip-rate", "times-from-reference", |m| retime(m, 0, 2.0, 0.0)),
    fault("triangles-reversed", "facing", |m| {
        reverse_triangles(&mut m.meshes[MeshId(0)], |_| true)
    }),
    fault("triangles-reversed", "inside-out", |m| {
        reverse_triangles(&mut m.meshes[MeshId(0)], |_| true)
    }),
    fault("triangles-reversed", "triangles-from-reference", |m| {
        reverse_triangles(&mut m.meshes[MeshId(0)], |_| true);
    }),
    fault("some-triangles-reversed", "edge-order", |m| {
        // Triangles at the ends have no area.
        reverse_triangles(&mut m.meshes[MeshId(0)], |at| at % 5 == 0 && (24..456).contains(&at));
    }),
    fault("normals-flipped", "facing", |m| {
        streams_mut(&mut m.meshes[MeshId(0)])
            .normals
            .iter_mut()
            .for_each(|normal| *normal = -*normal);
    }),
    fault("tangent-sign", "tangents-from-reference", |m| {
        streams_mut(&mut m.meshes[MeshId(0)])
            .tangents
            .iter_mut()
            .for_each(|tangent| tangent.w = -tangent.w);
    }),
    fault("v-flipped", "uvs-from-reference", |m| {
        let uvs = &mut streams_mut(&mut m.meshes[MeshId(0)]).uv_sets[0].coords;
        uvs.iter_mut().for_each(|uv| uv.y = 1.0 - uv.y);
    }),
    fault("uvs-swapped", "uvs-from-reference", |m| {
        let uvs = &mut streams_mut(&mut m.meshes[MeshId(0)]).uv_sets[0].coords;
        uvs.iter_mut().for_each(|uv| *uv = Vec2::new(uv.y, uv.x));
    }),
    fault("morphs-absolute", "morphs-from-reference", |m| {
        let positions = streams(&m.meshes[MeshId(0)]).positions.clone();
        let shape = &mut m.meshes[MeshId(0)].morph_targets[0].shapes[0];
        for (vertex, offset) in shape.vertices.iter().zip(&mut shape.position_offsets) {
            *offset += positions[vertex.index()];
        }
    }),
    fault("morphs-unit", "morph-reach", |m| {
        let shape = &mut m.meshes[MeshId(0)].morph_targets[0].shapes[0];
        shape.position_offsets.iter_mut().for_each(|offset| *offset *= 1000.0);
    }),
    fault("inverse-binds-relative", "binds-from-reference", |m| {
        let rest: Vec<Mat4> =
            m.skeleton.bones().iter().map(|bone| bone.rest_local.to_affine().into()).collect();
        binds(m, |bone, _| rest[bone.index()].inverse());
    }),
    fault("inverse-binds-of-another-pose", "stretched-edges-at-rest", |m| {
        let posed = sample(m, &PoseSpec::at_secs(Some(ClipId(0)), 0.3)).model_from_bone;
        let rest = sample(m, &at_rest()).model_from_bone;
        binds(m, |bone, bind| {
            let turned = Quat::from_rotation_z(bone.0 as f32);
            Mat4::from_quat(turned) * Mat4::from(posed[bone].inverse() * rest[bone]) * bind
        });
    }),
    fault("armature-unit", "bones-from-reference", |m| {
        map_rest(m, |_, trs| Trs { translation: trs.translation * 100.0, ..trs });
        translations(m, |value| value * 100.0);
        binds(m, |_, mut bind| {
            bind.w_axis = (bind.w_axis.truncate() * 100.0).extend(1.0);
            bind
        });
    }),
    fault("mesh-axes", "positions-from-reference", |m| {
        let turn = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
        let mesh = &mut m.meshes[MeshId(0)];
        let shape = &mut mesh.morph_targets[0].shapes[0];
        shape.position_offsets.iter_mut().for_each(|offset| *offset = turn * *offset);
        let streams = streams_mut(mesh);
        streams.positions.iter_mut().for_each(|at| *at = turn * *at);
        streams.normals.iter_mut().for_each(|normal| *normal = turn * *normal);
    }),
    fault("mesh-mirrored", "positions-from-reference", |m| {
        let mesh = &mut m.meshes[MeshId(0)];
        let shape = &mut mesh.morph_targets[0].shapes[0];
        shape.position_offsets.iter_mut().for_each(|offset| *offset *= reflection(0));
        let streams = streams_mut(mesh);
        streams.positions.iter_mut().for_each(|at| *at *= reflection(0));
        streams.normals.iter_mut().for_each(|normal| *normal *= reflection(0));
    }),
    fault("bind-shape-missing", "binds-from-reference", |m| {
        let shape = Mat4::from_scale(Vec3::splat(100.0));
        binds(m, |_, bind| bind * shape);
    }),
    fault("up-axis-of-clips", "keys-from-reference", |m| {
        let turn = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        map_tracks(
            m,
            |_, bone| bone.0 == 0,
            |track| {
                map_rotations(track, |value| turn * value);
                map_translations(track, |value| turn * value);
            },
        );
    }),
    fault("mirrored-axis", "positions-from-reference", |m| hypotheses::mirror_whole(m, 0)),
    fault("joint-indices-permuted", "weights-from-reference", |m| {
        let swapped = |slot: u32| match slot {
            1 => 3,
            3 => 1,
            own => own,
        };
        influences_by_row(m, |_, row| row.iter_mut().for_each(|(slot, _)| *slot = swapped(*slot)));
    }),
    Fault {
        good: with_reversed_joints,
        ..fault("joints-of-another-skin", "weights-from-reference", |m| {
            let bones = inverse_bind(&m.meshes[MeshId(0)]).bones.clone();
            influences_by_row(m, |_, row| {
                row.iter_mut().for_each(|(slot, _)| *slot = bones[*slot as usize].0);
            });
        })
    },
    fault("weights-truncated", "weights-from-reference", |m| {
        influences_by_row(m, |_, row| influence_row::keep_heaviest(row, 1));
    }),
    fault("influences-lost", "weights-from-reference", |m| {
        influences_by_row(m, |_, row| row.retain(|(slot, _)| *slot != 2));
    }),
    fault("influences-reduced", "weights-from-reference", |m| {
        influences_by_row(m, |_, row| {
            influence_row::keep_heaviest(row, 1);
            influence_row::normalize(row);
        });
    }),
    fault("weights-quantized", "weights-from-reference", |m| {
        influences_by_row(m, |_, row| {
            row.iter_mut().for_each(|(_, weight)| *weight = (*weight * 2.0).round() / 2.0);
            row.retain(|(_, weight)| *weight > 0.0);
            influence_row::normalize(row);
        });
    }),
    fault("weights-of-other-vertices", "weights-from-reference", moved_influences),
    fault("vertices-without-weights", "weights-from-reference", |m| {
        influences_by_row(m, |vertex, row| {
            if vertex % 7 == 0 {
                row.clear();
            }
        });
    }),
    fault("additive-clip", "keys-from-reference", make_relative),
    Fault {
        good: || {
            let mut relative = tube();
            make_relative(&mut relative);
            relative
        },
        ..fault("absolute-clip", "keys-from-reference", |m| *m = tube())
    },
    fault("wild-key", "wild-keys-from-reference", |m| {
        let key = &mut rotation_of(m, 2)[5];
        *key *= Quat::from_axis_angle(Vec3::new(0.6, 0.64, 0.48), 2.8);
    }),
    fault("clip-cut", "times-from-reference", |m| {
        let clip = &mut m.clips[ClipId(0)];
        clip.duration_secs = 0.9;
        for track in tracks_mut(clip) {
            let rotation = track.rotation.as_mut().unwrap();
            let translation = track.translation.as_mut().unwrap();
            rotation.times_secs.pop();
            rotation.values.pop();
            translation.times_secs.pop();
            translation.values.pop();
        }
    }),
    Fault {
        good: || {
            let mut walking = tube();
            for (at, value) in (0u8..).zip(root_translations(&mut walking)) {
                value.z += f32::from(at) * 0.4;
            }
            walking
        },
        ..fault("root-motion-removed", "keys-from-reference", |m| {
            let values = root_translations(m);
            let first = values[0];
            values.fill(first);
        })
    },
    fault("clip-of-another-skeleton", "keys-from-reference", |m| {
        map_tracks(
            m,
            |_, bone| bone.0 > 0,
            |track| {
                let factor = 1.2 + 0.15 * (track.bone.0 % 4) as f32;
                map_translations(track, |value| value * factor);
            },
        );
    }),
    fault("euler-order", "keys-from-reference", |m| {
        rotations(m, |value| {
            let (x, y, z) = value.to_euler(EulerRot::XYZ);
            Quat::from_euler(EulerRot::ZYX, z, y, x)
        });
    }),
    fault("keys-in-degrees", "keys-from-reference", |m| {
        rotations(m, |value| {
            let (x, y, z) = value.to_euler(EulerRot::XYZ);
            let [x, y, z] = [x, y, z].map(f32::to_degrees);
            Quat::from_euler(EulerRot::XYZ, x, y, z)
        });
    }),
    fault("keys-in-radians", "keys-from-reference", |m| {
        rotations(m, |value| {
            let (axis, angle) = value.to_axis_angle();
            Quat::from_axis_angle(axis, angle.to_radians())
        });
    }),
    Fault {
        good: mirrored_prop,
        ..fault("mirrored-nodes", "triangles-from-reference", |m| {
            reverse_triangles(&mut m.meshes[MeshId(0)], |_| true);
        })
    },
    fault("normals-of-other-axes", "normals-from-reference", |m| {
        let normals = &mut streams_mut(&mut m.meshes[MeshId(0)]).normals;
        normals.iter_mut().for_each(|normal| *normal = Vec3::new(normal.x, -normal.z, normal.y));
    }),
];

#[test]
fn every_cause_has_a_fault() {
    let tested: BTreeSet<&str> =
        FAULTS.iter().map(|fault| fault.cause).chain(NOT_EXACT.iter().copied()).collect();
    let named: BTreeSet<&str> = hypotheses::CAUSES.iter().map(|cause| cause.name).collect();
    assert_eq!(tested, named);
}

#[test]
fn faults_are_suspicious_and_undoing_them_restores_the_model() {
    let mut failed = Vec::new();
    for Fault { cause, evidence, good, inject } in FAULTS {
        let good = good();
        let expected = values(&good);
        let mut faulty = good.clone();
        inject(&mut faulty);
        let mut case = Specimen::new(&faulty);
        let evidence = of_name(evidence);
        let (measured, items) = measured(&mut case, evidence, &good);
        if items.is_empty() {
            failed.push(format!("{cause}: {evidence:?} isn't suspicious: {measured:?}"));
            continue;
        }
        let rows = hypotheses::all().filter(|row| row.cause.name == *cause);
        let trials = rows
            .filter(|row| row.evidence.iter().any(|own| own.name == evidence.name))
            .flat_map(|row| (row.trials)(&case, evidence, &items));
        let undone: Vec<Vec<f32>> = trials
            .map(|trial| {
                let mut model = case.model.clone();
                (trial.undo)(&mut model);
                values(&model)
            })
            .collect();
        if !undone.iter().any(|undone| is_same(undone, &expected)) {
            failed.push(format!("{cause}: none of {} trials restores the model", undone.len()));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
