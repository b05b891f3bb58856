//! `retarget`: clips of other files on the skeleton of a model.
//!
//! | file | contents |
//! |---|---|
//! | `args` | arguments |
//! | `report` | the results as text and JSON |

mod args;
mod report;

use std::path::Path;

pub use args::{RetargetArgs, RootArg};

use super::convert::not_writable;
use super::exit::{Exit, at_path};
use super::output::Output;
use super::saved_files::save_files;
use super::standard_output::check_target;
use super::{bone_map, input, timings};
use report::{Retargeted, Shown};
use rigscope_core::model::Model;
use rigscope_core::pose::transfer::{RetargetOptions, retarget_and_measure};
use rigscope_io::convert::{ConvertOptions, convert_for_path, target_of};
use rigscope_io::files::{ClaimedPaths, Inputs};
use rigscope_io::open::conversion_files;

pub(super) fn run(args: &RetargetArgs, output: &Output) -> anyhow::Result<Exit> {
    let extension = args.output.extension().unwrap_or_default().to_string_lossy().into_owned();
    let (format, part) =
        target_of(&extension).ok_or_else(|| at_path(not_writable(&extension), &args.output))?;
    let paths = args.clips.iter().chain([&args.to]);
    let opener = input::opener(&args.input.0)?.with_images().with_inputs(paths);
    check_target(&args.output, args.force, opener.inputs())?;
    let mut document = input::open_and_report(&opener, &args.to, output)?;
    if !args.add {
        document.model.clips.as_mut_vec().clear();
    }
    let mut done = Vec::new();
    for path in &args.clips {
        let source = input::open_and_report(&opener, path, output)?;
        timings::at("retargeting");
        done.push(add(args, path, &source.model, &mut document.model, opener.inputs(), output)?);
    }
    let mut options = ConvertOptions::default();
    options.write.part = part.map(str::to_owned);
    timings::at("converting");
    let files = conversion_files(&document, &args.output, args.force, ClaimedPaths::default());
    let converted = convert_for_path(&document.model, format, &options, files, &timings::report());
    let converted = converted.map_err(|error| at_path(error, &args.output))?;
    let written = save_files(&converted.files, &args.output, args.force, opener.inputs())?;
    timings::at("printing");
    let shown =
        Shown { args, document: &document, done: &done, converted: &converted, written: &written };
    if args.json {
        output.print_json(&shown.as_json())?;
    } else {
        output.print_lines(&shown.as_text())?;
    }
    Ok(Exit::Done)
}

/// Adds the clips of one file.
fn add(
    args: &RetargetArgs,
    path: &Path,
    source: &Model,
    model: &mut Model,
    inputs: &Inputs,
    output: &Output,
) -> anyhow::Result<Retargeted> {
    if source.clips.is_empty() {
        return Err(at_path("the file has no clips", path));
    }
    let files = [path, &*args.to];
    let given = bone_map::given(&args.input.0, [source, model], files, inputs, output)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let report = timings::report();
    let options = RetargetOptions { root: args.root.into(), feet: args.feet };
    let clips = retarget_and_measure(model, source, &given, options, &name, &report);
    let clips = clips.map_err(|message| at_path(message, path))?;
    Ok(Retargeted { path: path.to_owned(), clips, findings: report.findings() })
}
