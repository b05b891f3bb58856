//! `info`: lists the contents of files.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::exit::{Exit, at_path};
use super::input;
use super::lines::Lines;
use super::output::Output;
use super::result_cache::ResultCache;
use super::{InfoArgs, batch, file_list, info_text, timings};
use rigscope_io::files::{FileSource, catch_panic, path_text};
use rigscope_io::open::{self, Opener};

/// Files that cannot be read are reported, and the others are still listed.
pub(super) fn run(args: &InfoArgs, output: &Output) -> anyhow::Result<Exit> {
    let mut opener = input::opener(&args.input.0)?;
    if !args.json && !args.batch.jsonl {
        // The text output includes image sizes.
        opener = opener.with_images();
    }
    let listed = file_list::open(args.batch.files_from.as_deref(), opener.inputs())?;
    let num_files = listed.is_none().then_some(args.files.len());
    let paths = args.files.iter().cloned().map(Ok).chain(listed.into_iter().flatten());
    match args.batch.jsonl {
        true => lines(args, opener, paths, num_files, output),
        false if args.batch.cache.is_some() => {
            anyhow::bail!("info supports --cache only together with --jsonl")
        }
        false => whole(args, &opener, paths, num_files, output),
    }
}

fn whole(
    args: &InfoArgs,
    opener: &Opener,
    paths: impl Iterator<Item = anyhow::Result<PathBuf>>,
    num_files: Option<usize>,
    output: &Output,
) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut infos = Vec::new();
    let mut has_printed = false;
    for path in paths {
        let path = &path?;
        if args.dump {
            super::dump::print(opener, path, output)?;
            continue;
        }
        let document = match input::open(opener, path, &timings::report()) {
            Ok(document) => document,
            Err(error) => {
                output.error(&at_path(error, path));
                exit = Exit::BadInput;
                continue;
            }
        };
        timings::at("counting");
        let info = open::info(&document, &path_text(path));
        if args.json {
            infos.push(info);
            continue;
        }
        let text = info_text::of(&info, &document.model, output.paint());
        if std::mem::replace(&mut has_printed, true) {
            output.print_lines(&Lines::constant("\n"))?;
        }
        output.print_lines(&text)?;
    }
    timings::at("printing");
    if args.json {
        match (infos.as_slice(), num_files) {
            ([info], Some(1)) => output.print_json(info)?,
            ([], Some(1)) => {}
            (infos, _) => output.print_json(&infos)?,
        }
    }
    Ok(exit)
}

/// One line of JSON per file, on all cores.
fn lines(
    args: &InfoArgs,
    opener: Opener,
    paths: impl Iterator<Item = anyhow::Result<PathBuf>>,
    num_files: Option<usize>,
    output: &Output,
) -> anyhow::Result<Exit> {
    let cache = ResultCache::new(opener, args.batch.cache.as_deref(), output)?;
    let work = |path: &Path| {
        let report = timings::report();
        let make = |opener: &Opener, file: &FileSource| {
            let document = catch_panic("reading", || opener.read(file, &report));
            let document = document.map_err(|fault| fault.to_string())?;
            let document = document.map_err(|error| error.to_string())?;
            serde_json::to_string(&open::info(&document, "")).map_err(|error| error.to_string())
        };
        let read = |text: &str| Some(Ok(text.to_owned()));
        let write = |line: &Result<String, String>| line.as_ref().ok().cloned();
        let line = cache.get_or_make(path, "info", &report, make, read, write);
        line.unwrap_or_else(|error| Err(error.to_string()))
    };
    let mut exit = Exit::Done;
    let done = |path: PathBuf, line: Result<String, String>| {
        let file = path_text(&path);
        match line {
            // Cached results apply to the content, wherever the file is: the empty name is filled in here.
            Ok(line) => {
                let named = format!("\"file\":{}", serde_json::to_string(&file)?);
                output.print_line_of_json(line.replacen("\"file\":\"\"", &named, 1))
            }
            Err(error) => {
                exit = Exit::BadInput;
                output.error(&at_path(&error, &path));
                output.print_json_line(&Unread { schema: "rigscope.unread/1", file, error })
            }
        }
    };
    batch::each(paths, num_files, output, work, done)?;
    Ok(exit)
}

/// `info --jsonl`, for a file that cannot be read.
#[derive(Debug, Serialize)]
struct Unread {
    schema: &'static str,
    file: String,
    error: String,
}
