//! Keys: what the table of commands says of them, and listening for them.
//!
//! The listener takes keys out of the raw input before egui sees them: Space would press the
//! focused button and arrows would move the focus otherwise.

use egui::{Event, Key, KeyboardShortcut, Modifiers, Plugin, RawInput};

use crate::state::{Action, AppState, Command, Selection};

/// The keys of `command`, the one that menus show first.
pub(super) fn shortcuts(command: Command) -> impl Iterator<Item = KeyboardShortcut> {
    command.info().keys.iter().filter_map(|text| parsed(text))
}

/// A key as the table spells it, such as `Ctrl+Shift+O`; Ctrl is Command on a Mac.
fn parsed(text: &str) -> Option<KeyboardShortcut> {
    let mut words = text.rsplit('+');
    let key = Key::from_name(words.next()?)?;
    let modifiers = words.try_fold(Modifiers::NONE, |all, word| {
        Some(all.plus(match word {
            "Ctrl" => Modifiers::COMMAND,
            "Alt" => Modifiers::ALT,
            "Shift" => Modifiers::SHIFT,
            _ => return None,
        }))
    })?;
    Some(KeyboardShortcut::new(modifiers, key))
}

/// The command of a key press; while text is typed, only of keys that mean nothing to text.
fn command_of(pressed: Key, modifiers: Modifiers, is_typing: bool) -> Option<Command> {
    let is_for_text = is_typing
        && match pressed {
            Key::F1 | Key::F3 | Key::F5 | Key::F6 | Key::F7 | Key::F8 | Key::F9 => false,
            Key::C | Key::Z | Key::Y | Key::ArrowLeft | Key::ArrowRight => true,
            _ => !modifiers.command,
        };
    if is_for_text {
        return None;
    }
    Command::all().find(|&command| {
        shortcuts(command)
            .any(|key| key.logical_key == pressed && modifiers.matches_exact(key.modifiers))
    })
}

/// The text of the key that menus show.
pub(super) fn shortcut_text(ctx: &egui::Context, command: Command) -> String {
    let first = shortcuts(command).next();
    first.map_or_else(String::new, |key| ctx.format_shortcut(&key))
}

/// Listens for keys, ahead of all widgets.
#[derive(Default)]
pub(super) struct KeyListener {
    pressed: Vec<Command>,
}

impl Plugin for KeyListener {
    fn debug_name(&self) -> &'static str {
        "rigscope keys"
    }

    fn input_hook(&mut self, ctx: &egui::Context, input: &mut RawInput) {
        let is_typing = ctx.text_edit_focused();
        // Escape closes a menu before it means anything else.
        let has_popup = ctx.any_popup_open();
        // A list that has the focus knows better what is above and below.
        let has_focus = has_popup || ctx.memory(|memory| memory.focused().is_some());
        input.events.retain(|event| {
            let Event::Key { key, pressed: true, repeat, modifiers, .. } = event else {
                return true;
            };
            if has_popup && *key == Key::Escape {
                return true;
            }
            if has_focus && matches!(key, Key::ArrowUp | Key::ArrowDown) {
                return true;
            }
            let Some(command) = command_of(*key, *modifiers, is_typing) else { return true };
            if !repeat || command.info().repeats {
                self.pressed.push(command);
            }
            false
        });
    }
}

/// Turns the keys pressed since the last time into actions.
pub(super) fn take_keys(ctx: &egui::Context, state: &AppState, out: &mut Vec<Action>) {
    let listener = ctx.plugin_or_default::<KeyListener>();
    for command in std::mem::take(&mut listener.lock().pressed) {
        let covers = (command == Command::ClearSelection).then(|| on_top(state));
        out.push(covers.flatten().unwrap_or(Action::Run(command)));
    }
}

/// Takes away what lies over the selection, which its key does first.
fn on_top(state: &AppState) -> Option<Action> {
    if state.dialog.is_some() {
        Some(Action::CloseDialog)
    } else if state.tab.problem.is_some() {
        Some(Action::DismissProblem)
    } else if state.settings.shows_hints && state.tab.selection == Selection::None {
        Some(Action::Run(Command::ToggleHints))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use egui::ModifierNames;

    use super::*;
    use crate::visual::Switch;

    #[test]
    fn keys_are_spelt_as_egui_spells_them() {
        for text in Command::all().flat_map(|command| command.info().keys) {
            let key = parsed(text).expect(text);
            assert_eq!(key.format(&ModifierNames::NAMES, false), *text);
        }
        assert_eq!(parsed("Ctrl+Nothing"), None);
        assert_eq!(parsed("Hyper+O"), None);
    }

    #[test]
    fn text_keeps_its_own_keys_and_leaves_the_others() {
        let ctrl = Modifiers::CTRL.plus(Modifiers::COMMAND);
        assert_eq!(command_of(Key::Space, Modifiers::NONE, true), None);
        assert_eq!(command_of(Key::ArrowLeft, Modifiers::NONE, true), None);
        assert_eq!(command_of(Key::ArrowLeft, ctrl, true), None);
        assert_eq!(command_of(Key::O, ctrl, true), Some(Command::Open));
        assert_eq!(command_of(Key::Space, Modifiers::NONE, false), Some(Command::PlayPause));
        assert_eq!(command_of(Key::F5, Modifiers::NONE, true), Some(Command::Reload));
    }

    #[test]
    fn modifiers_are_matched_exactly() {
        let ctrl = Modifiers::CTRL.plus(Modifiers::COMMAND);
        assert_eq!(command_of(Key::P, ctrl.plus(Modifiers::SHIFT), false), Some(Command::Palette));
        assert_eq!(
            command_of(Key::P, Modifiers::NONE, false),
            Some(Command::switch(Switch::Points))
        );
        assert_eq!(command_of(Key::P, ctrl, false), None);
    }
}
