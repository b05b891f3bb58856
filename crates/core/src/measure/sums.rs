//! Distances of pairs at one moment, and the largest over many moments.

use glam::Vec3;

use super::instants::Instant;
use super::pairs::{AllPairs, PartPairs};
use super::posed::distance;
use super::{ClipPair, Deviation, FarthestVertex};

/// The distances of all pairs at a moment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) squares: f64,
    pub(super) num: u64,
    pub(super) max: f64,
    /// MeasuredPart and pair of the largest distance; `None` without pairs.
    pub(super) at: Option<(usize, usize)>,
    /// The size of the source ([`Job::size`](super::Job::size)).
    pub(super) extent: f64,
}

impl Sum {
    /// Sums the distances of the pairs of each part; `each` is called with every distance.
    #[inline]
    pub(super) fn of(
        parts: &[PartPairs],
        source: &[Vec3],
        made: &[Vec<Vec3>],
        size: f64,
        mut each: impl FnMut(usize, usize, f64),
    ) -> Self {
        let mut sum = Self { extent: size, ..Self::default() };
        for (number, (part, made)) in parts.iter().zip(made).enumerate() {
            for (at, pair) in part.pairs.iter().enumerate() {
                let wanted = pair.from.position(source);
                let (Some(wanted), Some(&found)) = (wanted, made.get(pair.made as usize)) else {
                    continue;
                };
                let apart = distance(wanted, found);
                each(number, at, apart);
                sum.squares += apart * apart;
                sum.num += 1;
                if apart > sum.max || sum.at.is_none() {
                    (sum.max, sum.at) = (apart, Some((number, at)));
                }
            }
        }
        sum
    }

    /// The largest distance as a fraction of the size.
    pub(super) fn of_extent(&self) -> f64 {
        if self.extent > 0.0 { self.max / self.extent } else { 0.0 }
    }
}

impl ClipPair<'_> {
    /// Whether the instant is a key of the result; without a result, any moment counts as a key.
    pub(super) fn is_key(&self, instant: &Instant) -> bool {
        instant.made_key.is_some() || self.made.is_none()
    }
}

/// The largest distances of all moments so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Total {
    pub(super) measured: Deviation,
    squares: f64,
    num: u64,
}

impl Total {
    /// Adds a moment that occurs `num_same` times, of a clip that begins at `start_secs`.
    pub(super) fn add(
        &mut self,
        pairs: &AllPairs,
        clip: &ClipPair<'_>,
        start_secs: f64,
        instant: &Instant,
        sum: &Sum,
        num_same: usize,
    ) {
        let measured = &mut self.measured;
        if measured.num_moments == 0 {
            measured.extent = sum.extent;
        }
        measured.num_moments += num_same;
        self.squares += sum.squares * num_same as f64;
        self.num += sum.num * num_same as u64;
        let Some((number, at)) = sum.at else { return };
        let is_largest =
            |known: &Option<FarthestVertex>| known.is_none_or(|w| sum.max > w.distance);
        let worst = || {
            let part = pairs.parts.get(number)?;
            let pair = part.pairs.get(at)?;
            Some(FarthestVertex {
                distance: sum.max,
                extent: sum.extent,
                part: number,
                made: part.numbers.at(pair.made as usize),
                origin: pairs.origin(&pair.from),
                clip: clip.source,
                made_clip: clip.made,
                time_secs: start_secs + instant.source_secs,
                key: instant.made_key,
            })
        };
        if is_largest(&measured.worst) {
            measured.worst = worst();
        }
        measured.max_of_extent = measured.max_of_extent.max(sum.of_extent());
        if clip.is_key(instant) {
            if is_largest(&measured.at_keys) {
                measured.at_keys = worst();
            }
            let largest = measured.max_of_extent_at_keys.max(sum.of_extent());
            measured.max_of_extent_at_keys = largest;
        }
    }

    pub(super) fn finish(self) -> Deviation {
        Deviation { rms: (self.squares / self.num.max(1) as f64).sqrt(), ..self.measured }
    }
}
