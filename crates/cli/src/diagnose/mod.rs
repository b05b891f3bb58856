//! `diagnose`: finds out why a file is wrong, and names the cause.

mod args;
#[cfg(feature = "gpu")]
mod image;
mod json;
mod text;

use std::path::PathBuf;

pub use args::DiagnoseArgs;
#[cfg(feature = "gpu")]
use image::before_and_after;

use super::exit::{Exit, at_path};
use super::output::Output;
use super::standard_output::check_target;
#[cfg(not(feature = "gpu"))]
use super::without_gpu::before_and_after;
use super::{input, timings};
use rigscope_core::diagnose::{CauseId, Context, Diagnosis, diagnose};
use rigscope_core::model::{Cancelled, Severity};
use rigscope_io::files::{path_text, save};
use rigscope_io::open::neighbours;

pub(super) fn run(args: &DiagnoseArgs, output: &Output) -> anyhow::Result<Exit> {
    let is_png = |path: &PathBuf| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png"));
    if let Some(path) = args.image.as_ref().filter(|path| !is_png(path)) {
        return Err(at_path("the name of the image must end in .png", path));
    }
    let reference = args.source.as_ref().or(args.good.as_ref());
    let opener = input::opener(&args.input.0)?.with_images();
    let opener = opener.with_inputs(std::iter::once(&args.file).chain(reference));
    let inputs = opener.inputs();
    if let Some(path) = &args.image {
        check_target(path, args.force, inputs)?;
    }
    let file = input::open_and_report(&opener, &args.file, output)?;
    let reference =
        reference.map(|path| input::open_and_report(&opener, path, output)).transpose()?;
    timings::at("diagnosing");
    let neighbours = neighbours(&opener, &args.file, &file.model, None);
    let context =
        Context { reference: reference.as_ref().map(|file| &file.model), neighbours: &neighbours };
    let found = diagnose(&file.model, context, &timings::report());
    let diagnosis = found.map_err(|Cancelled| anyhow::anyhow!("cancelled"))?;
    timings::at("printing");
    if args.json {
        output.print_json(&as_json(args, &diagnosis))?;
    } else {
        output.print_lines(&text::of(args, &diagnosis, output.paint()))?;
    }
    if let Some(path) = &args.image {
        if diagnosis.causes.is_empty() {
            output.report_at(Severity::Info, path, "not written, because no cause was found");
        } else {
            save(path, &before_and_after(&diagnosis, path)?, args.force, inputs)?;
        }
    }
    let is_sound = diagnosis.causes.is_empty() && diagnosis.unexplained.is_none();
    Ok(if is_sound { Exit::Done } else { Exit::Findings })
}

fn as_json(args: &DiagnoseArgs, diagnosis: &Diagnosis) -> json::Diagnosis {
    let causes = diagnosis.causes.iter().enumerate().map(|(at, cause)| json::Cause {
        cause: cause.info.name,
        certainty: cause.certainty(),
        evidence: std::iter::once(&(cause.evidence, cause.values))
            .chain(&cause.also)
            .map(|(evidence, [before, after])| json::Evidence {
                name: evidence.name,
                meaning: evidence.meaning,
                before: finite(*before),
                after: finite(*after),
                unit: evidence.unit,
            })
            .collect(),
        message: cause.statement(),
        fix: json::CauseFix {
            command: (!cause.is_estimate).then(|| text::fix_command(args, cause)),
            exporter: cause.info.fix,
        },
        guess: diagnosis.is_guess(CauseId { cause: at, rival: None }),
        explains: cause.info.explains,
        rivals: cause.rivals.iter().map(|rival| rival.info.name).collect(),
    });
    let tried = diagnosis.tried.iter().map(|tried| json::TriedCause {
        cause: tried.info.name,
        evidence: tried.evidence.name,
        before: finite(tried.values[0]),
        after: finite(tried.values[1]),
    });
    let measured = diagnosis.measured.iter().map(|measured| json::MeasuredEvidence {
        name: measured.evidence.name,
        meaning: measured.evidence.meaning,
        value: finite(measured.worst),
        unit: measured.evidence.unit,
        suspicious: measured.is_suspicious,
    });
    let unexplained = diagnosis.unexplained_text().map(|message| {
        let pieces = diagnosis.unexplained.iter().flat_map(|own| &own.pieces);
        let pieces = pieces.map(|own| json::PieceDifference {
            piece: own.piece.name,
            message: own.text(),
            places: own.num,
            command: text::take_command(args, own.piece),
        });
        json::Unexplained { message, pieces: pieces.collect() }
    });
    json::Diagnosis {
        schema: "rigscope.diagnose/1",
        file: path_text(&args.file),
        causes: causes.collect(),
        tried: tried.collect(),
        measured: measured.collect(),
        unexplained,
    }
}

/// JSON has no infinity.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
