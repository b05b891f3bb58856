//! `--verbose` and `--timings`, both of which listen to `tracing`.

use rigscope_io::STEP_TARGET;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::output::LogStderr;
use super::timings::StepTotals;

/// Starts `--verbose`, which logs messages of this program and warnings of libraries to stderr, and `--timings`.
pub(super) fn subscribe(verbose: bool, timings: bool) {
    if !verbose && !timings {
        return;
    }
    let lines = verbose.then(|| {
        let levels = Targets::new().with_target("rigscope", LevelFilter::DEBUG);
        let lines = tracing_subscriber::fmt::layer().with_writer(|| LogStderr).without_time();
        lines.with_filter(levels.with_default(LevelFilter::WARN))
    });
    let steps = timings.then(|| {
        StepTotals::default()
            .with_filter(Targets::new().with_target(STEP_TARGET, LevelFilter::TRACE))
    });
    // Fails only if a subscriber is already set.
    let _ = tracing_subscriber::registry().with(lines).with(steps).try_init();
}
