//! The clock of the current clip. Only [`Playback::tick`] advances it.
//!
//! Times are seconds on the clip's clock, as in the file.

use serde::{Deserialize, Serialize};

use super::{ShownPose, TimeRange};
use rigscope_core::model::ClipId;
use rigscope_core::pose::{
    InPlace, Moment, MorphOverrides, Normals, PoseSpec, Sampling, SecondClip,
};

/// Behaviour at the end of the clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoopMode {
    /// Stop.
    Once,
    /// Restart.
    #[default]
    Loop,
    /// Reverse.
    PingPong,
}

impl LoopMode {
    /// All modes, in the order of the shortcut that cycles through them.
    pub const ALL: [Self; 3] = [Self::Once, Self::Loop, Self::PingPong];

    /// The name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Self::Once => "Once",
            Self::Loop => "Loop",
            Self::PingPong => "Ping-pong",
        }
    }

    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Once => Self::Loop,
            Self::Loop => Self::PingPong,
            Self::PingPong => Self::Once,
        }
    }
}

/// Slowest and fastest speed offered.
pub(super) const SPEED: std::ops::RangeInclusive<f64> = 0.05..=8.0;

/// The current clip, time and playback options.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// The clip; `None` if the model has no clips.
    pub clip: Option<ClipId>,
    /// The current time.
    pub time_secs: f64,
    /// The pose drawn: the clip at `time_secs`, or another one.
    pub shown: ShownPose,
    pub is_playing: bool,
    /// Whether playback is suspended while the user drags the playhead.
    pub is_held: bool,
    /// Whether ping-pong playback is running in reverse.
    pub is_backwards: bool,
    /// Clip seconds per second.
    pub speed: f64,
    pub loop_mode: LoopMode,
    /// The range to play; `None` for the whole clip.
    pub range: Option<TimeRange>,
    /// Interpolation between keys.
    pub sampling: Sampling,
    /// A second clip blended with the first, at the playhead only.
    pub layer: Option<SecondClip>,
    /// Removes root motion, at the playhead only.
    pub in_place: Option<InPlace>,
    /// Morph target weights that replace those of the clip.
    pub morphs: MorphOverrides,
    /// Source of normals and tangents.
    pub normals: Normals,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            clip: None,
            time_secs: 0.0,
            shown: ShownPose::ClipStart,
            is_playing: false,
            is_held: false,
            is_backwards: false,
            speed: 1.0,
            loop_mode: LoopMode::default(),
            range: None,
            sampling: Sampling::default(),
            layer: None,
            in_place: None,
            morphs: MorphOverrides::default(),
            normals: Normals::default(),
        }
    }
}

impl Playback {
    /// The pose to draw.
    pub fn pose_spec(&self) -> PoseSpec {
        let spec = self.spec_at(self.time_secs);
        let moment = match self.shown {
            ShownPose::ClipTime => return spec,
            ShownPose::ClipStart => Moment::Default,
            ShownPose::Rest => Moment::Rest,
            ShownPose::Bind => Moment::Bind,
        };
        PoseSpec { moment, layer: None, in_place: None, ..spec }
    }

    /// Whether the clip is drawn at the playhead, not its first pose or the rest or bind pose.
    pub fn shows_time(&self) -> bool {
        self.shown == ShownPose::ClipTime
    }

    /// The pose at `time_secs` of the clip, including layer and overrides.
    pub(crate) fn spec_at(&self, time_secs: f64) -> PoseSpec {
        PoseSpec {
            clip: self.clip,
            moment: Moment::TimeSecs(time_secs),
            sampling: self.sampling,
            layer: self.layer.map(|layer| layer.at(time_secs)),
            in_place: self.in_place,
            morphs: self.morphs,
            normals: self.normals,
        }
    }

    /// A copy with only the options that affect the poses of the clip, for use in keys.
    pub(crate) fn posing(&self) -> Self {
        Self {
            clip: self.clip,
            sampling: self.sampling,
            layer: self.layer,
            in_place: self.in_place,
            morphs: self.morphs,
            ..Self::default()
        }
    }

