//! Commands as menu entries and buttons.

use egui::{Button, Response, Ui};

use super::shortcuts::shortcut_text;
use crate::state::{Action, AppState, Command};

/// An entry of a menu, with its key at the right and a tick where it is on.
pub(super) fn menu_entry_ui(
    ui: &mut Ui,
    state: &AppState,
    command: Command,
    out: &mut Vec<Action>,
) {
    let info = command.info();
    let is_on = info.checked.is_some_and(|checked| checked(state));
    let text = match info.checked {
        Some(_) if is_on => format!("✔ {}", info.name),
        Some(_) => format!("     {}", info.name),
        None => command.title(state),
    };
    let button = Button::new(text).shortcut_text(shortcut_text(ui.ctx(), command));
    let response = ui
        .add_enabled(command.is_enabled(state), button)
        .on_hover_text(info.help);
    if response.clicked() {
        out.push(Action::Run(command));
        ui.close();
    }
}

/// A flat button that stays pressed where the command is on.
pub(super) fn command_button_ui(
    ui: &mut Ui,
    state: &AppState,
    command: Command,
    label: &str,
    out: &mut Vec<Action>,
) -> Response {
    button_ui(ui, state, command, label, false, out)
}

/// The same with a frame, where it stands alone.
pub(super) fn framed_command_button_ui(
    ui: &mut Ui,
    state: &AppState,
    command: Command,
    label: &str,
    out: &mut Vec<Action>,
) -> Response {
    button_ui(ui, state, command, label, true, out)
}

fn button_ui(
    ui: &mut Ui,
    state: &AppState,
    command: Command,
    label: &str,
    has_frame: bool,
    out: &mut Vec<Action>,
) -> Response {
    let info = command.info();
    let is_on = info.checked.is_some_and(|checked| checked(state));
    let button = Button::selectable(is_on, label).frame_when_inactive(is_on || has_frame);
    let response = ui.add_enabled(command.is_enabled(state), button);
    let response = described(response, state, command);
    if response.clicked() {
        out.push(Action::Run(command));
    }
    response
}

/// Gives a button the command's name, key and meaning.
pub(super) fn described(response: Response, state: &AppState, command: Command) -> Response {
    let key = shortcut_text(&response.ctx, command);
    let title = command.title(state);
    let key = if key.is_empty() {
        key
    } else {
        format!("  ({key})")
    };
    response
        .on_hover_text(format!("{title}{key}\n{}", command.info().help))
        .accessible_name(title)
}
