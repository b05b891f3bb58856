//! Shortcuts of commands: parsing, lookup by key press, and formatting.
//!
//! Not for: deciding whether a command or a widget gets a key press (`key_listener`).

use egui::{Key, KeyboardShortcut, Modifiers};

use rigscope_state::{Command, printed_key};

/// The shortcuts of `command`, starting with the one in menus.
pub(super) fn shortcuts(command: Command) -> impl Iterator<Item = KeyboardShortcut> {
    command.info().keys.iter().filter_map(|text| parsed(text))
}

/// Parses a shortcut from the command table, such as `Ctrl+Shift+O`; Ctrl is Command on a Mac.
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

/// The command with exactly this key and these modifiers.
fn command_of(pressed: Key, modifiers: Modifiers) -> Option<Command> {
    Command::all().find(|&command| {
        shortcuts(command)
            .any(|key| key.logical_key == pressed && modifiers.matches_exact(key.modifiers))
    })
}

/// Looks a key press up by its meaning in the keyboard layout, otherwise by its position on a US keyboard:
/// `Shift+1` is `!` there and `1` on a French one. Digits are looked up by position first, because a French
/// keyboard has `-` and other characters there; letters only by meaning.
pub(super) fn command_of_press(
    meaning: Key,
    place: Option<Key>,
    modifiers: Modifiers,
) -> Option<Command> {
    let is = |key: &Key, of: std::ops::RangeInclusive<u8>| match key.name().as_bytes() {
        [byte] => of.contains(byte),
        _ => false,
    };
    let is_letter = |key: &Key| is(key, b'A'..=b'Z');
    let place = place.filter(|place| !is_letter(place) && !is_letter(&meaning));
    let by_place = || place.and_then(|place| command_of(place, modifiers));
    let by_meaning = || command_of(meaning, modifiers);
    if place.is_some_and(|place| is(&place, b'0'..=b'9')) {
        by_place().or_else(by_meaning)
    } else {
        by_meaning().or_else(by_place)
    }
}

/// The key as printed on the keyboard, with modifiers in the platform's notation.
pub(super) fn key_text(ctx: &egui::Context, key: &KeyboardShortcut) -> String {
    let text = ctx.format_shortcut(key);
    let name = key.logical_key.name();
    match text.strip_suffix(name) {
        Some(modifiers) => format!("{modifiers}{}", printed_key(name)),
        None => text,
    }
}

/// The shortcut shown in menus.
pub(super) fn shortcut_text(ctx: &egui::Context, command: Command) -> String {
    let first = shortcuts(command).next();
    first.map_or_else(String::new, |key| key_text(ctx, &key))
}

#[cfg(test)]
mod tests {
    use egui::ModifierNames;

    use super::*;
    use rigscope_core::visual::Switch;

    #[test]
    fn shortcut_names_match_those_of_egui() {
        for text in Command::all().flat_map(|command| command.info().keys) {
            let key = parsed(text).expect(text);
            assert_eq!(key.format(&ModifierNames::NAMES, false), *text);
        }
        assert_eq!(parsed("Ctrl+Nothing"), None);
        assert_eq!(parsed("Hyper+O"), None);
    }

    /// Meanings of keys without and with Shift, for positions where they differ from a US keyboard. `None`
    /// is a character without an egui key.
    type Layout = &'static [(Key, [Option<Key>; 2])];

