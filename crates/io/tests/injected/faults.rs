//! Faults of exporters, to inject into good models.

use glam::{EulerRot, Mat4, Quat, Vec2, Vec3};
use rigscope_core::bake::plain;
use rigscope_core::model::{
    Bone, BoneId, BoneTrack, Clip, Indices, Influences, InverseBindSkin, LocalTransform, Mesh,
    MeshId, Model, Motion, Skeleton, Skin, Streams, Trs, VertexData,
};
use rigscope_core::pose::{Moment, PoseSpec, sample};

/// A fault, and the causes that are accepted for it.
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    pub(crate) causes: &'static [&'static str],
    /// Whether it can be found only by comparison with the good model.
    pub(crate) needs_reference: bool,
    /// Whether it affects bones, so that models with baked skinning matrices can't have it.
    pub(crate) needs_bones: bool,
    /// Injects the fault into a model in plain form. Returns false if the model can't have the fault.
    pub(crate) inject: fn(&mut Model) -> bool,
}

const fn alone(
    name: &'static str,
    causes: &'static [&'static str],
    inject: fn(&mut Model) -> bool,
) -> Fault {
    Fault { name, causes, needs_reference: false, needs_bones: false, inject }
}

/// A fault of bones, inverse bind matrices or keys that can be found without the good model.
const fn rigged(
    name: &'static str,
    causes: &'static [&'static str],
    inject: fn(&mut Model) -> bool,
) -> Fault {
    Fault { name, causes, needs_reference: false, needs_bones: true, inject }
}

const fn beside_rigged(
    name: &'static str,
    causes: &'static [&'static str],
    inject: fn(&mut Model) -> bool,
) -> Fault {
    Fault { name, causes, needs_reference: true, needs_bones: true, inject }
}

