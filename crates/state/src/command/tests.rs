//! Checks of every row of the table.

use std::collections::HashMap;

use super::*;
use crate::AppState;

#[test]
fn every_command_has_a_name_and_help_text() {
    for info in Command::all().map(Command::info) {
        assert!(info.help.ends_with('.') && !info.name.is_empty());
    }
}

#[test]
fn command_names_and_shortcuts_are_unique() {
    let (mut names, mut keys) = (HashMap::new(), HashMap::new());
    for command in Command::all() {
        let info = command.info();
        assert_eq!(names.insert(info.name, command), None, "{}", info.name);
        for key in info.keys {
            assert_eq!(keys.insert(key, command), None, "{key}");
        }
    }
    assert!(keys.len() > 40);
}

#[test]
fn commands_that_need_a_document_are_disabled_without_one() {
    let state = AppState::default();
    assert!(Command::Open.is_enabled(&state));
    for command in [Command::PlayPause, Command::FrameAll, Command::CopyPath] {
        assert!(!command.is_enabled(&state), "{command:?}");
    }
}

#[test]
fn shortcut_table_lists_commands_with_their_shortcuts() {
    let table = key_table_markdown();
    assert!(table.contains("| `Space` | Play or pause |"), "{table}");
    assert!(table.contains("`Ctrl+Shift+P`, `Ctrl+K`"), "{table}");
}
