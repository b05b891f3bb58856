//! `info`: what is in a file.

use std::path::{Path, PathBuf};

use super::exit::{Exit, at_path};
use super::input::Input;
use super::kept::Kept;
use super::output::Output;
use super::{InfoArgs, info_text, json, listed, many, timings};
use rigscope_io::files::{FileSource, catch_panic};

/// Reads all files and reports each; one that cannot be read keeps no other back.
pub(super) fn run(args: &InfoArgs, output: &Output) -> anyhow::Result<Exit> {
    let mut input = Input::new(&args.input)?;
    if !args.json && !args.many.jsonl {
        // The text has the sizes of images.
        input = input.with_images();
    }
    let listed = args.many.files_from.as_deref().map(listed::open).transpose()?;
    let num_files = listed.is_none().then_some(args.files.len());
    let paths = args.files.iter().cloned().map(Ok).chain(listed.into_iter().flatten());
    match args.many.jsonl {
        true => lines(args, input, paths, num_files, output),
        false if args.many.cache.is_some() => anyhow::bail!("--cache of info needs --jsonl"),
        false => whole(args, &input, paths, num_files, output),
    }
}

fn whole(
    args: &InfoArgs,
    input: &Input,
    paths: impl Iterator<Item = anyhow::Result<PathBuf>>,
    num_files: Option<usize>,
    output: &Output,
) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut infos = Vec::new();
    let mut between = "";
    for path in paths {
        let path = &path?;
        let document = match input.open(path, &timings::report()) {
            Ok(document) => document,
            Err(error) => {
                output.error(&at_path(error, path).to_string());
                exit = Exit::BadInput;
                continue;
            }
        };
        timings::at("counting");
        let info = document.info(&path.to_string_lossy());
        if args.json {
            infos.push(info);
            continue;
        }
        let text = info_text::of(&info, &document.model, output.paint());
        output.print_text(format!("{between}{text}"))?;
        between = "\n";
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

/// A line a file, on all cores.
fn lines(
    args: &InfoArgs,
    input: Input,
    paths: impl Iterator<Item = anyhow::Result<PathBuf>>,
    num_files: Option<usize>,
    output: &Output,
) -> anyhow::Result<Exit> {
    let kept = Kept::new(input, args.many.cache.as_deref(), output)?;
    let work = |path: &Path| {
        let report = timings::report();
        let make = |input: &Input, file: &FileSource| {
            let document = catch_panic("reading", || input.read(file, &report));
            let document = document.map_err(|fault| fault.to_string())?;
            let document = document.map_err(|error| error.to_string())?;
            serde_json::to_string(&document.info("")).map_err(|error| error.to_string())
        };
        let read = |text: &str| Some(Ok(text.to_owned()));
        let write = |line: &Result<String, String>| line.as_ref().ok().cloned();
        let line = kept.of(path, "info", &report, make, read, write);
        line.unwrap_or_else(|error| Err(error.to_string()))
    };
    let mut exit = Exit::Done;
    let done = |path: PathBuf, line: Result<String, String>| {
        let file = path.to_string_lossy().into_owned();
        match line {
            // What is kept is about bytes, wherever they lie: the name is the first that is empty.
            Ok(line) => {
                let named = format!("\"file\":{}", serde_json::to_string(&file)?);
                output.print_line_of_json(line.replacen("\"file\":\"\"", &named, 1))
            }
            Err(error) => {
                exit = Exit::BadInput;
                output.error(&at_path(&error, &path).to_string());
                output.print_json_line(&json::Unread { schema: "rigscope.unread/1", file, error })
            }
        }
    };
    many::each(paths, num_files, output, work, done)?;
    Ok(exit)
}
