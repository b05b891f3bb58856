//! The command palette: its order of commands.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use rigscope_core::visual::Switch;
use rigscope_state::{Command, Request};

use crate::host::{Host, Session, asset, window_with};

/// Opens the palette, types `text` and presses Enter.
fn run_first(harness: &mut Harness<'_, Host>, text: &str) {
    harness.command(Command::Palette);
    harness.get_by_label("Command").type_text(text);
    harness.run();
    harness.press(Modifiers::NONE, Key::Enter);
}

#[test]
fn query_words_find_the_intended_command() {
    let mut harness = window_with(asset());
    let grid = Command::switch(Switch::Grid);
    let shows_grid = grid.is_on(harness.app());
    run_first(&mut harness, "grid");
    assert_ne!(grid.is_on(harness.app()), shows_grid);

    run_first(&mut harness, "names bone");
    assert!(Command::switch(Switch::BoneNames).is_on(harness.app()), "words in any order");

    run_first(&mut harness, "dark th");
    assert!(Command::ThemeDark.is_on(harness.app()));
}

#[test]
fn the_list_keeps_its_height_after_a_query_with_one_match() {
    let mut harness = window_with(asset());
    let height = |harness: &mut Harness<'_, Host>| {
        harness.command(Command::Palette);
        let rows = harness.get_all_by_label_contains("Playback: ").map(|row| row.rect().height());
        let num = rows.filter(|height| *height > 0.0).count();
        harness.press(Modifiers::NONE, Key::Escape);
        num
    };
    let before = height(&mut harness);
    run_first(&mut harness, "high contrast");
    harness.state_mut().state.settings.recent_commands.clear();
    assert_eq!(height(&mut harness), before);
    harness.command(Command::Palette);
    let list = |harness: &Harness<'_, Host>| {
        let field = harness.get_by_label("Command").rect();
        let rows = harness.get_all_by_label_contains(": ").map(|row| row.rect());
        rows.filter(|row| row.left() >= field.left() - 8.0 && row.top() > field.bottom()).count()
    };
    assert!(list(&harness) > 10, "{}", list(&harness));
}

#[test]
fn commands_that_cannot_run_are_disabled_with_the_reason() {
    let mut harness = window_with(asset());
    harness.command(Command::Palette);
    harness.get_by_label("Command").type_text("hide branch");
    harness.run();
    let row = harness.get_by_label_contains("Select: Hide the branch");
    assert!(row.accesskit_node().is_disabled());
    harness.press(Modifiers::NONE, Key::Enter);
    assert!(harness.app().dialog.is_some(), "there is nothing to run");
    assert!(harness.app().settings.recent_commands.is_empty());
}

#[test]
fn the_last_command_comes_first_and_is_saved_in_the_settings() {
    let mut harness = window_with(asset());
    run_first(&mut harness, "bone names");
    assert!(harness.state().requests.contains(&Request::SaveSettings));
    let names = Command::switch(Switch::BoneNames);
    assert!(names.is_on(harness.app()));
    run_first(&mut harness, "");
    assert!(!names.is_on(harness.app()), "Enter repeats the last command");
    assert_eq!(harness.app().settings.recent_commands, [names.info().name]);
}
