//! How a picture is lit.

use clap::Args;

use super::values;
use crate::visual::{
    BACKDROPS, Backdrop, Choice, SHADINGS, SURROUNDINGS, Shading, Surroundings, TONE_MAPPINGS,
    ToneMapping,
};
#[cfg(feature = "gpu")]
use crate::{model::Model, visual::Light};

/// How materials are lit.
#[derive(Debug, Args)]
pub struct LightArgs {
    /// By what formula materials are lit; physical where the file brings light of its own, else plain
    #[arg(long, value_name = "WORD", value_parser = Shading::parse,
          long_help = help("By what formula materials are lit; physical where the file brings light of its own, else plain", SHADINGS))]
    pub shading: Option<Shading>,
    /// What lights them, with --shading=physical or sdk
    #[arg(long, value_name = "WORD", value_parser = Surroundings::parse,
          long_help = help("What lights materials, with --shading=physical or sdk", SURROUNDINGS))]
    pub surroundings: Option<Surroundings>,
    /// Whether the surroundings are seen behind the model
    #[arg(long, value_name = "WORD", value_parser = Backdrop::parse,
          long_help = help("Whether the surroundings are seen behind the model", BACKDROPS))]
    pub backdrop: Option<Backdrop>,
    /// How light becomes colours of a screen, with --shading=physical
    #[arg(long, value_name = "WORD", value_parser = ToneMapping::parse,
          long_help = help("How light becomes colours of a screen, with --shading=physical", TONE_MAPPINGS))]
    pub tone_mapping: Option<ToneMapping>,
    /// Stops of exposure, with --shading=physical: 1 doubles all light
    #[arg(long, value_name = "STOPS", value_parser = values::stops, allow_hyphen_values = true)]
    pub exposure: Option<i16>,
    /// Strength of the surroundings in percent
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u16).range(0..=10_000))]
    pub light_intensity: Option<u16>,
    /// Degrees that the surroundings are turned about the vertical axis
    #[arg(long, value_name = "DEGREES", value_parser = clap::value_parser!(i16).range(-360..=360),
          allow_hyphen_values = true)]
    pub light_turn: Option<i16>,
}

impl LightArgs {
    #[cfg(feature = "gpu")]
    /// What is said, over what is usual; `model` is lit as an engine does where it brings its own light.
    pub(super) fn light(&self, model: &Model) -> Light {
        let usual = match model.environment {
            Some(_) => Light::USUAL,
            None => Light::PLAIN,
        };
        Light {
            shading: self.shading.unwrap_or(usual.shading),
            surroundings: self.surroundings.unwrap_or(usual.surroundings),
            backdrop: self.backdrop.unwrap_or(usual.backdrop),
            tone_mapping: self.tone_mapping.unwrap_or(usual.tone_mapping),
            exposure_centistops: self.exposure.unwrap_or(usual.exposure_centistops),
            intensity_percent: self.light_intensity.unwrap_or(usual.intensity_percent),
            turn_degrees: self.light_turn.unwrap_or(usual.turn_degrees),
        }
    }
}

/// What each word means.
fn help<T>(first: &str, choices: &[Choice<T>]) -> String {
    let lines: String =
        choices.iter().map(|choice| format!("\n- {}: {}", choice.word, choice.help)).collect();
    format!("{first}\n{lines}")
}
