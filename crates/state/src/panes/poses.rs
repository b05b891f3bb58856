//! The Key poses pane: the clips in view, and the pictures of their poses.
//!
//! The application draws in the background, only for clips in view, and stops when the pane is
//! closed or the document is replaced. The poses of a clip are drawn side by side into one picture.
//!
//! Invariant: at most [`MAX_STRIPS`] pictures are stored, and only for the current tab.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::{AppState, Document, JobId, ModelKey, Pane, Request, TaskSlot, Thumbnail, TimeRange};
use rigscope_core::model::ClipId;

/// Poses per clip, evenly spaced.
pub const NUM_POSES: usize = 6;
/// Most pictures to store, about 20 MB; there is no room to show more at once.
pub const MAX_STRIPS: usize = 32;
/// Draws key poses.
pub const POSES_TASK: TaskSlot = TaskSlot("drawing key poses");

/// An action on key poses.
#[derive(Clone, Debug)]
pub enum PosesAction {
    /// The clips in view have changed.
    InView(Range<usize>),
    /// The poses of a clip have been drawn side by side, or couldn't be.
    Drawn { id: JobId, clip: ClipId, strip: Option<Arc<Thumbnail>> },
    /// Shows a clip at this time and pauses.
    Show(ClipId, f64),
}

/// The poses to draw of one clip.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipPoses {
    pub clip: ClipId,
    /// Ascending times on the clip's clock, each at a key if the clip has keys.
    pub times: Vec<f64>,
}

/// The thumbnails of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strip<'a> {
    /// Not drawn yet.
    Pending,
    /// Drawing failed.
    Failed,
    /// All poses in a row.
    Drawn(&'a Arc<Thumbnail>),
}

impl<'a> Strip<'a> {
    /// The thumbnails, if they have been drawn.
    pub fn thumbnail(self) -> Option<&'a Arc<Thumbnail>> {
        match self {
            Self::Drawn(thumbnail) => Some(thumbnail),
            Self::Pending | Self::Failed => None,
        }
    }
}

/// The state of the pane for one document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PosesView {
    /// The model, while the pane is open.
    of: Option<ModelKey>,
    seen: Range<usize>,
    /// `None` if it couldn't be drawn.
    strips: BTreeMap<usize, Option<Arc<Thumbnail>>>,
    /// The clips requested from the current job.
    requested: Vec<usize>,
}

impl PosesView {
    /// The clips in view.
    pub fn seen(&self) -> &Range<usize> {
        &self.seen
    }

    /// The thumbnails of `clip`.
    pub fn strip(&self, clip: ClipId) -> Strip<'_> {
        match self.strips.get(&clip.index()) {
            None => Strip::Pending,
            Some(None) => Strip::Failed,
            Some(Some(thumbnail)) => Strip::Drawn(thumbnail),
        }
    }

    fn is_missing(&self, clip: usize) -> bool {
        self.seen.contains(&clip) && !self.strips.contains_key(&clip)
    }

    /// Drops the pictures farthest from the clips in view.
    fn trim(&mut self) {
        let middle = usize::midpoint(self.seen.start, self.seen.end);
        while self.strips.len() > MAX_STRIPS {
            let farthest = self.strips.keys().copied().max_by_key(|clip| clip.abs_diff(middle));
            farthest.and_then(|clip| self.strips.remove(&clip));
        }
    }
}

impl Document {
    /// The times that represent `clip`. A bind pair or a clip without motion has one.
    pub fn pose_times(&self, clip: ClipId) -> ClipPoses {
        let mut times = Vec::new();
        if let Some(info) = self.model.clips.get(clip) {
            let is_pair = info.as_sampled().is_some_and(|motion| motion.is_bind_pair);
            let length = info.duration_secs.max(0.0);
            let range =
                TimeRange { start_secs: info.start_secs, end_secs: info.start_secs + length };
            let keys = self.key_times.get(clip.index());
            let has_keys = keys.is_none_or(|keys| keys.len() > 1);
            let is_moving = length > 0.0 && has_keys && !is_pair;
            let num = if is_moving { NUM_POSES } else { 1 };
            for number in 0..num {
                let share = number as f64 / (NUM_POSES - 1) as f64;
                let time = range.start_secs + length * share;
                let key = keys.and_then(|keys| keys.nearest(time));
                // Keys may be outside the range of their clip.
                times.push(range.clamp(key.filter(|_| !is_pair).unwrap_or(time)));
            }
            times.dedup();
        }
        ClipPoses { clip, times }
    }
}

