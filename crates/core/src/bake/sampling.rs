//! Limits the memory for sampling clips: a few bytes can claim that a clip lasts for years.
//!
//! For: all code that samples keys at equal intervals. Not for: keys that are copied as stored, whose number
//! is limited by the size of the file.

use super::error::BakeError;
use super::keys::Timing;
use crate::model::{BoneTrack, Clip, Model, Motion};

/// The memory that the sampled keys of one model may take while they are made and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplingLimit {
    pub max_bytes: u64,
}

impl Default for SamplingLimit {
    fn default() -> Self {
        Self::USUAL
    }
}

impl SamplingLimit {
    /// Enough for 70,000 keys of 100 bones: 39 minutes at 30 keys per second.
    pub const USUAL: Self = Self { max_bytes: 2 << 30 };

    /// The share of each of `num_jobs` parallel jobs.
    #[must_use]
    pub fn shared_by(self, num_jobs: usize) -> Self {
        Self { max_bytes: self.max_bytes / (num_jobs.max(1) as u64) }
    }
}

/// Memory per key in addition to its bones, in bytes; measured on poses of one bone.
const KEY_BYTES: u64 = 512;
/// Memory per bone and key, in bytes: matrices of the pose and of the output, their components, and the same
/// read back.
const BONE_BYTES: u64 = 300;
/// Matrices that may always be sampled, even for a clip with few keys: six minutes of 24 bones.
const FREE_MATRICES: u64 = 1 << 18;
/// Matrices that may be sampled per value stored in the clip: a minute between two keys of three channels.
const MATRICES_A_VALUE: u64 = 256;

/// Checks that the clips of `model` can be sampled at `rate`, or if it is `None`, at [`Clip::sampling_rate`].
/// `of_tracks` is whether clips with stored keys are also sampled if no rate is given.
///
/// With an explicit rate, only memory limits the number of keys. Otherwise a clip must not grow out of
/// proportion to its stored keys.
///
/// # Errors
/// If there would be too many keys.
pub fn check_sampling(
    model: &Model,
    rate: Option<f64>,
    of_tracks: bool,
    limit: SamplingLimit,
) -> Result<(), BakeError> {
    let is_sampled = |clip: &&Clip| match &clip.motion {
        Motion::VertexAnimation(_) => false,
        Motion::Curves(_) => true,
        Motion::Sampled(_) | Motion::Tracks(_) => rate.is_some() || of_tracks,
    };
    let clips = model.clips.iter().filter(is_sampled);
    let clips = clips.map(|clip| (clip, Timing::of(clip, rate).num_sampled()));
    check(model, clips, rate.is_some(), limit)
}

/// The same for clips paired with their number of sampled keys.
pub(super) fn check<'a>(
    model: &Model,
    clips: impl Iterator<Item = (&'a Clip, u64)>,
    is_asked: bool,
    limit: SamplingLimit,
) -> Result<(), BakeError> {
    let num_bones = model.skeleton.len().max(1) as u64;
    let key_bytes = KEY_BYTES.saturating_add(BONE_BYTES.saturating_mul(num_bones));
    let mut num_bytes = 0u64;
    for (clip, num_keys) in clips {
        let num_stored = num_stored(clip);
        let allowed = num_stored.saturating_mul(MATRICES_A_VALUE).saturating_add(FREE_MATRICES);
        if !is_asked && num_keys.saturating_mul(num_bones) > allowed {
            return Err(BakeError::TooLong {
                clip: clip.name.clone(),
                duration_secs: clip.duration_secs,
                num_stored,
                num_keys,
            });
        }
        num_bytes = num_bytes.saturating_add(num_keys.saturating_mul(key_bytes));
    }
    if num_bytes > limit.max_bytes {
        Err(BakeError::OverLimit {
            needed_mib: num_bytes.div_ceil(1 << 20),
            limit_mib: limit.max_bytes >> 20,
        })
    } else {
        Ok(())
    }
}

/// Number of values that a clip stores: matrices, or keys of all its channels.
fn num_stored(clip: &Clip) -> u64 {
    let own = match &clip.motion {
        Motion::Sampled(motion) => {
            motion.keys.num_keys() as u64 * u64::from(motion.keys.num_bones())
        }
        Motion::Tracks(tracks) => {
            let of_track = |track: &BoneTrack| track.times().map(<[f64]>::len).sum::<usize>();
            tracks.iter().map(of_track).sum::<usize>() as u64
        }
        Motion::Curves(curves) => curves.0.num_keys(),
        Motion::VertexAnimation(cache) => cache.times_secs.len() as u64,
    };
    own + clip.value_times().map(<[f64]>::len).sum::<usize>() as u64
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::bake::fixture::still_clip;

    fn model(num_keys: usize, duration_secs: f64) -> Model {
        let times = 0..num_keys;
        let interval_secs = duration_secs / num_keys.saturating_sub(1).max(1) as f64;
        let times = times.map(|key| key as f64 * interval_secs);
        let clip = Clip { name: "long".into(), duration_secs, ..still_clip(times.collect()) };
        Model { clips: vec![clip], ..Model::default() }
    }

    #[test]
    fn distant_keys_are_not_sampled_unless_a_rate_is_given() {
        let limit = SamplingLimit::default();
        let long = model(2, 139_000.0);
        let error = check_sampling(&long, None, true, limit).unwrap_err();
        assert_eq!(
            error.to_string(),
            "clip \"long\" lasts 139000 s and has 2 keys, but sampling would make 4170001; use a \
             lower rate"
        );
        assert_eq!(check_sampling(&long, None, false, limit), Ok(()));
        assert_eq!(check_sampling(&long, Some(1.0), true, limit), Ok(()));
        let error = check_sampling(&long, Some(1000.0), true, limit).unwrap_err();
        assert!(matches!(error, BakeError::OverLimit { limit_mib: 2048, .. }), "{error}");
        for duration_secs in [1e30, f64::MAX] {
            let endless = model(2, duration_secs);
            assert!(check_sampling(&endless, None, true, limit).is_err());
            assert!(check_sampling(&endless, Some(f64::MAX), true, limit).is_err());
        }
    }

    #[test]
    fn long_clips_with_many_keys_are_sampled() {
        let limit = SamplingLimit::default();
        let hours = model(100_000, 100_000.0 / 30.0);
        assert_eq!(check_sampling(&hours, None, true, limit), Ok(()));
        assert_eq!(check_sampling(&model(2, 60.0), None, true, limit), Ok(()));
    }

    #[test]
    fn concurrent_jobs_share_the_sampling_limit() {
        let shared = SamplingLimit::default().shared_by(64);
        let long = model(100_000, 100_000.0 / 30.0);
        let error = check_sampling(&long, Some(30.0), true, shared).unwrap_err();
        assert!(matches!(error, BakeError::OverLimit { limit_mib: 32, .. }), "{error}");
        assert_eq!(SamplingLimit::default().shared_by(0), SamplingLimit::default());
    }
}
