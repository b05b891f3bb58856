//! Processes many files in parallel and delivers the results in the order of the files.
//!
//! Memory use depends on the number of threads, not on the number of files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::output::Output;
use rigscope_io::files::path_text;

/// Results that may be waiting for an earlier file that takes longer.
const MAX_WAITING: usize = 1024;

/// Calls `work` for each of `paths` on all cores, and `done` for each path and result, in order.
///
/// # Errors
/// The first error of `paths` or `done`, after all running work has finished.
pub(super) fn each<T: Send>(
    paths: impl Iterator<Item = anyhow::Result<PathBuf>>,
    num_paths: Option<usize>,
    output: &Output,
    work: impl Fn(&Path) -> T + Sync,
    mut done: impl FnMut(PathBuf, T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let max_running = 2 * rayon::current_num_threads();
    let mut paths = paths.enumerate();
    let mut pace = Pace::begin(num_paths);
    let (send, receive) = mpsc::channel::<(usize, PathBuf, T)>();
    let mut waiting = BTreeMap::new();
    let (mut num_begun, mut num_ended, mut next) = (0, 0, 0);
    let work = &work;
    let result = rayon::in_place_scope_fifo(|scope| {
        let mut is_over = false;
        loop {
            while !is_over && num_begun - num_ended < max_running && num_begun - next < MAX_WAITING
            {
                let Some((number, path)) = paths.next() else {
                    is_over = true;
                    break;
                };
                let path = path?;
                let send = send.clone();
                num_begun += 1;
                scope.spawn_fifo(move |_| {
                    let result = work(&path);
                    // After an error, the receiver is gone.
                    let _ = send.send((number, path, result));
                });
            }
            if num_ended == num_begun {
                return Ok(());
            }
            let Ok((number, path, result)) = receive.recv() else { return Ok(()) };
            num_ended += 1;
            output.progress(|| pace.text(num_ended, &path));
            waiting.insert(number, (path, result));
            while let Some((path, result)) = waiting.remove(&next) {
                next += 1;
                done(path, result)?;
            }
        }
    });
    output.clear_progress();
    result
}

/// Measures the throughput.
struct Pace {
    begun: Instant,
    num_files: Option<usize>,
}

impl Pace {
    fn begin(num_files: Option<usize>) -> Self {
        Self { begun: Instant::now(), num_files }
    }

    fn text(&mut self, num_done: usize, path: &Path) -> String {
        progress_text(num_done, self.num_files, self.begun.elapsed(), path)
    }
}

fn progress_text(num_done: usize, num_files: Option<usize>, took: Duration, path: &Path) -> String {
    let path = path_text(path);
    let secs = took.as_secs_f64().max(1e-3);
    let rate = num_done as f64 / secs;
    let rate = if rate < 10.0 { format!("{rate:.1}") } else { format!("{rate:.0}") };
    let Some(num_files) = num_files else { return format!("{num_done} files, {rate}/s {path}") };
    let left_secs = secs / num_done.max(1) as f64 * num_files.saturating_sub(num_done) as f64;
    let left = match left_secs {
        left if secs < 2.0 || left < 1.0 => String::new(),
        left if left < 90.0 => format!(", {left:.0} s left"),
        left if left < 5400.0 => format!(", {:.0} min left", left / 60.0),
        left => format!(", {:.1} h left", left / 3600.0),
    };
    format!("{num_done} of {num_files}, {rate}/s{left} {path}")
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn paths(num: usize) -> impl Iterator<Item = anyhow::Result<PathBuf>> {
        (0..num).map(|number| Ok(PathBuf::from(number.to_string())))
    }

    #[test]
    fn results_arrive_in_order_and_few_are_buffered() {
        let output = Output::of_process();
        let (num_running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut found = Vec::new();
        let work = |path: &Path| {
            let running = num_running.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(running, Ordering::SeqCst);
            let number: u64 = path.to_str().unwrap().parse().unwrap();
            std::thread::sleep(Duration::from_micros(number * 7919 % 300));
            num_running.fetch_sub(1, Ordering::SeqCst);
            number
        };
        let done = |path: PathBuf, number: u64| {
            assert_eq!(path, Path::new(&number.to_string()));
            found.push(number);
            Ok(())
        };
        each(paths(3000), Some(3000), &output, work, done).unwrap();
        assert!(found.into_iter().eq(0..3000));
        assert!(most.into_inner() <= 2 * rayon::current_num_threads());
    }

    #[test]
    fn after_an_error_no_more_work_starts() {
        let output = Output::of_process();
        let num = AtomicUsize::new(0);
        let work = |_: &Path| num.fetch_add(1, Ordering::SeqCst);
        let mut num_done = 0;
        let done = |_, _| {
            num_done += 1;
            if num_done == 5 { anyhow::bail!("enough") } else { Ok(()) }
        };
        let error = each(paths(100_000), None, &output, work, done).unwrap_err();
        assert_eq!(error.to_string(), "enough");
        assert!(num.into_inner() < 5 + MAX_WAITING);
        let bad = paths(3).chain([Err(anyhow::anyhow!("no list"))]);
        let error = each(bad, None, &output, |_| (), |_, ()| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), "no list");
    }

    #[test]
    fn progress_shows_count_rate_and_remaining_time() {
        let path = Path::new("a.glb");
        let text = |done, all, secs| progress_text(done, all, Duration::from_secs(secs), path);
        assert_eq!(text(40, None, 10), "40 files, 4.0/s a.glb");
        assert_eq!(text(100, Some(1000), 10), "100 of 1000, 10/s, 2 min left a.glb");
        assert_eq!(text(100, Some(200), 10), "100 of 200, 10/s, 10 s left a.glb");
        assert_eq!(text(100, Some(100_000), 10), "100 of 100000, 10/s, 2.8 h left a.glb");
        assert_eq!(text(1, Some(2), 1), "1 of 2, 1.0/s a.glb");
    }
}
