//! A second clip over the time of the first one.

use super::{ClipLayer, LayerMode};
use crate::model::{BoneId, Clip, ClipId};

/// A second clip that is combined with another, which is called the base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondClip {
    /// The second clip.
    pub clip: ClipId,
    /// From 0 to 1; at the end of a fade.
    pub weight: f32,
    /// How poses are combined.
    pub mode: LayerMode,
    /// Whether it is stretched to the length of the base, which keeps the steps of two walk cycles in phase. Otherwise it
    /// plays at its own speed and loops. A clip that is faded in plays at its own speed.
    pub is_in_step: bool,
    /// When it is faded in. Without, its weight is always the same.
    pub fade: Option<Fade>,
    /// As [`ClipLayer::reference_secs`].
    pub reference_secs: Option<f64>,
    /// As [`ClipLayer::mask`].
    pub mask: Option<BoneId>,
    /// Its first and last time in seconds.
    pub span_secs: [f64; 2],
    /// Those of the base.
    pub base_secs: [f64; 2],
}

/// A change of the weight from 0 to its full value, linear in time. The second clip begins with it, as it does when a game
/// changes its animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fade {
    /// On the clock of the base.
    pub start_secs: f64,
    /// 0 changes at once.
    pub duration_secs: f64,
}

impl Fade {
    /// The part of the weight at a time of the base, from 0 to 1.
    #[must_use]
    pub fn share(&self, time_secs: f64) -> f32 {
        let passed = time_secs - self.start_secs;
        if passed < 0.0 {
            0.0
        } else if passed >= self.duration_secs {
            1.0
        } else {
            #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
            let share = (passed / self.duration_secs) as f32;
            share
        }
    }
}

/// The first and last time of a clip in seconds.
#[must_use]
pub fn clip_span_secs(clip: &Clip) -> [f64; 2] {
    [clip.start_secs, clip.start_secs + clip.duration_secs.max(0.0)]
}

impl SecondClip {
    /// The whole second clip, in step with its base.
    #[must_use]
    pub fn new(clip: ClipId, span_secs: [f64; 2], base_secs: [f64; 2]) -> Self {
        Self {
            clip,
            weight: 1.0,
            mode: LayerMode::default(),
            is_in_step: true,
            fade: None,
            reference_secs: None,
            mask: None,
            span_secs,
            base_secs,
        }
    }

    /// The layer at `time_secs` of the base.
    #[must_use]
    pub fn at(&self, time_secs: f64) -> ClipLayer {
        let begin = self.fade.map_or(self.base_secs[0], |fade| fade.start_secs);
        let passed = time_secs - begin;
        let length = |[start, end]: [f64; 2]| end - start;
        let (own, base) = (length(self.span_secs), length(self.base_secs));
        let own_passed = if own <= 0.0 {
            0.0
        } else if self.fade.is_some() {
            // It begins with the fade. Exactly at its end, it doesn't wrap yet.
            if passed > own { passed.rem_euclid(own) } else { passed.max(0.0) }
        } else if self.is_in_step && base > 0.0 {
            passed / base * own
        } else if (0.0..=own).contains(&passed) {
            passed
        } else {
            passed.rem_euclid(own)
        };
        ClipLayer {
            clip: self.clip,
            time_secs: self.span_secs[0] + own_passed,
            weight: self.weight * self.fade.map_or(1.0, |fade| fade.share(time_secs)),
            mode: self.mode,
            reference_secs: self.reference_secs,
            mask: self.mask,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second() -> SecondClip {
        SecondClip::new(ClipId(1), [1.0, 3.0], [0.0, 4.0])
    }

    fn at(second: &SecondClip, time_secs: f64) -> (f64, f32) {
        let layer = second.at(time_secs);
        (layer.time_secs, layer.weight)
    }

    #[test]
    fn a_clip_in_step_is_stretched_and_another_loops() {
        let own = second();
        assert_eq!([0.0, 2.0, 4.0].map(|time| at(&own, time).0), [1.0, 2.0, 3.0]);
        let own = SecondClip { is_in_step: false, ..own };
        assert_eq!([0.0, 2.0, 3.0].map(|time| at(&own, time).0), [1.0, 3.0, 2.0]);
        let still = SecondClip { span_secs: [1.0, 1.0], ..own };
        assert_eq!(at(&still, 2.0), (1.0, 1.0));
    }

    #[test]
    fn a_clip_begins_with_its_fade() {
        let fade = Some(Fade { start_secs: 1.0, duration_secs: 0.5 });
        let own = SecondClip { fade, weight: 0.8, ..second() };
        assert_eq!(at(&own, 0.5), (1.0, 0.0));
        assert_eq!(at(&own, 1.25), (1.25, 0.4));
        assert_eq!(at(&own, 3.0), (3.0, 0.8));
        assert_eq!(at(&own, 3.5), (1.5, 0.8));
        let cut = Fade { start_secs: 1.0, duration_secs: 0.0 };
        assert_eq!([0.9, 1.0].map(|time| cut.share(time)), [0.0, 1.0]);
    }
}
