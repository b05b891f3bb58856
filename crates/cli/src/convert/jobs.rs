//! Which files go where.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::ConvertArgs;
use crate::config::Configs;
use crate::exit::at_path;
use crate::file_search;
use crate::output::Output;
use crate::standard_output::{check_output, without_format};
use rigscope_core::model::Severity;
use rigscope_io::convert::target_of;
use rigscope_io::files::{
    Inputs, folder_of, is_standard_stream, model_file, path_text, resolved_path,
};
use rigscope_io::formats::{FORMATS, Format};

/// One file to convert.
pub(super) struct Job {
    pub(super) input: PathBuf,
    /// The main output.
    pub(super) output: PathBuf,
    pub(super) format: &'static Format,
    pub(super) part: Option<String>,
    /// Whether the output's folder is made where it does not exist.
    pub(super) makes_folder: bool,
    /// Why the conversion can't begin: the input doesn't exist, or another input has the same output.
    pub(super) refusal: Option<String>,
}

/// Determines the output of each input, and adds all inputs to `inputs`. The result is sorted by input.
pub(super) fn plan(
    args: &ConvertArgs,
    inputs: &Inputs,
    output: &Output,
) -> anyhow::Result<Vec<Job>> {
    match (&args.output, &args.out_dir) {
        (Some(target), _) => single(args, target, inputs),
        (None, Some(folder)) => batch(args, folder, inputs, output),
        (None, None) => anyhow::bail!("give --output or --out-dir"),
    }
}

fn single(args: &ConvertArgs, target: &Path, inputs: &Inputs) -> anyhow::Result<Vec<Job>> {
    let [input] = args.inputs.as_slice() else {
        anyhow::bail!("several inputs need --out-dir instead of --output");
    };
    let input = &*model_file(input);
    if input.is_dir() {
        return Err(at_path(
            "this is a folder; convert it with --out-dir instead of --output",
            input,
        ));
    }
    if is_standard_stream(target) {
        if args.to.is_none() {
            return Err(without_format(target, "glb"));
        }
        if args.json {
            anyhow::bail!("--json and --output - both write to standard output; leave out one");
        }
    }
    let extension = target.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let wanted = args.to.as_deref().unwrap_or(extension);
    let (format, part) = target_of(wanted).ok_or_else(|| at_path(not_writable(wanted), target))?;
    inputs.add(input);
    check_output(target, args.force, inputs)?;
    Ok(vec![Job {
        input: input.to_owned(),
        output: target.to_owned(),
        format,
        part: part_of(args, format, part)?,
        makes_folder: false,
        refusal: None,
    }])
}

fn batch(
    args: &ConvertArgs,
    folder: &Path,
    inputs: &Inputs,
    output: &Output,
) -> anyhow::Result<Vec<Job>> {
    let asked = args.to.as_deref().unwrap_or_default();
    let (format, part) =
        target_of(asked).ok_or_else(|| anyhow::anyhow!("no writable format is called {asked}"))?;
    let part = part_of(args, format, part)?;
    let extension = extension_of(asked, format, part.as_deref());
    let mut configs = Configs::of_files(None, inputs)?;
    let found = file_search::find(&args.inputs, &args.walk, &mut configs)?;
    found.skipped.announce(output);
    // Also those that will be refused.
    found.files.iter().for_each(|file| inputs.add(file));
    for path in &found.empty {
        output.report_at(Severity::Warning, path, "the folder contains no model");
    }
    let job = |input: PathBuf, refusal: Option<String>| Job {
        output: folder.join(below(&input, &args.inputs)).with_extension(&extension),
        refusal: refusal.or_else(|| {
            let message = "standard input has no name; convert it with --output";
            is_standard_stream(&input).then(|| message.to_owned())
        }),
        input,
        format,
        part: part.clone(),
        makes_folder: true,
    };
    let mut jobs: Vec<Job> = found.files.into_iter().map(|input| job(input, None)).collect();
    refuse_conflicts(&mut jobs);
    let missing = found.missing.into_iter().map(|path| (path, "no such file or folder".to_owned()));
    let unread = missing.chain(found.unlistable);
    jobs.extend(unread.map(|(path, message)| job(path, Some(message))));
    jobs.sort_by(|a, b| a.input.cmp(&b.input));
    Ok(jobs)
}

