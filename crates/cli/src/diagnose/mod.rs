//! `diagnose`: finds out why a file is wrong, and names the cause.

mod args;
#[cfg(feature = "gpu")]
mod image;
mod json;
mod text;
mod trial;

use std::path::PathBuf;

pub use args::DiagnoseArgs;
#[cfg(feature = "gpu")]
use image::before_and_after;

use self::trial::{Refusals, refusals};
use super::config::Configs;
use super::exit::{Exit, at_path};
use super::output::Output;
use super::standard_output::check_target;
#[cfg(not(feature = "gpu"))]
use super::without_gpu::before_and_after;
use super::{input, timings};
use rigscope_core::diagnose::{Cause, CauseId, Context, Diagnosis, ReferenceDifference, diagnose};
use rigscope_core::model::{Cancelled, Severity};
use rigscope_core::policy::ValidateOptions;
use rigscope_io::files::{Inputs, path_text, save};
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
    let mut diagnosis = found.map_err(|Cancelled| anyhow::anyhow!("cancelled"))?;
    timings::at("comparing");
    let unexplained = diagnosis.unexplained(&timings::report());
    let unexplained = unexplained.map_err(|Cancelled| anyhow::anyhow!("cancelled"))?;
    let options = options(args, inputs)?;
    let is_ignored = |cause: &mut Cause| !options.reports_cause(cause.info.name);
    let ignored: Vec<Cause> = diagnosis.causes.extract_if(.., is_ignored).collect();
    timings::at("trying fixes");
    let shown = Shown {
        args,
        refusals: refusals(&args.file, &opener, &file, context, &diagnosis),
        diagnosis,
        ignored: ignored.iter().map(|cause| cause.info.name).collect(),
        unexplained,
    };
    timings::at("printing");
    if args.json {
        output.print_json(&as_json(&shown))?;
    } else {
        output.print_lines(&text::of(&shown, output.paint()))?;
    }
    if let Some(path) = &args.image {
        if shown.diagnosis.causes.is_empty() {
            output.report_at(Severity::Info, path, "not written, because no cause was found");
        } else {
            save(path, &before_and_after(&shown.diagnosis, path)?, args.force, inputs)?;
        }
    }
    let is_sound = shown.diagnosis.causes.is_empty() && shown.unexplained.is_none();
    Ok(if is_sound { Exit::Done } else { Exit::Findings })
}

/// The results to print.
struct Shown<'a> {
    args: &'a DiagnoseArgs,
    /// Without the ignored causes.
    diagnosis: Diagnosis,
    ignored: Vec<&'static str>,
    refusals: Refusals,
    unexplained: Option<ReferenceDifference>,
}

/// The causes to ignore, by the arguments and the settings of the project.
fn options(args: &DiagnoseArgs, inputs: &Inputs) -> anyhow::Result<ValidateOptions> {
    let over = ValidateOptions {
        allow_causes: args.ignored_causes.clone(),
        deny_causes: args.reported_causes.clone(),
        ..ValidateOptions::default()
    };
    let config = Configs::new(args.config.as_deref(), inputs)?.of(&args.file)?;
    Ok(config.of(&args.file, &over).options)
}

fn as_json(
    Shown { args, diagnosis, ignored, refusals, unexplained }: &Shown<'_>,
) -> json::Diagnosis {
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
            command: refusals.reason(cause).is_none().then(|| text::fix_command(args, cause)),
            refused: refusals.reason(cause).map(str::to_owned),
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
    let unexplained = unexplained.as_ref().map(|found| {
        let pieces = found.pieces.iter().map(|own| json::PieceDifference {
            piece: own.piece.name,
            message: own.text(),
            places: own.num,
            command: text::take_command(args, own.piece),
        });
        json::Unexplained { message: found.text.clone(), pieces: pieces.collect() }
    });
    json::Diagnosis {
        schema: "rigscope.diagnose/1",
        file: path_text(&args.file),
        causes: causes.collect(),
        ignored: ignored.clone(),
        tried: tried.collect(),
        measured: measured.collect(),
        unexplained,
    }
}

/// JSON has no infinity.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
