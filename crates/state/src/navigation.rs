//! Mouse navigation in the view: presets modelled on other programs.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseButton {
    /// The left button, unless swapped for left-handed use.
    Primary,
    Middle,
    /// The right button, which opens menus.
    Secondary,
}

/// Modifier keys held during a drag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DragKeys {
    pub shift: bool,
    /// Ctrl; the command key on macOS.
    pub ctrl: bool,
    /// Alt; the option key on macOS.
    pub alt: bool,
}

/// The effect of a drag in the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DragMotion {
    /// Moves the camera around its target.
    Orbit,
    /// Moves camera and target across the view.
    Pan,
    /// Moves the camera towards its target or away from it.
    Zoom,
    /// Rotates the environment light, if there is one.
    TurnLight,
}

/// A navigation preset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Navigation {
    /// The left button orbits; the others pan.
    #[default]
    Turntable,
    /// The middle button orbits, pans and zooms; with Alt, the left button acts as the middle one.
    Blender,
    /// Alt with a button.
    Maya,
}

impl Navigation {
    /// The effect of a drag with `button` and `keys`, if it has one.
    pub fn motion(self, button: MouseButton, keys: DragKeys) -> Option<DragMotion> {
        use MouseButton::{Middle, Primary, Secondary};
        let DragKeys { shift, ctrl, alt } = keys;
        if button == Secondary && shift {
            return Some(DragMotion::TurnLight);
        }
        match (self, button) {
            (Self::Turntable, Primary) if !shift => Some(DragMotion::Orbit),
            (Self::Turntable, _) => Some(DragMotion::Pan),
            (Self::Blender, Middle) => Some(by_modifier(shift, ctrl)),
            (Self::Blender, Primary) if alt => Some(by_modifier(shift, ctrl)),
            (Self::Maya, Primary) if alt => Some(DragMotion::Orbit),
            (Self::Maya, Middle) if alt => Some(DragMotion::Pan),
            (Self::Maya, Secondary) if alt => Some(DragMotion::Zoom),
            (Self::Blender | Self::Maya, _) => None,
        }
    }

    /// Inputs and their effects, for display.
    pub fn texts(self) -> [(&'static str, &'static str); 3] {
        let [orbit, pan, zoom] = match self {
            Self::Turntable => ["Drag", "Shift+drag, middle, right", "Wheel, pinch"],
            Self::Blender => [
                "Middle drag, Alt+drag",
                "Shift+middle drag, Shift+Alt+drag",
                "Wheel, Ctrl+middle drag",
            ],
            Self::Maya => ["Alt+drag", "Alt+middle drag", "Wheel, Alt+right drag"],
        };
        [(orbit, "Orbit"), (pan, "Pan"), (zoom, "Zoom")]
    }
}

/// Blender's middle-button modifiers.
fn by_modifier(shift: bool, ctrl: bool) -> DragMotion {
    match (shift, ctrl) {
        (true, _) => DragMotion::Pan,
        (false, true) => DragMotion::Zoom,
        (false, false) => DragMotion::Orbit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: DragKeys = DragKeys { shift: false, ctrl: false, alt: false };
    const SHIFT: DragKeys = DragKeys { shift: true, ..NONE };
    const CTRL: DragKeys = DragKeys { ctrl: true, ..NONE };
    const ALT: DragKeys = DragKeys { alt: true, ..NONE };

    #[test]
    fn presets_map_drags_like_their_programs() {
        use DragMotion::{Orbit, Pan, TurnLight, Zoom};
        use MouseButton::{Middle, Primary, Secondary};
        use Navigation::{Blender, Maya, Turntable};
        for (navigation, button, keys, motion) in [
            (Turntable, Primary, NONE, Some(Orbit)),
            (Turntable, Primary, SHIFT, Some(Pan)),
            (Turntable, Middle, NONE, Some(Pan)),
            (Turntable, Secondary, NONE, Some(Pan)),
            (Turntable, Secondary, SHIFT, Some(TurnLight)),
            (Blender, Primary, NONE, None),
            (Blender, Primary, ALT, Some(Orbit)),
            (Blender, Middle, NONE, Some(Orbit)),
            (Blender, Middle, SHIFT, Some(Pan)),
            (Blender, Middle, CTRL, Some(Zoom)),
            (Blender, Secondary, NONE, None),
            (Maya, Primary, NONE, None),
            (Maya, Primary, ALT, Some(Orbit)),
            (Maya, Middle, ALT, Some(Pan)),
            (Maya, Secondary, ALT, Some(Zoom)),
            (Maya, Middle, NONE, None),
        ] {
            let found = navigation.motion(button, keys);
            assert_eq!(found, motion, "{navigation:?} {button:?} {keys:?}");
        }
    }
}
