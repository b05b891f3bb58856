//! Faults of exporters, to inject into good models.

use glam::{EulerRot, Mat4, Quat, Vec2, Vec3};
use rigscope_core::model::{BoneId, BoneTrack, Influences, Model, Motion, Trs, influence_row};
use rigscope_core::pose::{Moment, PoseSpec, sample};

use super::edits::{
    binds, each_skin, each_streams, has_neighbours, has_regular_keys, is_face, is_humanoid,
    is_textured, lists, map_rotations, map_translations, mirror, morphs, morphs_in_place, normals,
    posed_normals, rest, rests, reverse_meshes, scaled_translation, skins, slots, times, times_of,
    track_of, tracks, triangles, uvs, whole, wxyz,
};

/// A fault, and the causes that are accepted for it.
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    pub(crate) causes: &'static [&'static str],
    /// Whether it can be found only by comparison with the good model.
    pub(crate) needs_reference: bool,
    /// Whether it affects bones, so that models with baked skinning matrices can't have it.
    pub(crate) needs_bones: bool,
    /// Whether a good model would show it without a reference.
    pub(crate) shows_alone: fn(&Model) -> bool,
    /// Injects the fault into a model in plain form. Returns false if the model can't have the fault.
    pub(crate) inject: fn(&mut Model) -> bool,
}

const fn alone(
    name: &'static str,
    causes: &'static [&'static str],
    inject: fn(&mut Model) -> bool,
) -> Fault {
    Fault {
        name,
        causes,
        needs_reference: false,
        needs_bones: false,
        shows_alone: |_| true,
        inject,
    }
}

/// A fault of bones, inverse bind matrices or keys that can be found without the good model.
const fn rigged(
    name: &'static str,
    causes: &'static [&'static str],
    inject: fn(&mut Model) -> bool,
) -> Fault {
    Fault { name, causes, needs_reference: false, needs_bones: true, shows_alone: |_| true, inject }
}

const fn beside_rigged(
    name: &'static str,
    causes: &'static [&'static str],
    inject: fn(&mut Model) -> bool,
) -> Fault {
    Fault { name, causes, needs_reference: true, needs_bones: true, shows_alone: |_| true, inject }
}

const fn beside(
    name: &'static str,
    causes: &'static [&'static str],
    inject: fn(&mut Model) -> bool,
) -> Fault {
    Fault { name, causes, needs_reference: true, needs_bones: false, shows_alone: |_| true, inject }
}

/// A fault of bones that shows without the good model only if bones differ in their axes.
const fn with_axes(
    name: &'static str,
    causes: &'static [&'static str],
    inject: fn(&mut Model) -> bool,
) -> Fault {
    Fault { shows_alone: has_own_axes, ..rigged(name, causes, inject) }
}

/// Whether most bones that move something have other axes than their parents: otherwise motion in the opposite
/// direction may be intended.
fn has_own_axes(model: &Model) -> bool {
    let of_child = |(bone, trs): (&rigscope_core::model::Bone, Trs)| {
        bone.parent.map(|_| trs.rotation.normalize().to_axis_angle().1 > 0.6)
    };
    let all: Vec<bool> =
        model.skeleton.bones().iter().zip(rests(model)).filter_map(of_child).collect();
    let num = all.iter().filter(|is_own| **is_own).count();
    num * 2 > all.len()
}

/// The rotation in which a third of a tube around X bends.
fn wild(value: Quat) -> Quat {
    value * Quat::from_axis_angle(Vec3::new(0.6, 0.64, 0.48), 2.8)
}

/// The joint below a root with the most tracks, of which a key can be wild.
fn middle_joint(model: &Model) -> Option<BoneId> {
    let skin = skins(model).next()?;
    let parent = |bone: &BoneId| model.skeleton.bones()[*bone].parent;
    let has_children =
        |bone: &&BoneId| model.skeleton.bones().ids().any(|child| parent(&child) == Some(**bone));
    let is_inner = |bone: &&BoneId| parent(bone).is_some_and(|own| skin.bones.contains(&own));
    skin.bones.iter().filter(is_inner).find(has_children).copied()
}

