//! Measures one step, and a copy of as many bytes as the step has to move at least.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::json;

/// A step to measure.
pub(super) struct Step<'a> {
    pub(super) name: String,
    pub(super) amount: Amount,
    /// Runs the step once and returns its duration.
    pub(super) run: Run<'a>,
    /// Copies this many bytes, half of them read and half written, and returns the duration.
    pub(super) copy: Copy<'a>,
}

pub(super) type Run<'a> = Box<dyn FnMut() -> anyhow::Result<Duration> + 'a>;
pub(super) type Copy<'a> = Box<dyn FnMut(u64) -> anyhow::Result<Duration> + 'a>;

/// The work in one run of a step.
#[derive(Clone, Copy)]
pub(super) struct Amount {
    pub(super) num: u64,
    /// Unit of `num`.
    pub(super) of: &'static str,
    /// Bytes that have to be read and written at least.
    pub(super) bytes: u64,
}

/// A step runs at least [`FEWEST_RUNS`] times, and then until [`LONG_ENOUGH`] has passed or [`MOST_RUNS`] is reached.
const FEWEST_RUNS: usize = 5;
const LONG_ENOUGH: Duration = Duration::from_millis(200);
const MOST_RUNS: usize = 200;

/// Measures a step and its limit: the fastest copy of as many bytes.
pub(super) fn row(mut step: Step<'_>) -> anyhow::Result<json::BenchRow> {
    let (median, min) = median_and_min_ms(&mut step.run)?;
    let bytes = step.amount.bytes;
    let (_, limit) = median_and_min_ms(&mut || (step.copy)(bytes))?;
    Ok(json::BenchRow {
        name: step.name,
        unit: "ms",
        median,
        min,
        work: bytes,
        limit,
        of_limit: limit / median.max(f64::MIN_POSITIVE),
        count: step.amount.num,
        of: step.amount.of,
    })
}

fn median_and_min_ms(
    run: &mut dyn FnMut() -> anyhow::Result<Duration>,
) -> anyhow::Result<(f64, f64)> {
    // The first run has cold caches and allocates memory that later runs reuse.
    run()?;
    let (start, mut taken) = (Instant::now(), Vec::new());
    while taken.len() < FEWEST_RUNS || (start.elapsed() < LONG_ENOUGH && taken.len() < MOST_RUNS) {
        taken.push(run()?.as_secs_f64() * 1e3);
    }
    taken.sort_by(f64::total_cmp);
    let at = |place: usize| taken.get(place).copied().unwrap_or_default();
    Ok((at(taken.len() / 2), at(0)))
}

/// Runs `work` and measures its duration.
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let done = work();
    (start.elapsed(), done)
}

/// Copies on all cores.
pub(super) fn copy_on_cpu() -> Copy<'static> {
    const PIECE: usize = 1 << 18;
    /// Small copies are repeated, because the clock of Windows advances in steps of 100 ns.
    const FEWEST_BYTES: usize = 1 << 20;
    let mut memory: Option<(Vec<u8>, Vec<u8>)> = None;
    Box::new(move |bytes| {
        let half = usize::try_from(bytes.div_ceil(2))?;
        let (source, target) = memory.get_or_insert_with(|| (vec![1; half], vec![2; half]));
        let num_copies = u32::try_from(FEWEST_BYTES / half.max(1))?.max(1);
        let (took, ()) = timed(|| {
            for _ in 0..num_copies {
                let pieces = target.par_chunks_mut(PIECE).zip(source.par_chunks(PIECE));
                pieces.for_each(|(target, source)| target.copy_from_slice(source));
                std::hint::black_box(&target);
            }
        });
        Ok((took / num_copies).max(Duration::from_nanos(1)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_median_minimum_and_share_of_the_limit() {
        let mut times = [90, 4, 1, 3, 2, 5].map(Duration::from_millis).into_iter().cycle();
        let step = Step {
            name: "step".into(),
            amount: Amount { num: 3, of: "things", bytes: 64 },
            run: Box::new(move || Ok(times.next().unwrap())),
            copy: Box::new(|bytes| Ok(Duration::from_micros(bytes * 50))),
        };
        let row = row(step).unwrap();
        assert_eq!((row.min, row.limit, row.work, row.count), (1.0, 3.2, 64, 3));
        assert!((3.0..=5.0).contains(&row.median), "{}", row.median);
        assert!((row.of_limit - 3.2 / row.median).abs() < 1e-9);
    }
}
