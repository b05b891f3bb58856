//! A single conversion, from file to files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::ConvertArgs;
use super::jobs::Job;
use crate::config::Configs;
use crate::exit::{ClosedPipe, at_path};
use crate::found_files;
use crate::input;
use crate::standard_output::check_output;
use crate::timings;
use rigscope_core::model::Report;
use rigscope_core::reshape::SamplingLimit;
use rigscope_io::convert::{
    Check, ConvertError, ConvertOptions, Converted, Lost, convert_for_path,
};
use rigscope_io::files::{
    ClaimedPaths, Output, SaveError, catch_panic, is_standard_stream, outputs_of, save_set,
};
use rigscope_io::open::{Opener, conversion_files, format_id};

/// Data that all conversions of a call share.
pub(super) struct Settings<'a> {
    pub(super) opener: Opener,
    pub(super) args: &'a ConvertArgs,
    pub(super) output: &'a crate::Output,
    /// Outputs so far.
    pub(super) written: Mutex<HashSet<PathBuf>>,
    /// Names of images that conversions have chosen.
    pub(super) claims: ClaimedPaths,
    pub(super) configs: Mutex<Configs>,
}

/// A file that was converted, or would be.
pub(super) struct Done {
    /// The format that read it.
    pub(super) from: &'static str,
    /// Paths and lengths of the written files; empty on a dry run.
    pub(super) outputs: Vec<(PathBuf, usize)>,
    pub(super) converted: Converted,
    /// Files of the folder that were added to the input.
    pub(super) found_files: Option<String>,
}

/// A file that was not.
pub(super) enum Failed {
    /// With --strict, something would be lost: the codes of the losses that aren't allowed.
    Lossy(Box<Done>, Vec<&'static str>),
    /// Its clips exceed its share of the sampling limit.
    OverLimit(anyhow::Error),
    /// Anything else.
    Error(anyhow::Error),
}

impl From<anyhow::Error> for Failed {
    fn from(error: anyhow::Error) -> Self {
        Self::Error(error)
    }
}

impl From<SaveError> for Failed {
    fn from(error: SaveError) -> Self {
        Self::Error(error.into())
    }
}

/// Whether the conversion loses anything.
pub(super) fn is_lossy(done: &Done) -> bool {
    !done.converted.losses().is_empty()
}

/// The codes of the losses that neither the arguments nor the `rigscope.toml` of the input allow.
fn refused_losses(
    done: &Done,
    settings: &Settings<'_>,
    input: &Path,
) -> anyhow::Result<Vec<&'static str>> {
    let config = settings.configs.lock().unwrap_or_else(PoisonError::into_inner).of(input)?;
    let is_allowed = |code: &str| {
        settings.args.allowed_losses.iter().any(|own| own == code)
            || config.allowed_losses().contains(&code)
    };
    let losses = done.converted.losses();
    let mut codes: Vec<&'static str> = losses.iter().map(Lost::code).collect();
    codes.retain(|code| !is_allowed(code));
    codes.sort_unstable();
    codes.dedup();
    Ok(codes)
}