/// Joints above which there is no other joint, with their rest translations far from 0.
fn far_roots(model: &Model) -> Vec<BoneId> {
    let Some(skin) = skins(model).next() else { return Vec::new() };
    let is_root = |bone: &&BoneId| {
        let own = &model.skeleton.bones()[**bone];
        let length = own.rest_local.to_trs().translation.length();
        own.parent.is_none_or(|parent| !skin.bones.contains(&parent)) && length > 0.3
    };
    skin.bones.iter().filter(is_root).copied().collect()
}

/// Replaces each vertex's influences by those of another, given its index and the number of vertices.
fn rows_from(model: &mut Model, of: fn(usize, usize) -> usize) -> bool {
    skins(model).any(|skin| skin.bones.len() > 3)
        && each_skin(model, |skin| {
            let Influences::Rows { first, .. } = &skin.influences else { return false };
            let num = first.len() - 1;
            skin.influences = skin.influences.of_vertices((0..num).map(|at| of(at, num)));
            num > 40
        })
}

fn mesh_mirrored(model: &mut Model, axis: usize, is_reversed: bool) -> bool {
    let mut signs = Vec3::ONE;
    signs[axis] = -1.0;
    let has_skin = skins(model).any(|skin| skin.bones.len() > 3);
    has_skin
        && each_streams(model, |streams| {
            streams.positions.iter_mut().for_each(|at| *at *= signs);
            streams.normals.iter_mut().for_each(|normal| *normal *= signs);
            true
        })
        && (!is_reversed || triangles(model, |_| true))
}