const fn beside(
    name: &'static str,
    causes: &'static [&'static str],
    inject: fn(&mut Model) -> bool,
) -> Fault {
    Fault { name, causes, needs_reference: true, needs_bones: false, inject }
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
    alone("up axis twice", &["up-axis"], |model| {
        is_humanoid(model) && whole(model, Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2), 1.0)
    }),
    alone("whole x100", &["unit-scale"], |model| {
        is_humanoid(model)
            && model.axes.unit_meters.is_some()
            && whole(model, Quat::IDENTITY, 100.0)
    }),
    alone("mirrored", &["mirrored-axis"], |model| is_humanoid(model) && mirror(model)),
    rigged("joint indices +1", &["joint-indices-shifted"], |model| {
        slots(model, |slot, num| (slot + 1) % num)
    }),
    alone("weights truncated", &["weights-truncated"], |model| {
        lists(model, |list| {
            list.sort_by(|a, b| b.1.total_cmp(&a.1));
            list.truncate(2);
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
    rigged("keys conjugated", &["quaternions-conjugated", "keys-mirrored"], |model| {
        tracks(model, |track| map_rotations(track, |value| value.conjugate()))
    }),
    alone("key signs", &["quaternion-signs"], |model| {
        tracks(model, |track| {
            let Some(rotation) = &mut track.rotation else { return false };
            let num = rotation.values.len();
            rotation.values.iter_mut().skip(1).step_by(3).for_each(|value| *value = -*value);
            num > 1
        })
    }),
    rigged("additive clip", &["additive-clip"], |model| {
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
    alone("tangent signs", &["tangent-sign"], |model| {
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
    beside("v flipped", &["v-flipped"], |model| {
        each_streams(model, |streams| {
            let coords = streams.uv_sets.iter_mut().flat_map(|set| &mut set.coords);
            let mut moved = 0.0f32;
            for uv in coords {
                moved = moved.max((uv.y - 0.5).abs());
                *uv = Vec2::new(uv.x, 1.0 - uv.y);
            }
            moved > 0.1
        })
    }),
    beside("joints permuted", &["joint-indices-permuted", "joint-indices-shifted"], |model| {
        slots(model, |slot, num| num - 1 - slot)
    }),
    beside("influences reduced", &["influences-reduced"], |model| {
        lists(model, |list| {
            list.sort_by(|a, b| b.1.total_cmp(&a.1));
            list.truncate(1);
            list.iter_mut().for_each(|(_, weight)| *weight = 1.0);
        })
    }),
    beside("weights quantized", &["weights-quantized"], |model| {
        lists(model, |list| {
            list.iter_mut().for_each(|(_, weight)| *weight = (*weight * 2.0).round() / 2.0);
            list.retain(|(_, weight)| *weight > 0.0);
            let sum: f32 = list.iter().map(|(_, weight)| weight).sum();
            list.iter_mut().for_each(|(_, weight)| *weight /= sum);
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

/// The model to inject faults into: in plain form, with normalized weights.
pub(crate) fn good(model: &Model) -> Model {
    let mut good = plain(model, None);
    // FBX leaves it to the runtime to normalize weights.
    each_skin(&mut good, |skin| {
        let Influences::Rows { first, weights, .. } = &mut skin.influences else { return false };
        for row in first.windows(2) {
            let row = &mut weights[row[0] as usize..row[1] as usize];
            let sum: f32 = row.iter().sum();
            row.iter_mut().for_each(|weight| *weight /= if sum > 0.0 { sum } else { 1.0 });
        }
        true
    });
    good
}

fn skins(model: &Model) -> impl Iterator<Item = &InverseBindSkin> {
    model.meshes.iter().filter_map(|mesh| match &mesh.skin {
        Skin::InverseBind(skin) if skin.bones.len() > 1 => Some(skin),
        _ => None,
    })
}

/// Whether some skin has inverse bind matrices other than identities; false for baked skinning matrices.
pub(crate) fn has_binds(model: &Model) -> bool {
    skins(model).any(|skin| {
        skin.bone_from_mesh.iter().any(|matrix| !matrix.abs_diff_eq(Mat4::IDENTITY, 1e-4))
    })
}

fn each_skin(model: &mut Model, mut change: impl FnMut(&mut InverseBindSkin) -> bool) -> bool {
    let mut is_changed = false;
    for mesh in &mut model.meshes {
        if let Skin::InverseBind(skin) = &mut mesh.skin {
            is_changed |= change(skin);
        }
    }
    is_changed
}

fn binds(model: &mut Model, change: impl Fn(BoneId, Mat4) -> Mat4) -> bool {
    let mut is_changed = false;
    each_skin(model, |skin| {
        for (bone, matrix) in skin.bones.iter().zip(&mut skin.bone_from_mesh) {
            let changed = change(*bone, *matrix);
            is_changed |= !changed.abs_diff_eq(*matrix, 1e-2);
            *matrix = changed;
        }
        true
    });
    is_changed
}

fn scaled_translation(mut matrix: Mat4, factor: f32) -> Mat4 {
    let at = matrix.w_axis.truncate() * factor;
    matrix.w_axis = at.extend(1.0);
    matrix
}

fn rests(model: &Model) -> Vec<Trs> {
    model.skeleton.bones().iter().map(|bone| bone.rest_local.to_trs()).collect()
}

fn rest(model: &mut Model, change: impl Fn(&Skeleton, BoneId, Trs) -> Trs) -> bool {
    let bones: Vec<Bone> = model
        .skeleton
        .bones()
        .iter_enumerated()
        .map(|(id, bone)| {
            let trs = change(&model.skeleton, id, bone.rest_local.to_trs());
            Bone { rest_local: LocalTransform::Trs(trs), ..bone.clone() }
        })
        .collect();
    let changed = Skeleton::new(bones, model.skeleton.has_hierarchy()).unwrap();
    let is_changed = changed.rest_locals() != model.skeleton.rest_locals();
    model.skeleton = changed;
    is_changed
}

fn whole(model: &mut Model, turn: Quat, scale: f32) -> bool {
    let changed = rest(model, |skeleton, bone, trs| match skeleton.bones()[bone].parent {
        Some(_) => trs,
        None => Trs {
            translation: turn * trs.translation * scale,
            rotation: turn * trs.rotation,
            scale: trs.scale * scale,
        },
    });
    let roots: Vec<bool> =
        model.skeleton.bones().iter().map(|bone| bone.parent.is_none()).collect();
    tracks(model, |track| {
        if roots[track.bone.index()] {
            map_translations(track, |value| turn * value * scale);
            map_rotations(track, |value| turn * value);
            track
                .scale
                .iter_mut()
                .flat_map(|track| &mut track.values)
                .for_each(|value| *value *= scale);
        }
        true
    });
    for mesh in &mut model.meshes {
        if matches!(mesh.skin, Skin::None) && mesh.attached_to.is_none() {
            let streams = streams_mut(mesh);
            streams.positions.iter_mut().for_each(|at| *at = turn * *at * scale);
            streams.normals.iter_mut().for_each(|normal| *normal = turn * *normal);
        }
    }
    changed
}

fn mirror(model: &mut Model) -> bool {
    let signs = Vec3::new(-1.0, 1.0, 1.0);
    let turned = |value: Quat| Quat::from_xyzw(value.x, -value.y, -value.z, value.w);
    rest(model, |_, _, trs| Trs {
        translation: trs.translation * signs,
        rotation: turned(trs.rotation),
        ..trs
    });
    tracks(model, |track| {
        map_translations(track, |value| value * signs);
        map_rotations(track, turned)
    });
    let matrix = Mat4::from_scale(signs);
    binds(model, |_, m| matrix * m * matrix);
    each_streams(model, |streams| {
        streams.positions.iter_mut().for_each(|at| *at *= signs);
        streams.normals.iter_mut().for_each(|normal| *normal *= signs);
        for tangent in &mut streams.tangents {
            *tangent = (tangent.truncate() * signs).extend(-tangent.w);
        }
        true
    });
    triangles(model, |_| true)
}

/// Whether the bone names include those of a body with a left and a right side.
fn is_humanoid(model: &Model) -> bool {
    let names: Vec<String> =
        model.skeleton.bones().iter().map(|bone| bone.name.to_lowercase()).collect();
    let has =
        |words: &[&str]| names.iter().any(|name| words.iter().any(|word| name.contains(word)));
    has(&["hip", "pelvis"])
        && has(&["foot"])
        && has(&["toe"])
        && has(&["head"])
        && has(&["left", "l_", "_l", ".l", " l "])
}

fn wxyz(value: Quat) -> Quat {
    Quat::from_xyzw(value.w, value.x, value.y, value.z)
}

fn slots(model: &mut Model, change: impl Fn(u32, u32) -> u32) -> bool {
    each_skin(model, |skin| {
        let num = u32::try_from(skin.bones.len()).unwrap();
        let Influences::Rows { slots, .. } = &mut skin.influences else { return false };
        if num < 5 {
            return false;
        }
        slots.iter_mut().for_each(|slot| *slot = change(*slot, num));
        true
    })
}

fn lists(model: &mut Model, change: impl Fn(&mut Vec<(u32, f32)>)) -> bool {
    let mut num_changed = 0.0f32;
    let mut num = 0.0;
    each_skin(model, |skin| {
        let Influences::Rows { first, .. } = &skin.influences else { return false };
        let lists: Vec<Vec<(u32, f32)>> = (0..first.len() - 1)
            .map(|vertex| {
                let mut list = Vec::new();
                skin.influences.for_each(vertex, |slot, weight| {
                    if weight > 0.0 {
                        list.push((slot, weight));
                    }
                });
                let before = list.clone();
                change(&mut list);
                let sum = |list: &[(u32, f32)]| {
                    list.iter().map(|(slot, weight)| weight * (*slot as f32 + 1.0)).sum::<f32>()
                };
                num_changed +=
                    ((sum(&before) - sum(&list)).abs() / sum(&before).max(1e-6)).min(1.0);
                num += 1.0;
                list
            })
            .collect();
        skin.influences = Influences::from_lists(lists.iter().map(|list| &list[..]));
        true
    });
    num_changed > 0.02 * num
}

fn track_of(clip: &Clip, bone: BoneId) -> Option<&BoneTrack> {
    match &clip.motion {
        Motion::Tracks(tracks) => tracks.iter().find(|track| track.bone == bone),
        _ => None,
    }
}

fn tracks(model: &mut Model, change: impl Fn(&mut BoneTrack) -> bool) -> bool {
    let mut is_changed = false;
    for clip in &mut model.clips {
        if let Motion::Tracks(tracks) = &mut clip.motion {
            for track in tracks {
                is_changed |= change(track);
            }
        }
    }
    is_changed
}

fn map_translations(track: &mut BoneTrack, change: impl Fn(Vec3) -> Vec3) -> bool {
    let mut is_changed = false;
    for value in track.translation.iter_mut().flat_map(|track| &mut track.values) {
        let changed = change(*value);
        is_changed |= changed.distance(*value) > 0.1 * value.length();
        *value = changed;
    }
    is_changed
}

fn map_rotations(track: &mut BoneTrack, change: impl Fn(Quat) -> Quat) -> bool {
    let mut is_changed = false;
    for value in track.rotation.iter_mut().flat_map(|track| &mut track.values) {
        let changed = change(*value);
        is_changed |= changed.dot(*value).abs() < 0.95;
        *value = changed;
    }
    is_changed
}

fn times(model: &mut Model, change: impl Fn(f64) -> f64) -> bool {
    for clip in &mut model.clips {
        let end = change(clip.start_secs + clip.duration_secs);
        clip.start_secs = change(clip.start_secs);
        clip.duration_secs = end - clip.start_secs;
        if let Motion::Tracks(tracks) = &mut clip.motion {
            for track in tracks {
                let times = track.translation.iter_mut().flat_map(|track| &mut track.times_secs);
                let times =
                    times.chain(track.rotation.iter_mut().flat_map(|track| &mut track.times_secs));
                times
                    .chain(track.scale.iter_mut().flat_map(|track| &mut track.times_secs))
                    .for_each(|time| *time = change(*time));
            }
        }
        for track in &mut clip.morph_tracks {
            track.weights.times_secs.iter_mut().for_each(|time| *time = change(*time));
        }
    }
    model.clips.iter().any(|clip| clip.duration_secs > 0.2)
}

fn triangles(model: &mut Model, is_chosen: impl Fn(usize) -> bool) -> bool {
    let mut num = 0;
    for mesh in &mut model.meshes {
        let mut list: Vec<u32> = mesh.indices.iter().collect();
        for (number, triangle) in list.chunks_exact_mut(3).enumerate() {
            if is_chosen(number) {
                triangle.swap(1, 2);
                num += 1;
            }
        }
        mesh.indices = Indices::U32(list);
    }
    num > 3
}

fn streams_mut(mesh: &mut Mesh) -> &mut Streams {
    match &mut mesh.vertices {
        VertexData::Streams(streams) => streams,
        VertexData::Packed(_) => panic!("not in plain form"),
    }
}

fn each_streams(model: &mut Model, mut change: impl FnMut(&mut Streams) -> bool) -> bool {
    let mut is_changed = false;
    for mesh in &mut model.meshes {
        is_changed |= change(streams_mut(mesh));
    }
    is_changed
}

fn normals(model: &mut Model, change: impl Fn(Vec3) -> Vec3) -> bool {
    let has_triangles = model.num_triangles() > 3;
    has_triangles
        && each_streams(model, |streams| {
            streams.normals.iter_mut().for_each(|normal| *normal = change(*normal));
            !streams.normals.is_empty()
        })
}

fn morphs(model: &mut Model, change: impl Fn(Vec3, Vec3) -> Vec3) -> bool {
    let mut is_changed = false;
    for at in 0..model.meshes.len() {
        let mesh = &mut model.meshes[MeshId(u32::try_from(at).unwrap()).0 as usize];
        let positions = streams_mut(mesh).positions.clone();
        for shape in mesh.morph_targets.iter_mut().flat_map(|target| &mut target.shapes) {
            let mut all = vec![Vec3::ZERO; positions.len()];
            for (vertex, offset) in shape.vertices.iter().zip(&shape.position_offsets) {
                all[vertex.0 as usize] = *offset;
                is_changed |= offset.length() > 0.0;
            }
            shape.vertices = (0..u32::try_from(positions.len()).unwrap())
                .map(rigscope_core::model::VertexId)
                .collect();
            shape.position_offsets = positions
                .iter()
                .zip(all)
                .map(|(position, offset)| change(*position, offset))
                .collect();
            shape.normal_offsets.clear();
        }
    }
    is_changed
}
