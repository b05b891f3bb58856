//! `fit`: which clips play on which models.

mod html;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::exit::{Exit, at_path};
use crate::lines::Lines;
use crate::output::Output;
use crate::standard_output::check_target;
use crate::table::{Align, Table};
use crate::text::path as printed;
use crate::{OptionArgs, bone_map, input, timings};
use rigscope_core::model::numbers::{degrees, percent};
use rigscope_core::model::{BoneId, ClipId, Model, Motion, Report};
use rigscope_core::pose::transfer::{RetargetOptions, matching, retarget_clips, retarget_quality};
use rigscope_core::rig::pair_bones;
use rigscope_io::OpenOptions;
use rigscope_io::files::{path_text, save};
use rigscope_io::open::Document;

/// `fit`.
#[derive(Debug, Args)]
pub struct FitArgs {
    /// Files with models or clips, or both
    #[arg(required = true, num_args = 2..)]
    pub files: Vec<PathBuf>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// Also write the table to this file as a page
    #[arg(long, value_name = "HTML")]
    pub html: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "html")]
    pub force: bool,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

/// Bone lengths agree if this share of them does.
const SAME_LENGTHS: f32 = 0.95;

/// How the clips of a file play on a model.
enum Fit {
    /// The bones have the same names and lengths.
    AsTheyAre { num_bones: usize },
    /// On the skeleton of the model, they are as good as this.
    Retargeted { num_bones: usize, num_moved: usize, worst_rad: f32, slide: Option<f32> },
    /// Not at all.
    No { why: String },
}

pub(super) fn run(args: &FitArgs, output: &Output) -> anyhow::Result<Exit> {
    let opener = input::opener(&args.input.0)?.with_inputs(&args.files);
    if let Some(html) = &args.html {
        check_target(html, args.force, opener.inputs())?;
    }
    let mut documents = Vec::new();
    for path in &args.files {
        documents.push((path, input::open_and_report(&opener, path, output)?));
    }
    let is_model = |document: &Document| document.model.num_vertices() > 0;
    let has_clips = |document: &Document| !document.model.clips.is_empty();
    let models: Vec<_> = documents.iter().filter(|(_, own)| is_model(own)).collect();
    let clips: Vec<_> = documents.iter().filter(|(_, own)| has_clips(own)).collect();
    if models.is_empty() || clips.is_empty() {
        let missing = if models.is_empty() { "a mesh" } else { "a clip" };
        anyhow::bail!("none of the files has {missing}");
    }
    timings::at("retargeting");
    let mut rows = Vec::new();
    for (model_path, model) in &models {
        for (clip_path, clip) in clips.iter().filter(|(path, _)| path != model_path) {
            output.progress(|| format!("{} on {}", path_text(clip_path), path_text(model_path)));
            let (options, files) = (&args.input.0, [&***clip_path, &***model_path]);
            let models = [&clip.model, &model.model];
            let given = bone_map::given(options, models, files, opener.inputs(), output)?;
            rows.push((*model_path, *clip_path, fit(&clip.model, &model.model, &given)));
        }
    }
    output.clear_progress();
    timings::at("printing");
    if let Some(path) = &args.html {
        let page = html::page(&rows);
        let saved = save(path, page.as_bytes(), args.force, opener.inputs());
        saved.map_err(|error| at_path(error, path))?;
    }
    if args.json {
        output.print_json(&as_json(&rows))?;
    } else {
        output.print_lines(&as_text(&rows))?;
    }
    let fails = rows.iter().any(|(.., fit)| matches!(fit, Fit::No { .. }));
    Ok(if fails { Exit::Findings } else { Exit::Done })
}

/// The bones that any clip moves, without helpers of the file.
fn moved(model: &Model) -> Vec<bool> {
    let mut moved = vec![false; model.skeleton.len()];
    for clip in &model.clips {
        match &clip.motion {
            Motion::Tracks(tracks) => {
                for track in tracks {
                    if let Some(flag) = moved.get_mut(track.bone.index()) {
                        *flag = true;
                    }
                }
            }
            Motion::VertexAnimation(_) => {}
            Motion::Sampled(_) | Motion::Curves(_) => moved.fill(true),
        }
    }
    // Cameras and the like aren't expected in another model.
    for (flag, bone) in moved.iter_mut().zip(model.skeleton.bones().iter()) {
        *flag &= !bone.is_helper();
    }
    moved
}

