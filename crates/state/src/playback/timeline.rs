//! The timeline: its visible range, and the keys of the selected bone and the morph targets.
//!
//! Not for: the clock, which is in `clock`; the range to play, which is in [`crate::Playback`].

use crate::{AppState, KeyTimes, ModelKey, TimeRange};
use rigscope_core::model::{BoneId, BoneTrack, ClipId, Motion};

/// Zoom factor per key press.
const ZOOM_STEP: f64 = 2.0;
/// Shortest visible range as a fraction of the clip.
const MIN_SHARE: f64 = 1e-4;

/// An action on the timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimelineAction {
    /// Jumps to a time and suspends playback while the pointer is held.
    Scrub(f64),
    /// Resumes playback after a scrub.
    EndScrub,
    /// Shows this range of the clip; `None` shows all.
    Show(Option<TimeRange>),
}

/// A separate row of keys.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyRow {
    pub name: String,
    pub keys: KeyTimes,
}

/// The inputs of the rows.
#[derive(Clone, Debug, PartialEq)]
struct RowsKey {
    model: ModelKey,
    clip: Option<ClipId>,
    bone: Option<BoneId>,
}

/// The timeline of one document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimelineView {
    /// The visible range; `None` for the whole clip.
    pub visible: Option<TimeRange>,
    /// The keys of the selected bone, if the clip has keys per bone. Without a selected bone it is
    /// empty, so that the row keeps its place.
    pub bone: Option<KeyRow>,
    /// The keys of all morph targets.
    pub morphs: Option<KeyRow>,
    /// The keys of all material parameters.
    pub materials: Option<KeyRow>,
    /// Seconds per frame of the clip.
    pub frame_secs: f64,
    made_for: Option<RowsKey>,
}

impl TimeRange {
    /// Scaled to `factor` times the length around `about_secs`, within `whole`.
    #[must_use]
    pub fn zoomed(&self, factor: f64, about_secs: f64, whole: &Self) -> Self {
        let least = whole.duration_secs() * MIN_SHARE;
        let length = (self.duration_secs() * factor).min(whole.duration_secs()).max(least);
        let share = if self.duration_secs() > 0.0 {
            (self.clamp(about_secs) - self.start_secs) / self.duration_secs()
        } else {
            0.5
        };
        let start_secs = self.clamp(about_secs) - share * length;
        Self { start_secs, end_secs: start_secs + length }.moved(0.0, whole)
    }

    /// Moved by `by_secs`, within `whole`.
    #[must_use]
    pub fn moved(&self, by_secs: f64, whole: &Self) -> Self {
        let latest = (whole.end_secs - self.duration_secs()).max(whole.start_secs);
        let start_secs = (self.start_secs + by_secs).clamp(whole.start_secs, latest);
        Self { start_secs, end_secs: (start_secs + self.duration_secs()).min(whole.end_secs) }
    }

    /// Moved by whole lengths so that it contains `time_secs`, like turning pages.
    #[must_use]
    fn paged_to(&self, time_secs: f64, whole: &Self) -> Self {
        let length = self.duration_secs();
        if (self.start_secs..=self.end_secs).contains(&time_secs) || length <= 0.0 {
            return *self;
        }
        self.moved(((time_secs - self.start_secs) / length).floor() * length, whole)
    }
}

impl AppState {
    pub(crate) fn apply_timeline(&mut self, action: TimelineAction) {
        match action {
            TimelineAction::Scrub(time_secs) => self.scrub(time_secs),
            TimelineAction::EndScrub => self.tab.playback.is_held = false,
            TimelineAction::Show(range) => self.show_times(range),
        }
    }

    /// Seconds per frame of `clip`, while times are shown in frames.
    pub fn shown_frame_secs(&self, clip: ClipId) -> Option<f64> {
        let document = self.tab.document.as_ref().filter(|_| self.settings.ruler_frames)?;
        document.frame_secs.get(clip.index()).copied().filter(|secs| *secs > 0.0)
    }

    /// The visible range of the clip.
    pub fn visible_times(&self) -> TimeRange {
        self.tab.view.timeline.visible.unwrap_or_else(|| self.clip_range())
    }

    fn scrub(&mut self, time_secs: f64) {
        if self.clip().is_some() {
            let is_playing = self.tab.playback.is_playing;
            self.seek(time_secs);
            self.tab.playback.is_playing = is_playing;
            self.tab.playback.is_held = true;
        }
    }

    fn show_times(&mut self, range: Option<TimeRange>) {
        let whole = self.clip_range();
        self.tab.view.timeline.visible = range
            .map(|range| range.zoomed(1.0, range.start_secs, &whole))
            .filter(|range| range.duration_secs() > 0.0)
            .filter(|range| range.duration_secs() < whole.duration_secs() * (1.0 - MIN_SHARE));
    }

