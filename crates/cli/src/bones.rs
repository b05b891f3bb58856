//! `bones`: which bone of one file corresponds to which bone of another.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::exit::Exit;
use super::lines::Lines;
use super::output::Output;
use super::table::{Align, Table};
use super::text::path as printed;
use super::{OptionArgs, bone_map, input, timings};
use rigscope_core::model::{BoneId, Model};
use rigscope_core::rig::{BodyBones, BodyPart, BonePairs, pair_bones};
use rigscope_io::OpenOptions;
use rigscope_io::files::path_text;

/// `bones`.
#[derive(Debug, Args)]
pub struct BonesArgs {
    /// The file with the clips, or any file with bones
    pub from: PathBuf,
    /// The file whose bones should follow
    pub to: PathBuf,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

pub(super) fn run(args: &BonesArgs, output: &Output) -> anyhow::Result<Exit> {
    let paths = [&args.from, &args.to];
    let opener = input::opener(&args.input.0)?.with_inputs(paths);
    let from = input::open_and_report(&opener, &args.from, output)?;
    let to = input::open_and_report(&opener, &args.to, output)?;
    timings::at("matching");
    let models = [&from.model, &to.model];
    let files = [&*args.from, &*args.to];
    let given = bone_map::given(&args.input.0, models, files, opener.inputs(), output)?;
    let pairs = pair_bones(&from.model, &to.model, &given);
    timings::at("printing");
    if args.json {
        output.print_json(&as_json(args, models, &pairs))?;
    } else {
        output.print_lines(&as_text(args, models, &pairs))?;
    }
    Ok(if pairs.pairs.is_empty() { Exit::Findings } else { Exit::Done })
}

fn name(model: &Model, bone: BoneId) -> String {
    model.skeleton.display_name(bone)
}

fn as_text(args: &BonesArgs, models: [&Model; 2], pairs: &BonePairs) -> Lines {
    let mut lines = Lines::default();
    let [from, to] = [&args.from, &args.to].map(|path| printed(path).to_string());
    let num = pairs.pairs.len();
    let [num_from, num_to] = models.map(|model| model.skeleton.len());
    lines.push(format!(
        "{from} to {to}: {num} of {num_from} bones are paired with {num} of {num_to}"
    ));
    let mut table = Table::new([Align::Left; 3]);
    for pair in &pairs.pairs {
        let body = pairs.bodies[0].of_bone(pair.from).map(|body| format!(" ({})", body.text()));
        let reason = format!("{}{}", pair.reason.text(), body.unwrap_or_default());
        table.row([name(models[0], pair.from), name(models[1], pair.to), reason]);
    }
    lines.extend(table.lines().iter().map(|line| format!("  {line}")));
    for (names, path) in pairs.unpaired_names(models).iter().zip([&from, &to]) {
        if !names.is_empty() {
            lines.push(format!("  without a pair in {path}: {}", names.join(", ")));
        }
    }
    for ((body, model), file) in pairs.bodies.iter().zip(models).zip([&from, &to]) {
        lines.extend(head_text(body, model, file).map(|text| format!("  {text}")));
    }
    lines
}

/// A sentence about a body with several heads.
pub(super) fn head_text(body: &BodyBones, model: &Model, file: &str) -> Option<String> {
    let head = name(model, body.part(BodyPart::Head, None)?);
    let others = further_heads(body, model);
    let are = if others.len() == 1 { "isn't" } else { "aren't" };
    (!others.is_empty()).then(|| {
        format!("{file} has several heads: {head} is that of the body, {} {are}", others.join(", "))
    })
}

fn further_heads(body: &BodyBones, model: &Model) -> Vec<String> {
    body.further_heads.iter().map(|bone| name(model, *bone)).collect()
}

fn as_json(args: &BonesArgs, models: [&Model; 2], pairs: &BonePairs) -> Bones {
    let [unpaired_from, unpaired_to] = pairs.unpaired_names(models);
    Bones {
        schema: "rigscope.bones/1",
        from: path_text(&args.from),
        to: path_text(&args.to),
        pairs: pairs
            .pairs
            .iter()
            .map(|pair| Pair {
                from: name(models[0], pair.from),
                to: name(models[1], pair.to),
                from_bone: pair.from.0,
                to_bone: pair.to.0,
                reason: pair.reason.name(),
                certainty: pair.reason.certainty(),
                body: pairs.bodies[0].of_bone(pair.from).map(|body| body.text()),
            })
            .collect(),
        unpaired_from,
        unpaired_to,
        further_heads_from: further_heads(&pairs.bodies[0], models[0]),
        further_heads_to: further_heads(&pairs.bodies[1], models[1]),
    }
}

/// `bones --json`. Keys and their order are a contract.
#[derive(Debug, Serialize)]
struct Bones {
    schema: &'static str,
    from: String,
    to: String,
    pairs: Vec<Pair>,
    unpaired_from: Vec<String>,
    unpaired_to: Vec<String>,
    further_heads_from: Vec<String>,
    further_heads_to: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Pair {
    from: String,
    to: String,
    from_bone: u32,
    to_bone: u32,
    reason: &'static str,
    /// From 0 to 1.
    certainty: f32,
    /// The part of the body; null if it isn't known.
    body: Option<String>,
}
