//! The pose to draw: clip, rest or bind pose.

use crate::AppState;
use rigscope_core::pose::{has_bind_pose, has_rest_pose};

/// The pose to draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownPose {
    /// The first pose of the clip: for a bind pair the product of its keys. Without clips, the rest pose.
    #[default]
    ClipStart,
    /// The clip at the playhead.
    ClipTime,
    /// The rest pose.
    Rest,
    /// The pose that the meshes were bound in.
    Bind,
}

impl AppState {
    /// Whether the file stores rest transforms.
    pub(crate) fn has_rest_pose(&self) -> bool {
        self.tab.document.as_ref().is_some_and(|document| has_rest_pose(&document.model))
    }

    /// Whether the file stores a pose that its meshes were bound in.
    pub(crate) fn has_bind_pose(&self) -> bool {
        self.tab.document.as_ref().is_some_and(|document| has_bind_pose(&document.model))
    }

    /// Which of [`ShownPose::ClipTime`], [`ShownPose::Rest`] and [`ShownPose::Bind`] is drawn.
    pub fn shown_pose(&self) -> ShownPose {
        match self.tab.playback.shown {
            ShownPose::ClipStart if self.clip().is_some() => ShownPose::ClipTime,
            ShownPose::ClipStart if self.has_rest_pose() => ShownPose::Rest,
            ShownPose::ClipStart => ShownPose::Bind,
            shown => shown,
        }
    }

    /// Draws the rest or bind pose, and the clip again if that pose is drawn already.
    pub(crate) fn toggle_still_pose(&mut self, pose: ShownPose) {
        if self.tab.playback.shown == pose { self.show_clip() } else { self.show_still_pose(pose) }
    }

    /// Stops the clock and draws the rest or bind pose.
    pub(crate) fn show_still_pose(&mut self, pose: ShownPose) {
        self.tab.playback.is_playing = false;
        self.tab.playback.shown = pose;
    }

    /// Draws the clip again: at the playhead, or a bind pair as the product of its keys.
    pub(crate) fn show_clip(&mut self) {
        if self.is_bind_pair() || self.clip().is_none() {
            self.show_clip_start()
        } else {
            self.tab.playback.shown = ShownPose::ClipTime
        }
    }

    /// Stops the clock and draws the first pose of the clip.
    pub(crate) fn show_clip_start(&mut self) {
        self.tab.playback.is_playing = false;
        self.tab.playback.shown = ShownPose::ClipStart;
        self.tab.playback.time_secs = self.clip_range().start_secs;
    }
}
