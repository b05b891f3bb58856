//! Lighting, which is part of the display options and therefore undone and saved with them.

use crate::{AppState, Request};
use rigscope_core::visual::{
    EXPOSURE_CENTISTOPS, Light, LightChoice, MAX_INTENSITY_PERCENT, SHADINGS, Shading,
};

impl AppState {
    /// Changes the light in the current document and in those opened later.
    pub(crate) fn change_light(&mut self, change: impl FnOnce(&mut Light)) -> Vec<Request> {
        let mut light = self.tab.view.overlays.light;
        change(&mut light);
        self.apply_light(light)
    }

    pub(crate) fn apply_light(&mut self, mut light: Light) -> Vec<Request> {
        let (least, most) = (*EXPOSURE_CENTISTOPS.start(), *EXPOSURE_CENTISTOPS.end());
        light.exposure_centistops = light.exposure_centistops.clamp(least, most);
        light.intensity_percent = light.intensity_percent.min(MAX_INTENSITY_PERCENT);
        // Half a turn is the same in both directions.
        light.turn_degrees = (light.turn_degrees + 180).rem_euclid(360) - 180;
        self.tab.view.overlays.light = light;
        self.save_overlays()
    }

    /// Makes a choice. Environments, backdrops and tone mapping need shading that uses them.
    pub(crate) fn choose_light(&mut self, choice: LightChoice) -> Vec<Request> {
        self.change_light(|light| {
            choice.set(light);
            if !matches!(choice, LightChoice::Shading(_)) && !light.is_from_environment() {
                light.shading = Shading::Physical;
            }
        })
    }

    /// Switches to the next shading model.
    pub(crate) fn next_shading(&mut self) -> Vec<Request> {
        let next = |shading: Shading| {
            let at = (shading as usize + 1) % SHADINGS.len();
            SHADINGS.get(at).map_or(shading, |choice| choice.value)
        };
        self.change_light(|light| light.shading = next(light.shading))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Action, Command};
    use rigscope_core::visual::Shading;

    #[test]
    fn light_is_clamped_undoable_and_saved() {
        let mut state = crate::tests::opened();
        let first = state.tab.view.overlays.light;
        state.apply(Action::Run(Command::NextShading));
        let next = state.tab.view.overlays.light;
        assert_ne!(first.shading, next.shading);
        assert_eq!(state.settings.overlays.light, next);
        state.apply(Action::Run(Command::Undo));
        assert_eq!(state.tab.view.overlays.light, first);
        state.apply(Action::SetLight(rigscope_core::visual::Light {
            shading: Shading::Physical,
            exposure_centistops: i16::MAX,
            intensity_percent: u16::MAX,
            turn_degrees: 190,
            ..first
        }));
        let light = state.tab.view.overlays.light;
        assert_eq!((light.exposure_centistops, light.intensity_percent), (800, 1000));
        assert_eq!(light.turn_degrees, -170);
        state.apply(Action::Run(Command::TurnLightRight));
        assert_eq!(state.tab.view.overlays.light.turn_degrees, 175);
        state.apply(Action::Run(Command::ResetLight));
        assert_eq!(state.tab.view.overlays.light, rigscope_core::visual::Light::USUAL);
    }
}
