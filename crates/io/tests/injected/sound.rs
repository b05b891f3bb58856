//! Changes of a model that store it differently or vary its motion. None of them is a fault.

use glam::{Affine3A, Mat4, Quat, Vec3};
use rigscope_core::model::{
    Bone, BoneId, BoneTrack, Clip, ClipId, IdVec, Indices, Influences, Interpolation,
    LocalTransform, Mesh, Model, Motion, Skeleton, Skin, Track, Trs,
};
use rigscope_core::reshape::gather_mesh;
use rigscope_testing::{ModelBuilder, Random, streams, streams_mut};

use super::edits::{each_skin, map_rotations, tracks};
use super::random::pose_rest;

/// A change, with its name. Returns false if the model can't be changed in this way.
pub(crate) struct Variant {
    pub(crate) name: &'static str,
    /// Whether the model is drawn the same afterwards, so that it must not be accused with the original as the reference either.
    pub(crate) is_same: bool,
    pub(crate) change: fn(&mut Model, &mut Random) -> bool,
}

const fn same(name: &'static str, change: fn(&mut Model, &mut Random) -> bool) -> Variant {
    Variant { name, is_same: true, change }
}

const fn other(name: &'static str, change: fn(&mut Model, &mut Random) -> bool) -> Variant {
    Variant { name, is_same: false, change }
}

