//! The changes of models that faults consist of.

use glam::{Mat4, Quat, Vec2, Vec3};
use rigscope_core::model::{
    Bone, BoneId, BoneTrack, Clip, ClipId, Indices, Influences, InverseBindSkin, LocalTransform,
    MeshId, Model, Motion, Skeleton, Skin, Streams, TextureRole, Trs,
};
use rigscope_core::pose::{PoseSpec, sample, skin_mesh};
use rigscope_core::reshape::plain;
pub(crate) use rigscope_testing::streams_mut;

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

pub(crate) fn skins(model: &Model) -> impl Iterator<Item = &InverseBindSkin> {
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

pub(crate) fn each_skin(
    model: &mut Model,
    mut change: impl FnMut(&mut InverseBindSkin) -> bool,
) -> bool {
    let mut is_changed = false;
    for mesh in &mut model.meshes {
        if let Skin::InverseBind(skin) = &mut mesh.skin {
            is_changed |= change(skin);
        }
    }
    is_changed
}

pub(crate) fn binds(model: &mut Model, change: impl Fn(BoneId, Mat4) -> Mat4) -> bool {
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

pub(crate) fn scaled_translation(mut matrix: Mat4, factor: f32) -> Mat4 {
    let at = matrix.w_axis.truncate() * factor;
    matrix.w_axis = at.extend(1.0);
    matrix
}

pub(crate) fn rests(model: &Model) -> Vec<Trs> {
    model.skeleton.bones().iter().map(|bone| bone.rest_local.to_trs()).collect()
}

pub(crate) fn rest(model: &mut Model, change: impl Fn(&Skeleton, BoneId, Trs) -> Trs) -> bool {
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

pub(crate) fn whole(model: &mut Model, turn: Quat, scale: f32) -> bool {
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

pub(crate) fn mirror(model: &mut Model) -> bool {
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
pub(crate) fn is_humanoid(model: &Model) -> bool {
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

pub(crate) fn wxyz(value: Quat) -> Quat {
    Quat::from_xyzw(value.w, value.x, value.y, value.z)
}

pub(crate) fn slots(model: &mut Model, change: impl Fn(u32, u32) -> u32) -> bool {
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

pub(crate) fn lists(model: &mut Model, change: impl Fn(&mut Vec<(u32, f32)>)) -> bool {
    let mut num_changed = 0.0f32;
    let mut num = 0.0;
    each_skin(model, |skin| {
        let Influences::Rows { first, .. } = &skin.influences else { return false };
        let lists: Vec<Vec<(u32, f32)>> = (0..first.len() - 1)
            .map(|vertex| {
                let row = skin.influences.row(vertex);
                let mut list: Vec<_> = row.filter(|(_, weight)| *weight > 0.0).collect();
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
        skin.influences = Influences::from_lists(&lists);
        true
    });
    num_changed > 0.02 * num
}

pub(crate) fn track_of(clip: &Clip, bone: BoneId) -> Option<&BoneTrack> {
    match &clip.motion {
        Motion::Tracks(tracks) => tracks.iter().find(|track| track.bone == bone),
        _ => None,
    }
}

pub(crate) fn tracks(model: &mut Model, change: impl Fn(&mut BoneTrack) -> bool) -> bool {
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

pub(crate) fn map_translations(track: &mut BoneTrack, change: impl Fn(Vec3) -> Vec3) -> bool {
    let mut is_changed = false;
    for value in track.translation.iter_mut().flat_map(|track| &mut track.values) {
        let changed = change(*value);
        is_changed |= changed.distance(*value) > 0.1 * value.length();
        *value = changed;
    }
    is_changed
}

pub(crate) fn map_rotations(track: &mut BoneTrack, change: impl Fn(Quat) -> Quat) -> bool {
    let mut is_changed = false;
    for value in track.rotation.iter_mut().flat_map(|track| &mut track.values) {
        let changed = change(*value);
        is_changed |= changed.dot(*value).abs() < 0.95;
        *value = changed;
    }
    is_changed
}

pub(crate) fn times(model: &mut Model, change: impl Fn(f64) -> f64) -> bool {
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

pub(crate) fn triangles(model: &mut Model, is_chosen: impl Fn(usize) -> bool) -> bool {
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

pub(crate) fn each_streams(
    model: &mut Model,
    mut change: impl FnMut(&mut Streams) -> bool,
) -> bool {
    let mut is_changed = false;
    for mesh in &mut model.meshes {
        is_changed |= change(streams_mut(mesh));
    }
    is_changed
}

pub(crate) fn normals(model: &mut Model, change: impl Fn(Vec3) -> Vec3) -> bool {
    let has_triangles = model.num_triangles() > 3;
    has_triangles
        && each_streams(model, |streams| {
            streams.normals.iter_mut().for_each(|normal| *normal = change(*normal));
            !streams.normals.is_empty()
        })
}

pub(crate) fn morphs(model: &mut Model, change: impl Fn(Vec3, Vec3) -> Vec3) -> bool {
    let mut is_changed = false;
    for at in 0..model.meshes.len() {
        let mesh =
            &mut model.meshes[MeshId::from_index(MeshId(u32::try_from(at).unwrap()).0 as usize)];
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

pub(crate) fn uvs(model: &mut Model, change: impl Fn(Vec2) -> Vec2) -> bool {
    each_streams(model, |streams| {
        let mut moved = 0.0f32;
        for uv in streams.uv_sets.iter_mut().flat_map(|set| &mut set.coords) {
            let changed = change(*uv);
            moved = moved.max(changed.distance(*uv));
            *uv = changed;
        }
        moved > 0.2
    })
}

/// Whether the model has a base colour texture, and seams across which its colours match.
pub(crate) fn is_textured(model: &Model) -> bool {
    let mut textures = model.materials.iter().flat_map(|material| &material.textures);
    textures.any(|texture| texture.role == TextureRole::BaseColor && texture.image.is_some())
}

pub(crate) fn is_face(model: &Model) -> bool {
    model.skeleton.bones().iter().any(|bone| bone.name == "jaw")
}

/// Scales the offsets of all morph targets.
pub(crate) fn morphs_in_place(model: &mut Model, factor: f32) -> bool {
    let targets = model.meshes.iter_mut().flat_map(|mesh| &mut mesh.morph_targets);
    let mut offsets =
        targets.flat_map(|target| &mut target.shapes).flat_map(|own| &mut own.position_offsets);
    let first = offsets.next().map(|offset| *offset *= factor);
    offsets.for_each(|offset| *offset *= factor);
    first.is_some()
}

/// Whether all clips have many keys at equal intervals.
pub(crate) fn has_regular_keys(model: &Model) -> bool {
    let is_regular = |clip: &Clip| {
        clip.uniform_keys().is_some_and(|(num, secs)| num >= 10 && (0.03..0.1).contains(&secs))
    };
    !model.clips.is_empty() && model.clips.iter().all(is_regular)
}

/// Whether several clips have keys at the same intervals and start at 0.
pub(crate) fn has_neighbours(model: &Model) -> bool {
    let interval = |clip: &Clip| clip.uniform_keys().map_or(0.0, |(_, secs)| secs);
    let first = model.clips.first().map_or(0.0, interval);
    let are_alike = model
        .clips
        .iter()
        .all(|clip| (interval(clip) / first - 1.0).abs() < 1e-3 && clip.start_secs == 0.0);
    has_regular_keys(model) && model.clips.len() > 3 && are_alike
}

/// Changes the times of one clip.
pub(crate) fn times_of(model: &mut Model, clip: usize, change: impl Fn(f64) -> f64) -> bool {
    let others = std::mem::take(&mut model.clips);
    model.clips.push(others[ClipId::from_index(clip)].clone());
    let is_changed = times(model, change);
    let changed = std::mem::replace(&mut model.clips, others).as_mut_vec().remove(0);
    model.clips[ClipId::from_index(clip)] = changed;
    is_changed
}

/// Reverses the triangles, normals and bitangents of some meshes.
pub(crate) fn reverse_meshes(model: &mut Model, is_chosen: impl Fn(usize) -> bool) -> bool {
    let mut is_changed = false;
    for (at, mesh) in model.meshes.iter_mut().enumerate().filter(|(at, _)| is_chosen(*at)) {
        is_changed |= is_chosen(at);
        let mut list: Vec<u32> = mesh.indices.iter().collect();
        list.chunks_exact_mut(3).for_each(|triangle| triangle.swap(1, 2));
        mesh.indices = Indices::U32(list);
        let streams = streams_mut(mesh);
        streams.normals.iter_mut().for_each(|normal| *normal = -*normal);
        streams.tangents.iter_mut().for_each(|tangent| tangent.w = -tangent.w);
    }
    is_changed
}

/// Takes the normals from the pose at the start of a clip that turns most of them by a large angle.
pub(crate) fn posed_normals(model: &mut Model) -> bool {
    let starts: Vec<f64> = model.clips.iter().map(|clip| clip.start_secs).collect();
    for (clip, start_secs) in starts.into_iter().enumerate() {
        let pose = sample(model, &PoseSpec::linear(ClipId::from_index(clip), start_secs));
        let mut angles = Vec::new();
        let mut all = Vec::new();
        for (at, mesh) in model.meshes.iter().enumerate() {
            let posed = skin_mesh(mesh, &pose.of_mesh(MeshId::from_index(at), mesh)).normals;
            let own = mesh.streams().unwrap();
            let is_skinned = matches!(mesh.skin, Skin::InverseBind(_)) && !own.normals.is_empty();
            if is_skinned {
                angles.extend(own.normals.iter().zip(&posed).map(|(a, b)| a.angle_between(*b)));
                all.push((at, posed));
            }
        }
        angles.sort_by(f32::total_cmp);
        if angles.get(angles.len() / 2).is_some_and(|angle| *angle > 0.5) {
            all.into_iter().for_each(|(at, posed)| {
                streams_mut(&mut model.meshes[MeshId::from_index(at)]).normals = posed
            });
            return true;
        }
    }
    false
}
