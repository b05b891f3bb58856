//! Converts a skill and its unpacked values to a clip.
//!
//! Values replace a bone's rest position and rotation; bones without motion stay at rest. Frame f is at `f /
//! frames * duration`, as in the original engine; positions are interpolated linearly, rotations linearly
//! with normalization.
//!
//! Ambiguous: the file doesn't state whether a skill repeats. Real skills that repeat last `frames` times
//! 33.3 ms (20 frames 666, 38 frames 1266), others `frames - 1` times (116 frames 3833, 151 frames 4999), so
//! a skill counts as repeating if its duration is closer to the former; then its last frame is followed by
//! frame 0, otherwise it's held.
//! Ambiguous: in every known file, all motions of a skill have the same number of frames; a shorter one holds
//! its last frame.

use glam::{Quat, Vec3};

use super::cfp::Values;
use super::character_file::{MotionRecord, Skill};
use super::skeleton::{BoneNames, rotation};
use rigscope_core::model::{
    BoneId, BoneTrack, Clip, Detail, Event, FindingKind, Interpolation, Motion, Place, Report,
    Track, numbers,
};

/// Nominal number of frames per millisecond.
const FRAMES_PER_MS: f64 = 0.03;
const MS_PER_SEC: f64 = 1000.0;
/// Limit on the values used by motions, as a multiple of the number of values: real files use each once.
const MAX_COVERAGE: u64 = 2;
/// Maximum number of details for all skills together.
const MAX_DETAILS: usize = 64;

/// Number of values in a skill's file; `None` if a count is negative.
pub(super) fn num_values(skill: &Skill) -> Option<usize> {
    let num_positions = usize::try_from(skill.num_positions).ok()?;
    let num_rotations = usize::try_from(skill.num_rotations).ok()?;
    let num_position_values = num_positions.checked_mul(3)?;
    num_position_values.checked_add(num_rotations.checked_mul(4)?)
}

pub(super) fn build(
    skill: &Skill,
    values: &Values,
    bones: &BoneNames,
    place: Place,
    report: &Report,
) -> Clip {
    let builder = Builder::new(skill, values, bones, place, report);
    Clip {
        name: skill.name.clone(),
        duration_secs: builder.duration_secs,
        motion: Motion::Tracks(builder.tracks()),
        events: builder.events(),
        ..Clip::default()
    }
}

struct Builder<'a> {
    skill: &'a Skill,
    values: &'a [f32],
    bones: &'a BoneNames,
    place: Place,
    report: &'a Report,
    num_positions: usize,
    num_rotations: usize,
    /// Frame count of the longest motion.
    num_frames: usize,
    duration_secs: f64,
    repeats: bool,
}

impl<'a> Builder<'a> {
    fn new(
        skill: &'a Skill,
        values: &'a Values,
        bones: &'a BoneNames,
        place: Place,
        report: &'a Report,
    ) -> Self {
        let positive = |num: i32| usize::try_from(num).unwrap_or(0);
        let frames = skill.motions.iter().map(|m| positive(m.num_frames));
        let num_frames = frames.max().unwrap_or(0);
        let nominal_ms = num_frames as f64 / FRAMES_PER_MS;
        let mut duration_ms = f64::from(skill.duration_ms);
        if !duration_ms.is_finite() || duration_ms <= 0.0 {
            report.add_many(FindingKind::BrokenRecord, place, 1, || {
                let duration = numbers::number(duration_ms);
                format!("the duration of {} is {duration} ms, which isn't usable", skill.name)
            });
            duration_ms = nominal_ms;
        }
        Self {
            skill,
            values: &values.values,
            bones,
            place,
            report,
            num_positions: positive(skill.num_positions),
            num_rotations: positive(skill.num_rotations),
            num_frames,
            duration_secs: duration_ms / MS_PER_SEC,
            repeats: duration_ms * FRAMES_PER_MS > num_frames as f64 - 0.5,
        }
    }

    fn tracks(&self) -> Vec<BoneTrack> {
        let mut left = MAX_COVERAGE * (self.num_positions as u64 + self.num_rotations as u64 + 1);
        let mut tracks = Vec::new();
        let (mut unknown, mut broken, mut num_not_finite) = (Vec::new(), Vec::new(), 0);
        for motion in &self.skill.motions {
            let Some(bone) = self.bones.get(&motion.bone) else {
                unknown.push(&*motion.bone);
                continue;
            };
            let positions = match motion.has_positions {
                0 => Ok(None),
                _ => self
                    .frames(motion, motion.first_position, self.num_positions, &mut left)
                    .map(Some),
            };
            let rotations = match motion.has_rotations {
                0 => Ok(None),
                _ => self
                    .frames(motion, motion.first_rotation, self.num_rotations, &mut left)
                    .map(Some),
            };
            let (Ok(positions), Ok(rotations)) = (positions, rotations) else {
                broken.push(&*motion.bone);
                continue;
            };
            tracks.push(BoneTrack {
                bone,
                translation: positions.map(|frames| {
                    let values = frames.map(|at| self.position(at, &mut num_not_finite));
                    self.track(values.collect(), Interpolation::Linear)
                }),
                rotation: rotations
                    .map(|frames| self.track(self.rotations(frames), Interpolation::Nlerp)),
                scale: None,
            });
        }
        self.report(
            FindingKind::UnmatchedBones,
            &unknown,
            "moves bones that aren't in the skeleton",
        );
        self.report(
            FindingKind::BrokenRecord,
            &broken,
            "has motions that extend past its values and are left out",
        );
        self.report.add_many(FindingKind::NotFinite, self.place, num_not_finite, || {
            format!("a position of {} isn't finite", self.skill.name)
        });
        tracks
    }

