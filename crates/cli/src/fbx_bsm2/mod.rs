//! `fbx_bsm2`: converts any model to a BSM2 file next to it, like the original tool of that name, and reports the
//! deviation.
//!
//! Exit codes are those of `rigscope`: 1 if `--strict` prevented writing a file, 2 if a file couldn't be read or
//! written.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Parser;

mod args;
mod conversion;
mod json;
mod text;

use args::FbxBsm2;
use conversion::{Conversion, Losses};
use text::lines;

use super::diagnostics;
use super::exit::{Exit, at_path};
use super::input::{self, report_document};
use super::output::{Output, usage};
use super::report_error;
use super::text as text_of;
use rigscope_core::measure::{MeasureOptions, measure};
use rigscope_core::model::{Model, Report, Severity};
use rigscope_core::pack::{PackOptions, Packing, pack};
use rigscope_core::reshape::{ReshapeError, without_additions};
use rigscope_io::convert::{LostPrecision, foreseen};
use rigscope_io::files::{
    Output as OutputFile, check_target, is_standard_stream, resolved_path, save_set,
};
use rigscope_io::formats::bsm2::report_packing;
use rigscope_io::formats::losses::Counts;
use rigscope_io::formats::{
    ConvertOptions, Format, OutputPlace, TextureMode, WriteOptions, by_id, write,
};
use rigscope_io::open::{Document, Opener};

/// Id of the output format.
const FORMAT: &str = "bsm2";

/// The reason why `--strict` wrote nothing.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Strict(String);

/// Runs the program; `args` starts with the name of the program.
pub fn fbx_bsm2(args: impl IntoIterator<Item = OsString>, output: &Output) -> Exit {
    let args = match FbxBsm2::try_parse_from(args::in_new_spelling(args)) {
        Ok(args) => args,
        Err(error) => return usage(&error),
    };
    let started = diagnostics::subscribe(args.verbose, false, None);
    started.and_then(|()| run(&args, output)).unwrap_or_else(|error| report_error(&error, output))
}

fn run(args: &FbxBsm2, output: &Output) -> anyhow::Result<Exit> {
    if let Some(path) = args.files.iter().find(|path| is_standard_stream(path)) {
        let message = "outputs are named after inputs, and standard input has no name";
        return Err(at_path(message, path));
    }
    let targets: Vec<PathBuf> = args.files.iter().map(|path| target(path, None)).collect();
    let mut seen = HashSet::new();
    for target in &targets {
        if !seen.insert(resolved_path(target)) {
            return Err(at_path(
                "two inputs would both be written to this file; convert them separately",
                target,
            ));
        }
    }
    let opener = input::opener(&args.input.0)?.with_inputs(&args.files);
    let mut exit = Exit::Done;
    let mut all = Vec::new();
    for path in &args.files {
        match convert(args, &opener, path, output) {
            Ok(converted) => {
                if !args.json {
                    output.print_lines(&lines(&converted))?;
                } else {
                    all.push(json::Converted::of(&converted));
                }
            }
            Err(error) if error.is::<Strict>() => {
                output.report_at(Severity::Error, path, &error.to_string());
                exit = worse(exit, Exit::Findings);
            }
            Err(error) => exit = worse(exit, report_error(&error, output)),
        }
    }
    if args.json {
        match (all.as_slice(), args.files.len()) {
            ([one], 1) => output.print_json(one)?,
            ([], 1) => {}
            (several, _) => output.print_json(&several)?,
        }
    }
    Ok(exit)
}

/// Unreadable input outranks findings.
fn worse(a: Exit, b: Exit) -> Exit {
    match (a, b) {
        (Exit::BadInput, _) | (_, Exit::BadInput) => Exit::BadInput,
        (Exit::Done, other) => other,
        (a, _) => a,
    }
}

