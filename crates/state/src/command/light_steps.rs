//! Commands of the Light menu that change a value by one step: shading model, exposure, rotation.

use super::conditions::{has_document, needs};
use super::menu::commands;
use crate::{AppState, ImageSlot, UserImageAction};
use rigscope_core::visual::Light;

/// Step of the rotation.
const TURN_DEGREES: i16 = 15;
/// A third of a stop.
const EXPOSURE_CENTISTOPS: i16 = 33;

fn is_lit(state: &AppState) -> Result<(), &'static str> {
    let is_lit = state.tab.view.overlays.light.is_from_environment();
    needs(is_lit, "needs physically based or SDK shading")
}

commands! { Light:
    {
        NextShading "Next shading model" ["Shift+L"]
            "Cycles through plain, physically based and SDK shading.",
            run AppState::next_shading;
    }
    {
        Brighter "Brighter" ["Alt+PageUp"]
            "Increases the exposure by a third of a stop.",
            when is_lit, repeats true,
            run |s| s.change_light(|light| light.exposure_centistops += EXPOSURE_CENTISTOPS);
        Darker "Darker" ["Alt+PageDown"]
            "Decreases the exposure by a third of a stop.",
            when is_lit, repeats true,
            run |s| s.change_light(|light| light.exposure_centistops -= EXPOSURE_CENTISTOPS);
        TurnLightLeft "Rotate the environment left" ["Alt+Shift+Left"]
            "Rotates the environment by 15 degrees, anticlockwise from above.",
            when is_lit, repeats true,
            run |s| s.change_light(|light| light.turn_degrees += TURN_DEGREES);
        TurnLightRight "Rotate the environment right" ["Alt+Shift+Right"]
            "Rotates the environment by 15 degrees, clockwise from above.",
            when is_lit, repeats true,
            run |s| s.change_light(|light| light.turn_degrees -= TURN_DEGREES);
        ResetLight "Reset light"
            "Restores the default lighting.",
            run |s| s.change_light(|light| *light = Light::USUAL);
    }
    {
        LightByFile "Load an environment image…"
            "Lights this tab with an HDR, EXR, KTX or KTX2 file: an equirectangular image, twice \
            as wide as high, or a cubemap. Dropping a file on the window does the same.",
            when has_document,
            run |s| s.apply_user_image(UserImageAction::Choose(ImageSlot::Environment));
        RemoveLightFile "Remove the environment image"
            "Removes the loaded image and lights this tab with the environment of the model again, or with the studio.",
            when |s| needs(s.tab.view.user_images.environment().is_some(), "no image is loaded"),
            run |s| s.apply_user_image(UserImageAction::Reset(ImageSlot::Environment));
    }
}