    fn report(&self, kind: FindingKind, bones: &[&str], what: &str) {
        self.report.add_many(kind, self.place, bones.len() as u64, || {
            format!("{} {what}: {}", self.skill.name, bones.join(", "))
        });
    }

    /// The range of a motion's frames in one column; an error if it exceeds the column.
    fn frames(
        &self,
        motion: &MotionRecord,
        first: i32,
        num: usize,
        left: &mut u64,
    ) -> Result<std::ops::Range<usize>, ()> {
        let first = usize::try_from(first).map_err(drop)?;
        let num_frames = usize::try_from(motion.num_frames).map_err(drop)?;
        let end = first.checked_add(num_frames).ok_or(())?;
        if num_frames == 0 || end > num {
            return Err(());
        }
        // Motions that share values many times would exhaust memory.
        *left = left.checked_sub(num_frames as u64).ok_or(())?;
        Ok(first..end)
    }

    /// Value `at` of column `column`; the columns have `num` values each and start at `base`.
    fn value(&self, base: usize, column: usize, num: usize, at: usize) -> f32 {
        let index = base + column * num + at;
        self.values.get(index).copied().unwrap_or(0.0)
    }

    fn position(&self, at: usize, num_not_finite: &mut u64) -> Vec3 {
        let stored = [0, 1, 2].map(|column| self.value(0, column, self.num_positions, at));
        let position = Vec3::from(stored);
        if position.is_finite() {
            position
        } else {
            *num_not_finite += 1;
            Vec3::ZERO
        }
    }

    /// Rotations, each in the hemisphere of the previous one.
    fn rotations(&self, frames: std::ops::Range<usize>) -> Vec<Quat> {
        let base = 3 * self.num_positions;
        let mut before = Quat::IDENTITY;
        frames
            .map(|at| {
                let column = |column| self.value(base, column, self.num_rotations, at);
                let rotated = rotation([0, 1, 2, 3].map(column)).unwrap_or(before);
                before = if rotated.dot(before) < 0.0 { -rotated } else { rotated };
                before
            })
            .collect()
    }

    fn track<T: Copy>(&self, mut values: Vec<T>, interpolation: Interpolation) -> Track<T> {
        let secs_per_frame = self.duration_secs / self.num_frames.max(1) as f64;
        let times = (0..values.len()).map(|frame| frame as f64 * secs_per_frame);
        let mut times_secs: Vec<f64> = times.collect();
        if self.repeats
            && values.len() == self.num_frames
            && let Some(&first) = values.first()
        {
            values.push(first);
            times_secs.push(self.duration_secs);
        }
        Track { times_secs, values, interpolation }
    }

    fn events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        for motion in &self.skill.motions {
            let bone: Option<BoneId> = self.bones.get(&motion.bone);
            for timed in motion.events.iter().flatten() {
                for (name, value) in &timed.properties {
                    events.push(Event {
                        time_secs: f64::from(timed.time_ms) / MS_PER_SEC,
                        name: name.clone(),
                        value: value.clone(),
                        bone,
                    });
                }
            }
        }
        events.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        events
    }
}

/// Adds the properties of a skill that clips don't have: the distance of a walk, and motion properties.
pub(super) fn add_details(skill: &Skill, details: &mut Vec<(&'static str, Detail)>) {
    let mut add = |name, text: String| {
        if details.len() < MAX_DETAILS {
            details.push((name, Detail::Text(text)));
        }
    };
    let name = &skill.name;
    if skill.is_moving != 0 || skill.distance_feet != 0.0 {
        let moving = if skill.is_moving != 0 { ", moving" } else { "" };
        add("skill", format!("{name}: {} feet{moving}", skill.distance_feet));
    }
    let mut properties: Vec<(&String, &String, usize)> = Vec::new();
    for (key, value) in skill.motions.iter().flat_map(|m| m.properties.iter().flatten()) {
        let known = properties.iter_mut().find(|p| (p.0, p.1) == (key, value));
        if let Some((_, _, num)) = known {
            *num += 1;
        } else if properties.len() < MAX_DETAILS {
            properties.push((key, value, 1));
        }
    }
    for (key, value, num) in properties {
        add("motion property", format!("{name}: {key}={value} on {num} bones"));
    }
}