fn convert(
    args: &FbxBsm2,
    opener: &Opener,
    path: &Path,
    output: &Output,
) -> anyhow::Result<Conversion> {
    let start = Instant::now();
    let main_target = target(path, None);
    check_target(&main_target, true, opener.inputs())?;
    let document =
        input::open(opener, path, &Report::new()).map_err(|error| at_path(error, path))?;
    let load = start.elapsed();
    if !args.json {
        report_document(&document, path, output);
    }
    let Document { model, findings, .. } = document;
    let mut model = without_additions(&model).into_owned();
    if model.num_vertices() == 0 {
        return Err(at_path("the model has no vertices to write", path));
    }
    keep_clips(&mut model, &args.clip).map_err(|error| at_path(error, path))?;

    let format = by_id(FORMAT).ok_or_else(|| anyhow::anyhow!("no format {FORMAT}"))?;
    let report = Report::new();
    let options = PackOptions {
        hierarchy: args.hierarchy,
        last_bones: args.last_bones,
        rate: Some(args.rate),
        scale: args.scale,
        v_up: args.no_flip_v,
        as_tool: true,
        never_split: args.strict,
        ..PackOptions::default()
    };
    let packing = match pack(&model, &options, &report) {
        Err(error @ ReshapeError::TooMany { .. }) if args.strict => {
            return Err(Strict(format!("nothing was written: {error}")).into());
        }
        packed => packed.map_err(|error| at_path(error, path))?,
    };
    if !packing.parts.iter().all(|part| is_finite(&part.model)) {
        let text = format!(
            "positions scaled by {} exceed the range of single precision; use a smaller --scale",
            args.scale
        );
        return Err(at_path(text, path));
    }
    let packed = start.elapsed();
    let predicted = foreseen(&model, &Counts::of_model(&model), format, &convert_options(args));
    report_packing(&packing, &report);
    let of_writer = report.findings();
    let mut losses = Losses { predicted, of_reader: findings, of_writer, deviations: Vec::new() };
    let compare = || {
        let measured = measure(&packing.job(&model), MeasureOptions::default(), &report);
        (measured, start.elapsed())
    };
    let ((measured, compared), outputs) = if args.strict {
        (compare(), Ok(Vec::new()))
    } else {
        // Compares while waiting for the disk.
        rayon::join(compare, || written(&packing, format, path, opener))
    };
    let measured = measured.map_err(|_| at_path("cancelled", path))?;
    losses.deviations = LostPrecision::all_of_packed(&measured, &model);
    let is_refused = args.strict && losses.is_any();
    let outputs = if args.strict && !is_refused {
        written(&packing, format, path, opener)?
    } else {
        outputs?
    };
    let converted = Conversion {
        input: path.to_owned(),
        outputs,
        model,
        packing,
        measured,
        losses,
        hierarchy: args.hierarchy,
        rate: args.rate,
    };
    if is_refused {
        let dropped = converted.losses.sentences().join("; ");
        return Err(
            Strict(format!("nothing was written, because this would be lost: {dropped}")).into()
        );
    }
    if converted.outputs.len() > 1 && !args.json {
        let text = format!(
            "the model is too large for one file and was split into {} files",
            converted.outputs.len()
        );
        output.report_at(Severity::Warning, path, &text);
    }
    tracing::debug!(
        load_secs = load.as_secs_f64(),
        pack_secs = (packed - load).as_secs_f64(),
        compare_secs = (compared - packed).as_secs_f64(),
        total_secs = start.elapsed().as_secs_f64(),
        "converted"
    );
    Ok(converted)
}

/// The options of `rigscope convert` with the same result.
fn convert_options(args: &FbxBsm2) -> ConvertOptions {
    ConvertOptions {
        // Without images, like the original tool.
        textures: TextureMode::None,
        write: WriteOptions {
            hierarchy: args.hierarchy,
            last_bones: args.last_bones,
            rate: Some(args.rate),
            ..WriteOptions::default()
        },
        ..ConvertOptions::default()
    }
}

/// Whether all positions are finite.
fn is_finite(model: &Model) -> bool {
    model.meshes.iter().all(|mesh| {
        let mut positions = (0..mesh.num_vertices()).filter_map(|vertex| mesh.position(vertex));
        positions.all(|position| position.is_finite())
    })
}

/// Keeps the named clips, in the given order; all clips if no name is given.
fn keep_clips(model: &mut Model, names: &[String]) -> Result<(), String> {
    if names.is_empty() {
        return Ok(());
    }
    let mut kept = Vec::with_capacity(names.len());
    for name in names {
        let found = model.find_clip(name).and_then(|id| model.clips.get(id));
        let Some(clip) = found else {
            let known = text_of::names(model.clips.iter().map(|clip| text_of::name(&clip.name)));
            return Err(format!("there is no clip {name:?}; the clips of the model are: {known}"));
        };
        kept.push(clip.clone());
    }
    model.clips = kept.into();
    Ok(())
}

/// Writes all parts, after all of them were encoded.
fn written(
    packing: &Packing,
    format: &Format,
    path: &Path,
    opener: &Opener,
) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for (number, part) in packing.parts.iter().enumerate() {
        let number = (packing.parts.len() > 1).then_some(number);
        let target = target(path, number);
        check_target(&target, true, opener.inputs())?;
        let made = write(&part.model, format, &WriteOptions::default(), &Report::new());
        let made = made.map_err(|error| at_path(error, path))?;
        for file in made.into_iter().filter(|file| file.place == OutputPlace::Main) {
            files.push((target.clone(), file.bytes));
        }
    }
    let outputs: Vec<OutputFile<'_>> = (files.iter())
        .map(|(path, bytes)| OutputFile { path: path.clone(), bytes, may_replace: true })
        .collect();
    save_set(&outputs, opener.inputs())?;
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

/// `name.bsm2` next to `name.fbx`, or `name.0.bsm2` for a part.
fn target(input: &Path, part: Option<usize>) -> PathBuf {
    let mut name = input.file_stem().unwrap_or_default().to_owned();
    if let Some(part) = part {
        name.push(format!(".{part}"));
    }
    name.push(format!(".{FORMAT}"));
    input.with_file_name(name)
}
