//! Converts a clip of any model to a skill and the values of its CFP: the inverse of `clips`.
//!
//! Frames are at `f / frames * duration`, about 30 per second. A clip whose last pose equals the first one
//! repeats: it has as many frames as fit its duration, and the last is followed by the first. Any other clip
//! has its last pose in its last frame, which is held until the end: the skill is longer by that frame, unless
//! the clip holds its last pose as well, and has a slightly higher frame rate, so that it doesn't count as
//! repeating.
//!
//! A bone has positions or rotations in a skill if any frame differs from its rest.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::BCF_ID;
use super::cfp_pack::Column;
use super::character_file::{MotionRecord, Skill, TimedProperties};
use super::names;
use super::rig::{Rig, Rigid};
use crate::formats::{WriteError, WriteOptions};
use rigscope_core::model::{
    BoneId, BoneTrack, Clip, ClipId, FindingKind, Model, Motion, Place, Report, numbers,
};
use rigscope_core::pose::{PoseSpec, sample};
use rigscope_core::reshape::{self, SampledKeys};

/// Nominal frames per second.
pub(super) const FRAMES_PER_SEC: f64 = 30.0;
const MS_PER_SEC: f64 = 1000.0;
/// A pose that is held at the end for up to this many frames counts as the frame that the format needs.
const MAX_HELD_FRAMES: f64 = 1.5;
/// Allowed error of a component of a stored rotation: 0.02 degrees.
pub(super) const MAX_ROTATION_ERROR: f32 = 1e-4;
/// Allowed error of a position, relative to the size of the skeleton and of the motion.
pub(super) const MAX_POSITION_ERROR: f32 = 2e-5;
/// Smaller differences count as rest.
const AT_REST: f32 = 1e-6;
/// Frame limit per skill: more than readers accept.
const MAX_FRAMES: f64 = 1e7;
/// Limit on the poses of all bones per skill; more would take gigabytes.
const MAX_POSES: f64 = 16_777_216.0;

/// The frames of a skill.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Frames {
    num: usize,
    secs_each: f64,
}

impl Frames {
    /// As many as fit the duration; the last is followed by the first.
    fn repeating(duration_secs: f64) -> Self {
        let duration_secs = if duration_secs > 0.0 { duration_secs } else { 1.0 / FRAMES_PER_SEC };
        // Readers take it as repeating if it lasts longer than half a frame less than this.
        let num = whole((duration_secs * FRAMES_PER_SEC - 0.5).ceil()).max(1);
        Self { num, secs_each: duration_secs / num as f64 }
    }

    /// With a frame at each end, and enough frames that together they last half a frame less than their
    /// number.
    fn held(duration_secs: f64) -> Self {
        let mut num = whole((duration_secs * FRAMES_PER_SEC).ceil()).max(1) + 1;
        loop {
            let secs_each = duration_secs / (num - 1) as f64;
            if secs_each * num as f64 * FRAMES_PER_SEC < num as f64 - 0.55 {
                return Self { num, secs_each };
            }
            num += 1;
        }
    }

    fn duration_ms(&self) -> f64 {
        self.num as f64 * self.secs_each * MS_PER_SEC
    }
}

fn whole(num: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    #[expect(clippy::cast_sign_loss, reason = "clamped")]
    let num = num.clamp(0.0, MAX_FRAMES) as usize;
    num
}

/// Converts the clips of one model to skills.
pub(super) struct SkillMaker<'a> {
    /// A plain model in the axes of the format.
    pub(super) plain: &'a Model,
    pub(super) rig: &'a Rig,
    /// Names of the written bones.
    pub(super) bones: &'a [String],
    pub(super) report: &'a Report,
}

