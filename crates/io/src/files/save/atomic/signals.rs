//! Clean-up before a signal ends the process.
//!
//! After SIGKILL or a crash, temporary files are left for a later process to remove.

/// Calls `last` when a signal ends the process, then ends it as the signal would have. Only the first call
/// has an effect.
#[cfg(unix)]
pub(super) fn watch<T: 'static>(last: fn() -> T) {
    use std::sync::{Once, mpsc};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let mut wanted = vec![SIGHUP, SIGINT, SIGTERM];
        wanted.retain(|&signal| !is_ignored(signal));
        let (ready, wait) = mpsc::channel();
        let work = move || {
            let signals = Signals::new(wanted);
            // The receiver waits below, so this can't fail.
            let _ = ready.send(());
            let Ok(mut signals) = signals else { return };
            if let Some(signal) = signals.forever().next() {
                let _held = last();
                // This ends the process.
                let _ = emulate_default_handler(signal);
            }
        };
        let thread = std::thread::Builder::new().name("signals".to_owned());
        // Without the thread, a signal ends the process by default and leaves temporary files for a later
        // process to remove.
        if thread.spawn(work).is_ok() {
            let _ = wait.recv();
        }
    });
}

#[cfg(not(unix))]
pub(super) fn watch<T>(_: fn() -> T) {}

/// Whether the process was started with `signal` ignored, as by `nohup` and, for background jobs, by shells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
