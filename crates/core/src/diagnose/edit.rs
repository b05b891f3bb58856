//! Changes to models in plain form.

use glam::{Affine3A, Mat4, Quat, Vec3};

use super::parts::{is_root, skin_of};
use crate::images::{Texels, decode, header_within};
use crate::model::{
    BoneId, BoneTrack, ByteView, ClipId, ImageId, Indices, LocalTransform, Mesh, MeshId, Model,
    Motion, Skeleton, Skin, Track, Trs,
};

/// Replaces the inverse bind matrices of some meshes.
pub(super) fn map_binds(
    model: &mut Model,
    meshes: &[MeshId],
    change: impl Fn(BoneId, Mat4) -> Mat4,
) {
    for &mesh in meshes {
        let Some(skin) = model.meshes[mesh].inverse_bind_mut() else {
            continue;
        };
        for (bone, matrix) in skin.bones.iter().zip(&mut skin.bone_from_mesh) {
            let changed = change(*bone, *matrix);
            if changed.is_finite() {
                *matrix = changed;
            }
        }
    }
}

/// Replaces the rest transforms of all bones.
pub(super) fn map_rest(model: &mut Model, change: impl Fn(BoneId, Trs) -> Trs) {
    let mut bones = model.skeleton.bones().to_vec();
    for (at, bone) in bones.iter_mut().enumerate() {
        let own = bone.rest_local.to_trs();
        let changed = change(BoneId::from_index(at), own);
        if changed != own {
            bone.rest_local = LocalTransform::Trs(changed);
        }
    }
    let has_hierarchy = model.skeleton.has_hierarchy();
    // This always succeeds, because the parents don't change.
    if let Ok(skeleton) = Skeleton::new(bones, has_hierarchy) {
        model.skeleton = skeleton;
    }
}

/// Changes the tracks for which `is_chosen` returns true, given clip and bone.
pub(super) fn map_tracks(
    model: &mut Model,
    is_chosen: impl Fn(usize, BoneId) -> bool,
    change: impl Fn(&mut BoneTrack),
) {
    for (clip, own) in model.clips.iter_mut().enumerate() {
        let Motion::Tracks(tracks) = &mut own.motion else { continue };
        for track in tracks.iter_mut().filter(|track| is_chosen(clip, track.bone)) {
            change(track);
        }
    }
}

/// Changes all rotations of a track. If the track is cubic, `change` must be linear, because it applies to the
/// tangents too.
pub(super) fn map_rotations(track: &mut BoneTrack, change: impl Fn(Quat) -> Quat) {
    for value in track.rotation.iter_mut().flat_map(|track| &mut track.values) {
        *value = change(*value);
    }
}

/// Changes all translations of a track.
pub(super) fn map_translations(track: &mut BoneTrack, change: impl Fn(Vec3) -> Vec3) {
    for value in track.translation.iter_mut().flat_map(|track| &mut track.values) {
        *value = change(*value);
    }
}

/// Negates keys of a rotation track so that adjacent ones have the same sign.
pub(crate) fn align_signs(track: &mut Track<Quat>) {
    let (own, step) = track.key_layout();
    let mut before: Option<Quat> = None;
    for key in track.values.chunks_mut(step) {
        let Some(&value) = key.get(own) else { continue };
        let is_opposite = before.is_some_and(|before| before.dot(value) < 0.0);
        if is_opposite {
            key.iter_mut().for_each(|value| *value = -*value);
        }
        before = Some(if is_opposite { -value } else { value });
    }
}

/// Changes each time of a clip to `time * factor + shift`.
pub(super) fn retime(model: &mut Model, clip: usize, factor: f64, shift: f64) {
    fn change<T>(track: &mut Option<Track<T>>, to: &dyn Fn(f64) -> f64) {
        for time in track.iter_mut().flat_map(|track| &mut track.times_secs) {
            *time = to(*time);
        }
    }
    let clip = &mut model.clips[ClipId::from_index(clip)];
    let to = |time: f64| time * factor + shift;
    if let Motion::Tracks(tracks) = &mut clip.motion {
        for track in tracks {
            change(&mut track.translation, &to);
            change(&mut track.rotation, &to);
            change(&mut track.scale, &to);
        }
    }
    for track in &mut clip.morph_tracks {
        track.weights.times_secs.iter_mut().for_each(|time| *time = to(*time));
    }
    for track in &mut clip.material_tracks {
        track.values.times_secs.iter_mut().for_each(|time| *time = to(*time));
    }
    clip.start_secs = to(clip.start_secs);
    clip.duration_secs *= factor;
}