impl SkillMaker<'_> {
    /// The skill of clip `number`, without names, and its columns.
    pub(super) fn skill(&self, number: usize) -> Result<(Skill, Vec<Column>), WriteError> {
        let Some(clip) = self.plain.clips.get(ClipId::from_index(number)) else {
            return Ok(Default::default());
        };
        let (frames, poses) = self.poses(number, clip)?;
        #[expect(clippy::cast_possible_truncation, reason = "durations are single precision")]
        let duration_ms = frames.duration_ms() as f32;
        let mut skill = Skill { duration_ms, ..Skill::default() };
        let mut positions: Vec<Vec3> = Vec::new();
        let mut rotations: Vec<Quat> = Vec::new();
        let num_frames = count(frames.num);
        for (at, bone) in self.rig.bones.iter().enumerate() {
            let rest = bone.parent_from_bone;
            let of_bone = || poses.iter().filter_map(|locals| locals.get(at));
            let events = self.events(clip, bone.source, at == 0);
            let moves = of_bone().any(|local| {
                let moved = (local.translation - rest.translation).as_vec3();
                moved.abs().max_element() > AT_REST * (1.0 + self.rig.extent)
            });
            let turns = of_bone().any(|local| !has_equal_rotation(local, &rest));
            if !moves && !turns && events.is_empty() {
                continue;
            }
            let mut motion = MotionRecord {
                bone: self.bones.get(at).cloned().unwrap_or_default(),
                num_frames,
                duration_ms,
                first_position: -1,
                first_rotation: -1,
                events: Vec::from_iter((!events.is_empty()).then_some(events)),
                ..MotionRecord::default()
            };
            if moves {
                motion.has_positions = 1;
                motion.first_position = count(positions.len());
                positions.extend(of_bone().map(|local| local.translation.as_vec3()));
            }
            if turns {
                motion.has_rotations = 1;
                motion.first_rotation = count(rotations.len());
                let mut before = Quat::IDENTITY;
                rotations.extend(of_bone().map(|local| {
                    let rotated = local.rotation.as_quat();
                    before = if rotated.dot(before) < 0.0 { -rotated } else { rotated };
                    before
                }));
            }
            skill.motions.push(motion);
        }
        skill.num_positions = count(positions.len());
        skill.num_rotations = count(rotations.len());
        Ok((skill, self.columns(&positions, &rotations)))
    }

    /// Checks that the frames of these clips are in proportion to the keys that they store.
    pub(super) fn check_keys(
        &self,
        clips: Range<usize>,
        options: &WriteOptions,
    ) -> Result<(), WriteError> {
        let clips = (*self.plain.clips).get(clips).unwrap_or_default().iter();
        let sampled = clips.filter(|clip| !matches!(clip.motion, Motion::VertexAnimation(_)));
        let keys = sampled.map(|clip| SampledKeys {
            clip,
            num_keys: whole(clip.duration_secs * FRAMES_PER_SEC) as u64 + 2,
        });
        reshape::check_keys(
            keys,
            self.rig.bones.len() as u64,
            options.rate.is_some(),
            options.sampling,
        )
        .map_err(|source| WriteError::Bake { format: BCF_ID, source })
    }

    fn poses(&self, number: usize, clip: &Clip) -> Result<(Frames, Vec<Vec<Rigid>>), WriteError> {
        let id = ClipId::from_index(number);
        let at = |secs: f64| {
            let spec = PoseSpec::linear(id, clip.start_secs + secs);
            self.rig.locals(&sample(self.plain, &spec))
        };
        let duration_secs = clip.duration_secs.max(0.0);
        let num_frames = duration_secs * FRAMES_PER_SEC;
        let limit = MAX_FRAMES.min(MAX_POSES / self.rig.bones.len().max(1) as f64);
        if num_frames > limit {
            return Err(WriteError::TooMany {
                format: BCF_ID,
                what: "frames in one clip",
                count: whole(num_frames) as u64,
                limit: whole(limit) as u64,
            });
        }
        let repeats = self.is_alike(&at(0.0), &at(duration_secs));
        let moving_secs = self.moving_secs(clip, &at);
        let frames =
            if repeats { Frames::repeating(duration_secs) } else { Frames::held(moving_secs) };
        let is_longer = !repeats && moving_secs == duration_secs;
        self.report.add_many(
            FindingKind::LongerClip,
            Place::Clip(id.0),
            u64::from(is_longer),
            || {
                let longer_secs = frames.duration_ms() / MS_PER_SEC - duration_secs;
                let longer = numbers::seconds(longer_secs);
                format!(
                    "clip {:?} becomes {longer} longer, so that its last pose is shown",
                    clip.name
                )
            },
        );
        if matches!(clip.motion, Motion::VertexAnimation(_)) {
            return Ok((frames, Vec::new()));
        }
        let mut poses = Vec::with_capacity(frames.num);
        for frame in 0..frames.num {
            self.report.progress("sampling clips", 0.7)?;
            poses.push(at(frame as f64 * frames.secs_each));
        }
        Ok((frames, poses))
    }

    /// The duration without a last frame in which the pose is held: the format needs such a frame after the last
    /// pose, so that a clip that was read has one.
    fn moving_secs(&self, clip: &Clip, at: &dyn Fn(f64) -> Vec<Rigid>) -> f64 {
        let duration_secs = clip.duration_secs.max(0.0);
        let Motion::Tracks(tracks) = &clip.motion else { return duration_secs };
        let last = at(duration_secs);
        let times = tracks.iter().flat_map(BoneTrack::times).flatten();
        let times = times.map(|time| time - clip.start_secs);
        let near = times.filter(|time| {
            let left = duration_secs - time;
            *time > 0.0 && left > 0.0 && left <= MAX_HELD_FRAMES / FRAMES_PER_SEC
        });
        let mut near: Vec<f64> = near.collect();
        near.sort_by(f64::total_cmp);
        near.dedup();
        let held = near.into_iter().find(|time| self.is_alike(&at(*time), &last));
        held.unwrap_or(duration_secs)
    }

    /// Whether two poses are equal up to the precision of the format.
    fn is_alike(&self, a: &[Rigid], b: &[Rigid]) -> bool {
        let limit = MAX_POSITION_ERROR * self.rig.extent.max(f32::MIN_POSITIVE);
        a.iter().zip(b).all(|(a, b)| {
            let moved = (a.translation - b.translation).as_vec3().abs();
            let [a, b] = [a.rotation.as_quat(), b.rotation.as_quat()];
            let b = if a.dot(b) < 0.0 { -b } else { b };
            let rotated = glam::Vec4::from(a - b).abs().max_element();
            moved.max_element() <= limit && rotated <= MAX_ROTATION_ERROR
        })
    }

    /// The events of a bone, ordered by time; the first bone also gets the events without a bone.
    fn events(&self, clip: &Clip, bone: Option<BoneId>, is_first: bool) -> Vec<TimedProperties> {
        let mut timed: Vec<TimedProperties> = Vec::new();
        for event in &clip.events {
            let own = event.bone.map(|bone| self.rig.written(Some(bone)));
            let at = match own {
                Some(own) => self.rig.bones.get(own).and_then(|bone| bone.source) == bone,
                None => is_first,
            };
            if !at {
                continue;
            }
            #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
            let time_ms = ((event.time_secs - clip.start_secs) * MS_PER_SEC).round() as i32;
            let pair = (names::storable(&event.name), names::storable(&event.value));
            match timed.last_mut().filter(|last| last.time_ms == time_ms) {
                Some(last) => last.properties.push(pair),
                None => timed.push(TimedProperties { time_ms, properties: vec![pair] }),
            }
        }
        timed
    }

    fn columns(&self, positions: &[Vec3], rotations: &[Quat]) -> Vec<Column> {
        let reach = positions.iter().map(|p| p.abs().max_element());
        let extent = reach.fold(self.rig.extent, f32::max);
        let position = |part: fn(&Vec3) -> f32| Column {
            values: positions.iter().map(part).collect(),
            max_error: extent * MAX_POSITION_ERROR,
        };
        let rotation = |part: fn(&Quat) -> f32| Column {
            values: rotations.iter().map(part).collect(),
            max_error: MAX_ROTATION_ERROR,
        };
        vec![
            position(|p| p.x),
            position(|p| p.y),
            position(|p| p.z),
            // The stored rotation is the conjugate.
            rotation(|q| -q.x),
            rotation(|q| -q.y),
            rotation(|q| -q.z),
            rotation(|q| q.w),
        ]
    }
}

