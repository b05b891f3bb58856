//! Decides whether a command or a widget gets a key press.
//!
//! The first of these that wants a key gets it:
//!
//! 1. An open menu or list of choices: all keys without Ctrl.
//! 2. A text field with the focus: the keys of text and of editing it, and Escape.
//! 3. A dialog over the window: all other keys without Ctrl, except function keys. Escape closes it, and a dialog next to
//!    the view, also from one of its fields; a search field is emptied first.
//! 4. A list with the focus: the keys that it moves by.
//! 5. Another widget with the focus: up and down, which move the focus.
//! 6. The command with this shortcut.
//!
//! The listener removes the keys of commands from the raw input before egui sees them. Otherwise, Space would press the
//! focused button and arrows would move the focus.
//!
//! A click and some commands move the focus, but only once the frame has been laid out. Key presses
//! that follow in the same batch of events wait for a later frame, so that slow frames don't change who gets them.

use egui::text_selection::LabelSelectionState;
use egui::{Context, Event, EventFilter, Id, Key, Modifiers, Plugin, RawInput, Ui};

use super::shortcuts::command_of_press;
use rigscope_state::{Action, AppState, Command, Selection};

/// The keys that move through a list of rows.
pub(super) const ROW_KEYS: &[Key] =
    &[Key::ArrowUp, Key::ArrowDown, Key::Home, Key::End, Key::PageUp, Key::PageDown, Key::Enter];

/// The keys that move through a tree and open and close its branches.
pub(super) const TREE_KEYS: &[Key] = &[
    Key::ArrowUp,
    Key::ArrowDown,
    Key::Home,
    Key::End,
    Key::PageUp,
    Key::PageDown,
    Key::Enter,
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::Plus,
    Key::Minus,
];

/// A command that opens a text field is applied after its frame, and the field gets the focus while the
/// next one is laid out: the one after that is the first whose keys reach it.
const FRAMES_TO_OPEN_A_FIELD: u64 = 2;

/// The recipient of a key press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recipient {
    Widget,
    Command(Command),
    /// Escape that ends something outside egui and takes the focus from a widget.
    Both(Command),
}

/// Possible recipients of a key, as of the last frame.
#[derive(Clone, Copy, Default)]
struct Listeners {
    /// A menu, a list of choices or a context menu is open.
    has_popup: bool,
    /// A dialog covers the window.
    has_modal: bool,
    /// A dialog is open, over the window or next to the view.
    has_dialog: bool,
    /// A text field has the focus.
    is_typing: bool,
    /// A search field with text has the focus, which Escape empties.
    is_searching: bool,
    /// The keys of the list that has the focus.
    list_keys: &'static [Key],
    /// Some widget has the focus.
    has_focus: bool,
}

impl Listeners {
    fn recipient(&self, key: Key, place: Option<Key>, modifiers: Modifiers) -> Recipient {
        let is_plain = !modifiers.command && !modifiers.ctrl;
        if self.has_popup && is_plain {
            return Recipient::Widget;
        }
        if key == Key::Escape && modifiers.is_none() {
            // A field loses the focus first, unless its dialog closes with it.
            let is_for_field = self.is_searching || (self.is_typing && !self.has_dialog);
            return match (is_for_field, self.has_focus) {
                (true, _) => Recipient::Widget,
                (false, true) => Recipient::Both(Command::ClearSelection),
                (false, false) => Recipient::Command(Command::ClearSelection),
            };
        }
        let is_text = self.is_typing && (is_plain && !is_function_key(key) || edits_text(key));
        let is_for_modal = self.has_modal && is_plain && !is_function_key(key);
        let is_for_list = modifiers.is_none() && self.list_keys.contains(&key);
        let moves_focus = self.has_focus && matches!(key, Key::ArrowUp | Key::ArrowDown);
        if is_text || is_for_modal || is_for_list || (moves_focus && modifiers.is_none()) {
            return Recipient::Widget;
        }
        command_of_press(key, place, modifiers).map_or(Recipient::Widget, Recipient::Command)
    }
}

