//! The Help menu.

use super::Icon;
use super::menu::commands;
use crate::Dialog;

commands! { Help:
    {
        Palette "Command palette…" ["Ctrl+Shift+P", "Ctrl+K"]
            "Finds a command by its name and runs it.",
            icon Icon::Search, opens_field true,
            change |s| s.open_modal(Dialog::Palette);
        ToggleHints "First steps" ["Shift+F1"]
            "Shows hints at the top of the view: how to orbit, select and play.",
            on |s| s.settings.shows_hints, setting |s| s.shows_hints ^= true;
        Keys "Keyboard shortcuts…" ["F1"]
            "Lists all shortcuts.",
            opens_field true,
            change |s| s.open_modal(Dialog::Keys);
        About "About…"
            "Shows the version, the GPU and the supported formats.",
            change |s| s.open_modal(Dialog::About);
    }
}
