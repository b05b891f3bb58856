//! `convert`: any readable file to any writable format, one or many, with every loss reported.
//!
//! | file | contents |
//! |---|---|
//! | `args` | arguments |
//! | `jobs` | inputs and their outputs |
//! | `one` | a single conversion, from file to files |
//! | `report` | results as text and JSON |

mod args;
mod jobs;
mod one;
mod report;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

pub use args::ConvertArgs;
pub(super) use jobs::not_writable;

use super::config::Configs;
use super::exit::Exit;
use super::input;
use super::output::Output;
use super::timings;
use jobs::Job;
use one::{Done, Failed, Settings};
use rigscope_core::reshape::SamplingLimit;
use rigscope_io::files::{ClaimedPaths, is_standard_stream, path_text};

/// Converts all files and reports each in the order of their paths.
pub(super) fn run(args: &ConvertArgs, output: &Output) -> anyhow::Result<Exit> {
    let opener = input::opener(&args.input.0)?.with_images();
    let jobs = jobs::plan(args, opener.inputs(), output)?;
    let configs = Mutex::new(Configs::of_files(None, opener.inputs())?);
    let settings = Settings {
        opener,
        args,
        output,
        written: Mutex::default(),
        claims: ClaimedPaths::default(),
        configs,
    };
    let num_jobs = jobs.len();
    let num_done = AtomicUsize::new(0);
    let work = |job: &Job, sampling: SamplingLimit| {
        output.progress(|| path_text(&job.input));
        let outcome = one::convert_guarded(job, &settings, sampling);
        let is_done = !matches!(outcome, Err(Failed::OverLimit(_)));
        let done =
            num_done.fetch_add(usize::from(is_done), Ordering::Relaxed) + usize::from(is_done);
        output.progress(|| format!("{done} of {num_jobs} {}", path_text(&job.input)));
        outcome
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).build()?;
    if jobs::may_write_over_related_files(&jobs, args) {
        pool.install(|| jobs.par_iter().for_each(|job| one::learn(job, &settings)));
    }
    let limit = SamplingLimit::default();
    let shared = limit.shared_by(num_jobs.min(pool.current_num_threads()));
    let beside = |job: &Job| work(job, shared);
    timings::at("waiting for other threads");
    let mut outcomes: Vec<Result<Done, Failed>> =
        pool.install(|| jobs.par_iter().map(beside).collect());
    // Files that are too large to convert next to others are converted afterwards with the whole limit.
    for (job, outcome) in jobs.iter().zip(&mut outcomes) {
        if matches!(outcome, Err(Failed::OverLimit(_))) && shared != limit {
            *outcome = pool.install(|| work(job, limit));
        }
    }
    output.clear_progress();
    timings::at("printing");
    if args.json {
        output.print_json(&report::as_json(&jobs, &outcomes))?
    } else {
        report::tell_failures(&jobs, &outcomes, output);
        if args.output.as_deref().is_some_and(is_standard_stream) {
            output.plain_lines(&report::as_text(&jobs, &outcomes, output.stderr_paint()));
        } else {
            output.print_lines(&report::as_text(&jobs, &outcomes, output.paint()))?;
        }
    }
    let failed = |outcome: &Result<Done, Failed>| {
        matches!(outcome, Err(Failed::Error(_) | Failed::OverLimit(_)))
    };
    let is_lossy = |outcome: &Result<Done, Failed>| matches!(outcome, Err(Failed::Lossy(..)));
    Ok(if outcomes.iter().any(failed) {
        Exit::BadInput
    } else if outcomes.iter().any(is_lossy) {
        Exit::Findings
    } else {
        Exit::Done
    })
}
