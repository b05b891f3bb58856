//! The command palette: its order of commands.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_core::visual::Switch;
use rigscope_state::{Command, Effect};

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
fn the_last_command_comes_first_and_is_saved_in_the_settings() {
    let mut harness = window_with(asset());
    run_first(&mut harness, "bone names");
    assert!(harness.state().effects.contains(&Effect::SaveSettings));
    let names = Command::switch(Switch::BoneNames);
    assert!(names.is_on(harness.app()));
    run_first(&mut harness, "");
    assert!(!names.is_on(harness.app()), "Enter repeats the last command");
    assert_eq!(harness.app().settings.recent_commands, [names.info().name]);
}
