//! The Light menu: one command per choice in [`rigscope_core::visual::Light`], then those of
//! `light_steps`.

use super::light_steps;
use super::row::{Command, CommandInfo};
use rigscope_core::visual::LightChoice;

/// The commands for the values of one choice.
macro_rules! choices {
    ($name:ident: $choice:ident of $kind:ident { $($value:ident),+ }) => {
        const $name: &[Command] = {
            use rigscope_core::visual::$kind;
            &[$({
                const ROW: &CommandInfo =
                    &CommandInfo::of_light(LightChoice::$choice($kind::$value));
                Command(ROW)
            }),+]
        };
    };
}

choices! { SHADING_ROWS: Shading of Shading { Plain, Physical, Sdk } }
choices! { ENVIRONMENT_ROWS: Environment of EnvironmentKind { File, Studio, Sunset, Neutral } }
choices! { TONE_MAPPING_ROWS: ToneMapping of ToneMapping { Off, Agx, Neutral } }
choices! { BACKDROP_ROWS: Backdrop of Backdrop { Off, Blurred, Sharp } }

impl Command {
    /// The commands for shading models, environments, backdrops and tone mappings.
    pub fn light_rows() -> [&'static [Self]; 4] {
        [SHADING_ROWS, ENVIRONMENT_ROWS, BACKDROP_ROWS, TONE_MAPPING_ROWS]
    }
}

pub(super) const MENU: super::Menu = super::Menu {
    name: "Light",
    groups: &[
        &[light_steps::MENU.groups[0][0], SHADING_ROWS],
        &[ENVIRONMENT_ROWS, light_steps::MENU.groups[2][0], light_steps::MENU.groups[2][1]],
        &[BACKDROP_ROWS],
        &[TONE_MAPPING_ROWS],
        light_steps::MENU.groups[1],
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::visual::{BACKDROPS, ENVIRONMENTS, SHADINGS, TONE_MAPPINGS};

    #[test]
    fn every_light_option_has_a_command() {
        let rows = [SHADING_ROWS, ENVIRONMENT_ROWS, TONE_MAPPING_ROWS, BACKDROP_ROWS];
        let nums = [SHADINGS.len(), ENVIRONMENTS.len(), TONE_MAPPINGS.len(), BACKDROPS.len()];
        assert_eq!(rows.map(<[Command]>::len), nums);
    }
}
