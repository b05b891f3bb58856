//! Resolves `--clip`, `--time`, `--key`, `--sampling` and `--normals` to a pose.

use std::path::Path;

use super::blend_args::with_second_clip;
use super::bone_selection::find_bone;
use super::exit::at_path;
use super::output::Output;
use super::{PoseArg, PoseArgs};
use rigscope_core::model::{ClipId, FindingKind, Model, Severity, display_text};
use rigscope_core::pose::{Moment, PoseSpec, SecondClip, has_bind_pose, has_rest_pose};

/// Clip names listed in the error about an unknown clip.
const MAX_LISTED: usize = 32;

/// The pose of `model` that the arguments select. Prints a message if an argument is ignored.
///
/// `is_sequence`: the times come from a sequence of images, not from the arguments.
pub(super) fn pose_spec(
    args: &PoseArgs,
    is_sequence: bool,
    model: &Model,
    path: &Path,
    output: &Output,
) -> anyhow::Result<PoseSpec> {
    let clip = match &args.clip {
        Some(name) => Some(find_clip(name, model).map_err(|text| at_path(text, path))?),
        None => None,
    };
    if args.pose != PoseArg::Clip {
        still_pose(args, is_sequence, model).map_err(|text| at_path(text, path))?;
    }
    let moment = match (args.pose, args.time, args.key) {
        (PoseArg::Rest, ..) => Moment::Rest,
        (PoseArg::Bind, ..) => Moment::Bind,
        (PoseArg::Clip, Some(time_secs), _) => Moment::TimeSecs(time_secs),
        (PoseArg::Clip, None, Some(key)) => Moment::Key(key),
        (PoseArg::Clip, None, None) => Moment::Default,
    };
    let spec = PoseSpec {
        clip,
        moment,
        sampling: args.sampling.into(),
        normals: args.normals.into(),
        ..PoseSpec::default()
    };
    let second = second_clip(args, &spec, model, path)?;
    let spec = match (second, spec.clip_of(model)) {
        // The pose that a format shows first isn't blended.
        (Some(_), Some(clip)) if moment == Moment::Default => {
            PoseSpec { moment: Moment::TimeSecs(clip.start_secs), ..spec }
        }
        _ => spec,
    };
    let spec = with_second_clip(spec, second.as_ref(), model);
    let moment = spec.moment;
    let report = |kind: FindingKind| {
        let text = format!("{}; {}", kind.info().meaning, kind.info().consequence);
        output.report_at(Severity::Info, path, &text);
    };
    report_clamping(&spec, model, path, output);
    let asks_for_time = is_sequence || matches!(moment, Moment::TimeSecs(_) | Moment::Key(_));
    let clip = spec.clip_of(model);
    let is_bind_pair = clip.and_then(|clip| clip.as_sampled()).is_some_and(|m| m.is_bind_pair);
    if clip.is_none() && asks_for_time {
        report(FindingKind::TimeIgnored);
    } else if is_bind_pair && moment == Moment::Default {
        report(FindingKind::BindPair);
    }
    Ok(spec)
}

/// The second clip that the arguments select for a pose.
pub(super) fn second_clip(
    args: &PoseArgs,
    spec: &PoseSpec,
    model: &Model,
    path: &Path,
) -> anyhow::Result<Option<SecondClip>> {
    let clip = |name: &str| find_clip(name, model);
    let bone = |name: &str| find_bone(model, name).map_err(|error| error.to_string());
    args.blend.second_clip(model, spec, clip, bone).map_err(|text| at_path(text, path))
}

/// Prints a warning about a time or key that the clip doesn't have.
pub(super) fn report_clamping(spec: &PoseSpec, model: &Model, path: &Path, output: &Output) {
    if let Some(text) = spec.clamping(model) {
        output.report_at(Severity::Warning, path, &text);
    }
}

/// Rejects the rest or bind pose if the file doesn't store it, or together with arguments about a clip.
fn still_pose(args: &PoseArgs, is_sequence: bool, model: &Model) -> Result<(), String> {
    let (name, is_stored) = match args.pose {
        PoseArg::Bind => ("bind", has_bind_pose(model)),
        _ => ("rest", has_rest_pose(model)),
    };
    if !is_stored {
        return Err(format!("the file doesn't store a {name} pose; leave out --pose {name}"));
    }
    let about_clip = [
        (args.clip.is_some(), "--clip"),
        (args.time.is_some(), "--time"),
        (args.key.is_some(), "--key"),
        (args.blend.blend.is_some(), "--blend"),
        (is_sequence, "--frames"),
    ];
    match about_clip.iter().find(|(is_given, _)| *is_given) {
        Some((_, word)) => Err(format!("--pose {name} doesn't belong to a clip; leave out {word}")),
        None => Ok(()),
    }
}

pub(super) fn find_clip(name: &str, model: &Model) -> Result<ClipId, String> {
    model.find_clip(name).ok_or_else(|| {
        if model.clips.is_empty() {
            return format!("there is no clip {name:?}; the model has no clips");
        }
        let clips = model.clips.iter().take(MAX_LISTED).enumerate();
        let known: Vec<_> = clips
            .map(|(number, clip)| format!("{:?} ({number})", display_text::name(&clip.name)))
            .collect();
        let more = if model.clips.len() > MAX_LISTED { " …" } else { "" };
        format!("there is no clip {name:?}; the model has {}{more}", known.join(", "))
    })
}