/// Transforms the whole model: the roots of the skeleton, and the meshes without bones.
pub(super) fn place_whole(model: &mut Model, new_from_old: Affine3A) {
    let (scale, turn, _) = new_from_old.to_scale_rotation_translation();
    let factor = scale.x;
    let roots = placing_roots(model);
    map_rest(model, |bone, trs| {
        if roots[bone.index()] {
            Trs {
                translation: new_from_old.transform_point3(trs.translation),
                rotation: turn * trs.rotation,
                scale: trs.scale * factor,
            }
        } else {
            trs
        }
    });
    map_tracks(
        model,
        |_, bone| roots.get(bone.index()).copied().unwrap_or(false),
        |track| {
            map_translations(track, |value| new_from_old.transform_vector3(value));
            map_rotations(track, |value| turn * value);
            for value in track.scale.iter_mut().flat_map(|track| &mut track.values) {
                *value *= factor;
            }
        },
    );
    for mesh in model.meshes.iter_mut().filter(|mesh| is_loose(mesh)) {
        if let Some(streams) = mesh.streams_mut() {
            streams.positions.iter_mut().for_each(|at| *at = new_from_old.transform_point3(*at));
            streams.normals.iter_mut().for_each(|normal| *normal = turn * *normal);
        }
    }
}

/// By bone, whether it is a root that places a mesh. In glTF, the node of a skinned mesh is a bone too, but only the
/// joints place the mesh.
fn placing_roots(model: &Model) -> Vec<bool> {
    let mut places = vec![false; model.skeleton.len()];
    let joints =
        model.meshes.iter().filter_map(skin_of).flat_map(|skin| skin.bones.iter().copied());
    for bone in joints.chain(model.meshes.iter().filter_map(|mesh| mesh.attached_to)) {
        if let Some(flag) = places.get_mut(bone.index()) {
            *flag = true;
        }
    }
    let is_without_meshes = !places.contains(&true);
    let bones = model.skeleton.bones();
    for &bone in model.skeleton.parents_first().iter().rev() {
        let parent = bones.get(bone).and_then(|bone| bone.parent);
        if places[bone.index()]
            && let Some(flag) = parent.and_then(|parent| places.get_mut(parent.index()))
        {
            *flag = true;
        }
    }
    let ids = bones.ids();
    ids.map(|bone| is_root(model, bone) && (is_without_meshes || places[bone.index()])).collect()
}

/// Whether a mesh doesn't follow any bone.
fn is_loose(mesh: &Mesh) -> bool {
    matches!(mesh.skin, Skin::None) && mesh.attached_to.is_none()
}

/// Reverses the triangles for which `is_chosen` returns true, given their index.
pub(crate) fn reverse_triangles(mesh: &mut Mesh, is_chosen: impl Fn(usize) -> bool) {
    let mut list: Vec<u32> = mesh.indices.iter().collect();
    for (number, triangle) in list.chunks_exact_mut(3).enumerate() {
        if is_chosen(number) {
            triangle.swap(1, 2);
        }
    }
    mesh.indices = Indices::U32(list);
}

/// The signs of a reflection along an axis: 0, 1 or 2.
pub(super) fn reflection(axis: usize) -> Vec3 {
    let mut signs = Vec3::ONE;
    signs[axis] = -1.0;
    signs
}

/// A local transform, converted to a coordinate system that is reflected along an axis.
pub(super) fn reflected(trs: Trs, axis: usize) -> Trs {
    Trs {
        translation: trs.translation * reflection(axis),
        rotation: reflected_rotation(trs.rotation, axis),
        scale: trs.scale,
    }
}

/// A rotation, converted to a coordinate system that is reflected along an axis.
pub(super) fn reflected_rotation(rotation: Quat, axis: usize) -> Quat {
    let mut xyz = rotation.xyz() * -reflection(axis);
    if !xyz.is_finite() {
        xyz = Vec3::ZERO;
    }
    Quat::from_xyzw(xyz.x, xyz.y, xyz.z, rotation.w)
}

/// Changes the red, green and blue channels of an image, and encodes it as PNG.
pub(super) fn recode_image(model: &mut Model, id: ImageId, change: impl Fn(f64) -> f64) {
    let Some(image) = model.images.get_mut(id) else { return };
    let Ok(header) = header_within(&image.bytes, &image.name, crate::images::MAX_SIDE) else {
        return;
    };
    let Ok(decoded) = decode(&image.bytes, header) else { return };
    let Some(first) = decoded.levels.into_iter().flatten().next() else { return };
    let Texels::Rgba8(mut bytes) = first.texels else { return };
    #[expect(clippy::cast_possible_truncation, reason = "clamped to a byte")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    let table: Vec<u8> = (0..=u8::MAX)
        .map(|value| (change(f64::from(value) / 255.0) * 255.0).round().clamp(0.0, 255.0) as u8)
        .collect();
    for texel in bytes.chunks_exact_mut(4) {
        for channel in texel.iter_mut().take(3) {
            *channel = table[usize::from(*channel)];
        }
    }
    if let Some(png) = crate::images::rgba_png(first.width, first.height, bytes) {
        image.bytes = ByteView::whole(png);
    }
}
