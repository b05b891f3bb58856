//! The Camera menu.

use super::Icon;
use super::conditions::has_document;
use super::menu::commands;
use crate::{AppState, Navigation};
use rigscope_core::camera::{Preset, Projection};

commands! { Camera:
    {
        FrameAll "Frame all" ["A", "Home"]
            "Frames everything visible, in the current pose.",
            icon Icon::Frame,
            when has_document, change AppState::frame_shown;
        FrameSelection "Frame the selection" ["F"]
            "Frames the selection.",
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
            "Looks down.",
            icon Icon::TopFace,
            change |s| s.look_from(Preset::Top);
        ViewBack "Back" ["Shift+1"]
            "Looks along +Z, at the subject's back.",
            change |s| s.look_from(Preset::Back);
        ViewLeft "Other side" ["Shift+3"]
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
            "Orthographic or perspective projection.",
            icon Icon::Parallel,
            on |s| s.tab.view.camera.projection == Projection::Orthographic,
            change AppState::toggle_projection;
    }
    {
        UndoCamera "Undo camera move" ["Alt+Z"]
            "Restores the camera as it was before the last move.",
            when |s| s.tab.view.camera_history.can_undo(), repeats true,
            change AppState::undo_camera;
        RedoCamera "Redo camera move" ["Alt+Shift+Z", "Alt+Y"]
            "Repeats the camera move that was undone.",
            when |s| s.tab.view.camera_history.can_redo(), repeats true,
            change AppState::redo_camera;
    }
    {
        NavigateTurntable "Navigation: turntable"
            "A drag orbits; with Shift, or with the middle or the right button, it pans.",
            on |s| s.settings.navigation == Navigation::Turntable,
            setting |s| s.navigation = Navigation::Turntable;
        NavigateBlender "Navigation: Blender"
            "The middle button orbits, with Shift pans and with Ctrl zooms. Alt makes the left \
            button a middle one.",
            on |s| s.settings.navigation == Navigation::Blender,
            setting |s| s.navigation = Navigation::Blender;
        NavigateMaya "Navigation: Maya"
            "With Alt, the left button orbits, the middle one pans and the right one zooms.",
            on |s| s.settings.navigation == Navigation::Maya,
            setting |s| s.navigation = Navigation::Maya;
    }
}
