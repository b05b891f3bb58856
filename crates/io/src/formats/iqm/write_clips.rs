//! Writes clips: poses, anims, frames and the bounding box of each frame.
#![expect(clippy::indexing_slicing, reason = "ids of a checked model index its own tables")]

use glam::{Quat, Vec3};

use super::ID;
use super::clips::{Anim, FrameBounds, LOOPS, NUM_CHANNELS, PoseRecord};
use super::file_builder::{FileBuilder, axes};
use super::write_joints::{WrittenJoint, WrittenJoints, channels};
use crate::formats::record::{Record, bytes_of, list};
use crate::formats::rigged_model::{KeyGrid, RiggedModel};
use crate::formats::{WriteError, WriteOptions};
use rigscope_core::model::{
    Aabb, BoneId, BoneTrack, ByteView, Clip, ClipId, IdVec, Interpolation, MeshId, Model, Motion,
    Skeleton, Track, Trs,
};
use rigscope_core::pose::{PoseSpec, sample, skin_positions};

/// Vertices whose bounds in a frame take as long as writing a matrix.
const VERTICES_PER_MATRIX: usize = 64;
/// Frames whose bounds are computed between two checks for cancellation.
const FRAMES_PER_LOOK: usize = 16;

/// The original bytes of the model's clips, if it was read from this format.
pub(super) struct OriginalClips {
    poses: ByteView,
    anims: ByteView,
    frames: ByteView,
    bounds: Option<ByteView>,
}

impl OriginalClips {
    /// The original bytes, if the model is unchanged.
    pub(super) fn of(model: &Model, options: &WriteOptions) -> Option<Self> {
        let bytes = |what| model.preserved(ID, what).cloned();
        let kept = Self {
            poses: bytes("poses")?,
            anims: bytes("anims")?,
            frames: bytes("frames")?,
            bounds: bytes("bounds"),
        };
        let is_whole = kept.poses.len() == model.skeleton.len() * PoseRecord::BYTES
            && kept.anims.len() == model.clips.len() * Anim::BYTES;
        let is_same = model.axes == axes() && options.rate.is_none();
        (is_whole && is_same).then_some(kept)
    }
}

/// Writes all clips; returns the model's clip for each.
pub(super) fn clips(
    out: &mut FileBuilder<'_>,
    rigged: &RiggedModel,
    joints: &WrittenJoints<'_>,
    kept: &Option<OriginalClips>,
    options: &WriteOptions,
) -> Result<Vec<Option<ClipId>>, WriteError> {
    let model = &rigged.model;
    let is_of_bones = |clip: &&Clip| !matches!(clip.motion, Motion::VertexAnimation(_));
    if joints.list.is_empty() || !model.clips.iter().any(|clip| is_of_bones(&clip)) {
        return Ok(Vec::new());
    }
    let ids = (0..model.clips.len()).map(ClipId::from_index);
    if let Some(kept) = kept.as_ref().filter(|_| joints.is_in_order) {
        write_originals(out, model, kept)?;
        return Ok(ids.map(Some).collect());
    }
    let mut frames: Vec<[f32; NUM_CHANNELS]> = Vec::new();
    let mut anims = Vec::new();
    let mut times = Vec::new();
    let mut grids = Vec::new();
    for (number, clip) in model.clips.iter().enumerate().filter(|(_, clip)| is_of_bones(clip)) {
        grids.push((number, clip, KeyGrid::of(clip, options.rate, ID)?));
    }
    let keys = grids.iter().map(|(_, clip, grid)| (*clip, grid));
    let per_key = joints.list.len() + model.num_vertices() / VERTICES_PER_MATRIX;
    KeyGrid::check_all(keys, per_key, options, ID)?;
    for (number, clip, grid) in grids {
        let first = FileBuilder::count("frames", times.len())?;
        #[expect(clippy::cast_possible_truncation, reason = "the format has f32")]
        let fps = grid.rate as f32;
        anims.push(Anim {
            name: out.name(&clip.name)?,
            first_frame: first,
            num_frames: grid.num_keys,
            fps,
            flags: flags(clip),
        });
        let id = ClipId::from_index(number);
        // The size of the frames is limited to 32 bits.
        let num_bytes = (times.len() as u64 + u64::from(grid.num_keys))
            .saturating_mul(joints.list.len() as u64 * 2);
        if num_bytes > u64::from(u32::MAX) {
            return Err(WriteError::TooMany {
                format: ID,
                what: "bytes of animation frames",
                count: num_bytes,
                limit: u64::from(u32::MAX),
            });
        }
        let tracks = keyed_tracks(clip, &grid, &model.skeleton);
        for key in 0..grid.num_keys {
            out.report.progress("writing clips", 0.5)?;
            let spec = PoseSpec::linear(id, grid.key_secs(key));
            frame(rigged, joints, &tracks, key, &spec, &mut frames);
            times.push(spec);
        }
    }
    align_rotations(&mut frames, joints.list.len());
    let poses = poses(&frames, joints);
    let num_channels = poses.iter().map(|pose| pose.mask.count_ones()).sum();
    out.header.poses = out.list("poses", &poses)?;
    out.header.anims = out.list("anims", &anims)?;
    let mut stored = Vec::new();
    for of_frame in frames.chunks(joints.list.len()) {
        for (pose, values) in poses.iter().zip(of_frame) {
            put(pose, values, &mut stored);
        }
    }
    put_frames(out, times.len(), num_channels, &stored)?;
    let bounds = bounds(out, model, &times)?;
    if !bounds.is_empty() {
        out.header.bounds = out.append(&bytes_of(&bounds))?;
    }
    let written = ids.zip(&model.clips).filter(|(_, clip)| is_of_bones(clip));
    Ok(written.map(|(id, _)| Some(id)).collect())
}

