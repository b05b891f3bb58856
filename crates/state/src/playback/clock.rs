//! The clock of the clip shown: pure, moved only by [`Playback::tick`].
//!
//! Times are seconds on the clip's own clock, as in the file.

use serde::{Deserialize, Serialize};

use super::{LayerChoice, ShownPose, TimeRange};
use rigscope_core::model::ClipId;
use rigscope_core::pose::{InPlace, Moment, MorphOverrides, Normals, PoseSpec, Sampling};

/// What happens at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoopMode {
    /// It stops there.
    Once,
    /// It goes on from the start.
    #[default]
    Loop,
    /// It runs back.
    PingPong,
}

impl LoopMode {
    /// All modes, in the order in which a key press goes through them.
    pub const ALL: [Self; 3] = [Self::Once, Self::Loop, Self::PingPong];

    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Once => "Once",
            Self::Loop => "Loop",
            Self::PingPong => "Ping-pong",
        }
    }

    /// The mode after this one.
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

/// What is played and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// The clip; none where the model has none.
    pub clip: Option<ClipId>,
    /// Where the clock stands.
    pub time_secs: f64,
    /// Whether the clip is drawn at `time_secs`, or another pose.
    pub shown: ShownPose,
    /// Whether the clock runs.
    pub is_playing: bool,
    /// The pointer holds the clock: it runs again when it is let go.
    pub is_held: bool,
    /// Whether the clock of a ping-pong runs back.
    pub is_backwards: bool,
    /// Clip seconds a second.
    pub speed: f64,
    /// What happens at the end.
    pub loop_mode: LoopMode,
    /// The stretch that is played; none: the whole clip.
    pub range: Option<TimeRange>,
    /// How to read between keys.
    pub sampling: Sampling,
    /// A second clip over it, at the playhead only.
    pub layer: Option<LayerChoice>,
    /// Root motion is removed, at the playhead only.
    pub in_place: Option<InPlace>,
    /// Weights of morph targets in place of the clip's.
    pub morphs: MorphOverrides,
    /// Whose normals and tangents.
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
    /// The pose that is shown.
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

    /// Whether the clip is drawn at the playhead, and not its first pose, the rest or bind pose.
    pub fn shows_time(&self) -> bool {
        self.shown == ShownPose::ClipTime
    }

    /// The pose at `time_secs` of the clip, with all that is laid over it.
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

    /// Only what decides the clip's poses, whatever time it is.
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

    /// Starts the clock in `span`, from its start where it stands at the end.
    pub(crate) fn play(&mut self, span: TimeRange) {
        self.is_playing = true;
        self.shown = ShownPose::ClipTime;
        let is_inside = self.time_secs >= span.start_secs && self.time_secs < span.end_secs;
        if !is_inside {
            self.is_backwards = false;
            self.time_secs = span.start_secs;
        }
    }

    /// Moves the clock by `dt_secs` of real time within `span`.
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
                // There and back is one loop of twice the length.
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
    fn a_loop_goes_on_from_the_start_however_long_a_frame_took() {
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
    fn ping_pong_turns_at_both_ends() {
        let mut playback = playing(LoopMode::PingPong, 2.5);
        playback.tick(1.0, SPAN);
        assert_eq!((playback.time_secs, playback.is_backwards), (2.5, true));
        playback.tick(2.0, SPAN);
        assert_eq!((playback.time_secs, playback.is_backwards), (1.5, false));
    }

    #[test]
    fn speed_scales_time_and_a_paused_clock_stands() {
        let mut playback = playing(LoopMode::Loop, 1.0);
        playback.speed = 0.25;
        playback.tick(1.0, SPAN);
        assert_eq!(playback.time_secs, 1.25);
        playback.is_playing = false;
        playback.tick(1.0, SPAN);
        assert_eq!(playback.time_secs, 1.25);
    }

    #[test]
    fn a_span_without_length_stops_the_clock() {
        let mut playback = playing(LoopMode::Loop, 5.0);
        playback.tick(0.1, TimeRange::default());
        assert_eq!((playback.time_secs, playback.is_playing), (0.0, false));
    }
}
