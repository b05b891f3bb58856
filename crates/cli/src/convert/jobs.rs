//! Which files go where.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::ConvertArgs;
use crate::exit::at_path;
use crate::file_search;
use crate::output::Output;
use rigscope_core::model::Severity;
use rigscope_io::convert::target_of;
use rigscope_io::files::{Inputs, check_target, folder_of, model_file, resolved_path};
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
}

/// All files to convert.
pub(super) struct Plan {
    pub(super) jobs: Vec<Job>,
    /// Some input does not exist or two would be written to one place: reported already.
    pub(super) is_incomplete: bool,
}

/// Determines the output of each input, and adds all inputs to `inputs`.
pub(super) fn plan(args: &ConvertArgs, inputs: &Inputs, output: &Output) -> anyhow::Result<Plan> {
    match (&args.output, &args.out_dir) {
        (Some(target), _) => single(args, target, inputs),
        (None, Some(folder)) => batch(args, folder, inputs, output),
        (None, None) => anyhow::bail!("give --output or --out-dir"),
    }
}

fn single(args: &ConvertArgs, target: &Path, inputs: &Inputs) -> anyhow::Result<Plan> {
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
    let extension = target.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let wanted = args.to.as_deref().unwrap_or(extension);
    let (format, part) = target_of(wanted).ok_or_else(|| at_path(not_writable(wanted), target))?;
    inputs.add(input);
    check_target(target, args.force, inputs)?;
    Ok(Plan {
        jobs: vec![Job {
            input: input.to_owned(),
            output: target.to_owned(),
            format,
            part: part_of(args, format, part)?,
            makes_folder: false,
        }],
        is_incomplete: false,
    })
}

fn batch(
    args: &ConvertArgs,
    folder: &Path,
    inputs: &Inputs,
    output: &Output,
) -> anyhow::Result<Plan> {
    let asked = args.to.as_deref().unwrap_or_default();
    let (format, part) =
        target_of(asked).ok_or_else(|| anyhow::anyhow!("no writable format is called {asked}"))?;
    let part = part_of(args, format, part)?;
    let extension = extension_of(asked, format, part.as_deref());
    let found = file_search::find(&args.inputs, &crate::input::readers()?);
    // Also those that will be refused.
    found.files.iter().for_each(|file| inputs.add(file));
    let mut is_incomplete = !found.missing.is_empty() || !found.unlistable.is_empty();
    for path in &found.missing {
        output.error(&at_path("no such file or folder", path));
    }
    for (path, message) in &found.unlistable {
        output.error(&at_path(message, path));
    }
    for path in &found.empty {
        output.note_at(Severity::Warning, path, "the folder contains no model");
    }
    let mut jobs: Vec<Job> = Vec::new();
    let mut taken: HashMap<PathBuf, PathBuf> = HashMap::new();
    for input in found.files {
        let target = folder.join(below(&input, &args.inputs)).with_extension(&extension);
        if let Some(other) = taken.get(&target) {
            let message = format!(
                "this file and {} would both be written to {}; convert them separately",
                other.display(),
                target.display()
            );
            output.error(&at_path(message, &input));
            is_incomplete = true;
            continue;
        }
        taken.insert(target.clone(), input.clone());
        jobs.push(Job { input, output: target, format, part: part.clone(), makes_folder: true });
    }
    Ok(Plan { jobs, is_incomplete })
}

/// The error about a format that can't be written.
fn not_writable(extension: &str) -> String {
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
pub(super) fn may_write_over_companions(jobs: &[Job], args: &ConvertArgs) -> bool {
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
