//! The Edit menu.

use super::conditions::needs;
use super::menu::commands;
use crate::AppState;

commands! { Edit:
    {
        Undo "Undo" ["Ctrl+Z"]
            "Undoes the last change of visibility, colours, selection, morph target weights or overlays.",
            when |s| needs(s.tab.history.can_undo(), "nothing to undo"),
            titled |s| step_title("Undo", s.undo_title()),
            repeats true, run AppState::undo;
        Redo "Redo" ["Ctrl+Shift+Z", "Ctrl+Y"]
            "Repeats the last change that was undone.",
            when |s| needs(s.tab.history.can_redo(), "nothing to redo"),
            titled |s| step_title("Redo", s.redo_title()),
            repeats true, run AppState::redo;
    }
}

fn step_title(name: &str, what: Option<&str>) -> String {
    what.map_or_else(|| name.into(), |what| format!("{name}: {what}"))
}