impl AppState {
    pub(crate) fn apply_poses(&mut self, action: PosesAction) {
        match action {
            PosesAction::InView(seen) => {
                let end = seen.end.min(self.num_clips());
                let start = seen.start.min(end);
                self.tab.view.poses.seen = start..end.min(start + MAX_STRIPS);
            }
            PosesAction::Drawn { id, clip, strip } => {
                // A cancelled job may have drawn another document.
                let is_due = self.task(POSES_TASK).is_some_and(|task| task.id == id);
                let poses = &mut self.tab.view.poses;
                if is_due && poses.requested.contains(&clip.index()) {
                    poses.strips.insert(clip.index(), strip);
                    poses.trim();
                }
            }
            PosesAction::Show(clip, time_secs) => {
                self.set_clip(clip);
                if self.is_bind_pair() { self.show_clip_start() } else { self.seek(time_secs) }
            }
        }
    }

    /// Requests the pictures of the clips in view, once each.
    pub(crate) fn follow_poses(&mut self) -> Vec<Request> {
        let of = self.model_key().filter(|_| self.settings.panes.shows(Pane::Poses));
        let mut requests = Vec::new();
        let poses = &mut self.tab.view.poses;
        if poses.of != of {
            *poses = PosesView { of, ..PosesView::default() };
            requests = self.cancel_task(POSES_TASK);
        }
        if self.tab.view.poses.of.is_none() {
            return requests;
        }
        let has_ended = self.ended_tasks.contains(&POSES_TASK);
        let is_running = self.is_running(POSES_TASK);
        let poses = &mut self.tab.view.poses;
        if !is_running {
            for clip in std::mem::take(&mut poses.requested) {
                // Don't request a picture again if the job ended without it.
                if has_ended {
                    poses.strips.entry(clip).or_insert(None);
                }
            }
            poses.trim();
        }
        let missing: Vec<usize> =
            poses.seen.clone().filter(|clip| poses.is_missing(*clip)).collect();
        let is_due = is_running && poses.requested.iter().any(|clip| poses.is_missing(*clip));
        if missing.is_empty() || is_due {
            return requests;
        }
        // Draw the clips in view before those that have been scrolled away.
        requests.extend(self.cancel_task(POSES_TASK));
        let Some(document) = &self.tab.document else { return requests };
        let clips = missing.iter().map(|clip| document.pose_times(ClipId::from_index(*clip)));
        let clips = clips.collect();
        self.tab.view.poses.requested = missing;
        let id = self.begin_task(POSES_TASK);
        requests.push(Request::DrawPoses { id, clips });
        requests
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::opened;
    use crate::{Action, TabAction};

    fn requested(requests: &[Request]) -> Option<(JobId, Vec<usize>)> {
        requests.iter().find_map(|request| match request {
            Request::DrawPoses { id, clips } => {
                Some((*id, clips.iter().map(|poses| poses.clip.index()).collect()))
            }
            _ => None,
        })
    }

    fn seen(clips: Range<usize>) -> Action {
        Action::Poses(PosesAction::InView(clips))
    }

    fn drawn(id: JobId, clip: usize) -> Action {
        let strip = Some(Arc::new(Thumbnail { size_px: [1, 1], rgba8: vec![0; 4] }));
        Action::Poses(PosesAction::Drawn { id, clip: ClipId::from_index(clip), strip })
    }

    fn shown() -> AppState {
        let mut state = opened();
        state.apply(Action::ShowPane(Pane::Poses, true));
        state
    }

    #[test]
    fn only_visible_clips_are_drawn_once_while_the_pane_is_open() {
        let mut state = opened();
        assert_eq!(requested(&state.apply(seen(0..2))), None, "the pane is closed");
        state.apply(Action::ShowPane(Pane::Poses, true));
        assert_eq!(requested(&state.apply(Action::CloseDialog)), None, "no clip was visible");
        let (id, clips) = requested(&state.apply(seen(0..1))).unwrap();
        assert_eq!(clips, [0]);
        assert_eq!(requested(&state.apply(drawn(id, 0))), None);
        state.apply(Action::TaskDone { id, answer: None });
        assert!(matches!(state.tab.view.poses.strip(ClipId(0)), Strip::Drawn(_)));
        let (id, clips) = requested(&state.apply(seen(0..9))).unwrap();
        assert_eq!(clips, [1], "there are two, and one is there");
        // The job ends without it, so it isn't requested again.
        assert_eq!(requested(&state.apply(Action::TaskDone { id, answer: None })), None);
        assert_eq!(state.tab.view.poses.strip(ClipId(1)), Strip::Failed);
        let closed = state.apply(Action::ShowPane(Pane::Poses, false));
        assert_eq!(requested(&closed), None);
        assert_eq!(state.tab.view.poses, PosesView::default());
    }

    #[test]
    fn scrolling_cancels_hidden_strips_and_requests_visible_ones() {
        let mut state = shown();
        let (first, _) = requested(&state.apply(seen(0..1))).unwrap();
        let requests = state.apply(seen(1..2));
        assert!(requests.contains(&Request::Cancel(first)));
        assert_eq!(requested(&requests).unwrap().1, [1]);
        // The results of the cancelled job are ignored.
        state.apply(drawn(first, 0));
        assert_eq!(state.tab.view.poses.strip(ClipId(0)), Strip::Pending);
    }

    #[test]
    fn result_for_a_closed_document_is_dropped() {
        let mut state = shown();
        let (id, _) = requested(&state.apply(seen(0..2))).unwrap();
        state.apply(drawn(id, 0));
        let closed = state.apply(Action::Tab(TabAction::Close(0)));
        assert!(closed.contains(&Request::Cancel(id)));
        state.apply(drawn(id, 1));
        assert_eq!(state.tab.view.poses, PosesView::default());
        assert!(state.tasks.is_empty());
    }

    #[test]
    fn strips_are_limited_and_visible_ones_stay() {
        let mut poses = PosesView { seen: 100..103, ..PosesView::default() };
        poses.strips = (0..200).map(|clip| (clip, None)).collect();
        poses.trim();
        assert_eq!(poses.strips.len(), MAX_STRIPS);
        assert!((100..103).all(|clip| poses.strips.contains_key(&clip)));
    }

    #[test]
    fn poses_are_at_keys_evenly_spaced_from_the_first_to_the_last() {
        let state = opened();
        let document = state.tab.document.as_ref().unwrap();
        // Eleven keys, a tenth of a second apart, and three.
        let walk = document.pose_times(ClipId(0)).times;
        let numbers: Vec<f64> = walk.iter().map(|time| (time * 10.0).round()).collect();
        assert_eq!(numbers, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(document.pose_times(ClipId(1)).times.len(), 3);
        assert!(document.pose_times(ClipId(7)).times.is_empty());
    }

    #[test]
    fn showing_a_pose_selects_its_clip_and_stops_playback() {
        let mut state = opened();
        state.tab.playback.is_playing = true;
        state.apply(Action::Poses(PosesAction::Show(ClipId(1), 0.1)));
        let playback = &state.tab.playback;
        assert_eq!((playback.clip, playback.time_secs), (Some(ClipId(1)), 0.1));
        assert!(!playback.is_playing && playback.shows_time());
    }
}
