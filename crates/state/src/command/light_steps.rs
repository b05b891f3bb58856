//! Commands of the Light menu that change a value by one step: shading model, exposure, rotation.

use super::menu::commands;
use super::when::has_document;
use crate::{AppState, ByHandAction, HandSlot};
use rigscope_core::visual::Light;

/// Step of the rotation.
const TURN_DEGREES: i16 = 15;
/// A third of a stop.
const EXPOSURE_CENTISTOPS: i16 = 33;

fn is_lit(state: &AppState) -> bool {
    state.tab.view.overlays.light.is_from_environment()
}

commands! { Light:
    {
        NextShading "Next way to light" ["Shift+L"]
            "From plain light to physically based to the SDK's formula, and round again.",
            run AppState::next_shading;
    }
    {
        Brighter "Brighter" ["Alt+PageUp"]
            "A third of a stop more exposure.",
            when is_lit, repeats true,
            run |s| s.change_light(|light| light.exposure_centistops += EXPOSURE_CENTISTOPS);
        Darker "Darker" ["Alt+PageDown"]
            "A third of a stop less exposure.",
            when is_lit, repeats true,
            run |s| s.change_light(|light| light.exposure_centistops -= EXPOSURE_CENTISTOPS);
        TurnLightLeft "Turn the environment left" ["Alt+Shift+Left"]
            "Turns what lights the model by 15 degrees, anticlockwise from above.",
            when is_lit, repeats true,
            run |s| s.change_light(|light| light.turn_degrees += TURN_DEGREES);
        TurnLightRight "Turn the environment right" ["Alt+Shift+Right"]
            "Turns what lights the model by 15 degrees, clockwise from above.",
            when is_lit, repeats true,
            run |s| s.change_light(|light| light.turn_degrees -= TURN_DEGREES);
        ResetLight "Reset light"
            "Light as it is at first.",
            run |s| s.change_light(|light| *light = Light::USUAL);
    }
    {
        LightByFile "Light by a file…"
            "Lights this tab by an HDR, EXR, KTX or KTX2 file: a picture of all directions, twice as wide \
            as high, or a cubemap. A file let go over the window does the same.",
            when has_document,
            run |s| s.apply_by_hand(ByHandAction::Ask(HandSlot::Environment));
        RemoveLightFile "Take the light's file away"
            "Lights this tab by the light of its own file again, or by a studio.",
            when |s| s.tab.view.by_hand.environment().is_some(),
            run |s| s.apply_by_hand(ByHandAction::Reset(HandSlot::Environment));
    }
}