pub(crate) const VARIANTS: &[Variant] = &[
    same("bind space scaled and moved", |model, random| {
        let mut is_changed = false;
        for mesh in &mut model.meshes {
            // Each mesh by its own factor, as quantizers do.
            let mesh_from_stored = Affine3A::from_scale_rotation_translation(
                Vec3::splat(0.1 + random.unit()),
                Quat::IDENTITY,
                random.vec3(),
            );
            is_changed |= store_in(mesh, mesh_from_stored);
        }
        is_changed
    }),
    same("bind space in centimetres, Z up", |model, _| {
        let rotation = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        let stored =
            Affine3A::from_scale_rotation_translation(Vec3::splat(0.01), rotation, Vec3::ZERO);
        model.meshes.iter_mut().fold(false, |is_changed, mesh| store_in(mesh, stored) | is_changed)
    }),
    same("positions of 14 bits, normals and weights of 8", |model, _| {
        for mesh in &mut model.meshes {
            let own = streams_mut(mesh);
            let size = own.positions.iter().fold(Vec3::ZERO, |most, at| most.max(at.abs()));
            let step = size.max_element() / 8192.0;
            own.positions.iter_mut().for_each(|at| *at = (*at / step).round() * step);
            for normal in &mut own.normals {
                *normal = ((*normal * 127.0).round() / 127.0).normalize_or_zero();
            }
            for uv in own.uv_sets.iter_mut().flat_map(|set| &mut set.coords) {
                *uv = (*uv * 4096.0).round() / 4096.0;
            }
        }
        each_skin(model, |skin| {
            let Influences::Rows { weights, .. } = &mut skin.influences else { return false };
            weights.iter_mut().for_each(|weight| *weight = (*weight * 255.0).round() / 255.0);
            true
        });
        true
    }),
    same("vertices and triangles in another order", |model, random| {
        for mesh in &mut model.meshes {
            let mut order: Vec<usize> = (0..mesh.num_vertices()).collect();
            shuffle(&mut order, random);
            *mesh = in_order(mesh, &order);
            let indices: Vec<u32> = mesh.indices.iter().collect();
            let mut triangles: Vec<[u32; 3]> =
                indices.chunks_exact(3).map(|own| [own[0], own[1], own[2]]).collect();
            shuffle(&mut triangles, random);
            triangles.iter_mut().for_each(|own| own.rotate_left(random.below(3)));
            if mesh.subsets.len() < 2 {
                mesh.indices = Indices::U32(triangles.concat());
            }
        }
        true
    }),
    same("vertices of each triangle on their own", |model, _| {
        for mesh in &mut model.meshes {
            split_corners(mesh);
        }
        true
    }),
    same("joints in another order", |model, random| {
        let mut any = false;
        each_skin(model, |skin| {
            let num = skin.bones.len();
            let mut order: Vec<usize> = (0..num).collect();
            shuffle(&mut order, random);
            let mut slot_of = vec![0; num];
            order.iter().zip(0..).for_each(|(old, new)| slot_of[*old] = new);
            skin.bones = order.iter().map(|old| skin.bones[*old]).collect();
            skin.bone_from_mesh = order.iter().map(|old| skin.bone_from_mesh[*old]).collect();
            let Influences::Rows { slots, .. } = &mut skin.influences else { return false };
            slots.iter_mut().for_each(|slot| *slot = slot_of[*slot as usize]);
            any |= num > 1;
            true
        });
        any
    }),
    same("unused joints", |model, _| {
        let Some(root) = model.skeleton.bones().ids().next() else { return false };
        let extra = add_bone(
            model,
            "unused",
            Some(root),
            Trs { translation: Vec3::new(3.0, 5.0, -2.0), ..Trs::IDENTITY },
        );
        each_skin(model, |skin| {
            skin.bones.push(extra);
            skin.bone_from_mesh.push(Mat4::IDENTITY);
            true
        })
    }),
    same("nodes outside the skin", |model, _| {
        let last = model.skeleton.bones().ids().last();
        let Some(last) = last else { return false };
        add_bone(
            model,
            "helper",
            Some(last),
            Trs { translation: Vec3::new(0.0, 40.0, 0.0), ..Trs::IDENTITY },
        );
        true
    }),
    other("root scaled by 0.01", |model, _| {
        place_root(model, Trs { scale: Vec3::splat(0.01), ..Trs::IDENTITY })
    }),
    other("root scaled by 100", |model, _| {
        place_root(model, Trs { scale: Vec3::splat(100.0), ..Trs::IDENTITY })
    }),
    other("root turned about Y and moved", |model, random| {
        let rotation = Quat::from_rotation_y(random.unit() * 6.0);
        place_root(model, Trs { rotation, translation: random.vec3() * 20.0, ..Trs::IDENTITY })
    }),
    other("root mirrored", |model, _| {
        place_root(model, Trs { scale: Vec3::new(-1.0, 1.0, 1.0), ..Trs::IDENTITY })
    }),
    other("rest pose of a clip", |model, _| {
        let is_possible =
            model.clips.first().is_some_and(|clip| matches!(clip.motion, Motion::Tracks(_)));
        is_possible && {
            pose_rest(model);
            true
        }
    }),
    same("one mesh per triangle group", |model, _| {
        let Some(mesh) = model.meshes.first().cloned() else { return false };
        let num = mesh.num_triangles();
        if num < 64 || mesh.subsets.len() > 1 || !mesh.morph_targets.is_empty() {
            return false;
        }
        let all: Vec<u32> = mesh.indices.iter().collect();
        let mut meshes: Vec<Mesh> = model.meshes.iter().skip(1).cloned().collect();
        for (number, part) in all.chunks(num / 2 * 3).enumerate() {
            let mut used: Vec<u32> = part.to_vec();
            used.sort_unstable();
            used.dedup();
            let mut own = gather_mesh(&mesh, &used);
            let at = |old: &u32| u32::try_from(used.binary_search(old).unwrap()).unwrap();
            own.indices = Indices::U32(part.iter().map(at).collect());
            let num = u32::try_from(part.len()).unwrap();
            own.subsets = rigscope_testing::subsets_of(&[(
                num,
                mesh.subsets.first().and_then(|own| own.material).map(|id| id.0),
            )]);
            own.name = format!("{} {number}", mesh.name);
            meshes.push(own);
        }
        model.meshes = meshes.into_iter().collect();
        true
    }),
    other("clips at other times", |model, random| {
        let shift = f64::from(random.unit()) * 3.0;
        super::edits::times(model, |time| time + shift);
        !model.clips.is_empty()
    }),
    same("clips resampled", |model, _| {
        let mut is_changed = false;
        each_track(model, |track| {
            is_changed = true;
            BoneTrack {
                bone: track.bone,
                translation: track
                    .translation
                    .as_ref()
                    .map(|own| doubled(own, |a, b| a.midpoint(b))),
                rotation: track.rotation.as_ref().map(|own| doubled(own, |a, b| a.slerp(b, 0.5))),
                scale: track.scale.as_ref().map(|own| doubled(own, |a, b| a.midpoint(b))),
            }
        });
        is_changed
    }),
    other("stepped clips", |model, _| {
        let mut is_changed = false;
        each_track(model, |track| {
            let mut track = track.clone();
            for rotation in
                track.rotation.iter_mut().filter(|own| own.interpolation != Interpolation::Cubic)
            {
                rotation.interpolation = Interpolation::Step;
                is_changed = true;
            }
            track
        });
        is_changed
    }),
    same("constant tracks removed", |model, _| {
        let rest: Vec<Trs> =
            model.skeleton.bones().iter().map(|bone| bone.rest_local.to_trs()).collect();
        let mut is_changed = false;
        each_track(model, |track| {
            let mut track = track.clone();
            let own = rest[track.bone.0 as usize];
            let is_constant = track.translation.as_ref().is_some_and(|own_track| {
                own_track.values.iter().all(|value| value.distance(own.translation) < 1e-6)
            });
            if is_constant {
                track.translation = None;
                is_changed = true;
            }
            track
        });
        is_changed
    }),
    other("idle clip near identity", |model, random| {
        let Some(clip) = model.clips.first().cloned() else { return false };
        let rest: Vec<Quat> =
            model.skeleton.bones().iter().map(|bone| bone.rest_local.to_trs().rotation).collect();
        let Motion::Tracks(mut own) = clip.motion.clone() else { return false };
        for track in &mut own {
            track.translation = None;
            let rest = rest[track.bone.0 as usize];
            let angle = 0.01 * random.signed();
            map_rotations(track, |_| rest * Quat::from_rotation_x(angle));
        }
        model.clips.push(Clip { name: "idle".to_owned(), motion: Motion::Tracks(own), ..clip });
        true
    }),
    other("cut scene with jumps", |model, _| {
        let Some(first) = super::edits::rests(model).first().copied() else { return false };
        let turn = Quat::from_rotation_y(2.6);
        let mut is_changed = false;
        for clip in model.clips.iter_mut().take(1) {
            let Motion::Tracks(own) = &mut clip.motion else { continue };
            for track in own.iter_mut().filter(|track| track.bone == BoneId(0)) {
                let half = |num: usize| num / 2;
                if let Some(rotation) =
                    track.rotation.as_mut().filter(|own| own.interpolation == Interpolation::Linear)
                {
                    let at = half(rotation.values.len());
                    rotation.values[at..].iter_mut().for_each(|value| *value = turn * *value);
                    is_changed = true;
                }
                if let Some(translation) = track
                    .translation
                    .as_mut()
                    .filter(|own| own.interpolation == Interpolation::Linear)
                {
                    let at = half(translation.values.len());
                    let by = Vec3::X * 3.0 * first.translation.length();
                    translation.values[at..].iter_mut().for_each(|value| *value += by);
                }
            }
        }
        is_changed
    }),
    other("squash and appear from nothing", |model, _| {
        let mut is_changed = false;
        for clip in model.clips.iter_mut().take(1) {
            let end_secs = clip.start_secs + clip.duration_secs;
            let start_secs = clip.start_secs;
            let Motion::Tracks(own) = &mut clip.motion else { continue };
            for track in own.iter_mut().take(1).filter(|track| track.scale.is_none()) {
                let middle = start_secs + (end_secs - start_secs) * 0.4;
                track.scale = Some(Track {
                    times_secs: vec![start_secs, middle, end_secs],
                    values: vec![Vec3::splat(1e-4), Vec3::new(0.7, 1.6, 0.7), Vec3::ONE],
                    interpolation: Interpolation::Linear,
                });
                is_changed = true;
            }
        }
        is_changed
    }),
    other("leaves with two sides and a sky", |model, random| {
        let size = 4.0;
        let mut builder = ModelBuilder::new();
        let mut corners = Vec::new();
        let mut indices = Vec::new();
        for leaf in 0..40u32 {
            let center = random.vec3();
            corners.extend([center, center + Vec3::X * 0.1, center + random.vec3() * 0.1]);
            let at = leaf * 3;
            indices.extend([at, at + 1, at + 2, at, at + 2, at + 1]);
        }
        builder = builder.mesh(corners).indices(indices).name("leaves");
        builder = builder.cube(size).name("sky");
        let mut added = builder.build();
        for mesh in added.meshes.iter_mut().skip(1) {
            let list: Vec<u32> = mesh.indices.iter().collect();
            mesh.indices = Indices::U32(
                list.chunks_exact(3).flat_map(|own| [own[0], own[2], own[1]]).collect(),
            );
        }
        added.meshes.iter().for_each(|mesh| {
            model.meshes.push(mesh.clone());
        });
        true
    }),
    other("flat normals", |model, _| {
        for mesh in &mut model.meshes {
            split_corners(mesh);
            let positions = streams(mesh).positions.clone();
            let own = streams_mut(mesh);
            own.tangents.clear();
            own.normals = positions
                .chunks_exact(3)
                .flat_map(|own| [(own[1] - own[0]).cross(own[2] - own[0]).normalize_or_zero(); 3])
                .collect();
        }
        model.axes.winding == rigscope_core::model::Winding::CounterClockwise
    }),
    other("no normals", |model, _| {
        for mesh in &mut model.meshes {
            let own = streams_mut(mesh);
            own.normals.clear();
            own.tangents.clear();
        }
        true
    }),
    other("spinning parts", |model, _| {
        let last = model.skeleton.bones().ids().last();
        tracks(model, |track| {
            if Some(track.bone) != last {
                return false;
            }
            let Some(rotation) = &mut track.rotation else { return false };
            if rotation.interpolation != Interpolation::Linear {
                return false;
            }
            let first = rotation.values[0];
            for (key, value) in rotation.values.iter_mut().enumerate() {
                *value = first * Quat::from_rotation_y(2.0 * key as f32);
            }
            true
        })
    }),
    other("bones with attached props", |model, _| {
        let Some(bone) = model.skeleton.bones().ids().last() else { return false };
        let mut mesh = ModelBuilder::new().cube(0.2).name("prop").into_mesh();
        mesh.attached_to = Some(bone);
        mesh.skin = Skin::None;
        model.meshes.push(mesh);
        true
    }),
];

