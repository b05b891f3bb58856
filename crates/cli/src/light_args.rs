//! Lighting options of `render`.

use std::path::PathBuf;

use clap::Args;

use super::values;
use rigscope_core::visual::{
    BACKDROPS, Backdrop, Choice, ENVIRONMENTS, EnvironmentKind, SHADINGS, Shading, TONE_MAPPINGS,
    ToneMapping,
};
#[cfg(feature = "gpu")]
use rigscope_core::{model::Model, visual::Light};
#[cfg(feature = "gpu")]
use std::path::Path;

/// Lighting options.
#[derive(Debug, Default, Args)]
pub struct LightArgs {
    /// The lighting model; by default physical if the file contains an environment, and plain if not
    #[arg(long, value_name = "NAME", value_parser = Shading::parse,
          long_help = help("The lighting model; by default physical if the file contains an environment, and plain if not", SHADINGS))]
    pub shading: Option<Shading>,
    /// The environment for --shading=physical and sdk: a name or an image (HDR, EXR, KTX, KTX2); by default file
    #[arg(long, value_name = "NAME|FILE", value_parser = environment, long_help = environment_help())]
    pub environment: Option<EnvironmentArg>,
    /// Whether the environment is visible behind the model; by default none
    #[arg(long, value_name = "NAME", value_parser = Backdrop::parse,
          long_help = help("Whether the environment is visible behind the model; by default none", BACKDROPS))]
    pub backdrop: Option<Backdrop>,
    /// Tone mapping for --shading=physical; by default neutral
    #[arg(long, value_name = "NAME", value_parser = ToneMapping::parse,
          long_help = help("Tone mapping for --shading=physical; by default neutral", TONE_MAPPINGS))]
    pub tone_mapping: Option<ToneMapping>,
    /// Exposure in stops for --shading=physical; each stop doubles the brightness; by default 0
    #[arg(long, value_name = "STOPS", value_parser = values::stops, allow_hyphen_values = true)]
    pub exposure: Option<i16>,
    /// Strength of the environment in percent; by default 100
    #[arg(long, value_name = "PERCENT", value_parser = values::percent)]
    pub light_intensity: Option<u16>,
    /// Rotation of the environment about the vertical axis, in degrees anticlockwise from above; by default 0
    #[arg(long, value_name = "DEGREES", value_parser = values::whole_degrees,
          allow_hyphen_values = true)]
    pub light_turn: Option<i16>,
}

impl LightArgs {
    #[cfg(feature = "gpu")]
    /// The arguments, with defaults that depend on whether `model` has an environment.
    pub(super) fn light(&self, model: &Model) -> Light {
        let usual = match model.environment {
            Some(_) => Light::USUAL,
            None => Light::PLAIN,
        };
        Light {
            shading: self.shading.unwrap_or(usual.shading),
            environment: match &self.environment {
                Some(EnvironmentArg::Kind(kind)) => *kind,
                // This file replaces the environment of the model.
                Some(EnvironmentArg::File(_)) => EnvironmentKind::File,
                None => usual.environment,
            },
            backdrop: self.backdrop.unwrap_or(usual.backdrop),
            tone_mapping: self.tone_mapping.unwrap_or(usual.tone_mapping),
            exposure_centistops: self.exposure.unwrap_or(usual.exposure_centistops),
            intensity_percent: self.light_intensity.unwrap_or(usual.intensity_percent),
            turn_degrees: self.light_turn.unwrap_or(usual.turn_degrees),
        }
    }
}

/// The source of light.
#[derive(Clone, Debug)]
pub enum EnvironmentArg {
    /// A built-in environment.
    Kind(EnvironmentKind),
    /// An image file.
    File(PathBuf),
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the signature of a clap parser; any other text is a path"
)]
fn environment(text: &str) -> Result<EnvironmentArg, String> {
    let file = |_| EnvironmentArg::File(PathBuf::from(text));
    Ok(EnvironmentKind::parse(text).map_or_else(file, EnvironmentArg::Kind))
}

fn environment_help() -> String {
    let words =
        help("The environment for --shading=physical and sdk; by default file", ENVIRONMENTS);
    format!(
        "{words}\n- the path of an image: HDR, EXR, KTX or KTX2; a cubemap, or an equirectangular panorama, twice \
        as wide as high"
    )
}

impl LightArgs {
    /// The environment image, if a file was given.
    #[cfg(feature = "gpu")]
    pub(super) fn environment_file(&self) -> Option<&Path> {
        match &self.environment {
            Some(EnvironmentArg::File(path)) => Some(path),
            _ => None,
        }
    }
}

/// `first`, and the description of each choice.
fn help<T>(first: &str, choices: &[Choice<T>]) -> String {
    let lines: String =
        choices.iter().map(|choice| format!("\n- {}: {}", choice.word, choice.help)).collect();
    format!("{first}\n{lines}")
}