/// Refuses each job with the output of an earlier one.
fn refuse_conflicts(jobs: &mut [Job]) {
    let mut taken: HashMap<PathBuf, PathBuf> = HashMap::new();
    for job in jobs {
        let key = if cfg!(any(windows, target_os = "macos")) {
            // Their file systems usually ignore case.
            job.output.to_string_lossy().to_lowercase().into()
        } else {
            job.output.clone()
        };
        if let Some(other) = taken.get(&key) {
            job.refusal = Some(format!(
                "this file and {} would both be written to {}; convert them separately",
                path_text(other),
                path_text(&job.output)
            ));
        } else {
            taken.insert(key, job.input.clone());
        }
    }
}

/// The error about a format that can't be written.
pub(crate) fn not_writable(extension: &str) -> String {
    let mut read_only = FORMATS.iter().map(|format| &format.info).filter(|info| !info.can_write);
    let read_only = read_only.find(|info| info.extensions.contains(&extension));
    let problem = match (read_only, extension) {
        (Some(info), _) => format!("{} is read-only", info.name),
        (None, "") => "the output has no extension, so give the format with --to".to_owned(),
        (None, _) => format!("no format is written as .{extension}"),
    };
    let written = FORMATS.iter().map(|format| &format.info).filter(|info| info.can_write);
    let ids: Vec<_> = written.map(|info| info.id).collect();
    format!("{problem}; writable formats: {}", ids.join(", "))
}

/// Whether one job may write over a file that another is going to read along with its own: where
/// outputs go to a folder in which readers look.
pub(super) fn may_write_over_related_files(jobs: &[Job], args: &ConvertArgs) -> bool {
    if jobs.len() < 2 || !args.force || args.dry_run {
        return false;
    }
    let folders = |paths: Vec<&Path>| -> BTreeSet<PathBuf> {
        let own = paths.into_iter().map(|path| resolved_path(folder_of(path)));
        own.collect()
    };
    let written = folders(jobs.iter().map(|job| job.output.as_path()).collect());
    let mut read = folders(jobs.iter().map(|job| job.input.as_path()).collect());
    read.extend(args.input.0.with.iter().map(|path| resolved_path(path)));
    let is_read = |folder: &PathBuf| folder.ancestors().any(|above| read.contains(above));
    written.iter().any(is_read)
}

/// An input's path below the folder that was named, or its name where it was named itself.
fn below(input: &Path, named: &[PathBuf]) -> PathBuf {
    let folders = named.iter().filter(|path| path.is_dir());
    let relative = folders.filter_map(|folder| input.strip_prefix(folder).ok());
    let longest = relative.max_by_key(|path| path.components().count());
    let own = || PathBuf::from(input.file_name().unwrap_or_default());
    if named.iter().any(|path| path == input) {
        own()
    } else {
        longest.map_or_else(own, Path::to_owned)
    }
}

/// The requested extension, or the format's usual one if an id was requested.
fn extension_of(asked: &str, format: &Format, part: Option<&str>) -> String {
    let asked = asked.to_ascii_lowercase();
    let info = &format.info;
    if info.extensions.contains(&asked.as_str()) {
        return asked;
    }
    let of_part = info.parts.iter().find(|p| Some(p.id) == part);
    let usual = info.extensions.first().copied().unwrap_or(info.id);
    of_part.map_or(usual, |part| part.extension).to_owned()
}

fn part_of(
    args: &ConvertArgs,
    format: &Format,
    of_extension: Option<&'static str>,
) -> anyhow::Result<Option<String>> {
    let Some(asked) = args.options.0.write.part.as_deref().or(of_extension) else {
        return Ok(None);
    };
    let parts = format.info.parts;
    if parts.iter().any(|part| part.id == asked) {
        return Ok(Some(asked.to_owned()));
    }
    let known: Vec<&str> = parts.iter().map(|part| part.id).collect();
    let id = format.info.id;
    if known.is_empty() {
        anyhow::bail!("{id} is a single file without parts; leave out --part")
    } else {
        anyhow::bail!("{id} has no part {asked}; its parts are {}", known.join(", "))
    }
}