/// Converts one file.
pub(super) fn convert_one(
    job: &Job,
    settings: &Settings<'_>,
    sampling: SamplingLimit,
) -> Result<Done, Failed> {
    if let Some(message) = &job.refusal {
        return Err(at_path(message, &job.input).into());
    }
    let args = settings.args;
    let inputs = settings.opener.inputs();
    let folder = job.output.parent().filter(|_| job.makes_folder);
    if folder.is_none_or(Path::exists) {
        check_output(&job.output, args.force, inputs)?;
    }
    let _work = timings::begin("starting");
    let read = timings::report();
    let document = input::open(&settings.opener, &job.input, &read)
        .map_err(|error| at_path(error, &job.input))?;
    let options = options(args, job.part.clone(), sampling);
    let files = conversion_files(&document, &job.output, args.force, settings.claims.clone());
    let failed = |error: ConvertError| {
        let is_over_limit = error.is_over_limit();
        let error = at_path(error, &job.input);
        if is_over_limit { Failed::OverLimit(error) } else { Failed::Error(error) }
    };
    timings::at("converting");
    let report = timings::report();
    let converted = convert_for_path(&document.model, job.format, &options, files, &report);
    let mut done = Done {
        from: format_id(&document),
        outputs: Vec::new(),
        converted: converted.map_err(failed)?,
        found_files: found_files::text(&document.related_files),
    };
    let refused =
        if args.strict { refused_losses(&done, settings, &job.input)? } else { Vec::new() };
    if !refused.is_empty() {
        return Err(Failed::Lossy(Box::new(done), refused));
    }
    if args.dry_run {
        return Ok(done);
    }
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder)
            .map_err(|error| at_path(rigscope_io::files::io_message(&error), folder))?;
    }
    if is_standard_stream(&job.output) {
        return written_to_stdout(job, done, settings.output);
    }
    // Two conversions may name one related file: the second looks when the first has written.
    let mut taken = settings.written.lock().unwrap_or_else(|e| e.into_inner());
    let outputs = outputs_of(&done.converted.files, &job.output, args.force, args.force);
    let is_taken = |output: &&Output<'_>| taken.contains(&output.path) && !output.is_there();
    if let Some(output) = outputs.iter().find(is_taken) {
        let message = "another input was already written to this file, with different contents; convert it separately";
        return Err(at_path(message, &output.path).into());
    }
    timings::at("writing files");
    let is_written = save_set(&outputs, inputs)?;
    taken.extend(outputs.iter().map(|output| output.path.clone()));
    drop(taken);
    let written = outputs.iter().zip(is_written).filter(|(_, is_written)| *is_written);
    done.outputs =
        (written.rev()).map(|(output, _)| (output.path.clone(), output.bytes.len())).collect();
    Ok(done)
}

/// Writes the only file of a conversion to standard output.
fn written_to_stdout(job: &Job, mut done: Done, output: &crate::Output) -> Result<Done, Failed> {
    let outputs = outputs_of(&done.converted.files, &job.output, false, false);
    let [only] = &outputs[..] else {
        let format = job.format.info.id;
        let names: Vec<_> = done.converted.files.iter().map(|(name, _)| name.as_str()).collect();
        let message = format!(
            "{format} would be several files ({}), and standard output has room for one; choose another format with \
             --to, or name a file",
            names.join(", ")
        );
        return Err(at_path(message, &job.output).into());
    };
    timings::at("writing files");
    match output.print(only.bytes) {
        Err(error) if !error.is::<ClosedPipe>() => return Err(error.into()),
        _ => {}
    }
    done.outputs = vec![(only.path.clone(), only.bytes.len())];
    Ok(done)
}

/// Reads the file of a job only to register its related files as inputs, which no job may overwrite. Errors are
/// reported when it is converted.
pub(super) fn learn(job: &Job, settings: &Settings<'_>) {
    let read = || input::open(&settings.opener, &job.input, &Report::new()).is_ok();
    let _ = catch_panic("reading", read);
}

/// Converts one file; a panic becomes an error, so that the other files are converted all the same.
pub(super) fn convert_guarded(
    job: &Job,
    settings: &Settings<'_>,
    sampling: SamplingLimit,
) -> Result<Done, Failed> {
    catch_panic("converting", || convert_one(job, settings, sampling))
        .unwrap_or_else(|fault| Err(at_path(fault, &job.input).into()))
}

/// The options of one conversion of the call.
fn options(args: &ConvertArgs, part: Option<String>, sampling: SamplingLimit) -> ConvertOptions {
    let mut options = args.options.0.clone();
    options.write.part = part;
    options.write.sampling = sampling;
    options.write.never_split = args.strict;
    if args.unchecked {
        options.check = Check::None;
    }
    options
}
