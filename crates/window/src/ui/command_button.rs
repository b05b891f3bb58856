//! Commands as menu entries and buttons.

use egui::{Atom, Atoms, Button, IntoAtoms, Response, Stroke, Ui, vec2};

use super::icons;
use super::shortcuts::shortcut_text;
use super::theme;
use super::tooltips::{command_help, command_text, explained};
use rigscope_state::{Action, AppState, Command};

/// As wide as a tick.
pub(super) const NO_TICK: &str = "     ";

/// A menu entry with its shortcut on the right and a tick if it is on. `has_ticks` reserves space for
/// ticks.
pub(super) fn menu_entry_ui(
    ui: &mut Ui,
    state: &AppState,
    command: Command,
    has_ticks: bool,
    out: &mut Vec<Action>,
) {
    let info = command.info();
    let name = if info.is_switch() { info.name.to_owned() } else { command.title(state) };
    let tick = match (has_ticks, command.is_on(state)) {
        (false, _) => "",
        (true, true) => "✔ ",
        (true, false) => NO_TICK,
    };
    let text = format!("{tick}{name}");
    let button = Button::new(text).shortcut_text(shortcut_text(ui.ctx(), command));
    let response = ui.add_enabled(command.is_enabled(state), button);
    let response = explained(response, command_help(state, command));
    if response.clicked() {
        out.push(Action::Run(command));
        ui.close();
    }
}

/// A flat button that stays pressed while the command is on.
pub(super) fn command_button_ui(
    ui: &mut Ui,
    state: &AppState,
    command: Command,
    label: &str,
    out: &mut Vec<Action>,
) -> Response {
    button_ui(ui, state, command, "", label, false, out)
}

/// Like [`command_button_ui`], with `hint` as the last line of the tooltip.
pub(super) fn hinted_command_button_ui(
    ui: &mut Ui,
    state: &AppState,
    command: Command,
    hint: &str,
    label: &str,
    out: &mut Vec<Action>,
) -> Response {
    button_ui(ui, state, command, hint, label, false, out)
}

/// Side of an icon, in points.
pub(super) const ICON: f32 = 16.0;

/// A command button with an icon and optionally a name.
pub(super) fn icon_button_ui(
    ui: &mut Ui,
    state: &AppState,
    command: Command,
    name: Option<&str>,
    out: &mut Vec<Action>,
) -> Response {
    let mut atoms = Atoms::default();
    if let Some(icon) = command.info().icon {
        atoms.push_right(Atom::paint(vec2(ICON, ICON), move |ui, args| {
            icons::paint(ui.painter(), icon, args.rect, args.fallback_text_color);
        }));
    }
    if let Some(name) = name {
        atoms.push_right(name);
    }
    button_ui(ui, state, command, "", atoms, false, out)
}

/// A command button with a frame, for use outside a toolbar.
pub(super) fn framed_command_button_ui(
    ui: &mut Ui,
    state: &AppState,
    command: Command,
    label: &str,
    out: &mut Vec<Action>,
) -> Response {
    button_ui(ui, state, command, "", label, true, out)
}

fn button_ui<'a>(
    ui: &mut Ui,
    state: &AppState,
    command: Command,
    hint: &str,
    label: impl IntoAtoms<'a>,
    has_frame: bool,
    out: &mut Vec<Action>,
) -> Response {
    let is_on = command.is_on(state);
    let button = Button::selectable(is_on, label).frame_when_inactive(is_on || has_frame);
    let response = ui.add_enabled(command.is_enabled(state), button);
    if is_on {
        // The fill colours differ too little for everyone to see.
        let line = response.rect.shrink2(vec2(5.0, 0.0));
        let stroke = Stroke::new(2.0, theme::accent(ui.visuals()));
        ui.painter().hline(line.x_range(), line.bottom() - 1.0, stroke);
    }
    let response = described_with(response, state, command, hint);
    if response.clicked() {
        out.push(Action::Run(command));
    }
    response
}

/// Adds the command's name, shortcut and description as a tooltip.
pub(super) fn described(response: Response, state: &AppState, command: Command) -> Response {
    described_with(response, state, command, "")
}

fn described_with(response: Response, state: &AppState, command: Command, hint: &str) -> Response {
    let mut text = command_text(&response.ctx, state, command);
    if !hint.is_empty() {
        text.push('\n');
        text.push_str(hint);
    }
    explained(response, text).accessible_name(command.title(state))
}