/// Gives each triangle its own vertices.
fn split_corners(mesh: &mut Mesh) {
    if !mesh.morph_targets.is_empty() {
        return;
    }
    let order: Vec<u32> = mesh.indices.iter().collect();
    let num = u32::try_from(order.len()).unwrap();
    let subsets = std::mem::take(&mut mesh.subsets);
    *mesh = Mesh {
        indices: Indices::U32((0..num).collect()),
        subsets,
        attached_to: mesh.attached_to,
        ..gather_mesh(mesh, &order)
    };
}

fn shuffle<T>(list: &mut [T], random: &mut Random) {
    for at in (1..list.len()).rev() {
        list.swap(at, random.below(at + 1));
    }
}

/// Stores a skinned mesh in another space, and takes the change back by its inverse bind matrices.
fn store_in(mesh: &mut Mesh, stored_from_mesh: Affine3A) -> bool {
    let Skin::InverseBind(skin) = &mut mesh.skin else { return false };
    if !mesh.morph_targets.is_empty() {
        return false;
    }
    let back = Mat4::from(stored_from_mesh.inverse());
    skin.bone_from_mesh.iter_mut().for_each(|bind| *bind *= back);
    let (_, rotation, _) = stored_from_mesh.to_scale_rotation_translation();
    let own = streams_mut(mesh);
    own.positions.iter_mut().for_each(|at| *at = stored_from_mesh.transform_point3(*at));
    own.normals.iter_mut().for_each(|normal| *normal = rotation * *normal);
    for tangent in &mut own.tangents {
        *tangent = (rotation * tangent.truncate()).extend(tangent.w);
    }
    true
}

