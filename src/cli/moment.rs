//! From `--clip`, `--time`, `--key`, `--sampling` and `--normals` to a pose.

use std::path::Path;

use super::PoseArgs;
use super::exit::at_path;
use super::output::Output;
use crate::model::{ClipId, Model, NoteKind, Severity, shown};
use crate::pose::{Moment, PoseSpec};

/// An unknown clip is answered with this many of those there are.
const MAX_LISTED: usize = 32;

/// The pose that the arguments ask of `model`; what is ignored or unusual is reported on stderr.
///
/// `is_sequence`: the times are those of a sequence, which are not in the arguments.
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
    let moment = match (args.time, args.key) {
        (Some(time_secs), _) => Moment::TimeSecs(time_secs),
        (None, Some(key)) => Moment::Key(key),
        (None, None) => Moment::Default,
    };
    let spec = PoseSpec {
        clip,
        moment,
        sampling: args.sampling.into(),
        normals: args.normals.into(),
        ..PoseSpec::default()
    };
    let tell = |kind: NoteKind| {
        let text = format!("{}: {}", kind.info().meaning, path.display());
        output.note(Severity::Info, &text);
    };
    let asks_for_time = is_sequence || moment != Moment::Default;
    let clip = spec.clip_of(model);
    let is_bind_pair = clip.and_then(|clip| clip.as_sampled()).is_some_and(|m| m.is_bind_pair);
    if clip.is_none() && asks_for_time {
        tell(NoteKind::TimeIgnored);
    } else if is_bind_pair && moment == Moment::Default {
        tell(NoteKind::BindPair);
    }
    Ok(spec)
}

fn find_clip(name: &str, model: &Model) -> Result<ClipId, String> {
    model.find_clip(name).ok_or_else(|| {
        if model.clips.is_empty() {
            return format!("no clip {name:?}; the file has none");
        }
        let clips = model.clips.iter().take(MAX_LISTED).enumerate();
        let known: Vec<_> = clips
            .map(|(number, clip)| format!("{:?} ({number})", shown::name(&clip.name)))
            .collect();
        let more = match model.clips.len() > MAX_LISTED {
            true => ", ...",
            false => "",
        };
        format!("no clip {name:?}; there are {}{more}", known.join(", "))
    })
}
