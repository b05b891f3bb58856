//! Limits the memory for sampling clips: a few bytes can claim that a clip lasts for years.
//!
//! For: all code that samples keys at equal intervals. Not for: keys that are copied as stored, whose number
//! is limited by the size of the file.
//!
//! Invariant: every writer that samples checks its keys here, in [`check_keys`]: none has a limit per clip.

use super::error::ReshapeError;
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
/// Matrices of all clips that may be sampled however little the file stores: a minute of 65 bones, about 40 MB.
const FREE_MATRICES: u64 = 1 << 17;
/// Matrices that may be sampled per value stored in a clip: a key per second of one channel at 30 keys per second.
const MATRICES_PER_VALUE: u64 = 32;
/// Matrices that may be sampled per key of the densest channel of a clip, even if only one of many bones has keys.
const MATRICES_PER_MOMENT: u64 = 64;
/// Matrices that may be sampled per clip: an additive clip moves a single bone, but is sampled for all of them.
const MATRICES_PER_CLIP: u64 = 1 << 11;

/// The keys that a writer samples in a clip.
#[derive(Clone, Copy, Debug)]
pub struct SampledKeys<'a> {
    pub clip: &'a Clip,
    pub num_keys: u64,
}

/// Checks that the clips of `model` can be sampled at `rate`, or if it is `None`, at [`Clip::sampling_rate`].
/// `of_tracks` is whether clips with stored keys are also sampled if no rate is given.
///
/// # Errors
/// If there would be too many keys: see [`check_keys`].
pub fn check_sampling(
    model: &Model,
    rate: Option<f64>,
    of_tracks: bool,
    limit: SamplingLimit,
) -> Result<(), ReshapeError> {
    let is_sampled = |clip: &&Clip| match &clip.motion {
        Motion::VertexAnimation(_) => false,
        Motion::Curves(_) => true,
        Motion::Sampled(_) | Motion::Tracks(_) => rate.is_some() || of_tracks,
    };
    let clips = model.clips.iter().filter(is_sampled);
    let keys =
        clips.map(|clip| SampledKeys { clip, num_keys: Timing::of(clip, rate).num_sampled() });
    check_keys(keys, model.skeleton.len() as u64, rate.is_some(), limit)
}

/// Checks that sampling these keys is in proportion to the values that the clips store. `per_key` is the size of a key
/// in matrices: the number of bones, unless the writer needs more memory for each.
///
/// With an explicit rate, only memory limits the number of keys.
///
/// # Errors
/// If there would be too many keys.
pub fn check_keys<'a>(
    keys: impl Iterator<Item = SampledKeys<'a>>,
    per_key: u64,
    has_explicit_rate: bool,
    limit: SamplingLimit,
) -> Result<(), ReshapeError> {
    let per_key = per_key.max(1);
    let (mut num_keys, mut all_stored, mut allowed) = (0u64, 0u64, FREE_MATRICES);
    let mut longest: Option<SampledKeys<'a>> = None;
    for own in keys {
        let num_stored = num_stored(own.clip);
        num_keys = num_keys.saturating_add(own.num_keys);
        all_stored = all_stored.saturating_add(num_stored);
        allowed = allowed
            .saturating_add(MATRICES_PER_CLIP)
            .saturating_add(num_stored.saturating_mul(MATRICES_PER_VALUE))
            .saturating_add(num_moments(own.clip).saturating_mul(MATRICES_PER_MOMENT));
        if longest.is_none_or(|longest| own.num_keys > longest.num_keys) {
            longest = Some(own);
        }
    }
    if let Some(SampledKeys { clip, num_keys: of_longest }) = longest
        && !has_explicit_rate
        && num_keys.saturating_mul(per_key) > allowed
    {
        let duration_secs = clip.duration_secs;
        // Counts beyond 32 bits saturate.
        let is_exact = of_longest < u64::from(u32::MAX);
        let rate = of_longest.saturating_sub(1) as f64 / duration_secs;
        return Err(ReshapeError::OutOfProportion {
            clip: clip.name.clone(),
            duration_secs,
            rate: if is_exact { rate } else { clip.sampling_rate() },
            num_stored: all_stored,
            num_keys,
        });
    }
    let key_bytes = KEY_BYTES.saturating_add(BONE_BYTES.saturating_mul(per_key));
    let num_bytes = num_keys.saturating_mul(key_bytes);
    if num_bytes > limit.max_bytes {
        Err(ReshapeError::OverLimit {
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
        Motion::VertexAnimation(cache) => cache.positions.len() as u64,
    };
    own + clip.value_times().map(<[f64]>::len).sum::<usize>() as u64
}

/// Number of keys in the densest channel of a clip.
fn num_moments(clip: &Clip) -> u64 {
    let own = match &clip.motion {
        Motion::Sampled(motion) => motion.keys.num_keys(),
        Motion::Tracks(tracks) => {
            tracks.iter().flat_map(BoneTrack::times).map(<[f64]>::len).max().unwrap_or(0)
        }
        Motion::Curves(_) | Motion::VertexAnimation(_) => 0,
    };
    own as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ClipId;
    use crate::reshape::fixture::still_clip;

    fn model(num_keys: usize, duration_secs: f64) -> Model {
        let times = 0..num_keys;
        let interval_secs = duration_secs / num_keys.saturating_sub(1).max(1) as f64;
        let times = times.map(|key| key as f64 * interval_secs);
        let clip = Clip { name: "long".into(), duration_secs, ..still_clip(times.collect()) };
        Model { clips: vec![clip].into(), ..Model::default() }
    }

    #[test]
    fn distant_keys_are_not_sampled_unless_a_rate_is_given() {
        let limit = SamplingLimit::default();
        let long = model(2, 139_000.0);
        let error = check_sampling(&long, None, true, limit).unwrap_err();
        assert_eq!(
            error.to_string(),
            "sampling would make 4,170,001 keys from 2 stored values; clip \"long\" lasts 139,000 s, at 30 keys per \
             second. Choose the keys per second with --rate"
        );
        assert_eq!(check_sampling(&long, None, false, limit), Ok(()));
        assert_eq!(check_sampling(&long, Some(1.0), true, limit), Ok(()));
        let error = check_sampling(&long, Some(1000.0), true, limit).unwrap_err();
        assert!(matches!(error, ReshapeError::OverLimit { limit_mib: 2048, .. }), "{error}");
        for duration_secs in [1e30, f64::MAX] {
            let endless = model(2, duration_secs);
            assert!(check_sampling(&endless, None, true, limit).is_err());
            assert!(check_sampling(&endless, Some(f64::MAX), true, limit).is_err());
        }
    }

    #[test]
    fn the_budget_for_sampled_keys_is_shared_by_all_clips() {
        let limit = SamplingLimit::default();
        let mut long = model(2, 3_000.0);
        assert_eq!(check_sampling(&long, None, true, limit), Ok(()));
        long.clips = vec![long.clips[ClipId(0)].clone(); 4].into();
        let error = check_sampling(&long, None, true, limit).unwrap_err();
        assert!(
            matches!(error, ReshapeError::OutOfProportion { num_keys: 360_004, .. }),
            "{error}"
        );
        assert_eq!(check_sampling(&long, Some(30.0), true, limit), Ok(()));
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
        assert!(matches!(error, ReshapeError::OverLimit { limit_mib: 32, .. }), "{error}");
        assert_eq!(SamplingLimit::default().shared_by(0), SamplingLimit::default());
    }
}
