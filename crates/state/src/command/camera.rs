//! The Camera menu.

use super::Icon;
use super::conditions::{has_document, needs};
use super::menu::commands;
use crate::{AppState, Navigation};
use rigscope_core::camera::{Preset, Projection};

commands! { Camera:
    {
        FrameAll "Frame all" ["A", "Home"]
            "Fits everything visible into the view, in the current pose.",
            icon Icon::Frame,
            when has_document, change AppState::frame_shown;
        FrameSelection "Frame the selection" ["F"]
            "Fits the selection into the view.",
            when has_document, change AppState::frame_selected;
    }
    {
        ViewFront "Front" ["1"]
            "Looks along -Z: the subject faces the camera.",
            icon Icon::FrontFace,
            change |s| s.look_from(Preset::Front);
        ViewSide "Side" ["3"]
            "Looks along -X, at the subject's left.",
            icon Icon::SideFace,
            change |s| s.look_from(Preset::Side);
        ViewTop "Top" ["7"]
            "Looks straight down.",
            icon Icon::TopFace,
            change |s| s.look_from(Preset::Top);
        ViewBack "Back" ["Shift+1"]
            "Looks along +Z, at the subject's back.",
            change |s| s.look_from(Preset::Back);
        ViewLeft "Opposite side" ["Shift+3"]
            "Looks along +X, at the subject's right.",
            change |s| s.look_from(Preset::Left);
        ViewBottom "Bottom" ["Shift+7"]
            "Looks up from below.",
            change |s| s.look_from(Preset::Bottom);
        ViewIso "Isometric" ["0"]
            "Looks from above, between front and side.",
            icon Icon::Corner,
            change |s| s.look_from(Preset::Iso);
    }
    {
        ToggleProjection "Orthographic" ["5", "O"]
            "Switches between orthographic and perspective projection.",
            icon Icon::Parallel,
            on |s| s.tab.view.camera.projection == Projection::Orthographic,
            change AppState::toggle_projection;
    }
    {
        UndoCamera "Undo camera move" ["Alt+Z"]
            "Restores the camera as it was before the last move.",
            when |s| needs(s.tab.view.camera_history.can_undo(), "no camera move to undo"),
            repeats true,
            change AppState::undo_camera;
        RedoCamera "Redo camera move" ["Alt+Shift+Z", "Alt+Y"]
            "Repeats the camera move that was undone.",
            when |s| needs(s.tab.view.camera_history.can_redo(), "no camera move to repeat"),
            repeats true,
            change AppState::redo_camera;
    }
    {
        NavigateTurntable "Navigation: turntable"
            "Dragging orbits. Dragging with Shift, or with the middle or right button, pans.",
            on |s| s.settings.navigation == Navigation::Turntable,
            setting |s| s.navigation = Navigation::Turntable;
        NavigateBlender "Navigation: Blender"
            "The middle button orbits, pans with Shift and zooms with Ctrl. The left button with Alt \
            acts as the middle button.",
            on |s| s.settings.navigation == Navigation::Blender,
            setting |s| s.navigation = Navigation::Blender;
        NavigateMaya "Navigation: Maya"
            "With Alt, the left button orbits, the middle one pans and the right one zooms.",
            on |s| s.settings.navigation == Navigation::Maya,
            setting |s| s.navigation = Navigation::Maya;
    }
}
