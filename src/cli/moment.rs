//! From `--clip`, `--time`, `--key` and `--sampling` to a pose.

use std::path::Path;

use super::PoseArgs;
use super::exit::at_path;
use super::output::Output;
use crate::model::{ClipId, Model, NoteKind, Severity};
use crate::pose::{Moment, PoseSpec};

/// An unknown clip is answered with this many of those there are.
const MAX_LISTED: usize = 32;

/// The pose that the arguments ask of `model`; what is ignored or unusual is told on stderr.
pub(super) fn pose_spec(
    args: &PoseArgs,
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
    };
    let tell = |kind: NoteKind| {
        let text = format!("{}: {}", kind.info().meaning, path.display());
        output.note(Severity::Info, &text);
    };
    match (moment, spec.clip_of(model)) {
        (Moment::Default, Some(clip)) => {
            if clip.as_sampled().is_some_and(|motion| motion.is_bind_pair) {
                tell(NoteKind::BindPair);
            }
        }
        (Moment::Default, None) => {}
        (_, None) => tell(NoteKind::TimeIgnored),
        (_, Some(_)) => {}
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
            .map(|(number, clip)| format!("{:?} ({number})", clip.name))
            .collect();
        let more = match model.clips.len() > MAX_LISTED {
            true => ", ...",
            false => "",
        };
        format!("no clip {name:?}; there are {}{more}", known.join(", "))
    })
}
