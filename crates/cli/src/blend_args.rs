//! Options for a second clip, shared by `pose` and `render`.

use std::str::FromStr;

use clap::{Args, ValueEnum};

use super::values;
use rigscope_core::model::{BoneId, ClipId, Model, display_text};
use rigscope_core::pose::{
    ClipLayer, Fade, LayerMode, Moment, PoseSpec, SecondClip, clip_span_secs,
};

/// A second clip.
#[derive(Clone, Debug, Default, Args)]
pub struct BlendArgs {
    /// A second clip to combine with the first, by name or number
    #[arg(long, value_name = "CLIP")]
    pub blend: Option<String>,
    /// The weight of the second clip, from 0 to 1
    #[arg(long, value_name = "NUMBER", value_parser = values::share, requires = "blend")]
    pub blend_weight: Option<f32>,
    /// How the clips are combined
    #[arg(long, value_enum, requires = "blend")]
    pub blend_mode: Option<BlendModeArg>,
    /// Fade from the first clip to the second between these times of the first, in seconds. The second clip begins with the
    /// fade, and plays at its own speed; without this option, it is stretched to the length of the first
    #[arg(long, value_name = "START..END", requires = "blend")]
    pub fade: Option<FadeArg>,
    /// The time of the second clip whose pose `--blend-mode add` subtracts, in seconds; by default its start
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, requires = "blend", allow_negative_numbers = true)]
    pub blend_reference: Option<f64>,
    /// Apply the second clip only to this bone and those below it, given by name or number
    #[arg(long, value_name = "BONE", requires = "blend")]
    pub blend_mask: Option<String>,
}

/// How two clips are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum BlendModeArg {
    /// Blend from the first clip to the second
    #[default]
    Crossfade,
    /// Add the difference between the second clip's pose and its first one, or that at --blend-reference
    Add,
    /// Add the difference between the second clip's pose and the rest pose
    AddToRest,
}

impl From<BlendModeArg> for LayerMode {
    fn from(mode: BlendModeArg) -> Self {
        match mode {
            BlendModeArg::Crossfade => Self::Crossfade,
            BlendModeArg::Add => Self::AddToStart,
            BlendModeArg::AddToRest => Self::AddToRest,
        }
    }
}

/// Two times in seconds, as in `1.5..1.8`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FadeArg(Fade);

impl FromStr for FadeArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (start, end) = text.split_once("..").ok_or("write two times, as in 1.5..1.8")?;
        let (start_secs, end_secs) = (values::seconds(start)?, values::seconds(end)?);
        if end_secs < start_secs {
            return Err("the end is before the start".to_owned());
        }
        Ok(Self(Fade { start_secs, duration_secs: end_secs - start_secs }))
    }
}

impl BlendArgs {
    /// The second clip, for a pose of `model` without it.
    ///
    /// # Errors
    /// If the model lacks the clip or the bone, or if the clips can't be combined.
    pub(super) fn second_clip(
        &self,
        model: &Model,
        spec: &PoseSpec,
        find_clip: impl Fn(&str) -> Result<ClipId, String>,
        find_bone: impl Fn(&str) -> Result<BoneId, String>,
    ) -> Result<Option<SecondClip>, String> {
        let Some(name) = &self.blend else { return Ok(None) };
        let id = find_clip(name)?;
        let base = spec.clip_of(model);
        let (Some(base), Some(over)) = (base, model.clips.get(id)) else {
            return Err("--blend needs a clip to blend with, not the rest or bind pose".to_owned());
        };
        let names = || [over, base].map(|clip| display_text::name(&clip.name));
        if !ClipLayer::fits(base, over) {
            let [over, base] = names();
            return Err(format!(
                "{over:?} can't be blended with {base:?}: both clips need bone-local keys, or both baked skinning \
                 matrices"
            ));
        }
        let mask = self.blend_mask.as_deref().map(find_bone).transpose()?;
        if mask.is_some() && !ClipLayer::can_be_masked(over) {
            let [over, _] = names();
            return Err(format!(
                "{over:?} can't be limited to some bones, because its keys are baked skinning matrices"
            ));
        }
        let second = SecondClip::new(id, clip_span_secs(over), clip_span_secs(base));
        Ok(Some(SecondClip {
            weight: self.blend_weight.unwrap_or(1.0),
            mode: self.blend_mode.unwrap_or_default().into(),
            fade: self.fade.map(|fade| fade.0),
            reference_secs: self.blend_reference,
            mask,
            ..second
        }))
    }
}

/// The pose with the second clip at its moment. The pose that a format shows first isn't blended.
pub(super) fn with_second_clip(
    spec: PoseSpec,
    second: Option<&SecondClip>,
    model: &Model,
) -> PoseSpec {
    let time_secs = match (spec.moment, spec.clip_of(model)) {
        (Moment::TimeSecs(time_secs), _) => Some(time_secs),
        (Moment::Key(key), Some(clip)) => {
            Some(clip.start_secs + f64::from(key) * clip.frame_secs())
        }
        _ => None,
    };
    let layer = second.zip(time_secs).map(|(second, time_secs)| second.at(time_secs));
    PoseSpec { layer, ..spec }
}
