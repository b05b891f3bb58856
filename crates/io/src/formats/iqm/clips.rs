//! Poses, anims and frames: clips of tracks with one key per frame.

use glam::{Quat, Vec3};

use super::header::{IqmHeader, TableLocation};
use super::joints::{check_number, parent_of, rest, skeleton, trs, unit};
use super::tables::FileTables;
use crate::formats::record::{Record, list, record};
use crate::formats::{ReadError, ReadOptions};
use rigscope_core::model::{
    Aabb, Bone, BoneId, BoneTrack, Clip, Element, FindingKind, Interpolation, LocalTransform,
    Motion, Place, Skeleton, Track, as_u32, counted, numbers,
};

/// Channels of a pose: translation, rotation, scale.
pub(super) const NUM_CHANNELS: usize = 10;
/// Flag of looping anims.
pub(super) const LOOPS: u32 = 1;
/// Frame rate if neither the file nor the user states one.
const DEFAULT_FPS: f64 = 30.0;
/// Limit on the size of all clips, as a multiple of the file size, plus [`CLIP_ROOM_BYTES`]: many
/// anims can refer to the same frames.
const CLIP_FACTOR: u64 = 12;
const CLIP_ROOM_BYTES: u64 = 32 << 20;

record! {
    /// Encoding of one bone's motion in the frames.
    pub(super) struct PoseRecord {
        /// Negative without a parent.
        parent: i32 = "parent";
        /// One bit per channel stored in the frames.
        mask: u32 = "channel mask";
        offsets: [f32; NUM_CHANNELS] = "offsets";
        scales: [f32; NUM_CHANNELS] = "scales";
    }

    /// Bounding box and radii of a frame.
    pub(super) struct FrameBounds {
        low: Vec3 = "lowest corner";
        high: Vec3 = "highest corner";
        radius_around_z: f32 = "radius around z";
        radius: f32 = "radius";
    }

    /// A range of frames.
    pub(super) struct Anim {
        name: u32 = "name";
        first_frame: u32 = "first frame";
        num_frames: u32 = "number of frames";
        fps: f32 = "frames a second";
        flags: u32 = "flags";
    }
}

impl PoseRecord {
    /// Mask of the channels that exist.
    pub(super) fn channels(&self) -> u32 {
        self.mask & ((1 << NUM_CHANNELS) - 1)
    }
}

/// A pose as read.
struct PoseEncoding {
    parent: Option<BoneId>,
    /// One bit per channel stored in the frames.
    mask: u32,
    offsets: [f32; NUM_CHANNELS],
    scales: [f32; NUM_CHANNELS],
    /// Index of its first channel in a frame.
    first_channel: usize,
}

impl PoseEncoding {
    /// All channels in `frame`; the offsets if the frame doesn't exist.
    fn channels(&self, frame: &[[u8; 2]]) -> [f32; NUM_CHANNELS] {
        let mut stored = frame.iter().skip(self.first_channel);
        let mut values = self.offsets;
        for (at, (value, scale)) in values.iter_mut().zip(self.scales).enumerate() {
            if self.mask & 1 << at != 0
                && let Some(&raw) = stored.next()
            {
                *value += f32::from(u16::from_le_bytes(raw)) * scale;
            }
        }
        values
    }

    fn animates(&self, channels: std::ops::Range<u32>) -> bool {
        channels.into_iter().any(|at| self.mask & 1 << at != 0)
    }
}

pub(super) struct Poses<'a> {
    poses: Vec<PoseEncoding>,
    /// The stored values of all frames, frame by frame.
    frames: &'a [[u8; 2]],
    /// Stored bounds per frame; empty if the file stores no bounds.
    bounds: Vec<Aabb>,
    num_frames: u32,
    num_frame_channels: usize,
}