fn flags(clip: &Clip) -> u32 {
    if clip.is_looping { LOOPS } else { 0 }
}

fn put_frames(
    out: &mut FileBuilder<'_>,
    num_frames: usize,
    num_channels: u32,
    bytes: &[u8],
) -> Result<(), WriteError> {
    out.header.frames = out.append(bytes)?;
    out.header.num_frames = FileBuilder::count("frames", num_frames)?;
    out.header.num_frame_channels = num_channels;
    Ok(())
}

/// Writes clips as in the original file; only the offsets of names change.
fn write_originals(
    out: &mut FileBuilder<'_>,
    model: &Model,
    kept: &OriginalClips,
) -> Result<(), WriteError> {
    out.header.poses = out.table("poses", model.skeleton.len(), &kept.poses)?;
    let mut anims = Vec::with_capacity(model.clips.len());
    let mut num_frames = 0;
    for (anim, clip) in list::<Anim>(&kept.anims).zip(&model.clips) {
        num_frames = num_frames.max(anim.first_frame as usize + anim.num_frames as usize);
        anims.push(Anim { name: out.name(&clip.name)?, flags: flags(clip), ..anim });
    }
    out.header.anims = out.list("anims", &anims)?;
    let num_channels = list::<PoseRecord>(&kept.poses).map(|pose| pose.channels().count_ones());
    let num_channels: u32 = num_channels.sum();
    let frame_bytes = num_channels as usize * 2;
    let num_stored = kept.frames.len().checked_div(frame_bytes);
    let num_frames = num_stored.unwrap_or(num_frames);
    put_frames(out, num_frames, num_channels, &kept.frames)?;
    if let Some(bounds) = &kept.bounds
        && bounds.len() == num_frames * FrameBounds::BYTES
    {
        out.header.bounds = out.append(bounds)?;
    }
    Ok(())
}

/// The tracks of a bone, and which of them have keys at exactly the written times.
#[derive(Clone, Copy)]
struct KeyedTrack<'a> {
    track: &'a BoneTrack,
    is_translation_at: bool,
    is_rotation_at: bool,
    is_scale_at: bool,
}

/// The tracks of each bone. Key times are compared once per clip; once per key would be quadratic.
fn keyed_tracks<'a>(
    clip: &'a Clip,
    grid: &KeyGrid,
    skeleton: &Skeleton,
) -> IdVec<BoneId, Option<KeyedTrack<'a>>> {
    fn is_at<T>(track: &Option<Track<T>>, grid: &KeyGrid) -> bool {
        track.as_ref().is_some_and(|track| grid.is_at(&track.times_secs))
    }
    let mut tracks = IdVec::filled(None, skeleton.bones());
    if let Motion::Tracks(list) = &clip.motion {
        for track in list {
            tracks[track.bone] = Some(KeyedTrack {
                track,
                is_translation_at: is_at(&track.translation, grid),
                is_rotation_at: is_at(&track.rotation, grid),
                is_scale_at: is_at(&track.scale, grid),
            });
        }
    }
    tracks
}

/// Appends the channels of all joints at one key.
fn frame(
    rigged: &RiggedModel,
    joints: &WrittenJoints<'_>,
    tracks: &IdVec<BoneId, Option<KeyedTrack<'_>>>,
    key: u32,
    spec: &PoseSpec,
    frames: &mut Vec<[f32; NUM_CHANNELS]>,
) {
    let model = &rigged.model;
    let pose = sample(model, spec);
    let skeleton = model.skeleton.bones();
    for joint in &joints.list {
        if joint.is_second {
            frames.push(channels(Trs::IDENTITY));
            continue;
        }
        let source = joint.bone.source;
        let (bone, track) = (&skeleton[source], tracks[source]);
        let mut trs = match track {
            Some(_) => Trs::from_affine(pose.parent_from_bone[source]),
            None => bone.rest_local.to_trs(),
        };
        // Use the stored values at keys, since decomposing a matrix rounds them.
        if let Some(KeyedTrack { track, is_translation_at, is_rotation_at, is_scale_at }) = track {
            let rest = bone.rest_local.to_trs();
            let moved = keyed(&track.translation, rest.translation, is_translation_at, key);
            trs.translation = moved.unwrap_or(trs.translation);
            trs.scale = keyed(&track.scale, rest.scale, is_scale_at, key).unwrap_or(trs.scale);
            let rotation = keyed(&track.rotation, rest.rotation, is_rotation_at, key);
            let rotation =
                rotation.filter(|rotation| rotation.length_squared() > f32::MIN_POSITIVE);
            trs.rotation = rotation.map_or(trs.rotation, Quat::normalize);
        }
        frames.push(channels(trs));
    }
}

