//! `share`: writes a web page that contains the model and the viewer, and that browsers can open from disk.
//!
//! Not for: the viewer itself. `make web` builds it; this module only looks for it.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use super::exit::{Exit, at_path};
use super::input::{self, report_document};
use super::lines::one_line;
use super::output::Output;
use super::pose_selection::{find_clip, report_clamping};
use super::standard_output::{check_output, write_output};
use super::{InitialViewArgs, OptionArgs, timings};
use rigscope_core::model::{Finding, Model, Severity, UpAxis};
use rigscope_core::pose::PoseSpec;
use rigscope_core::validate::validate;
use rigscope_io::OpenOptions;
use rigscope_io::files::{
    FileSource, Pipes, folder_of, model_file, name_of, read_input, slash_path,
};
use rigscope_io::open::{Document, Opener};
use rigscope_io::share::{SharedFile, has_viewer, shared_page, viewer_files};

/// Folders of the viewer, relative to the program: installed, or built in a clone.
const PLACES: [&str; 2] = ["../share/rigscope/web", "../../dist"];
/// `share`.
#[derive(Debug, Args)]
pub struct ShareArgs {
    /// The file to share, with its related files; - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The HTML file to write, or - for standard output
    #[arg(long, short, value_name = "OUT.html")]
    pub output: PathBuf,
    /// Show the findings of validate below the view
    #[arg(long = "notes")]
    pub findings: bool,
    /// The folder of a viewer built with make web; by default the installed one
    #[arg(long, value_name = "FOLDER")]
    pub viewer: Option<PathBuf>,
    /// Overwrite the output if it exists
    #[arg(long)]
    pub force: bool,
    /// Initial view.
    #[command(flatten)]
    pub initial: InitialViewArgs,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

impl ShareArgs {
    /// URL parameters for the viewer, parsed in `page_args.rs` of the window.
    fn url_parameters(&self) -> Vec<(String, String)> {
        let mut words = self.initial.url_parameters();
        let OpenOptions { without, fps, format, up, .. } = &self.input.0;
        words.extend(without.iter().map(|name| ("without", name.clone())));
        words.extend(fps.map(|fps| ("fps", fps.to_string())));
        words.extend(format.clone().map(|format| ("format", format)));
        words.extend(up.map(|up| match up {
            UpAxis::Y => ("up", "y".to_owned()),
            UpAxis::Z => ("up", "z".to_owned()),
        }));
        words.into_iter().map(|(word, value)| (word.to_owned(), value)).collect()
    }
}

/// Reads the file first, so that no page is written for a file that can't be opened.
pub(super) fn run(args: &ShareArgs, output: &Output) -> anyhow::Result<Exit> {
    let viewer = viewer(args.viewer.as_deref())?;
    let opener = input::opener(&args.input.0)?.with_images().with_inputs([&args.file]);
    let opener = opener.with_inputs(&viewer_files(&viewer));
    check_output(&args.output, args.force, opener.inputs())?;
    let report = timings::report();
    let file = opener.file(&args.file, &report).map_err(|error| at_path(error, &args.file))?;
    let document = opener.read(&file, &report).map_err(|error| at_path(error, &args.file))?;
    report_document(&document, &args.file, output);
    check_moment(args, &document.model, output)?;
    let files = files(&args.file, &file, &args.input.0.with, &opener)?;
    let findings = args.findings.then(|| findings(&document));
    let page = shared_page(&viewer, &files, &args.url_parameters(), findings.as_deref())?;
    write_output(&args.output, page.as_bytes(), args.force, opener.inputs(), output)?;
    timings::at("writing files");
    let megabytes = page.len() as f64 / f64::from(1 << 20);
    output.report_at(
        Severity::Info,
        &args.output,
        &format!("{megabytes:.1} MiB written; open the page in a browser with WebGPU"),
    );
    Ok(Exit::Done)
}

/// Rejects a clip that the model doesn't have, and reports a time that the clip doesn't have.
fn check_moment(args: &ShareArgs, model: &Model, output: &Output) -> anyhow::Result<()> {
    let InitialViewArgs { clip, time, .. } = &args.initial;
    let clip = clip.as_ref().map(|name| find_clip(name, model)).transpose();
    let clip = clip.map_err(|text| at_path(text, &args.file))?;
    if let Some(time_secs) = *time {
        let spec = PoseSpec::at_secs(clip, time_secs);
        report_clamping(&spec, model, &args.file, output);
    }
    Ok(())
}

/// The folder of the viewer.
fn viewer(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(named) = named {
        if !has_viewer(named) {
            return Err(at_path("the folder contains no viewer; build one with make web", named));
        }
        return Ok(named.to_owned());
    }
    let program = std::env::current_exe().and_then(std::fs::canonicalize).unwrap_or_default();
    let places = PLACES.map(|place| folder_of(&program).join(place));
    let found = places.into_iter().find(|place| has_viewer(place));
    found.context(
        "no viewer is installed; build one with make web, and name its folder with --viewer",
    )
}

/// The model and its related files.
fn files(
    path: &Path,
    file: &FileSource,
    with: &[PathBuf],
    opener: &Opener,
) -> anyhow::Result<Vec<SharedFile>> {
    let main = model_file(path);
    let folder = folder_of(&main);
    let mut files = vec![SharedFile::main(name_of(&main), &file.source.whole()?)?];
    let given = with.iter().filter(|path| path.is_file()).cloned();
    for used in file.used_paths().into_iter().chain(given) {
        // Files outside the folder of the model are placed next to it.
        let below = used.strip_prefix(folder).ok().filter(|below| below.components().count() > 1);
        let name = match below {
            Some(below) => slash_path(below),
            None => name_of(&used),
        };
        if files.iter().any(|known| known.name() == name) {
            continue;
        }
        let (limit_bytes, inputs) = (opener.limit_bytes(), opener.inputs());
        let bytes = read_input(&used, limit_bytes, Pipes::Refused, inputs, |_| Ok(()))
            .map_err(|error| at_path(error, &used))?;
        let is_named = with.iter().any(|with| used.starts_with(with));
        files.push(SharedFile::related(name, &bytes, is_named)?);
    }
    Ok(files)
}

/// The findings of the reader and of the rules, one per line.
fn findings(document: &Document) -> String {
    let rules = timings::report();
    // This report is never cancelled.
    let _ = validate(&document.model, &rules);
    let line = |finding: &Finding| {
        format!(
            "{}: {}: {} at {}",
            finding.severity().as_str(),
            finding.kind.code(),
            one_line(&finding.message),
            finding.place
        )
    };
    let lines: Vec<_> = document.findings(&rules).iter().map(line).collect();
    if lines.is_empty() { "No findings.".to_owned() } else { lines.join("\n") }
}