/// Reads poses and locates the frames.
pub(super) fn poses<'a>(
    tables: &mut FileTables<'a>,
    header: &IqmHeader,
    options: &ReadOptions,
) -> Result<Poses<'a>, ReadError> {
    check_number(tables, header.poses, options, "poses")?;
    let records = tables.list::<PoseRecord>(header.poses, Element::Pose, "poses")?;
    let num = records.len();
    let mut poses = tables.cursor.vec(num, "poses")?;
    let mut num_used = 0;
    for (index, record) in records.enumerate() {
        let mask = record.channels();
        poses.push(PoseEncoding {
            parent: parent_of(tables, index, record.parent, num),
            mask,
            offsets: record.offsets,
            scales: record.scales,
            first_channel: num_used,
        });
        num_used += mask.count_ones() as usize;
    }
    let num_frame_channels = header.num_frame_channels as usize;
    if header.num_frames > 0 && num_used != num_frame_channels {
        let what = format!(
            "the poses' masks have {num_used} channels, but a frame has {num_frame_channels}"
        );
        return Err(tables.cursor.malformed("frame channels", what));
    }
    let mut frames: &[u8] = &[];
    // Frames without channels take no bytes.
    if num_frame_channels > 0 {
        let frame_bytes = num_frame_channels.saturating_mul(2);
        let table = TableLocation { num: header.num_frames, offset: header.frames };
        let num;
        (num, frames) = tables.records(table, frame_bytes, "frames")?;
        tables.span(Element::Frame, header.frames as usize, frame_bytes, num, &[]);
    }
    // Preserved for writing the same clips exactly, since the decoded values are rounded.
    tables.keep("poses", header.poses.offset as usize, num * PoseRecord::BYTES);
    tables.keep("frames", header.frames as usize, frames.len());
    let (num, offset) = (header.num_frames as usize, header.bounds as usize);
    let mut bounds: &[u8] = &[];
    if offset >= IqmHeader::BYTES {
        let num_bytes = num.saturating_mul(FrameBounds::BYTES);
        // Bounds past the end of the file aren't a reason to reject it, since nothing depends on
        // them.
        let table = TableLocation { num: header.num_frames, offset: header.bounds };
        if let Ok((num, bytes)) = tables.records(table, FrameBounds::BYTES, "bounds") {
            tables.span(Element::Bounds, offset, FrameBounds::BYTES, num, FrameBounds::FIELDS);
            bounds = bytes;
        }
        tables.keep("bounds", offset, num_bytes);
    }
    Ok(Poses {
        poses,
        frames: frames.as_chunks::<2>().0,
        bounds: list::<FrameBounds>(bounds).map(|b| Aabb { min: b.low, max: b.high }).collect(),
        num_frames: header.num_frames,
        num_frame_channels,
    })
}

impl Poses<'_> {
    /// Stored bounds of a range of frames; empty if the file stores no bounds or one isn't finite.
    fn bounds_of(&self, frames: &std::ops::Range<u32>) -> Vec<Aabb> {
        let range = frames.start as usize..frames.end as usize;
        let bounds = self.bounds.get(range).unwrap_or_default();
        if bounds.iter().all(|bounds| bounds.min.is_finite() && bounds.max.is_finite()) {
            bounds.to_vec()
        } else {
            Vec::new()
        }
    }

    /// The stored values of a frame.
    fn frame(&self, frame: u32) -> &[[u8; 2]] {
        let first = (frame as usize).saturating_mul(self.num_frame_channels);
        let end = first.saturating_add(self.num_frame_channels);
        self.frames.get(first..end).unwrap_or_default()
    }

    /// Bones without names in the pose of the first frame, for files that animate the mesh of
    /// another file.
    pub(super) fn skeleton(&self, tables: &FileTables<'_>) -> Result<Skeleton, ReadError> {
        let first = self.frame(0);
        let bones = self.poses.iter().enumerate().map(|(index, pose)| Bone {
            parent: pose.parent,
            rest_local: LocalTransform::Trs(rest(tables, index, trs(pose.channels(first)))),
            ..Bone::default()
        });
        skeleton(tables, bones.collect())
    }

    /// Reports differences between joints and poses.
    pub(super) fn compare(&self, tables: &FileTables<'_>, skeleton: &Skeleton) {
        let bones = skeleton.bones();
        let (num_poses, num_joints) = (self.poses.len(), bones.len());
        let is_other_number = u64::from(num_poses > 0 && num_poses != num_joints);
        let kind = FindingKind::PosesMismatch;
        tables.report.add_many(kind, Place::File, is_other_number, || {
            let (poses, joints) =
                (counted(num_poses as u64, "pose"), counted(num_joints as u64, "joint"));
            format!("the file has {poses}, but {joints}")
        });
        for (index, (pose, bone)) in self.poses.iter().zip(bones).enumerate() {
            let place = Place::Bone(as_u32(index));
            let is_other = u64::from(pose.parent != bone.parent);
            tables.report.add_many(kind, place, is_other, || {
                format!("pose {index} and its joint have different parents; the joint's is used")
            });
        }
    }
}

