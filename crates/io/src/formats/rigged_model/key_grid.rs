//! Times of keys at equal intervals in a clip.

use crate::formats::{WriteError, WriteOptions};
use rigscope_core::model::{Clip, USUAL_FRAMES_PER_SEC};
use rigscope_core::reshape::{SampledKeys, check_keys};

/// More keys per clip are considered a mistake: at 30 per second they last ten hours.
const MAX_KEYS: u64 = 1 << 20;
/// A last interval shorter than this fraction of the others is a rounding error.
const TOLERANCE: f64 = 1e-3;

/// Times at equal intervals that cover a clip from start to end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::formats) struct KeyGrid {
    /// At least 1.
    pub(in crate::formats) num_keys: u32,
    /// Keys per second.
    pub(in crate::formats) rate: f64,
    start_secs: f64,
}

impl KeyGrid {
    /// The keys of `clip` at `rate`, otherwise at its own frame rate, otherwise 30 per second.
    /// Cubic and stepped tracks get several keys per frame if they need them
    /// ([`Clip::sampling_rate`]).
    ///
    /// # Errors
    /// If there are more than [`MAX_KEYS`].
    pub(in crate::formats) fn of(
        clip: &Clip,
        rate: Option<f64>,
        format: &'static str,
    ) -> Result<Self, WriteError> {
        let is_usable = |rate: &f64| rate.is_normal() && *rate > 0.0;
        let duration_secs = clip.duration_secs.max(0.0);
        let own = match clip.uniform_keys() {
            // A single key lasts as long as the clip.
            Some((1, _)) => Some(duration_secs.recip()).filter(is_usable),
            _ if clip.curve_rate().is_some() => Some(clip.sampling_rate()).filter(is_usable),
            _ => {
                let own = clip.frames_per_sec().or_else(|| clip.key_rate());
                own.or_else(|| Some(clip.sampling_rate()).filter(is_usable))
            }
        };
        let asked = rate.filter(is_usable);
        let rate = asked.or(own).unwrap_or(USUAL_FRAMES_PER_SEC);
        // Intervals are often stored in a unit that can't represent them exactly.
        let rounded = (rate * 1000.0).round() / 1000.0;
        let is_near = (rounded - rate).abs() < rate * 1e-6;
        let rate = if is_near { rounded } else { rate };
        let num_intervals = (duration_secs * rate - TOLERANCE).ceil().max(0.0);
        #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
        #[expect(clippy::cast_sign_loss, reason = "not negative")]
        let count = (num_intervals as u64).saturating_add(1);
        match u32::try_from(count) {
            Ok(num_keys) if count <= MAX_KEYS => {
                Ok(Self { num_keys, rate, start_secs: clip.start_secs })
            }
            _ => {
                Err(WriteError::TooMany { format, what: "keys in a clip", count, limit: MAX_KEYS })
            }
        }
    }

    /// Checks that writing the keys of all clips is in proportion to the keys that they store. `per_key` is the size
    /// of a written key, in matrices.
    ///
    /// # Errors
    /// If it isn't, and `options` has no rate.
    pub(in crate::formats) fn check_all<'a>(
        grids: impl Iterator<Item = (&'a Clip, &'a Self)>,
        per_key: usize,
        options: &WriteOptions,
        format: &'static str,
    ) -> Result<(), WriteError> {
        let keys =
            grids.map(|(clip, grid)| SampledKeys { clip, num_keys: u64::from(grid.num_keys) });
        check_keys(keys, per_key as u64, options.rate.is_some(), options.sampling)
            .map_err(|source| WriteError::Bake { format, source })
    }

    /// The time of `key` in the clip.
    pub(in crate::formats) fn key_secs(&self, key: u32) -> f64 {
        self.start_secs + f64::from(key) / self.rate
    }

    /// Whether `times_secs` equal these times.
    pub(in crate::formats) fn is_at(&self, times_secs: &[f64]) -> bool {
        let num_keys = self.num_keys as usize;
        let mut pairs = (0..self.num_keys).zip(times_secs);
        times_secs.len() == num_keys
            && pairs.all(|(key, time)| (self.key_secs(key) - time).abs() * self.rate <= TOLERANCE)
    }
}