    /// Source: the X keyboard configuration database, `symbols/us`, `symbols/de`, `symbols/fr`.
    const US: Layout = &[
        (Key::Num1, [Some(Key::Num1), Some(Key::Exclamationmark)]),
        (Key::Num3, [Some(Key::Num3), None]),
        (Key::Num7, [Some(Key::Num7), None]),
        (Key::Minus, [Some(Key::Minus), None]),
        (Key::Equals, [Some(Key::Equals), Some(Key::Plus)]),
        (Key::OpenBracket, [Some(Key::OpenBracket), Some(Key::OpenCurlyBracket)]),
        (Key::CloseBracket, [Some(Key::CloseBracket), Some(Key::CloseCurlyBracket)]),
        (Key::Backslash, [Some(Key::Backslash), Some(Key::Pipe)]),
        (Key::Comma, [Some(Key::Comma), None]),
        (Key::Period, [Some(Key::Period), None]),
    ];
    const GERMAN: Layout = &[
        (Key::Num1, [Some(Key::Num1), Some(Key::Exclamationmark)]),
        (Key::Num3, [Some(Key::Num3), None]),
        (Key::Num7, [Some(Key::Num7), Some(Key::Slash)]),
        (Key::Num0, [Some(Key::Num0), Some(Key::Equals)]),
        (Key::Minus, [None, Some(Key::Questionmark)]),
        (Key::Equals, [None, None]),
        (Key::OpenBracket, [None, None]),
        (Key::CloseBracket, [Some(Key::Plus), None]),
        (Key::Backslash, [None, Some(Key::Quote)]),
        (Key::Comma, [Some(Key::Comma), Some(Key::Semicolon)]),
        (Key::Period, [Some(Key::Period), Some(Key::Colon)]),
        (Key::Slash, [Some(Key::Minus), None]),
        (Key::Y, [Some(Key::Z), Some(Key::Z)]),
        (Key::Z, [Some(Key::Y), Some(Key::Y)]),
    ];
    const FRENCH: Layout = &[
        (Key::Num0, [None, Some(Key::Num0)]),
        (Key::Num1, [None, Some(Key::Num1)]),
        (Key::Num2, [None, Some(Key::Num2)]),
        (Key::Num3, [Some(Key::Quote), Some(Key::Num3)]),
        (Key::Num4, [Some(Key::Quote), Some(Key::Num4)]),
        (Key::Num5, [None, Some(Key::Num5)]),
        (Key::Num6, [Some(Key::Minus), Some(Key::Num6)]),
        (Key::Num7, [None, Some(Key::Num7)]),
        (Key::Num8, [None, Some(Key::Num8)]),
        (Key::Num9, [None, Some(Key::Num9)]),
        (Key::Minus, [None, None]),
        (Key::Equals, [Some(Key::Equals), Some(Key::Plus)]),
        (Key::OpenBracket, [None, None]),
        (Key::CloseBracket, [None, None]),
        (Key::Backslash, [None, None]),
        (Key::Semicolon, [Some(Key::M), Some(Key::M)]),
        (Key::M, [Some(Key::Comma), Some(Key::Questionmark)]),
        (Key::Comma, [Some(Key::Semicolon), Some(Key::Period)]),
        (Key::Period, [Some(Key::Colon), Some(Key::Slash)]),
        (Key::Slash, [Some(Key::Exclamationmark), None]),
        (Key::Q, [Some(Key::A), Some(Key::A)]),
        (Key::A, [Some(Key::Q), Some(Key::Q)]),
        (Key::W, [Some(Key::Z), Some(Key::Z)]),
        (Key::Z, [Some(Key::W), Some(Key::W)]),
    ];

    /// The commands triggered by all keys of a keyboard with `modifiers`.
    fn heard(layout: Layout, modifiers: Modifiers) -> Vec<Command> {
        let press = |&place: &Key| {
            let row = layout.iter().find(|(key, _)| *key == place);
            let meaning = match row {
                Some((_, meanings)) => meanings[usize::from(modifiers.shift)],
                None => Some(place),
            };
            // A key without a meaning is reported by its position.
            command_of_press(meaning.unwrap_or(place), Some(place), modifiers)
        };
        Key::ALL.iter().filter_map(press).collect()
    }

    #[test]
    fn every_command_can_be_pressed_on_us_german_and_french_keyboards() {
        for (name, layout) in [("US", US), ("German", GERMAN), ("French", FRENCH)] {
            for command in Command::all().filter(|command| !command.info().keys.is_empty()) {
                let can_be_pressed = shortcuts(command).any(|key| {
                    let mut modifiers = key.modifiers;
                    // egui also sets Ctrl for a press of Command.
                    modifiers.ctrl = modifiers.command;
                    heard(layout, modifiers).contains(&command)
                });
                assert!(can_be_pressed, "{} on a {name} keyboard", command.info().name);
            }
        }
    }

    #[test]
    fn letters_are_matched_by_logical_key() {
        // On a French keyboard, A is where Q is on a US keyboard.
        let pressed = command_of_press(Key::A, Some(Key::Q), Modifiers::NONE);
        assert_eq!(pressed, Some(Command::FrameAll));
        let pressed = command_of_press(Key::Pipe, Some(Key::Backslash), Modifiers::SHIFT);
        assert_eq!(pressed, Some(Command::ClearRange));
    }

    #[test]
    fn modifiers_are_matched_exactly() {
        let ctrl = Modifiers::CTRL.plus(Modifiers::COMMAND);
        assert_eq!(command_of(Key::P, ctrl.plus(Modifiers::SHIFT)), Some(Command::Palette));
        assert_eq!(command_of(Key::P, Modifiers::NONE), Some(Command::switch(Switch::Points)));
        assert_eq!(command_of(Key::P, ctrl), None);
    }
}
