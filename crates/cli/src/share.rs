//! `share`: one page with the model and the viewer in it, which opens from disk in a browser.
//!
//! Not for: the viewer itself. `make web` builds it, and it is looked for where it is installed.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use clap::{Args, ValueEnum as _};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use super::exit::{Exit, at_path};
use super::input::{Document, Input, tell};
use super::output::Output;
use super::{FirstLookArgs, InputArgs, timings};
use rigscope_core::model::{Note, Severity};
use rigscope_core::validate::validate;
use rigscope_io::files::{
    FileSource, check_target, folder_of, io_message, model_file, name_of, save,
};

/// Where the viewer lies, from the folder of the program: installed, or built in a clone.
const PLACES: [&str; 2] = ["../share/rigscope/web", "../../dist"];
/// The viewer.
const PAGE: &str = "index.html";
const SCRIPT: &str = "rigscope.js";
const MODULE: &str = "rigscope_bg.wasm";
/// What the page calls its script by.
const SCRIPT_TAG: &str = r#"<script type="module" src="rigscope.js"></script>"#;

/// `share`.
#[derive(Debug, Args)]
pub struct ShareArgs {
    /// The file to share, with all that is read along with it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The page to write
    #[arg(long, short, value_name = "OUT.html")]
    pub output: PathBuf,
    /// Say under the view what validate finds
    #[arg(long)]
    pub notes: bool,
    /// The folder of the viewer, as make web builds it; none: the one that is installed
    #[arg(long, value_name = "DIR")]
    pub viewer: Option<PathBuf>,
    /// Overwrite the output if it exists
    #[arg(long)]
    pub force: bool,
    /// How files are read.
    #[command(flatten)]
    pub input: InputArgs,
    /// What the page shows first.
    #[command(flatten)]
    pub first: FirstLookArgs,
}

impl ShareArgs {
    /// What the page asks of its window, in the words of its address (`src/app/web/asked.rs`).
    fn words(&self) -> Vec<(&'static str, String)> {
        let mut words = self.first.words();
        words.extend(self.input.hidden().into_iter().map(|name| ("without", name)));
        words.extend(self.input.fps.map(|fps| ("fps", fps.to_string())));
        words.extend(self.input.format.clone().map(|format| ("format", format)));
        let up = self.input.up.and_then(|up| up.to_possible_value());
        words.extend(up.map(|up| ("up", up.get_name().to_owned())));
        words
    }
}