/// Whether `key` edits text together with Ctrl.
fn edits_text(key: Key) -> bool {
    matches!(
        key,
        Key::A
            | Key::C
            | Key::V
            | Key::X
            | Key::Y
            | Key::Z
            | Key::Insert
            | Key::Delete
            | Key::Backspace
            | Key::ArrowLeft
            | Key::ArrowRight
            | Key::ArrowUp
            | Key::ArrowDown
            | Key::Home
            | Key::End
    )
}

fn is_function_key(key: Key) -> bool {
    let number = key.name().strip_prefix('F');
    number.is_some_and(|number| number.parse::<u8>().is_ok())
}

/// Listens for keys, ahead of all widgets.
#[derive(Default)]
pub(super) struct KeyListener {
    pressed: Vec<Command>,
    has_modal: bool,
    has_dialog: bool,
    is_searching: bool,
    list_keys: &'static [Key],
    /// Events that wait for the focus to move, and the frame in which they are handled.
    waiting: Vec<Event>,
    resume_frame: u64,
}

impl Plugin for KeyListener {
    fn debug_name(&self) -> &'static str {
        "rigscope keys"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let frame = ctx.cumulative_frame_nr();
        self.waiting.append(&mut input.events);
        if frame < self.resume_frame {
            ctx.request_repaint();
            return;
        }
        let is_typing = ctx.text_edit_focused();
        let listeners = Listeners {
            has_popup: ctx.any_popup_open(),
            has_modal: self.has_modal,
            has_dialog: self.has_dialog,
            is_typing,
            is_searching: is_typing && self.is_searching,
            list_keys: self.list_keys,
            has_focus: ctx.memory(|memory| memory.focused().is_some()),
        };
        let has_text = is_typing || has_selected_text(ctx);
        let mut moves_focus = false;
        let mut events = std::mem::take(&mut self.waiting).into_iter();
        while let Some(event) = events.next() {
            let is_input = matches!(
                event,
                Event::Key { pressed: true, .. }
                    | Event::Text(_)
                    | Event::Ime(_)
                    | Event::Copy
                    | Event::Cut
                    | Event::Paste(_)
            );
            if moves_focus && is_input {
                self.waiting.push(event);
                self.waiting.extend(events);
                self.resume_frame = self.resume_frame.max(frame + 1);
                ctx.request_repaint();
                return;
            }
            moves_focus |= matches!(event, Event::PointerButton { .. });
            let recipient = self.recipient(&event, listeners, has_text);
            if let Recipient::Command(command) | Recipient::Both(command) = recipient
                && command.info().opens_field
            {
                moves_focus = true;
                self.resume_frame = frame + FRAMES_TO_OPEN_A_FIELD;
            }
            if !matches!(recipient, Recipient::Command(_)) {
                input.events.push(event);
            }
        }
    }
}

impl KeyListener {
    /// The recipient of `event`; a command is added to those pressed.
    fn recipient(&mut self, event: &Event, listeners: Listeners, has_text: bool) -> Recipient {
        // The system's copy event, whichever key triggered it.
        if *event == Event::Copy && !has_text {
            self.pressed.push(Command::CopyImage);
            return Recipient::Command(Command::CopyImage);
        }
        let Event::Key { key, physical_key, pressed: true, repeat, modifiers } = event else {
            return Recipient::Widget;
        };
        let recipient = listeners.recipient(*key, *physical_key, *modifiers);
        if let Recipient::Command(command) | Recipient::Both(command) = recipient
            && (!repeat || command.info().repeats)
        {
            self.pressed.push(command);
        }
        recipient
    }
}

/// Reserves `keys` for the list `id`, which has the focus.
pub(super) fn claim_list_keys(ui: &Ui, id: Id, keys: &'static [Key]) {
    ui.ctx().plugin_or_default::<KeyListener>().lock().list_keys = keys;
    let filter =
        EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
}

/// Reserves Escape for the search field, which has the focus.
pub(super) fn claim_escape(ui: &Ui) {
    ui.ctx().plugin_or_default::<KeyListener>().lock().is_searching = true;
}