pub(crate) const FAULTS: &[Fault] = &[
    rigged("binds transposed", &["inverse-binds-transposed"], |model| {
        binds(model, |_, m| m.transpose())
    }),
    rigged("binds not inverted", &["inverse-binds-not-inverted"], |model| {
        binds(model, |_, m| m.inverse())
    }),
    rigged("binds mirrored", &["inverse-binds-mirrored", "rest-pose-mirrored"], |model| {
        let mirror = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        binds(model, |_, m| mirror * m * mirror)
    }),
    rigged("binds x100", &["inverse-binds-unit"], |model| {
        binds(model, |_, m| scaled_translation(m, 100.0))
    }),
    rigged("binds x0.01", &["inverse-binds-unit"], |model| {
        binds(model, |_, m| scaled_translation(m, 0.01))
    }),
    rigged("binds turned", &["inverse-binds-axes"], |model| {
        binds(model, |_, m| Mat4::from_rotation_x(std::f32::consts::FRAC_PI_2) * m)
    }),
    rigged("binds missing", &["inverse-binds-missing"], |model| {
        let is_far = skins(model)
            .any(|skin| skin.bone_from_mesh.iter().any(|m| !m.abs_diff_eq(Mat4::IDENTITY, 1e-2)));
        is_far && binds(model, |_, _| Mat4::IDENTITY)
    }),
    rigged("binds of another pose", &["inverse-binds-of-another-pose"], |model| {
        let Some(clip) = model.clips.first() else { return false };
        let posed =
            sample(model, &PoseSpec::at_secs(None, clip.start_secs + clip.duration_secs * 0.4));
        let rest = sample(model, &PoseSpec { moment: Moment::Rest, ..PoseSpec::default() });
        if posed.model_from_bone.len() < 4 {
            return false;
        }
        let turned = |bone: BoneId| {
            let [a, b] = [&posed, &rest].map(|pose| pose.model_from_bone[bone].matrix3);
            a.x_axis.angle_between(b.x_axis) > 0.5
        };
        model.skeleton.bones().ids().any(turned)
            && binds(model, |bone, m| {
                Mat4::from(posed.model_from_bone[bone].inverse())
                    * Mat4::from(rest.model_from_bone[bone])
                    * m
            })
    }),
    rigged("binds shifted by one", &["inverse-binds-order", "joints-order"], |model| {
        each_skin(model, |skin| {
            let is_long = skin.bone_from_mesh.len() > 3;
            if is_long {
                skin.bone_from_mesh.rotate_right(1);
            }
            is_long
        })
    }),
    rigged("joints reversed", &["joints-order", "inverse-binds-order"], |model| {
        each_skin(model, |skin| {
            let is_long = skin.bones.len() > 3;
            if is_long {
                skin.bones.reverse();
            }
            is_long
        })
    }),
    rigged("rest x100", &["rest-pose-unit"], |model| {
        skins(model).next().is_some()
            && rest(model, |model, bone, trs| match model.bones()[bone].parent {
                Some(_) => Trs { translation: trs.translation * 100.0, ..trs },
                None => trs,
            })
    }),
    rigged("rest wxyz", &["rest-pose-rotations"], |model| {
        skins(model).next().is_some()
            && model.skeleton.len() > 3
            && rest(model, |_, _, trs| Trs { rotation: wxyz(trs.rotation), ..trs })
    }),
    rigged("binds mirrored Z", &["inverse-binds-mirrored", "rest-pose-mirrored"], |model| {
        let mirror = Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0));
        binds(model, |_, m| mirror * m * mirror)
    }),
    rigged("root keys x100", &["keys-unit"], |model| {
        let roots = far_roots(model);
        tracks(model, |track| {
            roots.contains(&track.bone) && map_translations(track, |value| value * 100.0)
        })
    }),
    beside_rigged("root keys x0.01", &["keys-unit"], |model| {
        let roots = far_roots(model);
        tracks(model, |track| {
            roots.contains(&track.bone) && map_translations(track, |value| value * 0.01)
        })
    }),
    rigged("a wild rotation key", &["wild-key"], |model| {
        let joint = middle_joint(model);
        let Some(clip) = model.clips.first_mut() else { return false };
        let Motion::Tracks(tracks) = &mut clip.motion else { return false };
        let own = tracks.iter_mut().find(|track| Some(track.bone) == joint);
        let Some(rotation) = own.and_then(|track| track.rotation.as_mut()) else { return false };
        let (own, step) = rotation.key_layout();
        let num = rotation.values.len() / step;
        let at = num / 2 * step + own;
        if num < 7 {
            return false;
        }
        rotation.values[at] = wild(rotation.values[at]);
        true
    }),
    rigged("a wild translation key", &["wild-key"], |model| {
        let size = rests(model).iter().map(|trs| trs.translation.length()).fold(0.0, f32::max);
        let Some(clip) = model.clips.first_mut() else { return false };
        let Motion::Tracks(tracks) = &mut clip.motion else { return false };
        let moves = |track: &&mut BoneTrack| {
            track.translation.as_ref().is_some_and(|own| own.values.len() / own.key_layout().1 > 6)
        };
        let Some(translation) =
            tracks.iter_mut().find(moves).and_then(|track| track.translation.as_mut())
        else {
            return false;
        };
        let (own, step) = translation.key_layout();
        let at = translation.values.len() / step / 3 * step + own;
        translation.values[at] += Vec3::new(7.0, 9.0, -4.0) * size;
        true
    }),
    rigged("weights rolled", &["weights-of-other-vertices"], |model| {
        rows_from(model, |at, num| (at + num / 3) % num)
    }),
    // Uniform surfaces don't show whether vertices or bones are in reverse.
    rigged(
        "weights in reverse",
        &["weights-of-other-vertices", "joint-indices-permuted"],
        |model| rows_from(model, |at, num| num - 1 - at),
    ),
    rigged("vertices without weights", &["vertices-without-weights"], |model| {
        each_skin(model, |skin| {
            let Influences::Rows { first, .. } = &skin.influences else { return false };
            let num = first.len() - 1;
            let lists: Vec<Vec<(u32, f32)>> =
                (0..num)
                    .map(|at| {
                        if at * 5 / num == 2 {
                            Vec::new()
                        } else {
                            skin.influences.row(at).collect()
                        }
                    })
                    .collect();
            skin.influences = Influences::from_lists(&lists);
            num > 40
        })
    }),
    rigged(
        "weights of a bone lost",
        &["vertices-without-weights", "influences-lost", "weights-not-normalized"],
        |model| {
            let Some(joint) = middle_joint(model) else { return false };
            each_skin(model, |skin| {
                let Some(slot) = skin.bones.iter().position(|own| *own == joint) else {
                    return false;
                };
                let Influences::Rows { first, .. } = &skin.influences else { return false };
                let mut is_lost = false;
                let lists: Vec<Vec<(u32, f32)>> = (0..first.len() - 1)
                    .map(|at| {
                        let row: Vec<_> = skin.influences.row(at).collect();
                        let left: Vec<_> =
                            row.iter().filter(|(own, _)| *own as usize != slot).copied().collect();
                        is_lost |= left.is_empty() && !row.is_empty();
                        left
                    })
                    .collect();
                skin.influences = Influences::from_lists(&lists);
                is_lost
            })
        },
    ),
    rigged("mesh mirrored X", &["mesh-mirrored"], |model| mesh_mirrored(model, 0, false)),
    rigged("mesh mirrored Z, triangles reversed", &["mesh-mirrored"], |model| {
        mesh_mirrored(model, 2, true)
    }),
    with_axes("one bone conjugated", &["quaternions-conjugated", "keys-mirrored"], |model| {
        let joint = middle_joint(model);
        tracks(model, |track| {
            Some(track.bone) == joint && map_rotations(track, |value| value.conjugate())
        })
    }),
    rigged("transposed and wxyz", &["inverse-binds-transposed", "quaternion-order"], |model| {
        binds(model, |_, m| m.transpose()) && tracks(model, |track| map_rotations(track, wxyz))
    }),
    alone("up axis twice", &["up-axis"], |model| {
        is_humanoid(model) && whole(model, Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2), 1.0)
    }),
    beside("whole x100", &["unit-scale"], |model| {
        is_humanoid(model)
            && model.axes.unit_meters.is_some()
            && whole(model, Quat::IDENTITY, 100.0)
    }),
    beside("mirrored", &["mirrored-axis"], |model| is_humanoid(model) && mirror(model)),
    rigged("joint indices +1", &["joint-indices-shifted"], |model| {
        slots(model, |slot, num| (slot + 1) % num)
    }),
    alone("weights truncated", &["weights-truncated"], |model| {
        lists(model, |list| {
            influence_row::keep_heaviest(list, 2);
        })
    }),
    alone("weights x0.8", &["weights-not-normalized"], |model| {
        lists(model, |list| {
            list.iter_mut().for_each(|(_, weight)| *weight *= 0.8);
        })
    }),
    rigged("keys x100", &["keys-unit"], |model| {
        tracks(model, |track| map_translations(track, |value| value * 100.0))
    }),
    rigged("keys wxyz", &["quaternion-order"], |model| {
        tracks(model, |track| map_rotations(track, wxyz))
    }),
    with_axes("keys conjugated", &["quaternions-conjugated", "keys-mirrored"], |model| {
        tracks(model, |track| map_rotations(track, |value| value.conjugate()))
    }),
    with_axes("additive clip", &["additive-clip"], |model| {
        let rest = rests(model);
        tracks(model, |track| {
            let own = rest[track.bone.index()];
            let moved = map_translations(track, |value| value - own.translation);
            let turned = map_rotations(track, |value| value * own.rotation.conjugate());
            moved || turned
        })
    }),
    alone("triangles reversed", &["triangles-reversed"], |model| triangles(model, |_| true)),
    alone("some triangles reversed", &["some-triangles-reversed"], |model| {
        triangles(model, |number| number % 13 == 5)
    }),
    alone("normals flipped", &["normals-flipped"], |model| normals(model, |normal| -normal)),
    alone("normals turned", &["normals-of-other-axes"], |model| {
        normals(model, |normal| Vec3::new(normal.x, -normal.z, normal.y))
    }),
    // Invisible without a normal map.
    beside("tangent signs", &["tangent-sign"], |model| {
        each_streams(model, |streams| {
            streams.tangents.iter_mut().for_each(|tangent| tangent.w = -tangent.w);
            !streams.tangents.is_empty()
        })
    }),
    alone("morphs absolute", &["morphs-absolute"], |model| {
        morphs(model, |position, offset| position + offset)
    }),
    rigged("bind shape missing", &["bind-shape-missing"], |model| {
        let shape = Mat4::from_scale(Vec3::splat(100.0));
        skins(model).any(|skin| skin.bones.len() > 3) && binds(model, |_, m| m * shape)
    }),
    rigged("mesh x100", &["mesh-unit", "bind-shape-missing"], |model| {
        skins(model).any(|skin| skin.bones.len() > 3)
            && each_streams(model, |streams| {
                streams.positions.iter_mut().for_each(|at| *at *= 100.0);
                true
            })
    }),
    beside_rigged("mesh turned", &["mesh-axes", "bind-shape-missing"], |model| {
        skins(model).any(|skin| skin.bones.len() > 3)
            && each_streams(model, |streams| {
                let turn = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
                streams.positions.iter_mut().for_each(|at| *at = turn * *at);
                streams.normals.iter_mut().for_each(|normal| *normal = turn * *normal);
                true
            })
    }),
    beside_rigged("armature x100", &["armature-unit"], |model| {
        rest(model, |_, _, trs| Trs { translation: trs.translation * 100.0, ..trs });
        tracks(model, |track| map_translations(track, |value| value * 100.0));
        binds(model, |_, m| scaled_translation(m, 100.0))
    }),
    beside_rigged("binds x39.37", &["inverse-binds-unit"], |model| {
        binds(model, |_, m| scaled_translation(m, 39.37))
    }),
    alone("v flipped, with texture", &["v-flipped"], |model| {
        is_textured(model) && uvs(model, |uv| Vec2::new(uv.x, 1.0 - uv.y))
    }),
    alone("u and v swapped, with texture", &["uvs-swapped"], |model| {
        is_textured(model) && uvs(model, |uv| Vec2::new(uv.y, uv.x))
    }),
    alone("mirrored nodes", &["mirrored-nodes"], |model| {
        let mirrored = rigscope_core::reshape::mirrored_meshes(model);
        reverse_meshes(model, |mesh| mirrored[mesh])
    }),
    alone("morphs x100, small parts", &["morphs-unit"], |model| {
        is_face(model) && morphs_in_place(model, 100.0)
    }),
    alone("frame numbers as seconds", &["clip-rate"], |model| {
        has_regular_keys(model) && times(model, |time| time * 30.0)
    }),
    beside("one clip at the wrong rate", &["clip-rate"], |model| {
        has_neighbours(model) && times_of(model, 1, |time| time * 1.25)
    }),
    alone("one clip late", &["clip-shifted"], |model| {
        has_neighbours(model) && times_of(model, 1, |time| time + 0.3)
    }),
    alone("clip of another skeleton", &["clip-of-another-skeleton"], |model| {
        let roots: Vec<bool> =
            model.skeleton.bones().iter().map(|bone| bone.parent.is_none()).collect();
        let num_tracks = model.clips.first().map_or(0, |clip| match &clip.motion {
            Motion::Tracks(tracks) => {
                let is_counted =
                    |track: &&BoneTrack| !roots[track.bone.index()] && track.translation.is_some();
                tracks.iter().filter(is_counted).count()
            }
            _ => 0,
        });
        num_tracks > 5
            && tracks(model, |track| {
                let factor = if track.bone.0 % 2 == 0 { 2.2 } else { 0.45 };
                !roots[track.bone.index()] && map_translations(track, |value| value * factor)
            })
    }),
    alone("normals of another pose", &["normals-of-other-axes"], posed_normals),
    beside("v flipped", &["v-flipped"], |model| uvs(model, |uv| Vec2::new(uv.x, 1.0 - uv.y))),
    beside("joints permuted", &["joint-indices-permuted", "joint-indices-shifted"], |model| {
        slots(model, |slot, num| num - 1 - slot)
    }),
    beside("influences reduced", &["influences-reduced"], |model| {
        lists(model, |list| {
            influence_row::keep_heaviest(list, 1);
            list.iter_mut().for_each(|(_, weight)| *weight = 1.0);
        })
    }),
    beside("weights quantized", &["weights-quantized"], |model| {
        lists(model, |list| {
            list.iter_mut().for_each(|(_, weight)| *weight = (*weight * 2.0).round() / 2.0);
            list.retain(|(_, weight)| *weight > 0.0);
            influence_row::normalize(list);
        })
    }),
    beside("euler order", &["euler-order"], |model| {
        tracks(model, |track| {
            let turned = track.rotation.iter().flat_map(|track| &track.values).any(|value| {
                let (x, y, z) = value.to_euler(EulerRot::XYZ);
                [x, y, z].into_iter().filter(|angle| angle.abs() > 0.2).count() > 1
            });
            map_rotations(track, |value| {
                let (x, y, z) = value.normalize().to_euler(EulerRot::XYZ);
                Quat::from_euler(EulerRot::ZYX, z, y, x)
            });
            turned
        })
    }),
    beside("keys in degrees", &["keys-in-degrees"], |model| {
        tracks(model, |track| {
            let turned = track
                .rotation
                .iter()
                .flat_map(|track| &track.values)
                .any(|value| value.to_axis_angle().1 > 0.1);
            map_rotations(track, |value| {
                let (x, y, z) = value.to_euler(EulerRot::XYZ);
                Quat::from_euler(EulerRot::XYZ, x.to_degrees(), y.to_degrees(), z.to_degrees())
            });
            turned
        })
    }),
    beside_rigged("one bone's keys x10", &["keys-unit"], |model| {
        let last = model.skeleton.bones().ids().rfind(|bone| {
            let length = model.skeleton.bones()[*bone].rest_local.to_trs().translation.length();
            length > 0.0
                && model.clips.iter().any(|clip| {
                    track_of(clip, *bone).is_some_and(|track| track.translation.is_some())
                })
        });
        let Some(bone) = last else { return false };
        tracks(model, |track| track.bone == bone && map_translations(track, |value| value * 10.0))
    }),
    beside("keys mirrored", &["keys-mirrored", "quaternions-conjugated"], |model| {
        tracks(model, |track| {
            map_rotations(track, |value| Quat::from_xyzw(value.x, -value.y, -value.z, value.w))
        })
    }),
    beside("clip late", &["clip-shifted"], |model| times(model, |time| time + 0.5)),
    beside("clip slow", &["clip-rate"], |model| times(model, |time| time * 1.25)),
    beside("clip cut", &["clip-cut"], |model| {
        let mut is_cut = false;
        for clip in &mut model.clips {
            let frame = clip.frame_secs();
            if clip.duration_secs < frame * 3.0 {
                continue;
            }
            clip.duration_secs -= frame;
            is_cut = true;
        }
        is_cut
    }),
    beside("root motion removed", &["root-motion-removed"], |model| {
        let mut is_removed = false;
        let size = rests(model).iter().map(|trs| trs.translation.length()).fold(0.0, f32::max);
        for clip in &mut model.clips {
            let Motion::Tracks(tracks) = &mut clip.motion else { continue };
            let travels = |track: &BoneTrack| {
                let values = track.translation.as_ref().map(|track| &track.values);
                values.is_some_and(|values| {
                    values.iter().any(|value| value.distance(values[0]) > size * 0.05)
                })
            };
            tracks.sort_by_key(|track| track.bone.0);
            if let Some(track) = tracks.iter_mut().take(3).find(|track| travels(track)) {
                let translation = track.translation.as_mut().unwrap();
                let first = translation.values[0];
                translation.values.fill(first);
                is_removed = true;
            }
        }
        is_removed
    }),
    beside("morphs x100", &["morphs-unit"], |model| morphs(model, |_, offset| offset * 100.0)),
    beside("up axis twice, any model", &["up-axis"], |model| {
        !model.skeleton.is_empty()
            && whole(model, Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2), 1.0)
    }),
    beside("whole x0.01, any model", &["unit-scale"], |model| {
        !model.skeleton.is_empty() && whole(model, Quat::IDENTITY, 0.01)
    }),
];
