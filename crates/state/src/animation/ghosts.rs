//! Ghosts: the model at other times, either neighbouring keys or the first key over the last.

use super::super::{AppState, Layer, Playback, ShownPose};
use rigscope_core::pose::PoseSpec;

/// Most ghosts before and after.
const MAX_GHOSTS: u32 = 8;
/// Most keys between ghosts.
const MAX_SPACING: u32 = 100;
/// Linear RGB and opacity of earlier keys, later keys, and the first key.
const PAST: [f32; 4] = [0.08, 0.3, 1.0, 0.4];
const FUTURE: [f32; 4] = [1.0, 0.35, 0.04, 0.4];
const FIRST: [f32; 4] = [0.9, 0.05, 0.5, 0.5];
/// Factor for the opacity of the farthest ghost.
const FARTHEST: f32 = 0.35;

/// Ghosts at neighbouring keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Onion {
    pub is_on: bool,
    /// Number of ghosts before the current time.
    pub num_before: u32,
    /// Number of ghosts after it.
    pub num_after: u32,
    /// Keys between ghosts.
    pub spacing: u32,
}

impl Default for Onion {
    fn default() -> Self {
        Self { is_on: false, num_before: 2, num_after: 2, spacing: 2 }
    }
}

impl Onion {
    /// Clamps the values to their limits.
    pub(super) fn limited(self) -> Self {
        Self {
            num_before: self.num_before.min(MAX_GHOSTS),
            num_after: self.num_after.min(MAX_GHOSTS),
            spacing: self.spacing.clamp(1, MAX_SPACING),
            ..self
        }
    }
}

impl AppState {
    /// The ghosts, farthest first, to be drawn after the document. `own` is the document's layer.
    pub(crate) fn ghosts(&self, own: &Layer) -> Vec<Layer> {
        let Some(_) = self.clip() else { return Vec::new() };
        let view = &self.tab.view.animation;
        let mut ghosts = Vec::new();
        let mut add = |time_secs: f64, color: [f32; 4]| {
            ghosts.push(Layer {
                pose: self.pose_at(time_secs),
                ghost: Some(color),
                is_document: false,
                ..own.clone()
            });
        };
        if view.onion.is_on && self.tab.playback.shows_time() {
            let onion = view.onion;
            for (num, direction, color) in
                [(onion.num_before, -1.0, PAST), (onion.num_after, 1.0, FUTURE)]
            {
                for step in (1..=num).rev() {
                    let share = f64::from(step - 1) / f64::from(num.max(2) - 1);
                    if let Some(time) = self.key_beside(step, direction) {
                        add(time, faded(color, share));
                    }
                }
            }
        }
        if view.shows_seam {
            add(self.clip_range().start_secs, FIRST);
        }
        ghosts
    }

    /// The current pose settings at another time.
    fn pose_at(&self, time_secs: f64) -> PoseSpec {
        Playback { time_secs, shown: ShownPose::ClipTime, ..self.tab.playback.clone() }.pose_spec()
    }

    /// The time of the ghost `step` steps away, if it is within the clip.
    fn key_beside(&self, step: u32, direction: f64) -> Option<f64> {
        let away = step * self.tab.view.animation.onion.spacing;
        let range = self.clip_range();
        let Some(keys) = self.key_times().filter(|keys| keys.len() > 1) else {
            let frame_secs = self.clip()?.frame_secs();
            let time = self.tab.playback.time_secs + direction * f64::from(away) * frame_secs;
            return (range.start_secs..=range.end_secs).contains(&time).then_some(time);
        };
        let now = keys.at(self.tab.playback.time_secs);
        let key =
            if direction < 0.0 { now.checked_sub(away as usize)? } else { now + away as usize };
        keys.secs(key)
    }
}

fn faded([r, g, b, opacity]: [f32; 4], share: f64) -> [f32; 4] {
    #[expect(clippy::cast_possible_truncation, reason = "a share needs no 53 bits")]
    let share = share as f32;
    [r, g, b, opacity * (1.0 + (FARTHEST - 1.0) * share)]
}