/// The row reached from row `at` of `num` rows with the keys pressed; a page has `page` rows.
pub(super) fn list_step(ui: &Ui, at: Option<usize>, num: usize, page: usize) -> Option<usize> {
    let last = num.checked_sub(1)?;
    // A held key may repeat several times per frame.
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

/// Whether text of a label is selected, which takes precedence when copying.
fn has_selected_text(ctx: &Context) -> bool {
    let labels = ctx.plugin_opt::<LabelSelectionState>();
    labels.is_some_and(|labels| labels.lock().has_selection())
}

/// Turns the keys pressed since the last frame into actions.
pub(super) fn take_keys(ctx: &Context, state: &AppState, out: &mut Vec<Action>) {
    let listener = ctx.plugin_or_default::<KeyListener>();
    let pressed = {
        let mut listener = listener.lock();
        listener.has_modal = state.dialog.is_some_and(|dialog| !dialog.is_docked());
        listener.has_dialog = state.dialog.is_some();
        listener.list_keys = &[];
        listener.is_searching = false;
        std::mem::take(&mut listener.pressed)
    };
    for command in pressed {
        // Escape may have nothing to close or deselect; that needs no message.
        let is_idle = state.tab.selection == Selection::None && on_top(state).is_none();
        if command == Command::ClearSelection && is_idle {
            continue;
        }
        let covers = (command == Command::ClearSelection).then(|| on_top(state));
        out.push(covers.flatten().unwrap_or(Action::Run(command)));
    }
}

/// Closes the topmost overlay, which Escape does before it clears the selection.
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
    use super::*;

    const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

    fn recipient(listeners: Listeners, key: Key, modifiers: Modifiers) -> Recipient {
        listeners.recipient(key, None, modifiers)
    }

    #[test]
    fn text_fields_capture_only_editing_keys() {
        let field = Listeners { is_typing: true, has_focus: true, ..Listeners::default() };
        for (key, modifiers) in [
            (Key::Space, Modifiers::NONE),
            (Key::B, Modifiers::SHIFT),
            (Key::Z, Modifiers::ALT),
            (Key::ArrowLeft, Modifiers::NONE),
            (Key::ArrowLeft, CTRL),
            (Key::Z, CTRL),
            (Key::Escape, Modifiers::NONE),
        ] {
            assert_eq!(recipient(field, key, modifiers), Recipient::Widget, "{key:?}");
        }
        let open = Recipient::Command(Command::Open);
        assert_eq!(recipient(field, Key::O, CTRL), open);
        let reload = Recipient::Command(Command::Reload);
        assert_eq!(recipient(field, Key::F5, Modifiers::NONE), reload);
    }

    #[test]
    fn lists_capture_only_their_navigation_keys() {
        let list = Listeners { list_keys: ROW_KEYS, has_focus: true, ..Listeners::default() };
        let widget = Recipient::Widget;
        assert_eq!(recipient(list, Key::ArrowDown, Modifiers::NONE), widget);
        assert_eq!(recipient(list, Key::Home, Modifiers::NONE), widget);
        for (key, command) in [
            (Key::Space, Command::PlayPause),
            (Key::ArrowRight, Command::NextKey),
            (Key::A, Command::FrameAll),
        ] {
            let command = Recipient::Command(command);
            assert_eq!(recipient(list, key, Modifiers::NONE), command, "{key:?}");
        }
        let clear = Recipient::Both(Command::ClearSelection);
        assert_eq!(recipient(list, Key::Escape, Modifiers::NONE), clear);
        let tree = Listeners { list_keys: TREE_KEYS, ..list };
        assert_eq!(recipient(tree, Key::ArrowRight, Modifiers::NONE), widget);
    }

    #[test]
    fn menus_and_dialogs_capture_plain_keys() {
        let menu = Listeners { has_popup: true, ..Listeners::default() };
        let dialog = Listeners { has_modal: true, has_dialog: true, ..Listeners::default() };
        for listeners in [menu, dialog] {
            let widget = Recipient::Widget;
            assert_eq!(recipient(listeners, Key::B, Modifiers::NONE), widget);
            assert_eq!(recipient(listeners, Key::Space, Modifiers::NONE), widget);
            let open = Recipient::Command(Command::Open);
            assert_eq!(recipient(listeners, Key::O, CTRL), open);
        }
        assert_eq!(recipient(menu, Key::Escape, Modifiers::NONE), Recipient::Widget);
        let close = Recipient::Command(Command::ClearSelection);
        assert_eq!(recipient(dialog, Key::Escape, Modifiers::NONE), close);
    }
}
