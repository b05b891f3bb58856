//! Keys: what the table of commands says of them, and listening for them.
//!
//! The listener takes keys out of the raw input before egui sees them: Space would press the
//! focused button and arrows would move the focus otherwise.

use egui::text_selection::LabelSelectionState;
use egui::{Event, EventFilter, Key, KeyboardShortcut, Modifiers, Plugin, RawInput};

use crate::state::{Action, AppState, Command, Selection, printed_key};

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

/// The command of a key by what it means on the keyboard's layout and, where that is none, by its place
/// on a US keyboard: `Shift+1` is `!` there and `1` on a French one. Digits go by their place first,
/// since a French keyboard has `-` and others there; letters by their meaning alone.
fn command_of_press(
    meaning: Key,
    place: Option<Key>,
    modifiers: Modifiers,
    is_typing: bool,
) -> Option<Command> {
    let is = |key: &Key, of: std::ops::RangeInclusive<u8>| match key.name().as_bytes() {
        [byte] => of.contains(byte),
        _ => false,
    };
    let is_letter = |key: &Key| is(key, b'A'..=b'Z');
    let place = place.filter(|place| !is_letter(place) && !is_letter(&meaning));
    let by_place = || place.and_then(|place| command_of(place, modifiers, is_typing));
    let by_meaning = || command_of(meaning, modifiers, is_typing);
    match place.is_some_and(|place| is(&place, b'0'..=b'9')) {
        true => by_place().or_else(by_meaning),
        false => by_meaning().or_else(by_place),
    }
}

/// `key` as it is printed on the keyboard, with modifiers as the platform writes them.
pub(super) fn key_text(ctx: &egui::Context, key: &KeyboardShortcut) -> String {
    let text = ctx.format_shortcut(key);
    let name = key.logical_key.name();
    match text.strip_suffix(name) {
        Some(modifiers) => format!("{modifiers}{}", printed_key(name)),
        None => text,
    }
}

/// The text of the key that menus show.
pub(super) fn shortcut_text(ctx: &egui::Context, command: Command) -> String {
    let first = shortcuts(command).next();
    first.map_or_else(String::new, |key| key_text(ctx, &key))
}

/// What a list with the focus hears itself.
const LIST_KEYS: [Key; 8] = [
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::ArrowUp,
    Key::ArrowDown,
    Key::Home,
    Key::End,
    Key::PageUp,
    Key::PageDown,
];

/// Listens for keys, ahead of all widgets.
#[derive(Default)]
pub(super) struct KeyListener {
    pressed: Vec<Command>,
    /// Something is open that Escape closes, also where text is typed.
    has_dialog: bool,
    /// A list has the focus, and moves in itself by keys that mean something else outside.
    is_in_list: bool,
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
        let has_text = is_typing || has_selected_text(ctx);
        input.events.retain(|event| {
            // What the system calls copying, whichever keys it is.
            if *event == Event::Copy && !has_text {
                self.pressed.push(Command::CopyPicture);
                return false;
            }
            let Event::Key { key, physical_key, pressed: true, repeat, modifiers } = event else {
                return true;
            };
            if has_popup && *key == Key::Escape {
                return true;
            }
            if self.has_dialog && is_typing && *key == Key::Escape {
                self.pressed.push(Command::ClearSelection);
                // The field hears of it too.
                return true;
            }
            if has_focus && matches!(key, Key::ArrowUp | Key::ArrowDown) {
                return true;
            }
            if self.is_in_list && modifiers.is_none() && LIST_KEYS.contains(key) {
                return true;
            }
            let command = command_of_press(*key, *physical_key, *modifiers, is_typing);
            let Some(command) = command else {
                return true;
            };
            if !repeat || command.info().repeats {
                self.pressed.push(command);
            }
            false
        });
    }
}

/// Leaves the keys by which a list moves to the list `id`, which has the focus now.
pub(super) fn leave_list_keys(ui: &egui::Ui, id: egui::Id) {
    ui.ctx().plugin_or_default::<KeyListener>().lock().is_in_list = true;
    let filter =
        EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
}

/// How far the keys pressed lead from row `at` of `num` rows, `page` of which are seen.
pub(super) fn list_step(
    ui: &egui::Ui,
    at: Option<usize>,
    num: usize,
    page: usize,
) -> Option<usize> {
    let last = num.checked_sub(1)?;
    // A key that is held may have been heard several times since the frame before.
    let num_pressed = |key| ui.input_mut(|i| i.count_and_consume_key(Modifiers::NONE, key));
    let down = num_pressed(Key::ArrowDown) + page * num_pressed(Key::PageDown);
    let up = num_pressed(Key::ArrowUp) + page * num_pressed(Key::PageUp);
    if num_pressed(Key::Home) > 0 {
        return Some(0);
    }
    if num_pressed(Key::End) > 0 {
        return Some(last);
    }
    (down != up).then(|| at.map_or(0, |at| (at + down).saturating_sub(up).min(last)))
}

/// Whether text of a label is marked, which copying means then.
fn has_selected_text(ctx: &egui::Context) -> bool {
    let labels = ctx.plugin_opt::<LabelSelectionState>();
    labels.is_some_and(|labels| labels.lock().has_selection())
}

/// Turns the keys pressed since the last time into actions.
pub(super) fn take_keys(ctx: &egui::Context, state: &AppState, out: &mut Vec<Action>) {
    let listener = ctx.plugin_or_default::<KeyListener>();
    let pressed = {
        let mut listener = listener.lock();
        listener.has_dialog = state.dialog.is_some();
        listener.is_in_list = false;
        std::mem::take(&mut listener.pressed)
    };
    for command in pressed {
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
    } else if state.tab.view.measure.is_picking {
        Some(Action::Run(Command::Measure))
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

    /// What keys in the places of a US keyboard mean without and with Shift, where that is not what
    /// they mean there. Nothing is what no key of egui's stands for.
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

    /// The commands of all keys of a keyboard pressed with `modifiers`.
    fn heard(layout: Layout, modifiers: Modifiers) -> Vec<Command> {
        let press = |&place: &Key| {
            let row = layout.iter().find(|(key, _)| *key == place);
            let meaning = match row {
                Some((_, meanings)) => meanings[usize::from(modifiers.shift)],
                None => Some(place),
            };
            // What means nothing is reported by its place.
            command_of_press(meaning.unwrap_or(place), Some(place), modifiers, false)
        };
        Key::ALL.iter().filter_map(press).collect()
    }

    #[test]
    fn every_command_can_be_pressed_on_us_german_and_french_keyboards() {
        for (name, layout) in [("US", US), ("German", GERMAN), ("French", FRENCH)] {
            for command in Command::all().filter(|command| !command.info().keys.is_empty()) {
                let can_be_pressed = shortcuts(command).any(|key| {
                    let mut modifiers = key.modifiers;
                    // Ctrl is what a press of Command reports as, too.
                    modifiers.ctrl = modifiers.command;
                    heard(layout, modifiers).contains(&command)
                });
                assert!(can_be_pressed, "{} on a {name} keyboard", command.info().name);
            }
        }
    }

    #[test]
    fn a_letter_is_what_is_printed_on_it() {
        // On a French keyboard A lies where Q is on others.
        let pressed = command_of_press(Key::A, Some(Key::Q), Modifiers::NONE, false);
        assert_eq!(pressed, Some(Command::FrameAll));
        let pressed = command_of_press(Key::Pipe, Some(Key::Backslash), Modifiers::SHIFT, false);
        assert_eq!(pressed, Some(Command::ClearRange));
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
