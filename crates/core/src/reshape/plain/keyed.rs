//! Clips with keys, for code that reads or changes keys.

use std::borrow::Cow;

use super::bones::Bones;
use super::clips::plain_clip;
use crate::model::{Clip, ClipId, Model, Motion};
use crate::reshape::error::ReshapeError;
use crate::reshape::keys::Timing;
use crate::reshape::{SampledKeys, SamplingLimit, check_keys};

impl Model {
    /// The clip with that id. Live curves are replaced by linear tracks with a key per frame of the clip, of which the
    /// last is at most half a frame from its end; everything else is unchanged.
    ///
    /// # Errors
    /// If the clip claims to have too many frames for its curves.
    ///
    /// # Panics
    /// As [`Self::clip`].
    pub fn keyed_clip(&self, id: ClipId) -> Result<Cow<'_, Clip>, ReshapeError> {
        let clip = self.clip(id);
        if !matches!(clip.motion, Motion::Curves(_)) {
            return Ok(Cow::Borrowed(clip));
        }
        let keys = SampledKeys { clip, num_keys: Timing::of(clip, None).num_sampled() };
        let num_bones = self.skeleton.len() as u64;
        check_keys([keys].into_iter(), num_bones, false, SamplingLimit::USUAL)?;
        Ok(Cow::Owned(Clip {
            duration_secs: clip.duration_secs,
            frame_bounds: clip.frame_bounds.clone(),
            ..plain_clip(self, id.index(), None, &Bones::with_parents())
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::{Affine3A, Vec3};

    use super::*;
    use crate::model::testing::*;

    /// Moves bone 1 by the time, at 10 frames per second.
    #[derive(Debug)]
    struct Ramp;

    impl Curves for Ramp {
        #[expect(clippy::cast_possible_truncation, reason = "a few seconds")]
        fn sample(&self, time_secs: f64, parent_from_bone: &mut IdVec<BoneId, Affine3A>) {
            parent_from_bone[BoneId(1)].translation.x = time_secs as f32;
        }

        fn frames_per_sec(&self) -> Option<f64> {
            Some(10.0)
        }
    }

    #[test]
    fn live_curves_get_a_key_per_frame_and_other_clips_are_unchanged() {
        let mut model = ModelBuilder::new().chain(&["hip", "knee"]).clip("walk", 1.0).build();
        assert!(matches!(model.keyed_clip(ClipId(0)), Ok(Cow::Borrowed(_))));
        let motion = Motion::Curves(LiveCurves(Arc::new(Ramp)));
        model.clips[ClipId(0)] =
            Clip { start_secs: 2.0, duration_secs: 0.52, motion, ..Clip::default() };
        let keyed = model.keyed_clip(ClipId(0)).unwrap();
        let Motion::Tracks(tracks) = &keyed.motion else { panic!("tracks") };
        let [track] = &tracks[..] else { panic!("one bone moves") };
        let translation = track.translation.as_ref().unwrap();
        assert_eq!((track.bone, translation.times_secs.len()), (BoneId(1), 6));
        assert!(translation.values[3].abs_diff_eq(Vec3::X * 2.3, 1e-6), "{translation:?}");
        assert_eq!((keyed.start_secs, keyed.duration_secs), (2.0, 0.52));
    }
}