/// A mesh whose vertex `n` is vertex `order[n]` of another.
fn in_order(mesh: &Mesh, order: &[usize]) -> Mesh {
    let list: Vec<u32> = order.iter().map(|at| u32::try_from(*at).unwrap()).collect();
    let mut new_of = vec![0u32; order.len()];
    list.iter().zip(0..).for_each(|(old, new)| new_of[*old as usize] = new);
    let indices = Indices::U32(mesh.indices.iter().map(|old| new_of[old as usize]).collect());
    let subsets = mesh.subsets.clone();
    Mesh { indices, subsets, attached_to: mesh.attached_to, ..gather_mesh(mesh, &list) }
}

fn add_bone(model: &mut Model, name: &str, parent: Option<BoneId>, trs: Trs) -> BoneId {
    let mut bones: Vec<Bone> = model.skeleton.bones().to_vec();
    let id = BoneId(u32::try_from(bones.len()).unwrap());
    let rest_local = LocalTransform::Trs(trs);
    bones.push(Bone { name: name.to_owned(), parent, rest_local, ..Bone::default() });
    model.skeleton = Skeleton::new(bones, model.skeleton.has_hierarchy()).unwrap();
    id
}

/// Puts all roots below a new node.
fn place_root(model: &mut Model, trs: Trs) -> bool {
    if model.skeleton.is_empty() || model.meshes.iter().any(|mesh| matches!(mesh.skin, Skin::None))
    {
        return false;
    }
    let root = add_bone(model, "scene", None, trs);
    let bones = model.skeleton.bones().iter_enumerated().map(|(id, bone)| Bone {
        parent: bone.parent.or(Some(root).filter(|root| *root != id)),
        ..bone.clone()
    });
    model.skeleton = Skeleton::new(bones.collect(), model.skeleton.has_hierarchy()).unwrap();
    true
}

fn each_track(model: &mut Model, mut change: impl FnMut(&BoneTrack) -> BoneTrack) {
    let clips: IdVec<ClipId, Clip> = model
        .clips
        .iter()
        .map(|clip| {
            let Motion::Tracks(own) = &clip.motion else { return clip.clone() };
            let motion = Motion::Tracks(own.iter().map(&mut change).collect());
            Clip { motion, ..clip.clone() }
        })
        .collect();
    model.clips = clips;
}

/// A track with a key between all others.
fn doubled<T: Copy>(track: &Track<T>, middle: impl Fn(T, T) -> T) -> Track<T> {
    if track.interpolation != Interpolation::Linear {
        return track.clone();
    }
    let mut own = Track { times_secs: Vec::new(), values: Vec::new(), ..track.clone() };
    for (key, (time, value)) in track.times_secs.iter().zip(&track.values).enumerate() {
        own.times_secs.push(*time);
        own.values.push(*value);
        if let (Some(next_time), Some(next)) =
            (track.times_secs.get(key + 1), track.values.get(key + 1))
        {
            own.times_secs.push(f64::midpoint(*time, *next_time));
            own.values.push(middle(*value, *next));
        }
    }
    own
}
