//! The Window menu.

use super::conditions::needs;
use super::menu::commands;
use super::panes::PANE_COMMANDS;
use crate::{Settings, Theme, UI_SCALES};

commands! { Window:
    {
        *PANE_COMMANDS;
        ToggleTimeline "Timeline" ["F9"]
            "Shows the timeline at the bottom of the window.",
            on |s| s.settings.timeline, setting |s| s.timeline ^= true;
        NextPane "Next pane" ["Ctrl+F6"]
            "Moves the keyboard focus to the next open pane. Tab moves it within the pane.",
            change |s| s.step_pane(1);
        PreviousPane "Previous pane" ["Ctrl+Shift+F6"]
            "Moves the keyboard focus to the previous open pane.",
            change |s| s.step_pane(-1);
        ResetLayout "Reset layout"
            "Restores the default panes in their default places.",
            setting Settings::reset_layout;
    }
    {
        ThemeSystem "Follow system theme"
            "Uses the light or dark theme, following the desktop.",
            on |s| s.settings.theme == Theme::System, setting |s| s.theme = Theme::System;
        ThemeLight "Light theme"
            "Uses dark text on a light background.",
            on |s| s.settings.theme == Theme::Light, setting |s| s.theme = Theme::Light;
        ThemeDark "Dark theme"
            "Uses light text on a dark background.",
            on |s| s.settings.theme == Theme::Dark, setting |s| s.theme = Theme::Dark;
        ThemeHighContrast "High contrast"
            "Uses white and strong colours on black, with thick lines.",
            on |s| s.settings.theme == Theme::HighContrast,
            setting |s| s.theme = Theme::HighContrast;
    }
    {
        LargerText "Larger text" ["Ctrl+Plus", "Ctrl+Equals", "Ctrl+Shift+Plus"]
            "Makes text and buttons larger.",
            when |s| needs(s.settings.usable_ui_scale() < *UI_SCALES.end(), "this is the largest size"),
            setting |s| s.scale_ui(0.1);
        SmallerText "Smaller text" ["Ctrl+Minus"]
            "Makes text and buttons smaller.",
            when |s| needs(s.settings.usable_ui_scale() > *UI_SCALES.start(), "this is the smallest size"),
            setting |s| s.scale_ui(-0.1);
        UsualText "Reset text size" ["Ctrl+0"]
            "Resets the size of text and buttons.",
            when |s| needs(s.settings.ui_scale != 1.0, "the size is normal"), setting |s| s.ui_scale = 1.0;
    }
}