/// What the page finds in `rigscopeShared`.
#[derive(Serialize)]
struct Shared {
    wasm: String,
    files: Vec<SharedFile>,
    words: Vec<(&'static str, String)>,
}

#[derive(Serialize)]
struct SharedFile {
    /// Below the folder of the model.
    name: String,
    /// Base64 of gzip.
    data: String,
    /// `url` for the one that is opened; others are found beside it.
    word: Option<&'static str>,
}

/// Reads the file, so that a page is made only of what opens, and writes the page.
pub(super) fn run(args: &ShareArgs, output: &Output) -> anyhow::Result<Exit> {
    let input = Input::new(&args.input)?.with_images().with_inputs([&args.file]);
    check_target(&args.output, args.force, input.inputs())?;
    let viewer = viewer(args.viewer.as_deref())?;
    let report = timings::report();
    let file = input.file(&args.file, &report).map_err(|error| at_path(error, &args.file))?;
    let document = input.read(&file, &report).map_err(|error| at_path(error, &args.file))?;
    tell(&document.notes, &args.file, output);
    let files = files(&args.file, &file, &args.input.with)?;
    let findings = args.notes.then(|| findings(&document));
    let page = page(&viewer, files, args.words(), findings.as_deref())?;
    save(&args.output, page.as_bytes(), args.force, input.inputs())?;
    timings::at("writing files");
    let megabytes = page.len() as f64 / f64::from(1 << 20);
    output.note(Severity::Info, &format!("{megabytes:.1} MiB: {}", args.output.display()));
    Ok(Exit::Done)
}

/// The folder with the viewer in it.
fn viewer(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    let is_one =
        |folder: &Path| [PAGE, SCRIPT, MODULE].iter().all(|name| folder.join(name).is_file());
    if let Some(named) = named {
        anyhow::ensure!(is_one(named), "no viewer is here: {}", named.display());
        return Ok(named.to_owned());
    }
    let program = std::env::current_exe().and_then(std::fs::canonicalize).unwrap_or_default();
    let places = PLACES.map(|place| folder_of(&program).join(place));
    let found = places.into_iter().find(|place| is_one(place));
    found.context("no viewer is installed; make web builds one, and --viewer says where it is")
}

/// The model and all that was read with it.
fn files(path: &Path, file: &FileSource, with: &[PathBuf]) -> anyhow::Result<Vec<SharedFile>> {
    let main = model_file(path);
    let folder = folder_of(&main);
    let shared = |name: String, bytes: &[u8], word| {
        Ok::<_, std::io::Error>(SharedFile { name, data: packed(bytes)?, word })
    };
    let mut files = vec![shared(name_of(&main), &file.source.whole()?, Some("url"))?];
    let given = with.iter().filter(|path| path.is_file()).cloned();
    for used in file.used_paths().into_iter().chain(given) {
        // What lies elsewhere is found beside the model too.
        let below = used.strip_prefix(folder).ok().filter(|below| below.components().count() > 1);
        let name = match below {
            Some(below) => below.to_string_lossy().replace('\\', "/"),
            None => name_of(&used),
        };
        if files.iter().any(|known| known.name == name) {
            continue;
        }
        let bytes = std::fs::read(&used).map_err(|error| at_path(io_message(&error), &used))?;
        let is_named = with.iter().any(|with| used.starts_with(with));
        files.push(shared(name, &bytes, is_named.then_some("with"))?);
    }
    Ok(files)
}

fn packed(bytes: &[u8]) -> std::io::Result<String> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(bytes)?;
    Ok(BASE64_STANDARD.encode(gzip.finish()?))
}

/// All that reader and rules have found, a line each.
fn findings(document: &Document) -> String {
    let rules = timings::report();
    // Nobody cancels this report.
    let _ = validate(&document.model, &rules);
    let found = rules.notes();
    let line = |note: &Note| {
        format!(
            "{}: {}: {} at {}",
            note.severity().as_str(),
            note.kind.code(),
            note.message,
            note.place
        )
    };
    let lines: Vec<_> = document.notes.iter().chain(&found).map(line).collect();
    match lines.is_empty() {
        true => "Nothing was found.".to_owned(),
        false => lines.join("\n"),
    }
}

/// The viewer's page with everything in it.
fn page(
    viewer: &Path,
    files: Vec<SharedFile>,
    words: Vec<(&'static str, String)>,
    findings: Option<&str>,
) -> anyhow::Result<String> {
    let read = |name: &str| {
        let path = viewer.join(name);
        std::fs::read(&path).map_err(|error| at_path(io_message(&error), &path))
    };
    let text = |name: &str| anyhow::Ok(String::from_utf8(read(name)?)?);
    let shared = Shared { wasm: packed(&read(MODULE)?)?, files, words };
    let mut scripts = String::new();
    if let Some(findings) = findings {
        // Under the window, and over it only where it is open.
        let style = "canvas{height:calc(100% - 32px)!important}details{position:fixed;left:0;right:0;bottom:0;\
                     max-height:40%;overflow:auto;background:#2a2d32;padding:0 1em}summary{line-height:32px}";
        let findings = escaped(findings);
        writeln!(
            scripts,
            "<style>{style}</style>\n<details><summary>Findings</summary><pre>{findings}</pre></details>"
        )?;
    }
    // Nothing in base64 ends a script; names may.
    let json = serde_json::to_string(&shared)?.replace('<', "\\u003c");
    let script = text(SCRIPT)?.replace("</script", "<\\/script");
    write!(
        scripts,
        "<script>globalThis.rigscopeShared = {json};</script>\n<script type=\"module\">\n{script}\n</script>"
    )?;
    let page = text(PAGE)?;
    let (before, after) =
        page.split_once(SCRIPT_TAG).context("the viewer is of another version")?;
    Ok(format!("{before}{scripts}{after}"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
