//! Changes to the clock: clip, key, speed, range, and interpolation between keys.

use std::sync::Arc;

use super::clock::SPEED;
use crate::{AppState, KeyTimes, LoopMode, Request, Selection, ShownPose, TimeRange};
use rigscope_core::model::{ClipId, Motion};
use rigscope_core::pose::Sampling;

impl AppState {
    /// Copies the playback settings to the current tab.
    pub(crate) fn apply_playback_settings(&mut self) {
        self.tab.playback.loop_mode = self.settings.loop_mode;
        self.tab.playback.sampling = self.settings.sampling;
        self.tab.playback.normals = self.settings.normals;
    }

    /// Shows `clip` from its start. Playback continues if the clip can be played.
    pub(crate) fn set_clip(&mut self, clip: ClipId) {
        if clip.index() >= self.num_clips() || self.tab.playback.clip == Some(clip) {
            return;
        }
        self.tab.playback.clip = Some(clip);
        self.tab.playback.range = None;
        self.tab.playback.is_backwards = false;
        self.tab.playback.time_secs = self.clip_range().start_secs;
        self.tab.playback.is_playing &= self.can_play();
        // The default pose of the clip; for a bind pair, this is the product of its keys.
        self.tab.playback.shown =
            if self.tab.playback.is_playing { ShownPose::ClipTime } else { ShownPose::ClipStart };
        if self.docked_dialog() == Some(crate::Dialog::Export) {
            self.renew_export();
        }
    }

    /// Moves `by` clips forward, wrapping around. If a clip is selected, the selection follows.
    pub(crate) fn step_clip(&mut self, by: usize) {
        let at = self.tab.playback.clip.map_or(0, ClipId::index);
        let next = (at + by) % self.num_clips().max(1);
        self.set_clip(ClipId::from_index(next));
        if matches!(self.tab.selection, Selection::Clip(_)) {
            self.tab.selection = Selection::Clip(ClipId::from_index(next));
        }
    }

    pub(crate) fn play_or_pause(&mut self) {
        if self.tab.playback.is_playing {
            self.tab.playback.is_playing = false;
        } else {
            let span = self.play_range();
            self.tab.playback.play(span);
        }
    }

    /// Jumps to the time in the clip nearest to `time_secs` and pauses.
    pub(crate) fn seek(&mut self, time_secs: f64) {
        if self.clip().is_none() {
            return;
        }
        self.tab.playback.time_secs = self.clip_range().clamp(time_secs);
        self.tab.playback.is_playing = false;
        self.tab.playback.shown = ShownPose::ClipTime;
    }

    /// Jumps to the key returned by `next`.
    pub(crate) fn step_key(&mut self, next: fn(&KeyTimes, f64) -> Option<f64>) {
        let now = self.tab.playback.time_secs;
        let time = self.key_times().and_then(|keys| next(keys, now));
        // Pauses even if there is no such key.
        self.seek(time.unwrap_or(now));
    }

    pub(crate) fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.tab.playback.speed = speed.clamp(*SPEED.start(), *SPEED.end());
        }
    }

    pub(crate) fn set_loop(&mut self, mode: LoopMode) -> Vec<Request> {
        self.tab.playback.loop_mode = mode;
        self.tab.playback.is_backwards = false;
        self.settings.loop_mode = mode;
        vec![Request::SaveSettings]
    }

    pub(crate) fn set_sampling(&mut self, sampling: Sampling) -> Vec<Request> {
        self.settings.sampling = sampling;
        self.apply_playback_settings();
        vec![Request::SaveSettings]
    }

    /// Switches to `sampling`, or back to the interpolation of the format's runtime.
    pub(crate) fn toggle_sampling(&mut self, sampling: Sampling) -> Vec<Request> {
        self.set_sampling(if self.tab.playback.sampling == sampling {
            Sampling::Runtime
        } else {
            sampling
        })
    }

    /// Plays only the part of `range` that is inside the clip.
    pub(crate) fn set_range(&mut self, range: Option<TimeRange>) {
        let whole = self.clip_range();
        self.tab.playback.range = range
            .map(|range| TimeRange {
                start_secs: whole.clamp(range.start_secs),
                end_secs: whole.clamp(range.end_secs),
            })
            .filter(|range| range.duration_secs() > 0.0 && *range != whole);
    }

    /// The range from the playhead to the end of the current range, or of the clip if that end is earlier. An
    /// error is the reason why the playhead can't start one.
    pub(crate) fn range_from_here(&self) -> Result<TimeRange, &'static str> {
        let (start_secs, range, clip) =
            (self.tab.playback.time_secs, self.play_range(), self.clip_range());
        if start_secs >= clip.end_secs {
            return Err("the playhead is at the end of the clip");
        }
        if start_secs == range.start_secs {
            return Err("the range starts here already");
        }
        let is_before = start_secs < range.end_secs;
        let end_secs = if is_before { range.end_secs } else { clip.end_secs };
        Ok(TimeRange { start_secs, end_secs })
    }

    /// Like [`Self::range_from_here`], up to the playhead.
    pub(crate) fn range_to_here(&self) -> Result<TimeRange, &'static str> {
        let (end_secs, range, clip) =
            (self.tab.playback.time_secs, self.play_range(), self.clip_range());
        if end_secs <= clip.start_secs {
            return Err("the playhead is at the start of the clip");
        }
        if end_secs == range.end_secs {
            return Err("the range ends here already");
        }
        let is_after = end_secs > range.start_secs;
        let start_secs = if is_after { range.start_secs } else { clip.start_secs };
        Ok(TimeRange { start_secs, end_secs })
    }

    pub(crate) fn start_range_here(&mut self) {
        if let Ok(range) = self.range_from_here() {
            self.set_range(Some(range));
        }
    }

    pub(crate) fn end_range_here(&mut self) {
        if let Ok(range) = self.range_to_here() {
            self.set_range(Some(range));
        }
    }

    /// Switches the clip between a bind pair and an animation. Copies the model; its vertices and
    /// keys remain views of the file.
    pub(crate) fn toggle_bind_pair(&mut self) {
        let (Some(document), Some(id)) = (&mut self.tab.document, self.tab.playback.clip) else {
            return;
        };
        let model = Arc::make_mut(&mut document.model);
        if let Some(clip) = model.clips.get_mut(id)
            && let Motion::Sampled(motion) = &mut clip.motion
        {
            motion.is_bind_pair ^= true;
            let choices = &mut document.bind_pair_choices;
            match choices.iter().position(|known| *known == id) {
                Some(at) => drop(choices.remove(at)),
                None => choices.push(id),
            }
        }
        self.show_clip_start();
    }
}