/// The stored value of key `key`, if the track's keys are at the written times; `rest` without a
/// track.
fn keyed<T: Copy>(track: &Option<Track<T>>, rest: T, is_at: bool, key: u32) -> Option<T> {
    let Some(track) = track else { return Some(rest) };
    if track.interpolation == Interpolation::Cubic {
        return None;
    }
    match track.values.as_slice() {
        [value] => Some(*value),
        values if is_at => values.get(key as usize).copied(),
        _ => None,
    }
}

/// Makes the quaternions of consecutive frames point the same way, which reduces quantization error
/// and makes blending take the shorter way.
fn align_rotations(frames: &mut [[f32; NUM_CHANNELS]], num_joints: usize) {
    let mut before = vec![Quat::IDENTITY; num_joints];
    for of_frame in frames.chunks_mut(num_joints) {
        for (values, before) in of_frame.iter_mut().zip(&mut before) {
            let [_, _, _, x, y, z, w, ..] = values;
            let rotation = Quat::from_xyzw(*x, *y, *z, *w);
            let rotation = if rotation.dot(*before) < 0.0 { -rotation } else { rotation };
            (*x, *y, *z, *w) = (rotation.x, rotation.y, rotation.z, rotation.w);
            *before = rotation;
        }
    }
}

/// Appends the channels that move.
fn put(pose: &PoseRecord, values: &[f32; NUM_CHANNELS], stored: &mut Vec<u8>) {
    let parts = values.iter().zip(&pose.offsets).zip(&pose.scales);
    for (at, ((value, offset), scale)) in parts.enumerate() {
        if pose.mask & 1 << at != 0 {
            let steps = f64::from(value - offset) / f64::from(*scale);
            #[expect(clippy::cast_possible_truncation, reason = "clamped to 16 bits")]
            #[expect(clippy::cast_sign_loss, reason = "clamped to 16 bits")]
            let steps = steps.round().clamp(0.0, f64::from(u16::MAX)) as u16;
            stored.extend(steps.to_le_bytes());
        }
    }
}

/// Minimum and step of every channel.
fn poses(frames: &[[f32; NUM_CHANNELS]], joints: &WrittenJoints<'_>) -> Vec<PoseRecord> {
    let num_joints = joints.list.len();
    let mut ranges = vec![[(f32::INFINITY, f32::NEG_INFINITY); NUM_CHANNELS]; num_joints];
    for of_frame in frames.chunks(num_joints) {
        for (values, ranges) in of_frame.iter().zip(&mut ranges) {
            for (value, (low, high)) in values.iter().zip(ranges) {
                (*low, *high) = (low.min(*value), high.max(*value));
            }
        }
    }
    let pose = |(ranges, joint): (&[(f32, f32); NUM_CHANNELS], &WrittenJoint<'_>)| {
        let offsets = ranges.map(|(low, _)| if low.is_finite() { low } else { 0.0 });
        let scales = ranges.map(|(low, high)| {
            let scale = (high - low) / f32::from(u16::MAX);
            if scale.is_normal() { scale } else { 0.0 }
        });
        let moving = scales.iter().enumerate().filter(|(_, s)| **s > 0.0);
        let mask = moving.map(|(at, _)| 1 << at).sum();
        PoseRecord { parent: joint.parent, mask, offsets, scales }
    };
    ranges.iter().zip(&joints.list).map(pose).collect()
}

/// Corners, radius around the up axis and radius of each frame.
fn bounds(
    out: &FileBuilder<'_>,
    model: &Model,
    times: &[PoseSpec],
) -> Result<Vec<FrameBounds>, WriteError> {
    let mut bounds = Vec::new();
    if model.num_vertices() == 0 {
        return Ok(bounds);
    }
    for (number, specs) in times.chunks(FRAMES_PER_LOOK).enumerate() {
        let share = (number * FRAMES_PER_LOOK) as f32 / times.len() as f32;
        out.report.progress("writing bounds", 0.6 + 0.4 * share)?;
        bounds.extend(specs.iter().map(|spec| bounds_in(model, spec)));
    }
    Ok(bounds)
}

/// The bounds of a pose.
pub(super) fn bounds_in(model: &Model, spec: &PoseSpec) -> FrameBounds {
    let pose = sample(model, spec);
    let of_mesh =
        |(index, mesh)| skin_positions(mesh, &pose.of_mesh(MeshId::from_index(index), mesh));
    let meshes: Vec<_> = model.meshes.iter().enumerate().map(of_mesh).collect();
    let points = || meshes.iter().flatten().copied();
    let around = Aabb::from_points(points());
    let radius = |keep: Vec3| points().map(|p| (p * keep).length()).fold(0.0, f32::max);
    FrameBounds {
        low: around.min,
        high: around.max,
        radius_around_z: radius(Vec3::new(1.0, 1.0, 0.0)),
        radius: radius(Vec3::ONE),
    }
}
