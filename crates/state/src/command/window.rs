//! The Window menu.

use super::menu::commands;
use crate::{Pane, Settings, Theme, UI_SCALES};

commands! { Window:
    {
        ToggleOutline "Outline" ["F6"]
            "Subsets and bones, on the left.",
            pane Pane::Outline;
        ToggleInspector "Inspector" ["F7"]
            "Details of the selection, on the right.",
            pane Pane::Inspector;
        ToggleNotes "Notes" ["F8"]
            "Findings about the file, below the view.",
            pane Pane::Notes;
        ToggleAsBsm2Pane "As BSM2"
            "Deviations caused by packing, on the right.",
            pane Pane::AsBsm2;
        ToggleComparePane "Comparison"
            "Differences from another file, below the view.",
            pane Pane::Compare;
        ToggleTruthPane "GPU check"
            "Differences between GPU and CPU, on the right.",
            pane Pane::Truth;
        ToggleWeights "Weights" ["Shift+W"]
            "Bone weights and the vertices they affect, on the right.",
            pane Pane::Weights;
        ToggleFigures "Statistics of meshes" ["Shift+F3"]
            "Content and size of each mesh and subset, on the right.",
            pane Pane::Statistics;
        ToggleCurves "Curves" ["Alt+F"]
            "Translation, rotation and scale of the selected bone over the clip, below the view.",
            pane Pane::Curves;
        ToggleAnimation "Animation" ["Alt+A"]
            "Ghosts, loop seam, root motion, a second clip and morph target weights.",
            pane Pane::Animation;
        ToggleCollision "Collision" ["Alt+K"]
            "Hulls, occlusion mesh and bounds, and whether the bounds contain the model.",
            pane Pane::Collision;
        ToggleUv "UV layout" ["Alt+U"]
            "UVs over their texture, below the view.",
            pane Pane::Uv;
        ToggleMeasurePane "Measurements"
            "Measured distances and angles over the clip, below the view.",
            pane Pane::Measure;
        TogglePoses "Key poses" ["Shift+P"]
            "Thumbnails of each clip's key poses, below the view. A click jumps to the pose.",
            pane Pane::Poses;
        ToggleLight "Light" ["Ctrl+Alt+L"]
            "Lighting of the materials, on the right.",
            pane Pane::Light;
        ToggleMaterials "Materials" ["Ctrl+M"]
            "Properties of each material, its textures by channel, and the subsets that use it, on the right.",
            pane Pane::Materials;
        ToggleTimeline "Timeline" ["F9"]
            "The timeline, at the bottom.",
            on |s| s.settings.timeline, setting |s| s.timeline ^= true;
        ToggleBytes "Bytes" ["Ctrl+B"]
            "The bytes of the file, coloured by their meaning, below the view.",
            pane Pane::Bytes;
        ToggleLog "Log" ["Ctrl+L"]
            "All messages, below the view.",
            pane Pane::Log;
        ToggleFrameTimes "Frame times" ["Alt+F3"]
            "CPU times by step and GPU times by pass of recent frames, below the view.",
            pane Pane::FrameTimes;
        NextPane "To the next pane" ["Ctrl+F6"]
            "Moves the keyboard focus to the next open pane; Tab moves on inside it.",
            change |s| s.step_pane(1);
        PreviousPane "To the pane before" ["Ctrl+Shift+F6"]
            "Moves the keyboard focus to the previous open pane.",
            change |s| s.step_pane(-1);
        ResetLayout "Reset layout"
            "Restores the default panes in their default places.",
            setting Settings::reset_layout;
    }
    {
        ThemeSystem "Follow system theme"
            "Light or dark, following the desktop.",
            on |s| s.settings.theme == Theme::System, setting |s| s.theme = Theme::System;
        ThemeLight "Light theme"
            "Dark text on light ground.",
            on |s| s.settings.theme == Theme::Light, setting |s| s.theme = Theme::Light;
        ThemeDark "Dark theme"
            "Light text on dark ground.",
            on |s| s.settings.theme == Theme::Dark, setting |s| s.theme = Theme::Dark;
        ThemeHighContrast "High contrast"
            "White and strong colours on black, with thick lines.",
            on |s| s.settings.theme == Theme::HighContrast,
            setting |s| s.theme = Theme::HighContrast;
    }
    {
        LargerText "Larger text" ["Ctrl+Plus", "Ctrl+Equals", "Ctrl+Shift+Plus"]
            "Makes text and buttons larger.",
            when |s| s.settings.usable_ui_scale() < *UI_SCALES.end(), setting |s| s.scale_ui(0.1);
        SmallerText "Smaller text" ["Ctrl+Minus"]
            "Makes text and buttons smaller.",
            when |s| s.settings.usable_ui_scale() > *UI_SCALES.start(),
            setting |s| s.scale_ui(-0.1);
        UsualText "Reset text size" ["Ctrl+0"]
            "Resets the size of text and buttons.",
            when |s| s.settings.ui_scale != 1.0, setting |s| s.ui_scale = 1.0;
    }
}