/// Reads the anims for the first `num_bones` poses.
pub(super) fn clips(
    tables: &mut FileTables<'_>,
    header: &IqmHeader,
    poses: &Poses<'_>,
    num_bones: usize,
    options: &ReadOptions,
) -> Result<Vec<Clip>, ReadError> {
    let (num, bytes) = tables.records(header.anims, Anim::BYTES, "anims")?;
    tables.keep("anims", header.anims.offset as usize, bytes.len());
    let mut all = tables.cursor.vec(num, "anims")?;
    let moved = poses.poses.get(..num_bones).unwrap_or(&poses.poses);
    let file_bytes = (tables.cursor.offset() + tables.cursor.remaining()) as u64;
    let mut room = CLIP_FACTOR * file_bytes + CLIP_ROOM_BYTES;
    for (index, anim) in list::<Anim>(bytes).enumerate() {
        let number = as_u32(index);
        let share = index as f32 / num as f32;
        tables.report.progress("reading clips", 0.3 + 0.3 * share)?;
        let offset = header.anims.offset as usize + index * Anim::BYTES;
        let element = Element::ClipHeader { clip: number };
        tables.span(element, offset, Anim::BYTES, 1, Anim::FIELDS);
        let num_frames = anim.num_frames;
        let frames = frame_range(tables, index, anim.first_frame, num_frames, poses.num_frames)?;
        let name = tables.name(anim.name, "anim name")?;
        let place = Place::Clip(number);
        let fps = usable_fps(tables, place, anim.fps, num_frames, options);
        let is_empty = u64::from(num_frames == 0);
        tables.report.add_many(FindingKind::ClipWithoutKeys, place, is_empty, || {
            format!("anim {index} has no frames")
        });
        let wanted: u64 = moved.iter().map(|pose| cost_bytes(pose, num_frames)).sum();
        let wanted = wanted + u64::from(num_frames) * size_of::<Aabb>() as u64;
        room = room.checked_sub(wanted).ok_or_else(|| {
            let what = format!("the clips up to {index} are far larger than the file");
            tables.cursor.over_limit("anims", what)
        })?;
        let mut tracks = tables.cursor.vec(moved.len(), "anims")?;
        if num_frames > 0 {
            for (bone, pose) in moved.iter().enumerate() {
                tables.report.progress("reading clips", 0.3 + 0.3 * share)?;
                tracks.push(track(poses, pose, BoneId::from_index(bone), &frames, fps));
            }
        }
        all.push(Clip {
            name,
            is_looping: anim.flags & LOOPS != 0,
            duration_secs: f64::from(num_frames.saturating_sub(1)) / fps,
            motion: Motion::Tracks(tracks),
            frame_bounds: poses.bounds_of(&frames),
            ..Clip::default()
        });
    }
    Ok(all)
}

fn frame_range(
    tables: &FileTables<'_>,
    anim: usize,
    first: u32,
    num: u32,
    num_all: u32,
) -> Result<std::ops::Range<u32>, ReadError> {
    let end = first.checked_add(num).filter(|&end| end <= num_all);
    end.map(|end| first..end).ok_or_else(|| {
        let what = format!("anim {anim} has {num} frames from {first} on, of {num_all}");
        tables.cursor.malformed("anim frames", what)
    })
}

/// The frame rate. If the file states none, it only matters for anims with several frames.
fn usable_fps(
    tables: &FileTables<'_>,
    place: Place,
    stored: f32,
    num_frames: u32,
    options: &ReadOptions,
) -> f64 {
    if stored.is_normal() && stored > 0.0 {
        return f64::from(stored);
    }
    let is_usable = |fps: &f64| fps.is_normal() && *fps > 0.0;
    let fps = options.fps.filter(is_usable).unwrap_or(DEFAULT_FPS);
    let matters = u64::from(num_frames > 1);
    tables.report.add_many(FindingKind::UnusableFrameRate, place, matters, || {
        let stored = numbers::number(stored);
        format!("the stored frame rate is {stored}; {fps} frames per second are used instead")
    });
    fps
}

/// Bytes of one bone's tracks.
fn cost_bytes(pose: &PoseEncoding, num_frames: u32) -> u64 {
    let keys = |channels, value_bytes: usize| {
        let num = if pose.animates(channels) { num_frames } else { 1 };
        u64::from(num) * (size_of::<f64>() + value_bytes) as u64
    };
    let vectors = keys(0..3, size_of::<Vec3>()) + keys(7..10, size_of::<Vec3>());
    size_of::<BoneTrack>() as u64 + vectors + keys(3..7, size_of::<Quat>())
}

fn track(
    poses: &Poses<'_>,
    pose: &PoseEncoding,
    bone: BoneId,
    frames: &std::ops::Range<u32>,
    fps: f64,
) -> BoneTrack {
    let values = |frame: u32| pose.channels(poses.frame(frame));
    BoneTrack {
        bone,
        translation: Some(curve(
            frames,
            fps,
            pose.animates(0..3),
            Interpolation::Linear,
            |frame| trs(values(frame)).translation,
        )),
        rotation: Some(curve(frames, fps, pose.animates(3..7), Interpolation::Matrix, |frame| {
            unit(trs(values(frame)).rotation)
        })),
        scale: Some(curve(frames, fps, pose.animates(7..10), Interpolation::Matrix, |frame| {
            trs(values(frame)).scale
        })),
    }
}

/// One key per frame, or a single key if the channels are constant.
fn curve<T>(
    frames: &std::ops::Range<u32>,
    fps: f64,
    moves: bool,
    interpolation: Interpolation,
    value: impl Fn(u32) -> T,
) -> Track<T> {
    let end = if moves { frames.end } else { frames.start + 1 };
    let frames = frames.start..end;
    Track {
        times_secs: (0..frames.end - frames.start).map(|key| f64::from(key) / fps).collect(),
        values: frames.map(value).collect(),
        interpolation,
    }
}