    /// Zooms in or out by one step around the current time.
    pub(crate) fn zoom_times(&mut self, is_closer: bool) {
        let visible = self.visible_times();
        let factor = if is_closer { 1.0 / ZOOM_STEP } else { ZOOM_STEP };
        let about = self.tab.playback.time_secs;
        let range = visible.paged_to(about, &self.clip_range());
        self.show_times(Some(range.zoomed(factor, about, &self.clip_range())));
    }

    /// Updates the rows and the visible range to clip, selection and clock.
    pub(crate) fn follow_timeline(&mut self) {
        let Some(document) = &self.tab.document else {
            self.tab.view.timeline = TimelineView::default();
            return;
        };
        let key = RowsKey {
            model: ModelKey(document.model.clone()),
            clip: self.tab.playback.clip,
            bone: self.subject_bone(),
        };
        let made_for = &self.tab.view.timeline.made_for;
        if made_for.as_ref() == Some(&key) {
            return;
        }
        let is_same_clip =
            made_for.as_ref().is_some_and(|old| (&old.model, old.clip) == (&key.model, key.clip));
        let visible = self.tab.view.timeline.visible.filter(|_| is_same_clip);
        let clip = self.clip();
        let bone = match clip.map(|clip| &clip.motion) {
            Some(Motion::Tracks(tracks)) if !tracks.is_empty() => Some(match key.bone {
                Some(bone) => {
                    let of_bone = tracks.iter().filter(|track| track.bone == bone);
                    let times = of_bone.flat_map(BoneTrack::times);
                    KeyRow { name: document.bone_name(bone), keys: KeyTimes::of_times(times) }
                }
                None => KeyRow { name: String::new(), keys: KeyTimes::List(Vec::new()) },
            }),
            _ => None,
        };
        let shapes = clip.map_or(&[][..], |clip| &clip.morph_tracks);
        let morphs = (!shapes.is_empty()).then(|| KeyRow {
            name: "Morph targets".into(),
            keys: KeyTimes::of_times(shapes.iter().map(|track| &track.weights.times_secs[..])),
        });
        let parameters = clip.map_or(&[][..], |clip| &clip.material_tracks);
        let materials = (!parameters.is_empty()).then(|| KeyRow {
            name: "Materials".into(),
            keys: KeyTimes::of_times(parameters.iter().map(|track| &track.values.times_secs[..])),
        });
        let frame_secs = key.clip.and_then(|clip| document.frame_secs.get(clip.index()));
        let frame_secs = frame_secs.copied().unwrap_or_default();
        self.tab.view.timeline =
            TimelineView { visible, bone, morphs, materials, frame_secs, made_for: Some(key) };
    }

    /// Turns the page if the clock has left the visible range.
    pub(crate) fn follow_clock(&mut self) {
        let playback = &self.tab.playback;
        if playback.is_playing
            && !playback.is_held
            && let Some(visible) = self.tab.view.timeline.visible
        {
            let range = visible.paged_to(playback.time_secs, &self.clip_range());
            self.tab.view.timeline.visible = Some(range);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: TimeRange = TimeRange { start_secs: 1.0, end_secs: 11.0 };

    #[test]
    fn zooming_keeps_the_time_under_the_pointer_and_stays_in_the_clip() {
        let closer = WHOLE.zoomed(0.5, 3.0, &WHOLE);
        assert_eq!(closer, TimeRange { start_secs: 2.0, end_secs: 7.0 });
        assert_eq!(closer.zoomed(0.5, 7.0, &WHOLE).end_secs, 7.0);
        assert_eq!(closer.zoomed(100.0, 3.0, &WHOLE), WHOLE);
        let least = WHOLE.zoomed(0.0, 3.0, &WHOLE);
        assert!(least.duration_secs() > 0.0 && least.clamp(3.0) == 3.0);
    }

    #[test]
    fn moved_range_is_limited_to_the_clip() {
        let part = TimeRange { start_secs: 2.0, end_secs: 4.0 };
        assert_eq!(part.moved(-5.0, &WHOLE), TimeRange { start_secs: 1.0, end_secs: 3.0 });
        assert_eq!(part.moved(50.0, &WHOLE), TimeRange { start_secs: 9.0, end_secs: 11.0 });
    }

    #[test]
    fn visible_range_pages_to_the_current_time() {
        let part = TimeRange { start_secs: 2.0, end_secs: 4.0 };
        assert_eq!(part.paged_to(3.5, &WHOLE), part);
        assert_eq!(part.paged_to(4.5, &WHOLE), TimeRange { start_secs: 4.0, end_secs: 6.0 });
        assert_eq!(part.paged_to(1.0, &WHOLE), TimeRange { start_secs: 1.0, end_secs: 3.0 });
    }
}