fn fit(clips: &Model, model: &Model, given: &[(BoneId, Option<BoneId>)]) -> Fit {
    let is_moved = moved(clips);
    let num_moved = is_moved.iter().filter(|moved| **moved).count();
    if num_moved == 0 {
        return Fit::No { why: "its clips move no bones".to_owned() };
    }
    let by_name = matching(clips, model);
    let names = by_name.bones.iter().zip(&is_moved).filter(|(_, moved)| **moved);
    let is_same = !by_name.is_by_order
        && names.clone().all(|(own, _)| own.is_some())
        && by_name.has_same_parents != Some(false)
        && by_name.fit.is_none_or(|fit| fit >= SAME_LENGTHS);
    if is_same && given.is_empty() {
        return Fit::AsTheyAre { num_bones: num_moved };
    }
    let pairs = pair_bones(clips, model, given);
    let bones = pairs.to_of_from(clips.skeleton.len());
    let mut own = Model { skeleton: model.skeleton.clone(), axes: model.axes, ..Model::default() };
    let report = Report::new();
    let done =
        retarget_clips(&mut own, clips, bones.clone(), RetargetOptions::default(), "clip", &report);
    if let Err(why) = done {
        return Fit::No { why };
    }
    let num_bones = bones.iter().zip(&is_moved).filter(|(own, moved)| own.is_some() && **moved);
    let qualities: Vec<_> = (0..own.clips.len().min(clips.clips.len()))
        .map(ClipId::from_index)
        .filter_map(|clip| retarget_quality(clips, clip, &own, clip, &bones))
        .collect();
    let worst = qualities.iter().filter_map(|own| own.worst).map(|own| own.angle_rad);
    let feet = qualities.iter().flat_map(|own| &own.feet);
    Fit::Retargeted {
        num_bones: num_bones.count(),
        num_moved,
        worst_rad: worst.fold(0.0, f32::max),
        slide: feet.map(|foot| (foot.slide - foot.source_slide).max(0.0)).reduce(f32::max),
    }
}

/// Whether so many of the moved bones have no counterpart that the motion isn't the same any more.
fn is_partial(num_bones: usize, num_moved: usize) -> bool {
    num_bones * 3 < num_moved * 2
}

type Row<'a> = (&'a PathBuf, &'a PathBuf, Fit);

impl Fit {
    /// The result in JSON.
    fn result(&self) -> &'static str {
        match self {
            Self::AsTheyAre { .. } => "as-is",
            Self::Retargeted { num_bones, num_moved, .. } if is_partial(*num_bones, *num_moved) => {
                "partial"
            }
            Self::Retargeted { .. } => "retargeted",
            Self::No { .. } => "no",
        }
    }

    fn text(&self) -> String {
        match self {
            Self::AsTheyAre { num_bones } => {
                format!("plays as it is: {num_bones} bones of the same names and lengths")
            }
            Self::Retargeted { num_bones, num_moved, worst_rad, slide } => {
                let angle = degrees(f64::from(worst_rad.to_degrees()));
                let plays = if is_partial(*num_bones, *num_moved) {
                    "plays only in part after retargeting"
                } else {
                    "plays after retargeting"
                };
                let slide = slide.map_or_else(String::new, |slide| {
                    format!(", feet slide {} of the leg more", percent(slide))
                });
                format!("{plays}: {num_bones} of {num_moved} bones, at most {angle} off{slide}")
            }
            Self::No { why } => format!("doesn't play: {why}"),
        }
    }
}

fn as_text(rows: &[Row<'_>]) -> Lines {
    let mut table = Table::new([Align::Left; 3]);
    table.row(["model", "clips", "result"].map(str::to_owned));
    for (model, clips, fit) in rows {
        table.row([printed(model).to_string(), printed(clips).to_string(), fit.text()]);
    }
    let mut lines = Lines::default();
    lines.extend(table.lines());
    lines
}

fn as_json(rows: &[Row<'_>]) -> FitJson {
    let row = |(model, clips, fit): &Row<'_>| {
        let empty = FitRow {
            model: path_text(model),
            clips: path_text(clips),
            result: fit.result(),
            bones: None,
            moved_bones: None,
            worst_angle_deg: None,
            extra_slide: None,
            why: None,
        };
        match fit {
            Fit::AsTheyAre { num_bones } => {
                FitRow { bones: Some(*num_bones), moved_bones: Some(*num_bones), ..empty }
            }
            Fit::Retargeted { num_bones, num_moved, worst_rad, slide } => FitRow {
                bones: Some(*num_bones),
                moved_bones: Some(*num_moved),
                worst_angle_deg: Some(worst_rad.to_degrees()),
                extra_slide: *slide,
                ..empty
            },
            Fit::No { why } => FitRow { why: Some(why.clone()), ..empty },
        }
    };
    FitJson { schema: "rigscope.fit/1", rows: rows.iter().map(row).collect() }
}

/// `fit --json`. Keys and their order are a contract.
#[derive(Debug, Serialize)]
struct FitJson {
    schema: &'static str,
    rows: Vec<FitRow>,
}

#[derive(Debug, Serialize)]
struct FitRow {
    model: String,
    clips: String,
    /// `as-is`, `retargeted`, `partial` (fewer than two thirds of the moved bones) or `no`.
    result: &'static str,
    /// Bones that the clips move and that the model has.
    bones: Option<usize>,
    moved_bones: Option<usize>,
    worst_angle_deg: Option<f32>,
    /// A fraction of the leg; null without feet.
    extra_slide: Option<f32>,
    /// Why the clips don't play.
    why: Option<String>,
}