    /// Starts playback within `span`, from its start if the clock is outside.
    pub(crate) fn play(&mut self, span: TimeRange) {
        self.is_playing = true;
        self.shown = ShownPose::ClipTime;
        let is_inside = self.time_secs >= span.start_secs && self.time_secs < span.end_secs;
        if !is_inside {
            self.is_backwards = false;
            self.time_secs = span.start_secs;
        }
    }

    /// Advances the clock by `dt_secs` of real time within `span`.
    pub fn tick(&mut self, dt_secs: f64, span: TimeRange) {
        if !self.is_playing || self.is_held || !dt_secs.is_finite() || dt_secs <= 0.0 {
            return;
        }
        let length = span.duration_secs();
        if length <= 0.0 {
            self.is_playing = false;
            self.time_secs = span.start_secs;
            return;
        }
        let step = dt_secs * self.speed;
        match self.loop_mode {
            LoopMode::Once => {
                self.time_secs = (self.time_secs + step).max(span.start_secs);
                if self.time_secs >= span.end_secs {
                    self.time_secs = span.end_secs;
                    self.is_playing = false;
                }
            }
            LoopMode::Loop => {
                let passed = span.clamp(self.time_secs) - span.start_secs + step;
                self.time_secs = span.start_secs + passed.rem_euclid(length);
            }
            LoopMode::PingPong => {
                // Both directions form a loop of twice the length.
                let there = span.clamp(self.time_secs) - span.start_secs;
                let at = if self.is_backwards { 2.0 * length - there } else { there };
                let at = (at + step).rem_euclid(2.0 * length);
                self.is_backwards = at > length;
                let there = if self.is_backwards { 2.0 * length - at } else { at };
                self.time_secs = span.start_secs + there;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: TimeRange = TimeRange { start_secs: 1.0, end_secs: 3.0 };

    fn playing(loop_mode: LoopMode, time_secs: f64) -> Playback {
        Playback {
            is_playing: true,
            shown: ShownPose::ClipTime,
            loop_mode,
            time_secs,
            ..Playback::default()
        }
    }

    #[test]
    fn loop_wraps_around_after_frames_of_any_duration() {
        let mut playback = playing(LoopMode::Loop, 2.5);
        playback.tick(1.0, SPAN);
        assert_eq!(playback.time_secs, 1.5);
        playback.tick(20.0, SPAN);
        assert_eq!(playback.time_secs, 1.5);
        assert!(playback.is_playing);
    }

    #[test]
    fn once_stops_at_the_end_and_plays_again_from_the_start() {
        let mut playback = playing(LoopMode::Once, 2.5);
        playback.tick(1.0, SPAN);
        assert_eq!((playback.time_secs, playback.is_playing), (3.0, false));
        playback.play(SPAN);
        assert_eq!((playback.time_secs, playback.is_playing), (1.0, true));
    }

    #[test]
    fn ping_pong_reverses_at_both_ends() {
        let mut playback = playing(LoopMode::PingPong, 2.5);
        playback.tick(1.0, SPAN);
        assert_eq!((playback.time_secs, playback.is_backwards), (2.5, true));
        playback.tick(2.0, SPAN);
        assert_eq!((playback.time_secs, playback.is_backwards), (1.5, false));
    }

    #[test]
    fn speed_scales_time_and_a_paused_clock_does_not_advance() {
        let mut playback = playing(LoopMode::Loop, 1.0);
        playback.speed = 0.25;
        playback.tick(1.0, SPAN);
        assert_eq!(playback.time_secs, 1.25);
        playback.is_playing = false;
        playback.tick(1.0, SPAN);
        assert_eq!(playback.time_secs, 1.25);
    }

    #[test]
    fn zero_length_range_stops_the_clock() {
        let mut playback = playing(LoopMode::Loop, 5.0);
        playback.tick(0.1, TimeRange::default());
        assert_eq!((playback.time_secs, playback.is_playing), (0.0, false));
    }
}
