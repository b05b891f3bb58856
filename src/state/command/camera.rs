//! The menu Camera: from where.

use super::Icon;
use super::menu::commands;
use super::when::has_document;
use crate::camera::{Preset, Projection};
use crate::state::AppState;

commands! { Camera:
    {
        FrameAll "Frame all" ["A", "Home"]
            "Frames all that is shown, in the current pose.",
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
}