fn has_equal_rotation(a: &Rigid, b: &Rigid) -> bool {
    let [a, b] = [a.rotation.as_quat(), b.rotation.as_quat()];
    let b = if a.dot(b) < 0.0 { -b } else { b };
    glam::Vec4::from(a - b).abs().max_element() <= AT_REST
}

fn count(num: usize) -> i32 {
    // Values beyond the limits of readers are refused before they are counted.
    i32::try_from(num).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_about_30_per_second_and_only_looping_clips_repeat() {
        for num in 0..4000 {
            let secs = f64::from(num) * 0.0137;
            let repeating = Frames::repeating(secs);
            let in_frames = |frames: Frames| frames.duration_ms() * 0.03;
            // A single frame never changes.
            let is_one = repeating.num == 1;
            assert!(is_one || in_frames(repeating) > repeating.num as f64 - 0.5, "{secs}");
            if num > 0 {
                let held = Frames::held(secs);
                assert!(in_frames(held) <= held.num as f64 - 0.5, "{secs}");
                let last_secs = (held.num - 1) as f64 * held.secs_each;
                assert!((last_secs - secs).abs() < 1e-9);
                assert!(in_frames(held) >= held.num as f64 - 2.01, "{secs}");
            }
        }
        let second = Frames::repeating(1.0);
        assert_eq!((second.num, second.secs_each), (30, 1.0 / 30.0));
        assert_eq!(Frames::held(1.0).num, 32);
    }
}
