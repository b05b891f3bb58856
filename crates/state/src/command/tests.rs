//! Checks of every row of the table.

use std::collections::HashMap;

use super::*;
use crate::AppState;

#[test]
fn every_command_says_what_it_is() {
    for info in Command::all().map(Command::info) {
        assert!(info.help.ends_with('.') && !info.name.is_empty());
    }
}

#[test]
fn names_and_keys_belong_to_one_command_each() {
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
fn without_a_document_only_what_needs_none_is_enabled() {
    let state = AppState::default();
    assert!(Command::Open.is_enabled(&state));
    for command in [Command::PlayPause, Command::FrameAll, Command::CopyPath] {
        assert!(!command.is_enabled(&state), "{command:?}");
    }
}

#[test]
fn the_table_names_every_command_that_has_a_key() {
    let table = key_table_markdown();
    assert!(table.contains("| `Space` | Play or pause |"), "{table}");
    assert!(table.contains("`Ctrl+Shift+P`, `Ctrl+K`"), "{table}");
}
