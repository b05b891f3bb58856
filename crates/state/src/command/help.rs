//! The Help menu.

use super::Icon;
use super::menu::commands;
use crate::Dialog;

commands! { Help:
    {
        Palette "Command palette…" ["Ctrl+Shift+P", "Ctrl+K"]
            "Finds a command by its name and runs it.",
            icon Icon::Search, opens_field true,
            change |s| s.open_over(Dialog::Palette);
        ToggleHints "First steps" ["Shift+F1"]
            "Shows how to orbit, select and play at the top of the view.",
            on |s| s.settings.shows_hints, setting |s| s.shows_hints ^= true;
        Keys "Keys…" ["F1"]
            "Lists all keys.",
            change |s| s.open_over(Dialog::Keys);
        About "About…"
            "Says what this program is and on which GPU it draws.",
            change |s| s.open_over(Dialog::About);
    }
}
